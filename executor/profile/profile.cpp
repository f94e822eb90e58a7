// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/profile/profile.h"

#include "core/check/program_check.h"
#include "core/program/lower.h"
#include "executor/local_run.h"
#include "executor/overhead.h"
#include "executor/pinning.h"
#include "executor/processes/rank_threads.h"
#include "executor/profile/measured_order.h"
#include "executor/profile/other_backwards.h"
#include "executor/run_preparation.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace pipeloom::executor {

namespace {

constexpr std::int64_t warmUp = 2;
constexpr std::array<PassKind, passKinds> kinds { PassKind::F, PassKind::B, PassKind::W, PassKind::BW };

Spread scaled(Spread spread, double factor)
{
    spread.median *= factor;
    spread.low *= factor;
    spread.high *= factor;
    return spread;
}

Finding warning(const char* rule, std::string message, std::string remedy)
{
    return { rule, Severity::Warning, {}, "", std::move(message), std::move(remedy) };
}

/// Written by the devices' threads, each its own; owned by whoever may still write.
struct Records {
    std::vector<std::vector<StepRecord>> ofDevice;
};

/// The steps of a profile, each of which may end it.
class Profiling {
public:
    Profiling(const Design& design, std::span<const Design> others, const ProfileOptions& options)
        : design_(design)
        , others_(others)
        , options_(options)
    {
    }

    ProfileResult run()
    {
        if (prepareDesign()) {
            addOtherBackwards();
            if (addOthers() && train())
                evaluate();
        }
        return std::move(result_);
    }

private:
    [[nodiscard]] std::shared_ptr<const RunPreparation> prepared(const Design& design, RunResult& ran);
    [[nodiscard]] bool prepareDesign();
    void addOtherBackwards();
    [[nodiscard]] bool addOthers();
    [[nodiscard]] bool addOther(const Design& other);
    [[nodiscard]] bool train();
    [[nodiscard]] Job job(const std::shared_ptr<Records>& records) const;
    [[nodiscard]] std::int64_t allSteps() const;
    void addOrder(std::string name, Program program);
    void addSchedule(const Schedule& schedule);
    void takeSteps(const Records& records);
    void evaluate();
    void warn();
    void reportPasses(const MeasuredCosts& ofDesign, const MeasuredCosts& all);
    void reportTransfers();
    void reportShares();

