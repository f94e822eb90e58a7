// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/measured/run_costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pipeloom {

namespace {

constexpr double nsPerMs = 1e6;

double milliseconds(Ticks nanoseconds) { return static_cast<double>(nanoseconds) / nsPerMs; }

bool isOf(const Pipeline& pipeline, const Pass& pass)
{
    return pass.stage.value >= 0 && pass.stage.value < pipeline.stages && pass.microBatch.value >= 0
        && pass.microBatch.value < pipeline.microBatches;
}

/// The step's passes in the plan's list order. None: they are not the plan's.
std::optional<Timeline> inListOrder(const MeasuredStep& step, const RunPlan& plan)
{
    Timeline measured = plan.timeline;
    std::vector<std::uint8_t> has(measured.passes.size(), 0);
    for (const MeasuredRow& row : step.rows)
        for (const PassEnded& pass : row.passes) {
            const std::int32_t at = plan.find(pass.pass);
            if (at < 0)
                return std::nullopt;
            TimedPass& timed = measured.passes[static_cast<std::size_t>(at)];
            timed.start = pass.start;
            timed.end = pass.end;
            has[static_cast<std::size_t>(at)] = 1;
        }
    if (std::ranges::find(has, 0) != has.end())
        return std::nullopt;
    return measured;
}

/// When each message of the program had arrived; none: that was not told.
std::vector<std::optional<Nanos>> arrivals(const MeasuredStep& step, const RunPlan& plan)
{
    std::vector<std::optional<Nanos>> byPlace(plan.place.size());
    for (const TransferEnded& transfer : step.transfers)
        if (isOf(plan.pipeline, transfer.pass))
            byPlace[placeOf(plan.pipeline, transfer.pass)] = transfer.end;
    std::vector<std::optional<Nanos>> arrived;
    for (const Message& message : plan.program.messages)
        arrived.push_back(byPlace[placeOf(plan.pipeline, message.pass)]);
    return arrived;
}

/// Gaps before passes of one device that had all they needed when the device was free.
std::optional<double> loopOf(
    const Timeline& measured, const RunPlan& plan, DeviceId device, const std::vector<std::optional<Nanos>>& arrived)
{
    const auto row = measured.row(device);
    std::size_t at = 0;
    bool isReduced = false; // sums among devices stand between the two passes
    double sum = 0;
    std::int64_t count = 0;
    for (const Instruction& instruction : plan.program.row(device)) {
        isReduced = isReduced || instruction.op == Op::Reduce;
        if (instruction.op != Op::Compute)
            continue;
        const std::size_t i = at++;
        const bool wasReduced = std::exchange(isReduced, false);
        if (i == 0 || row[i].joined || wasReduced)
            continue;
        const auto isHere = [&](std::int32_t message) {
            const auto when = message < 0 ? std::optional(row[i - 1].end) : arrived[static_cast<std::size_t>(message)];
            return when && *when <= row[i - 1].end;
        };
        const bool bringsAnother = i + 1 < row.size() && row[i + 1].joined; // the second of a pair has an input too
        const auto next = static_cast<std::size_t>(plan.program.passBegin[device.index()]) + i + 1;
        if (!isHere(instruction.message) || (bringsAnother && !isHere(plan.inputs[next])))
            continue;
        sum += static_cast<double>(std::max<Ticks>(0, row[i].start - row[i - 1].end));
        ++count;
    }
    return count == 0 ? std::nullopt : std::optional(sum / static_cast<double>(count));
}

std::optional<Explained> explain(const RunPlan& plan, const MeasuredCosts& costs, std::span<const StepTimes> steps)
{
    const BetweenPasses between = costs.between();
    const auto made = replay(plan.program, plan.pipeline, costs.passTimes(plan.program), between);
    std::vector<double> measured;
    std::vector<double> ownPasses;
    std::vector<double> ownHandOvers;
    for (const StepTimes& step : steps) {
        const auto passes = replay(plan.program, plan.pipeline, step.passes, between);
        const auto handOvers = replay(plan.program, plan.pipeline, step.passes, between, step.handOvers);
        if (!passes || !handOvers)
            continue;
        measured.push_back(milliseconds(step.makespan));
        ownPasses.push_back(milliseconds(passes->handOver));
        ownHandOvers.push_back(milliseconds(handOvers->handOver));
    }
    if (!made || measured.empty())
        return std::nullopt;
    Explained explained;
    explained.steps = static_cast<std::int64_t>(measured.size());
    explained.measured = spreadOf(std::move(measured)).median;
    explained.passes = milliseconds(made->passes);
    explained.overhead = milliseconds(made->loop - made->passes);
    explained.handOver = milliseconds(made->handOver - made->loop);
    explained.simulated = milliseconds(made->handOver);
    const double withPasses = spreadOf(std::move(ownPasses)).median;
    const double withHandOvers = spreadOf(std::move(ownHandOvers)).median;
    explained.jitter = withPasses - explained.simulated;
    explained.late = withHandOvers - withPasses;
    explained.rest = explained.measured - withHandOvers;
    return explained;
}

/// The mean of the replicas' devices in the place of each one.
std::vector<Spread> ofOneReplica(const std::vector<Spread>& all, std::size_t devices)
{
    std::vector<Spread> one(devices);
    for (std::size_t d = 0; d < devices; ++d) {
        double measured = 0;
        for (std::size_t i = d; i < all.size(); i += devices) {
            if (all[i].count == 0)
                continue;
            ++measured;
            one[d].count += all[i].count;
            one[d].median += (all[i].median - one[d].median) / measured;
            one[d].low += (all[i].low - one[d].low) / measured;
            one[d].high += (all[i].high - one[d].high) / measured;
        }
    }
    return one;
}

Spread scaled(const Spread& spread, double factor)
{
    return { spread.count, spread.median * factor, spread.low * factor, spread.high * factor };
}

std::string listed(const std::vector<std::int32_t>& stages)
{
    return fmt::format("{} {}", stages.size() == 1 ? "stage" : "stages", fmt::join(stages, ", "));
}

/// What kinds of pass that a run had none of are given.
class Derived {
public:
    Derived(const Costs& before, const MeasuredCosts& costs)
        : before_(before)
        , costs_(costs)
    {
    }

