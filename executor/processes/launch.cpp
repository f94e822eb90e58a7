// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/processes/launch.h"

#include "core/formats/design_file.h"
#include "core/formats/text_file.h"
#include "executor/events/event_log.h"
#include "executor/processes/children.h"
#include "executor/processes/collect.h"
#include "executor/processes/judge.h"
#include "executor/processes/judgement.h"
#include "executor/processes/keys.h"
#include "executor/processes/rank_place.h"
#include "executor/processes/rendezvous.h"
#include "executor/processes/shared_folder.h"
#include "executor/processes/wire.h"
#include "executor/run_report.h"

#include <fmt/format.h>

namespace pipeloom::executor {

namespace {

constexpr const char* loopback = "127.0.0.1";
constexpr int exitInterrupted = 130; ///< of a rank that stopped with all others when asked to

Finding stopped()
{
    return { "run/interrupted", Severity::Error, {}, "", "The run was stopped from outside before its last step.",
        "Start it again; if it has saved a checkpoint, --resume goes on from there." };
}

Finding wrongRanks(std::int64_t asked, std::int32_t needed)
{
    return { "run/ranks", Severity::Error, {}, "",
        fmt::format("{} ranks were asked for, but the run has {} devices, and each is a process.", asked, needed),
        fmt::format("Leave --ranks out, or say --ranks {}.", needed) };
}

class Launch {
public:
    Launch(const Design& design, const RunOptions& options, const LaunchPlan& plan)
        : design_(design)
        , options_(options)
        , plan_(plan)
        , limit_(std::chrono::duration_cast<Nanoseconds>(std::chrono::duration<double>(options.timeoutSeconds)))
    {
    }

    RunResult run();

private:
    [[nodiscard]] bool openEvents();
    [[nodiscard]] bool start();
    [[nodiscard]] ChildrenPlan childrenPlan() const;
    void follow();
    void note(const std::vector<Exit>& exits);
    void passStepsOn();
    void tellStalls();
    void askToStop();
    void finish();