    const Design& design_;
    std::span<const Design> others_;
    const ProfileOptions& options_;
    ProfileResult result_;
    std::shared_ptr<const RunPreparation> preparation_;
    Schedule schedule_;
    std::vector<MeasuredOrder> orders_; ///< the design; with other backwards; others
    std::size_t firstOther_ = 1;
};

std::shared_ptr<const RunPreparation> Profiling::prepared(const Design& design, RunResult& ran)
{
    RunOptions options;
    options.steps = options_.steps + warmUp;
    options.data = options_.data;
    options.timeoutSeconds = options_.timeoutSeconds;
    options.form = options_.form;
    options.transport = options_.transport;
    Design once = design; // several rounds of the same passes tell nothing more
    if (once.training)
        once.training->accumulate.reset();
    return prepare(once, options, ran);
}

bool Profiling::prepareDesign()
{
    RunResult ran;
    preparation_ = prepared(design_, ran);
    result_.outcome = ran.outcome;
    result_.findings = std::move(ran.findings);
    result_.notes = std::move(ran.notes);
    result_.model = ran.model;
    result_.defaultModel = ran.defaultModel;
    if (!preparation_)
        return false;
    result_.memory = preparation_->memory;
    result_.transport = options_.transport;
    schedule_ = std::move(ran.plan.schedule);
    addOrder(design_.name.empty() ? "the design" : design_.name, preparation_->program);
    if (!ran.timesComparable)
        result_.findings.push_back(warning("profile/cores",
            "There are fewer cores than devices, so passes wait for a core, and their times are not those of devices "
            "of "
            "their own.",
            "Measure a design with fewer devices, or on a machine with more cores."));
    return true;
}

void Profiling::addOrder(std::string name, Program program)
{
    orders_.push_back({});
    orders_.back().name = std::move(name);
    orders_.back().program = std::move(program);
}

void Profiling::addSchedule(const Schedule& schedule)
{
    auto program = lower(schedule, design_.pipeline, design_.network, QueueModel::Directed);
    if (!program || hasErrors(check(*program, design_.pipeline, QueueModel::Directed)))
        throw std::logic_error("an order with other backwards does not run");
    addOrder("", std::move(*program));
}

void Profiling::addOtherBackwards()
{
    ByKindAndStage<bool> has;
    for (auto& stages : has.values)
        stages.assign(static_cast<std::size_t>(design_.pipeline.stages), false);
    for (const Slot& slot : schedule_.slots)
        if (!slot.isPair())
            has.values[index(slot.first.kind)][slot.first.stage.index()] = true;
    const auto lacks = [&](PassKind kind) {
        return std::ranges::find(has.values[index(kind)], false) != has.values[index(kind)].end();
    };
    if (lacks(PassKind::F) || lacks(PassKind::B) || lacks(PassKind::W))
        addSchedule(withSplitBackwards(schedule_));
    if (lacks(PassKind::BW))
        addSchedule(withFusedBackwards(schedule_));
    firstOther_ = orders_.size();
}

bool Profiling::addOthers()
{
    for (const Design& other : others_)
        if (!addOther(other))
            return false;
    return true;
}

bool Profiling::addOther(const Design& other)
{
    const Pipeline& mine = design_.pipeline;
    const Pipeline& its = other.pipeline;
    const std::string name = other.name.empty() ? "The other design" : other.name;
    if (its.devices != mine.devices || its.stages != mine.stages || its.microBatches != mine.microBatches
        || its.routes != mine.routes || its.routeOfMicroBatch != mine.routeOfMicroBatch) {
        result_.outcome = Outcome::Refused;
        result_.findings.push_back({ "profile/others", Severity::Error, {}, "",
            fmt::format("{} has {} devices, {} stages and {} micro-batches, the design {}, {} and {}, or stages lie "
                        "elsewhere: its passes are not the same.",
                name, its.devices, its.stages, its.microBatches, mine.devices, mine.stages, mine.microBatches),
            "Compare designs with the same placement and micro-batches." });
        return false;
    }
    Design same = other;
    same.model = design_.model;
    same.training = design_.training;
    RunResult ran;
    const auto preparation = prepared(same, ran);
    if (!preparation) {
        result_.outcome = ran.outcome;
        append(result_.findings, std::move(ran.findings));
        return false;
    }
    addOrder(name, preparation->program);
    return true;
}

std::int64_t Profiling::allSteps() const
{
    return (options_.steps + warmUp) * static_cast<std::int64_t>(orders_.size());
}

Job Profiling::job(const std::shared_ptr<Records>& records) const
{
    Job job;
    job.program = orders_.front().program;
    for (std::size_t i = 1; i < orders_.size(); ++i)
        job.others.push_back(orders_[i].program);
    job.stages = preparation_->setup.stages;
    job.steps = allSteps();
    job.clip = preparation_->setup.training.clip;
    job.limit = std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(options_.timeoutSeconds));
    job.makeWork = [preparation = preparation_](DeviceId device) -> std::unique_ptr<DeviceWork> {
        pinToCore(device.index(), static_cast<std::size_t>(preparation->pipeline.devices));
        return makeModelWork(preparation->setup, device, preparation->pipeline.stagesOn(device));
    };
    job.record = [records](DeviceId device, std::int64_t, const StepRecord& record) {
        records->ofDevice[device.index()].push_back(record);
    };
    return job;
}

bool Profiling::train()
{
    const auto records = std::make_shared<Records>();
    records->ofDevice.resize(static_cast<std::size_t>(design_.pipeline.devices));
    const auto onStep = [&](const StepReport& step) {
        if (options_.onStep)
            options_.onStep(step.step + 1, allSteps());
    };
    const JobResult ran = options_.transport == TransportKind::Gloo
        ? runOverLoopback([&] { return job(records); }, onStep, options_.stop)
        : runLocally(job(records), onStep, options_.stop);
    append(result_.findings, ran.warnings);
    result_.outcome = !ran.finding ? Outcome::Finished : ran.interrupted ? Outcome::Interrupted : Outcome::Failed;
    if (ran.finding) {
        result_.findings.push_back(*ran.finding);
        return false;
    }
    takeSteps(*records);
    return true;
}