    void fill(ByKindAndStage<Spread>& passes, StageId stage)
    {
        const auto of = [&](PassKind kind) -> Spread& { return passes.values[index(kind)][stage.index()]; };
        Spread& b = of(PassKind::B);
        Spread& w = of(PassKind::W);
        Spread& bw = of(PassKind::BW);
        const auto hasSplit = [&] { return b.count > 0 && w.count > 0; };
        bool isPaired = false;
        if (costs_.pair.count > 0 && of(PassKind::F).count == 0) {
            of(PassKind::F) = scaled(costs_.pair, shareOfForward(stage));
            isPaired = true;
        }
        if (costs_.pair.count > 0 && bw.count == 0 && !hasSplit()) {
            bw = scaled(costs_.pair, 1 - shareOfForward(stage));
            isPaired = true;
        }
        if (isPaired)
            paired_.push_back(stage.value);
        if (of(PassKind::F).count == 0 || (!hasSplit() && bw.count == 0)) {
            lacking_.push_back(stage.value);
        } else if (bw.count == 0) {
            bw = { b.count, b.median + w.median, b.low + w.low, b.high + w.high };
            fused_.push_back(stage.value);
        } else if (!hasSplit()) {
            b = scaled(bw, 0.5);
            w = b;
            split_.push_back(stage.value);
        }
    }
    [[nodiscard]] std::vector<std::string> notes() const
    {
        std::vector<std::string> notes;
        if (!paired_.empty())
            notes.push_back("Passes of " + listed(paired_)
                + " were run in overlapped pairs only; each is given the share of a pair that it had in the design.");
        if (!fused_.empty())
            notes.push_back("BW of " + listed(fused_) + " was not run; it is given the sum of B and W.");
        if (!split_.empty())
            notes.push_back("B and W of " + listed(split_) + " were not run; each is given half of BW.");
        return notes;
    }
    /// Stages of which there is nothing to derive from.
    [[nodiscard]] const std::vector<std::int32_t>& lacking() const { return lacking_; }

private:
    [[nodiscard]] double shareOfForward(StageId stage) const
    {
        const auto forward = static_cast<double>(before_.ticks.of(PassKind::F, stage));
        const auto both = forward + static_cast<double>(before_.ticks.of(PassKind::BW, stage));
        return both > 0 ? forward / both : 0.5;
    }

    const Costs& before_;
    const MeasuredCosts& costs_;
    std::vector<std::int32_t> paired_;
    std::vector<std::int32_t> fused_;
    std::vector<std::int32_t> split_;
    std::vector<std::int32_t> lacking_;
};

Finding error(const char* rule, std::string message, std::string remedy)
{
    return { rule, Severity::Error, {}, "", std::move(message), std::move(remedy) };
}

bool hasLimits(const MemoryModel& memory)
{
    return std::ranges::any_of(memory.limit, [](const auto& limit) { return limit.has_value(); })
        || std::ranges::any_of(memory.communication, [](Bytes bytes) { return bytes != 0; });
}

/// The run's memory, of one replica, with the limits of the design where they are in bytes too.
void takeMemory(Design& design, const MemoryModel& told, DesignWithCosts& result)
{
    const auto stages = static_cast<std::size_t>(design.pipeline.stages);
    const auto devices = static_cast<std::size_t>(design.pipeline.devices);
    const auto fits = [&](const ByKindAndStage<Bytes>& table) {
        return std::ranges::all_of(table.values, [&](const auto& byStage) { return byStage.size() == stages; });
    };
    if (!fits(told.change) || !fits(told.transient) || told.fixed.size() < devices)
        return;
    MemoryModel memory = design.memory;
    memory.unit = MemoryUnit::Byte;
    memory.change = told.change;
    memory.transient = told.transient;
    memory.fixed.assign(told.fixed.begin(), told.fixed.begin() + static_cast<std::ptrdiff_t>(devices));
    if (design.memory.unit == MemoryUnit::Activation) {
        if (hasLimits(design.memory))
            result.findings.push_back({ "profile/limits", Severity::Warning, {}, "",
                "The design's limits and communication memory are in activations; with measured costs memory is in "
                "bytes, so they were left out.",
                "Give them again, in bytes." });
        memory.limit.assign(devices, std::nullopt);
        memory.communication.assign(devices, 0);
    }
    design.memory = std::move(memory);
    result.notes.emplace_back("Memory is in bytes, as the run's dry pass measured it.");
}

} // namespace