    const Design& design_;
    const RunOptions& options_;
    const LaunchPlan& plan_;
    Nanoseconds limit_;
    Clock::time_point began_ = Clock::now();
    RunResult result_;
    std::shared_ptr<const RunPreparation> preparation_;
    std::int32_t ranks_ = 0;
    SharedFolder folder_;
    std::unique_ptr<LastWords> lastWords_;
    HostedStore hosted_;
    std::unique_ptr<Store> judgeStore_;
    std::shared_ptr<EventLog> events_;
    StallWatch stalls_;
    std::unique_ptr<Children> children_;
    std::unique_ptr<Judge> judge_; ///< before children_, which it looks at, goes
    std::size_t steps_ = 0;
    bool askedToStop_ = false;
};

RunResult Launch::run()
{
    preparation_ = prepare(design_, options_, result_);
    if (!preparation_)
        return result_;
    ranks_ = preparation_->program.devices();
    if (options_.ranks.value_or(ranks_) != ranks_) {
        result_.outcome = Outcome::Refused;
        result_.findings.push_back(wrongRanks(*options_.ranks, ranks_));
        return result_;
    }
    result_.outcome = Outcome::Failed;
    try {
        if (openEvents() && start()) {
            follow();
            finish();
        }
    } catch (const PortTaken& taken) {
        result_.findings.push_back({ "run/port", Severity::Error, {}, "",
            fmt::format("No port of this machine could be had for the store of the run: {}.", taken.what()),
            "See whether the loopback network is there." });
    } catch (const StoreLost& lost) {
        result_.findings.push_back(lostStore(loopback, lost.what()));
    }
    return result_;
}

bool Launch::openEvents()
{
    removeRankEvents(options_.events);
    auto opened = EventLog::open(options_.events, began_);
    append(result_.findings, std::move(opened.findings));
    events_ = std::move(opened.log);
    if (events_)
        tellBeginning(*events_, design_, *preparation_, options_, result_.plan);
    return !hasErrors(result_.findings);
}

bool Launch::start()
{
    if (!folder_.usable()) {
        result_.findings.push_back({ "run/launch", Severity::Error, {}, "",
            "No folder could be made for what launcher and ranks share, neither in /dev/shm nor among temporary files.",
            "See whether /dev/shm can be written to, or TMPDIR names a folder that can." });
        return false;
    }
    const StoreAddress any { loopback, 0, RankPlace {}.prefix };
    hosted_ = hostStore(any, limit_);
    judgeStore_ = connectStore({ loopback, hosted_.port, any.prefix }, limit_);
    if (auto findings = saveText(folder_.file("design.json"), writeDesign(design_)); hasErrors(findings)) {
        append(result_.findings, std::move(findings));
        return false;
    }
    hosted_.store->set(keys::began(), std::to_string(began_.time_since_epoch().count()));
    auto started = Children::start(childrenPlan());
    append(result_.findings, std::move(started.findings));
    children_ = std::move(started.children);
    if (!children_)
        return false;
    JudgeOptions options;
    lastWords_ = std::make_unique<LastWords>(static_cast<std::size_t>(ranks_));
    options.ranks = ranks_;
    options.limit = limit_;
    options.storeHost = loopback;
    options.lastStatus = [this](std::int32_t rank) { return lastWords_->of(rank); };
    judge_ = std::make_unique<Judge>(*judgeStore_, std::move(options));
    return true;
}

ChildrenPlan Launch::childrenPlan() const
{
    ChildrenPlan children;
    children.program = plan_.program;
    children.arguments = plan_.arguments;
    children.onLine = plan_.onLine;
    for (std::int32_t rank = 0; rank < ranks_; ++rank) {
        RankPlace place;
        place.rank = rank;
        place.world = ranks_;
        place.localRank = rank;
        place.masterAddress = loopback;
        place.masterPort = hosted_.port;
        place.agentStore = true;
        place.statusFile = folder_.status(rank);
        children.environments.push_back(environmentOf(place));
        children.environments.back().emplace_back(designVariable, folder_.file("design.json"));
    }
    return children;
}

void Launch::follow()
{
    constexpr auto often = std::chrono::milliseconds(50);
    std::optional<Clock::time_point> over; ///< when ranks that do not end by themselves are made to
    bool allAreThere = false;
    while (children_->running() > 0) {
        if (!allAreThere && lastWords_->open(folder_)) {
            allAreThere = true;
            folder_.remove();
        }
        note(children_->waitForNews(often));
        passStepsOn();
        tellStalls();
        if (options_.stop.stop_requested() && !askedToStop_)
            askToStop();
        if (!over && judge_->verdict())
            over = Clock::now() + std::min<Nanoseconds>(limit_ / 2, std::chrono::milliseconds(1500));
        if (over && Clock::now() > *over)
            break;
    }
    static_cast<void>(children_->endAll(std::chrono::milliseconds(500)));
    passStepsOn();
}

void Launch::note(const std::vector<Exit>& exits)
{
    for (const Exit& exit : exits) {
        const bool isAsPlanned = exit.how == Exit::How::Exited && (exit.value == 0 || exit.value == exitInterrupted);
        if (!isAsPlanned)
            judge_->died(exit.rank, text(exit));
    }
}

void Launch::passStepsOn()
{
    while (const auto told = hosted_.store->get(keys::step(steps_))) {
        ++steps_;
        const auto step = stepReportFrom(*told);
        if (!step)
            continue;
        result_.steps.push_back(*step);
        if (events_)
            events_->step(*step, false);
        if (options_.onStep)
            options_.onStep(*step);
    }
}

void Launch::tellStalls()
{
    if (!events_)
        return;
    std::vector<DeviceStatus> devices;
    for (std::int32_t rank = 0; rank < ranks_; ++rank)
        if (const auto status = lastWords_->of(rank))
            devices.push_back(*status);
    const auto now = Clock::now();
    for (const Stall& stall : stalls_.look(devices, now))
        events_->stall(stall, now);
}

void Launch::askToStop()
{
    askedToStop_ = true;
    if (options_.checkpointDir.empty())
        judge_->end(stopped());
    else
        hosted_.store->set(keys::stop(), "1");
}

void Launch::finish()
{
    // A death that was noted last is said a moment later.
    static_cast<void>(judge_->awaitEnd(std::chrono::seconds(3)));
    JobResult ran = collected(*hosted_.store, ranks_, judge_->verdict());
    tidyUp(*preparation_, ran);
    conclude(ran, result_);
    if (const auto verified = hosted_.store->get(keys::verified()))
        result_.verify = verifyReportFrom(*verified);
    report(*preparation_, ran, result_);
    if (events_)
        events_->close(ran.finding, text(result_.outcome), result_.findings);
}

} // namespace

RunResult launch(const Design& design, const RunOptions& options, const LaunchPlan& plan)
{
    return Launch(design, options, plan).run();
}

} // namespace pipeloom::executor