void Profiling::takeSteps(const Records& records)
{
    const std::size_t turns = orders_.size();
    std::vector<StepRecord> step(records.ofDevice.size());
    for (std::size_t s = warmUp * turns; s < static_cast<std::size_t>(allSteps()); ++s) {
        for (std::size_t d = 0; d < step.size(); ++d)
            step[d] = records.ofDevice[d].at(s);
        orders_[s % turns].add(step);
    }
    for (MeasuredOrder& order : orders_)
        order.setDisturbedAside();
}

void Profiling::evaluate()
{
    warn();
    const MeasuredCosts ofDesign = orders_.front().costs(design_.pipeline);
    MeasuredCosts all = ofDesign;
    for (std::size_t i = 1; i < firstOther_; ++i)
        all.complete(orders_[i].costs(design_.pipeline));
    reportPasses(ofDesign, all);
    reportTransfers();
    reportShares();
    result_.foretold.push_back(orders_.front().foretold(design_.pipeline, all));
    for (std::size_t i = firstOther_; i < orders_.size(); ++i)
        result_.foretold.push_back(orders_[i].foretold(design_.pipeline, all));
    result_.design = withCosts(design_, all, preparation_->memory, preparation_->setup.messageBytes());
}

void Profiling::warn()
{
    for (const MeasuredOrder& order : orders_)
        if (order.allAreDisturbed) {
            result_.findings.push_back(warning("profile/disturbed",
                fmt::format(
                    "Of {} steps only {} were left in peace: something else had the cores for more than 3 % of the "
                    "pass time, so all of them count, and costs are too high.",
                    order.steps.size(), static_cast<std::int64_t>(order.steps.size()) - order.disturbed),
                "Measure when the machine has nothing else to do."));
            break;
        }
    if (design_.memory.unit != MemoryUnit::Activation)
        return;
    const auto& memory = design_.memory;
    const bool hasLimits = std::ranges::any_of(memory.limit, [](const auto& limit) { return limit.has_value(); })
        || std::ranges::any_of(memory.communication, [](Bytes bytes) { return bytes != 0; });
    if (hasLimits)
        result_.findings.push_back(warning("profile/limits",
            "The design's limits and communication memory are in activations; with measured costs memory is in bytes, "
            "so "
            "they were left out.",
            "Give them again, in bytes."));
}

void Profiling::reportPasses(const MeasuredCosts& ofDesign, const MeasuredCosts& all)
{
    constexpr double msPerNs = 1e-6;
    constexpr double usPerNs = 1e-3;
    for (std::int32_t s = 0; s < design_.pipeline.stages; ++s)
        for (const PassKind kind : kinds)
            result_.passes.push_back({ kind, StageId { s }, scaled(all.passes.of(kind, StageId { s }), msPerNs),
                ofDesign.passes.of(kind, StageId { s }).count > 0 });
    if (all.pair.count > 0)
        result_.pairMs = scaled(all.pair, msPerNs);
    for (std::size_t d = 0; d < all.loop.size(); ++d)
        result_.loop.push_back({ DeviceId { d }, scaled(all.loop[d], usPerNs) });
}

void Profiling::reportTransfers()
{
    constexpr double usPerNs = 1e-3;
    const MeasuredOrder& own = orders_.front();
    std::vector<std::vector<double>> waited(own.program.channels.size());
    for (const StepTimes& step : own.steps)
        for (const MeasuredHandOver& handOver : step.handOvers)
            waited[static_cast<std::size_t>(own.program.messages[static_cast<std::size_t>(handOver.message)].channel)]
                .push_back(static_cast<double>(handOver.time) * usPerNs);
    for (std::size_t c = 0; c < waited.size(); ++c) {
        const Channel& channel = own.program.channels[c];
        result_.transfers.push_back({ channel.from, channel.to, channel.data != DataKind::Gradient,
            preparation_->setup.messageBytes(), channel.messages, spreadOf(std::move(waited[c])) });
    }
}

void Profiling::reportShares()
{
    std::vector<double> loop;
    std::vector<double> waiting;
    for (const StepTimes& step : orders_.front().steps) {
        loop.push_back(step.loopShare);
        waiting.push_back(step.waitingShare);
    }
    result_.loopShare = spreadOf(std::move(loop)).median;
    result_.waitingShare = spreadOf(std::move(waiting)).median;
    append(result_.findings, overheadNote(result_.loopShare, result_.waitingShare));
}

} // namespace

ProfileResult profile(const Design& design, std::span<const Design> others, const ProfileOptions& options)
{
    return Profiling(design, others, options).run();
}

} // namespace pipeloom::executor