std::optional<StepTimes> stepTimes(const MeasuredStep& step, const RunPlan& plan)
{
    const auto measured = inListOrder(step, plan);
    if (!measured)
        return std::nullopt;
    StepTimes times = stepTimes(plan.program, *measured);
    const auto arrived = arrivals(step, plan);
    for (std::int32_t d = 0; d < measured->devices(); ++d)
        times.loop.push_back(loopOf(*measured, plan, DeviceId { d }, arrived));
    return times;
}

RunCosts runCosts(std::span<const MeasuredStepPtr> steps, const RunPlan& plan)
{
    RunCosts result;
    CostSamples samples(plan.pipeline);
    std::vector<StepTimes> whole;
    std::vector<double> around;
    for (const MeasuredStepPtr& step : steps) {
        auto times = stepTimes(*step, plan);
        if (!times) {
            ++result.leftOut;
            continue;
        }
        samples.add(plan.program, *times);
        if (step->ended)
            around.push_back(std::max(0.0, step->ended->stepMs - milliseconds(times->makespan)));
        whole.push_back(std::move(*times));
    }
    result.steps = static_cast<std::int64_t>(whole.size());
    result.costs = samples.costs();
    result.explained = explain(plan, result.costs, whole);
    if (result.explained)
        result.explained->around = spreadOf(std::move(around)).median;
    return result;
}

std::string text(const Explained& explained)
{
    const auto share = [&](double ms) {
        return explained.measured > 0 ? fmt::format("{:+.1f} %", 100 * ms / explained.measured) : "-";
    };
    const auto part = [&](double ms) { return fmt::format("{:.2f} ms ({})", ms, share(ms)); };
    return fmt::format(
        "From the first pass to the last steps take {:.2f} ms (median of {}). Simulated with the measured "
        "costs they take {:.2f} ms: passes alone {:.2f}, time between passes {:.2f}, hand-overs {:.2f}. "
        "Pass times that scatter make it {} longer, hand-overs that were not as usual {}; {} is not "
        "explained. Beside its passes a step takes another {:.2f} ms: batches, sums, the optimizer's step.",
        explained.measured, explained.steps, explained.simulated, explained.passes, explained.overhead,
        explained.handOver, part(explained.jitter), part(explained.late), part(explained.rest), explained.around);
}

DesignWithCosts withMeasuredCosts(const Design& design, const MeasuredCosts& costs, const RunPlanned* planned)
{
    DesignWithCosts result;
    const auto devices = static_cast<std::size_t>(design.pipeline.devices);
    const std::size_t stages = costs.passes.values.front().size();
    if (stages != static_cast<std::size_t>(design.pipeline.stages) || devices == 0
        || costs.loop.size() % devices != 0) {
        result.findings.push_back(error("run/other-pipeline",
            fmt::format("The costs are of {} stages on {} devices, the design has {} on {}.", stages, costs.loop.size(),
                design.pipeline.stages, design.pipeline.devices),
            "Open the design that was run, or another one with its stages and devices."));
        return result;
    }
    MeasuredCosts ofOne = costs;
    ofOne.loop = ofOneReplica(costs.loop, devices);
    Derived derived(design.costs, costs);
    for (std::int32_t s = 0; s < design.pipeline.stages; ++s)
        derived.fill(ofOne.passes, StageId { s });
    if (!derived.lacking().empty()) {
        result.findings.push_back(error("run/no-costs",
            fmt::format("No whole step tells what the passes of {} take.", listed(derived.lacking())),
            "Wait for a step to end, or take a run that has steps without lost passes."));
        return result;
    }
    result.notes = derived.notes();
    Design made = withCosts(design, ofOne);
    if (planned && planned->memory)
        takeMemory(made, *planned->memory, result);
    result.design = std::move(made);
    return result;
}

} // namespace pipeloom
