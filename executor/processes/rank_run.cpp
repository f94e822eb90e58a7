// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/processes/rank_run.h"

#include "executor/device_threads.h"
#include "executor/gpu/nccl_network.h"
#include "executor/guarded.h"
#include "executor/processes/collect.h"
#include "executor/processes/heartbeat.h"
#include "executor/processes/judge.h"
#include "executor/processes/keys.h"
#include "executor/processes/launcher_watch.h"
#include "executor/processes/process_network.h"
#include "executor/processes/rendezvous.h"
#include "executor/processes/start_check.h"
#include "executor/processes/status_file.h"
#include "executor/processes/values.h"
#include "executor/processes/verdict.h"
#include "executor/run_report.h"
#include "executor/training_job.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <thread>

namespace pipeloom::executor {

namespace {

constexpr const char* protocol = "1";

std::string hostName()
{
    std::array<char, 256> name {};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

Finding gone()
{
    return { "run/launcher", Severity::Error, {}, "", "The launcher of this rank is gone.",
        "Start the run again; what it had saved is whole." };
}

/// A run of this rank, in the order in which it comes to have its parts.
class Rank {
public:
    Rank(const Design& design, const RunOptions& options, const RankPlace& place)
        : design_(design)
        , options_(options)
        , place_(place)
        , limit_(std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(options.timeoutSeconds)))
        , device_(place.rank)
        , address_ { place.masterAddress, static_cast<std::uint16_t>(place.masterPort), place.prefix }
    {
    }

    RunResult run();

private:
    [[nodiscard]] bool reports() const { return place_.rank == 0 && !place_.watchFd; }
    void connect();
    void watch();
    [[nodiscard]] bool prepareRun();
    [[nodiscard]] bool allMeanTheSame();
    [[nodiscard]] Job makeJob();
    [[nodiscard]] Findings verifyTogether(
        const DeviceWork& work, std::int64_t step, const std::vector<StageSums>& sums);
    [[nodiscard]] JobResult runDevice();
    [[nodiscard]] std::shared_ptr<TransportNetwork> network();
    void tell(const JobResult& ran);
    void conclude(JobResult ran);
    void refuse(Finding finding);
    void onStep(const StepReport& step);
    void followStopKey(const std::stop_token& over);

    const Design& design_;
    const RunOptions& options_;
    const RankPlace& place_;
    Nanoseconds limit_;
    DeviceId device_;
    StoreAddress address_;
    RunResult result_;

    std::unique_ptr<Store> store_;
    std::unique_ptr<Store> beatStore_;
    std::unique_ptr<Store> judgeStore_;
    std::unique_ptr<StatusWriter> status_;
    std::shared_ptr<Board> board_;
    std::unique_ptr<Judge> judge_;
    std::unique_ptr<Heartbeat> heartbeat_;
    std::unique_ptr<LauncherWatch> launcher_;
    std::stop_source stop_;

    std::shared_ptr<const RunPreparation> preparation_;
    std::shared_ptr<Messages> messages_;
    std::shared_ptr<ProcessNetwork> network_;
    std::shared_ptr<TrainingShared> shared_ = std::make_shared<TrainingShared>();
    std::size_t steps_ = 0;
    std::int64_t began_ = 0;
};

RunResult Rank::run()
{
    result_.outcome = Outcome::Failed;
    try {
        if (auto wrong = checkWorld(place_.world, design_.pipeline.devices, options_.replicas)) {
            refuse(std::move(*wrong));
            return result_;
        }
        connect();
        watch();
        if (prepareRun() && allMeanTheSame())
            conclude(runDevice());
    } catch (const PortTaken& taken) {
        refuse({ "run/port", Severity::Error, {}, "",
            fmt::format("Rank 0 cannot hold the store of the run on port {}: {}.", place_.masterPort, taken.what()),
            "Give all ranks another MASTER_PORT, or end what uses that one." });
    } catch (const StoreLost& lost) {
        result_.findings.push_back(lostStore(place_.masterAddress, lost.what()));
    } catch (const ConnectionLost& lost) {
        refuse({ "run/lost", Severity::Error, {}, "",
            fmt::format("Rank {} could not connect to all others: {}.", place_.rank, lost.what()),
            "See whether all hosts reach each other; GLOO_SOCKET_IFNAME names the network to use." });
    } catch (const std::exception& error) {
        refuse({ "run/failed", Severity::Error, {}, "",
            fmt::format("Rank {} failed: {}.", place_.rank, firstLine(error.what())), "Mend what the message says." });
    }
    // Who holds the store keeps it until the others have read what ended the run.
    if (store_ && reports() && !place_.agentStore && result_.outcome != Outcome::Finished)
        std::this_thread::sleep_for(4 * beatPeriod(limit_));
    return result_;
}

void Rank::connect()
{
    const bool hosts = place_.rank == 0 && !place_.agentStore;
    store_ = hosts ? hostStore(address_, limit_).store : connectStore(address_, limit_);
    beatStore_ = connectStore(address_, limit_);
}

void Rank::watch()
{
    std::function<void(const DeviceStatus&)> mirror;
    if (!place_.statusFile.empty()) {
        DeviceStatus first;
        first.device = device_;
        first.since = Clock::now();
        auto created = StatusWriter::create(place_.statusFile, first);
        append(result_.findings, std::move(created.findings));
        status_ = std::move(created.writer);
        if (status_)
            mirror = [writer = status_.get()](const DeviceStatus& status) { writer->write(status); };
    }
    board_ = std::make_shared<Board>(place_.world, limit_, device_, mirror);
    if (place_.watchFd)
        launcher_ = std::make_unique<LauncherWatch>(
            *place_.watchFd, [this] { board_->end(gone()); }, std::min<Nanoseconds>(limit_, std::chrono::seconds(5)));
    if (reports()) {
        judgeStore_ = connectStore(address_, limit_);
        judge_ = std::make_unique<Judge>(*judgeStore_,
            JudgeOptions { .ranks = place_.world,
                .limit = limit_,
                .period = {},
                .storeHost = place_.masterAddress,
                .lastStatus = {},
                .ended = {} });
    }
    HeartbeatOptions beats;
    beats.rank = place_.rank;
    beats.ranks = place_.world;
    beats.limit = limit_;
    beats.storeHost = place_.masterAddress;
    if (!place_.watchFd)
        beats.judgeRank = 0;
    HeartbeatHooks hooks;
    hooks.statuses = [this] { return board_->statuses(); };
    hooks.failure = [this] { return board_->failure(); };
    hooks.finding = [this] { return board_->finding(); };
    hooks.end = [this](const Finding& finding) { board_->end(finding); };
    heartbeat_ = std::make_unique<Heartbeat>(*beatStore_, beats, hooks);
}

bool Rank::prepareRun()
{
    preparation_ = prepare(design_, options_, result_);
    if (preparation_)
        return true;
    for (const Finding& finding : result_.findings)
        if (finding.severity == Severity::Error) {
            board_->end(finding);
            break;
        }
    static_cast<void>(heartbeat_->stop());
    return false;
}

bool Rank::allMeanTheSame()
{
    if (reports()) {
        began_ = Clock::now().time_since_epoch().count();
        store_->set(keys::began(), std::to_string(began_));
    }
    // What all must do together counts like the program: comparing, saving, and how the optimizer's step is taken.
    const std::string digest = fmt::format("{}-{:d}{:d}{}{}",
        digestOf(preparation_->identity, preparation_->firstStep, preparation_->setup.training.steps), options_.verify,
        !options_.checkpointDir.empty(), static_cast<int>(options_.optimizer), static_cast<int>(options_.nanPolicy));
    const Hello hello { digest, protocol, hostName(), getpid(), place_.world, device_,
        preparation_->setup.messageBytes() };
    const StartCheckOptions check { place_.rank, design_.pipeline.devices, options_.replicas, limit_,
        [this] { return board_->finding(); } };
    if (auto checked = checkStart(*store_, hello, check); checked.finding) {
        refuse(std::move(*checked.finding));
        return false;
    }
    began_ = std::strtoll(store_->get(keys::began()).value_or("0").c_str(), nullptr, 10);
    return true;
}

/// What this rank found before its device ran.
void Rank::refuse(Finding finding)
{
    if (board_)
        board_->end(finding);
    if (heartbeat_)
        if (auto verdict = heartbeat_->stop())
            finding = std::move(*verdict);
    result_.outcome = Outcome::Failed;
    result_.findings.push_back(std::move(finding));
}

Job Rank::makeJob()
{
    shared_->preparation = preparation_;
    shared_->works.resize(static_cast<std::size_t>(place_.world));
    Job job = trainingJob(shared_, options_);
    if (!options_.events.empty())
        job.listen = [this](DeviceId device) -> std::unique_ptr<StepListener> {
            auto opened = EventLog::open(rankEvents(options_.events, place_.rank), network_->own(began_), true);
            if (!opened.log)
                throw std::runtime_error(opened.findings.front().message);
            shared_->events = std::move(opened.log);
            return shared_->events->device(device);
        };
    if (options_.verify)
        job.verify = [this](DeviceId, const DeviceWork& work, std::int64_t step, const std::vector<StageSums>& sums) {
            return verifyTogether(work, step, sums);
        };
    return job;
}

Findings Rank::verifyTogether(const DeviceWork& work, std::int64_t step, const std::vector<StageSums>& sums)
{
    const ModelValues own = valuesOf(static_cast<const ModelWork&>(work));
    if (place_.rank != 0) {
        sendValues(*messages_, own);
        return {};
    }
    std::vector<ModelValues> all { own };
    for (std::int32_t rank = 1; rank < place_.world; ++rank)
        all.push_back(
            receiveValues(*messages_, rank, preparation_->setup, preparation_->pipeline.stagesOn(DeviceId { rank })));
    double loss = 0;
    for (const auto& stage : sums)
        loss += stage.lossSum;
    auto verification = verify(preparation_->setup, step, all, loss);
    store_->set(keys::verified(), toWire(VerifyReport { verification.worst, verification.parameter }));
    return judgeVerification(*shared_, std::move(verification));
}

JobResult Rank::runDevice()
{
    messages_ = connectGloo(address_, place_.rank, place_.world, limit_);
    network_ = std::make_shared<ProcessNetwork>(preparation_->program, device_, board_, messages_);
    if (reports() && !options_.events.empty()) {
        auto opened = EventLog::open(options_.events);
        if (!opened.log)
            throw std::runtime_error(opened.findings.front().message);
        tellBeginning(*opened.log, design_, *preparation_, options_, result_.plan);
    }
    const auto run = std::make_shared<RunShared>(makeJob(), board_, network());
    const std::stop_callback passOn(options_.stop, [this] { stop_.request_stop(); });
    const std::jthread stopKey([this](const std::stop_token& over) { followStopKey(over); });
    JobResult ran = runThreads(
        run, std::array { device_ }, [this](const StepReport& step) { onStep(step); }, stop_.get_token());
    tell(ran);
    return ran;
}

/// That passes use: of the hosts, or over it one of the GPUs.
std::shared_ptr<TransportNetwork> Rank::network()
{
    const auto& setup = preparation_->setup;
    if (options_.transport != TransportKind::Nccl)
        return network_;
    gpu::NcclSettings settings;
    settings.device = device_;
    settings.stages = setup.stages;
    settings.limit = limit_;
    settings.messageBytes = setup.messageBytes();
    return std::make_shared<gpu::NcclNetwork>(
        setup.place.of(device_), preparation_->program, *store_, board_, *network_, std::move(settings));
}

void Rank::onStep(const StepReport& step)
{
    result_.steps.push_back(step);
    if (shared_->events && reports())
        shared_->events->step(step, false);
    try {
        store_->set(keys::step(steps_++), toWire(step));
    } catch (const StoreLost&) {
        // The heartbeat says so.
    }
    if (reports() && options_.onStep)
        options_.onStep(step);
}

void Rank::followStopKey(const std::stop_token& over)
{
    constexpr auto often = std::chrono::milliseconds(100);
    try {
        while (!over.stop_requested() && !store_->get(keys::stop())) {
            for (auto waited = often * 0; waited < often && !over.stop_requested(); waited += often / 10)
                std::this_thread::sleep_for(often / 10);
        }
        if (!over.stop_requested())
            stop_.request_stop();
    } catch (const StoreLost&) {
        // The heartbeat says so.
    }
}

void Rank::tell(const JobResult& ran)
{
    RankReport report;
    report.device = device_;
    if (!ran.lastStep.empty())
        report.lastStep = ran.lastStep[device_.index()];
    report.lastStepTime = ran.lastStepTime;
    if (!ran.peaks.empty())
        report.peak = ran.peaks[device_.index()];
    report.counts = ran.counts;
    report.warnings = ran.warnings;
    // Who reports tells of his own lines when he closes them.
    if (shared_->events && !reports())
        if (auto lost = shared_->events->failure()) {
            lost->message = fmt::format("Rank {}: {}", place_.rank, lost->message);
            report.warnings.push_back(std::move(*lost));
        }
    report.finding = ran.finding;
    store_->set(keys::report(place_.rank), toWire(report));
}

void Rank::conclude(JobResult ran)
{
    if (auto verdict = heartbeat_->stop())
        ran.finding = std::move(verdict);
    ran.interrupted = ran.finding && ran.finding->rule == "run/interrupted";
    if (reports()) {
        static_cast<void>(judge_->awaitEnd(limit_));
        ran = collected(*store_, place_.world, ran.finding);
        tidyUp(*preparation_, ran);
        executor::conclude(ran, result_);
        if (shared_->verification)
            result_.verify = VerifyReport { shared_->verification->worst, shared_->verification->parameter };
        report(*preparation_, ran, result_);
    } else {
        result_.findings.clear(); // the same as those of rank 0
        executor::conclude(ran, result_);
    }
    if (shared_->events && reports())
        shared_->events->close(ran.finding, text(result_.outcome), result_.findings);
}

} // namespace

RunResult runRank(const Design& design, const RunOptions& options, const RankPlace& place)
{
    RunOptions own = options;
    own.localRank = place.localRank.value_or(0);
    return Rank(design, own, place).run();
}

} // namespace pipeloom::executor
