// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_log.h"

#include "core/run/run_alarms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace pipeloom {

namespace {

constexpr std::size_t mostEarly = 100'000;
constexpr std::size_t mostNotices = 2'000;
constexpr std::size_t mostSummaries = 100'000;
constexpr std::size_t alarmWindow = 20;

} // namespace

RunLog::RunLog(std::size_t mostPasses)
    : alarms_(std::make_unique<RunAlarms>())
    , mostPasses_(mostPasses)
{
}

RunLog::~RunLog() = default;

MeasuredStepPtr RunLog::step(std::int64_t step) const
{
    const auto at = std::ranges::lower_bound(steps_, step, {}, [](const auto& kept) { return kept->step; });
    return at != steps_.end() && (*at)->step == step ? *at : nullptr;
}

MeasuredStepPtr RunLog::newest() const { return steps_.empty() ? nullptr : steps_.back(); }

MeasuredStepPtr RunLog::newestWhole() const
{
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step)
        if ((*step)->isWhole())
            return *step;
    return nullptr;
}

void RunLog::add(RunEvent&& event)
{
    ++events_;
    ++generation_;
    if (!began_ && !std::holds_alternative<RunBegan>(event)) {
        // The files of a folder are read one after the other, so other lines may come before the run's first.
        if (early_.size() < mostEarly)
            early_.push_back(std::move(event));
        else
            ++faults_.late;
        return;
    }
    const bool isOfStep = stepOf(event).has_value() && !std::holds_alternative<StepUndone>(event);
    if (const auto device = deviceOf(event); device && isOfStep && device->index() < lines_.size())
        ++lines_[device->index()];
    if (stepOf(event))
        makePlan();
    if (isStrange(event)) {
        ++faults_.strange;
        return;
    }
    std::visit([this](auto&& one) { take(std::forward<decltype(one)>(one)); }, std::move(event));
    evict();
}

bool RunLog::isStrange(const RunEvent& event) const
{
    if (const auto step = stepOf(event); step && began_->stepsAreKnown)
        if (*step < began_->firstStep || *step - began_->firstStep >= began_->steps)
            return true;
    const auto isDevice = [this](DeviceId device) { return device.index() < ranks_.size(); };
    return !std::visit(
        [&](const auto& e) {
            using Event = std::decay_t<decltype(e)>;
            if constexpr (std::is_same_v<Event, RunBegan>)
                return true;
            else if constexpr (std::is_same_v<Event, PassEnded>)
                return isDevice(e.device) && isPassOf(e.pass, e.device);
            else if constexpr (std::is_same_v<Event, TransferEnded>)
                return isDevice(e.from) && isDevice(e.to) && isPassOf(e.pass, e.from);
            else if constexpr (std::is_same_v<Event, StepUndone>)
                return e.reason == StepUndone::Reason::Clipped || isDevice(e.device);
            else if constexpr (requires { e.device; })
                return isDevice(e.device);
            else
                return true;
        },
        event);
}

void RunLog::take(RunBegan&& began)
{
    const bool isSecond = began_.has_value();
    if (isSecond) {
        steps_.clear();
        kept_.clear();
        summaries_.clear();
        planned_.reset();
        plan_.reset();
        planTried_ = false;
        findings_.clear();
        failed_.reset();
        ended_.reset();
        newestEnded_ = -1;
        evictedBelow_ = -1;
        countedBelow_ = 0;
        weight_ = 0;
        alarms_ = std::make_unique<RunAlarms>();
    }
    began_ = std::move(began);
    ranks_.assign(static_cast<std::size_t>(began_->devices), std::nullopt);
    lines_.assign(ranks_.size(), 0);
    peaks_.assign(ranks_.size(), 0);
    RunNotice notice;
    notice.kind = RunNotice::Kind::Began;
    notice.at = 0;
    notice.text = fmt::format("{}{} devices, {} stages, {} micro-batches{}", isSecond ? "Another run begins: " : "",
        began_->devices, began_->stages, began_->microBatches, began_->emulated ? "; a rehearsal" : "");
    tell(std::move(notice));
    for (RunEvent& event : std::exchange(early_, {})) {
        --events_; // counted when it came
        add(std::move(event));
    }
}

void RunLog::take(RankBegan&& rank)
{
    RunNotice notice;
    notice.kind = RunNotice::Kind::Rank;
    notice.devices = { rank.device };
    notice.text = fmt::format("Device {} is process {}{}", rank.device.value, rank.pid,
        rank.host.empty() ? std::string() : " on " + rank.host);
    tell(std::move(notice));
    ranks_[rank.device.index()] = std::move(rank);
}

void RunLog::take(RunPlanned&& planned)
{
    planned_ = std::move(planned);
    planTried_ = false;
    makePlan();
    for (Kept& kept : kept_) // told before the plan
        holdAgainstPlan(kept);
}

/// Marks what was told by the places of the plan that is known now; what is not in it goes.
void RunLog::holdAgainstPlan(Kept& kept)
{
    const std::size_t places = plan_ ? plan_->place.size() : 0;
    kept.told.assign(places, 0);
    kept.arrived.assign(places, 0);
    if (kept.lost >= 0) { // to be counted anew
        faults_.lostPasses -= kept.lost;
        kept.lost = -1;
        countedBelow_ = std::min(countedBelow_, kept.step->step);
    }
    if (!plan_)
        return;
    std::size_t gone = 0;
    for (MeasuredRow& row : kept.step->rows)
        gone += std::erase_if(row.passes, [&](const PassEnded& pass) {
            return !isPassOf(pass.pass, pass.device) || isTwice(kept, kept.told, pass.pass);
        });
    gone += std::erase_if(kept.step->transfers, [&](const TransferEnded& transfer) {
        return !isPassOf(transfer.pass, transfer.from) || isTwice(kept, kept.arrived, transfer.pass);
    });
    weight_ -= gone;
    faults_.strange += static_cast<std::int64_t>(gone);
}

bool RunLog::isPassOf(const Pass& pass, DeviceId device) const
{
    return !plan_ || (plan_->find(pass) >= 0 && plan_->pipeline.deviceOf(pass) == device);
}

void RunLog::makePlan()
{
    if (planTried_)
        return;
    planTried_ = true;
    MadeRunPlan made = runPlan(*began_, planned_ ? &*planned_ : nullptr);
    if (made.plan && made.plan->pipeline.devices != began_->devices) {
        made.plan.reset();
        made.findings.push_back({ "run/plan", Severity::Error, {}, "",
            fmt::format("The run tells {} devices, and its design comes to another number.", began_->devices), "" });
    }
    plan_ = std::move(made.plan);
    for (Finding& finding : made.findings)
        if (finding.severity == Severity::Error)
            findings_.push_back(std::move(finding));
}

RunLog::Kept* RunLog::keptOf(std::int64_t step)
{
    if (step <= evictedBelow_)
        return nullptr;
    const auto at = std::ranges::lower_bound(kept_, step, {}, [](const Kept& kept) { return kept.step->step; });
    if (at != kept_.end() && at->step->step == step)
        return &*at;
    auto made = std::make_shared<MeasuredStep>();
    made->step = step;
    made->rows.resize(ranks_.size());
    weight_ += made->rows.size();
    Kept kept;
    kept.step = made;
    if (plan_) {
        kept.told.assign(plan_->place.size(), 0);
        kept.arrived.assign(plan_->place.size(), 0);
    }
    const auto index = at - kept_.begin();
    steps_.insert(steps_.begin() + index, made);
    Kept* const placed = &*kept_.insert(at, std::move(kept));
    return placed;
}

void RunLog::take(StepBegan&& began)
{
    Kept* const kept = keptOf(began.step);
    if (!kept) {
        ++faults_.late;
        return;
    }
    MeasuredRow& row = kept->step->rows[began.device.index()];
    if (row.began || !row.passes.empty())
        beginAgain(*kept, began.device);
    row.began = began.at;
}

/// A step that was broken off, because the one before it was taken back, begins again.
void RunLog::beginAgain(Kept& kept, DeviceId device)
{
    MeasuredStep& step = *kept.step;
    MeasuredRow& row = step.rows[device.index()];
    if (plan_) {
        for (const PassEnded& pass : row.passes)
            kept.told[placeOf(plan_->pipeline, pass.pass)] = 0;
        for (const TransferEnded& transfer : step.transfers)
            if (transfer.to == device)
                kept.arrived[placeOf(plan_->pipeline, transfer.pass)] = 0;
    }
    if (kept.lost >= 0) { // to be counted anew
        faults_.lostPasses -= kept.lost;
        kept.lost = -1;
        countedBelow_ = std::min(countedBelow_, step.step);
    }
    weight_ -= row.passes.size();
    weight_ -= std::erase_if(step.transfers, [device](const TransferEnded& t) { return t.to == device; });
    row = {};
    kept.restarts.resize(step.rows.size());
    step.attempt = std::max(step.attempt, ++kept.restarts[device.index()]);
}

void RunLog::take(PassEnded&& pass)
{
    Kept* const kept = keptOf(pass.step);
    if (!kept) {
        ++faults_.late;
        return;
    }
    if (isTwice(*kept, kept->told, pass.pass)) {
        ++faults_.strange;
        return;
    }
    if (kept->lost > 0) { // it came after all
        --kept->lost;
        --faults_.lostPasses;
    }
    ++passes_;
    ++weight_;
    auto& row = kept->step->rows[pass.device.index()].passes;
    auto at = row.end();
    while (at != row.begin() && std::prev(at)->start > pass.start)
        --at;
    row.insert(at, pass);
}

/// What is told twice would make a step grow without bound; so would passes of which no plan says how many there are.
bool RunLog::isTwice(const Kept& kept, std::vector<std::uint8_t>& told, const Pass& pass) const
{
    if (!plan_)
        return static_cast<std::size_t>(kept.step->passes()) + kept.step->transfers.size() >= mostPasses_;
    return std::exchange(told[placeOf(plan_->pipeline, pass)], std::uint8_t { 1 }) != 0;
}

void RunLog::take(TransferEnded&& transfer)
{
    Kept* const kept = keptOf(transfer.step);
    if (!kept) {
        ++faults_.late;
        return;
    }
    if (isTwice(*kept, kept->arrived, transfer.pass)) {
        ++faults_.strange;
        return;
    }
    ++weight_;
    kept->step->transfers.push_back(transfer);
}

void RunLog::take(MemoryPeaked&& peak)
{
    peaks_[peak.device.index()] = std::max(peaks_[peak.device.index()], peak.peak);
    Kept* const kept = keptOf(peak.step);
    if (!kept) {
        ++faults_.late;
        return;
    }
    MeasuredRow& row = kept->step->rows[peak.device.index()];
    row.peak = peak.peak;
    row.ended = true;
}

void RunLog::take(StepEnded&& ended)
{
    summarise(ended);
    newestEnded_ = std::max(newestEnded_, ended.step);
    RunNotice notice;
    notice.step = ended.step;
    notice.text = ended.loss ? fmt::format("step {} loss {:.4f} {:.1f} ms", ended.step, *ended.loss, ended.stepMs)
                             : fmt::format("step {} {:.1f} ms", ended.step, ended.stepMs);
    Kept* const kept = keptOf(ended.step);
    if (kept) {
        kept->step->ended = ended;
        for (MeasuredRow& row : kept->step->rows)
            row.ended = true;
        notice.at = kept->step->latest();
        countedBelow_ = std::min(countedBelow_, ended.step);
    } else {
        ++faults_.late;
    }
    tell(std::move(notice));
    countLost(false);
    if (!kept)
        return;
    std::vector<MeasuredStepPtr> recent;
    for (auto step = steps_.rbegin(); step != steps_.rend() && recent.size() < alarmWindow; ++step)
        if ((*step)->ended && (*step)->step <= ended.step)
            recent.push_back(*step);
    std::ranges::reverse(recent);
    for (RunNotice& alarm : alarms_->stepEnded(recent, plan_.get())) {
        alarm.at = kept->step->latest();
        tell(std::move(alarm));
    }
}

void RunLog::take(StepUndone&& undone)
{
    RunNotice notice;
    notice.kind = undone.rolledBack ? RunNotice::Kind::Rollback : RunNotice::Kind::Skip;
    notice.level = RunNotice::Level::Warning;
    notice.step = undone.step;
    if (undone.reason == StepUndone::Reason::Clipped) {
        notice.level = RunNotice::Level::Info;
        notice.text = fmt::format(
            "Step {} was taken back, and taken again with its gradients scaled by {:.4f}.", undone.step, undone.scale);
    } else {
        notice.devices = { undone.device };
        notice.text = fmt::format("Step {} was {}: {} is not finite (device {}, stage {}).", undone.step,
            undone.rolledBack ? "taken back" : "skipped",
            undone.parameter.empty() ? "the loss" : "the gradient of " + undone.parameter, undone.device.value,
            undone.stage.value);
        notice.advice = "Parameters are as they were before it.";
    }
    alarms_->rolledBack();
    if (Kept* const kept = keptOf(undone.step))
        kept->step->undone = undone;
    tell(std::move(notice));
}

void RunLog::take(DeviceStalled&& stall)
{
    RunNotice notice;
    notice.kind = RunNotice::Kind::Stall;
    notice.level = RunNotice::Level::Warning;
    notice.devices = { stall.device };
    if (stall.pass && (!plan_ || plan_->find(*stall.pass) >= 0))
        notice.pass = stall.pass;
    notice.at = stall.at;
    if (!steps_.empty())
        notice.step = steps_.back()->step;
    if (!stall.message.empty())
        notice.text = stall.message;
    else
        notice.text = text(HeldUp { stall.device, stall.pass, stall.waiting });
    alarms_->stalled(stall);
    tell(std::move(notice));
}

void RunLog::take(CheckpointSaved&& saved)
{
    RunNotice notice;
    notice.kind = RunNotice::Kind::Checkpoint;
    notice.step = saved.steps - 1;
    notice.text = saved.ms > 0 ? fmt::format("checkpoint after {} steps ({:.1f} ms)", saved.steps, saved.ms)
                               : fmt::format("checkpoint after {} steps", saved.steps);
    notice.level = RunNotice::Level::Good;
    alarms_->checkpointSaved(saved);
    tell(std::move(notice));
}

void RunLog::take(RunVerified&& verified)
{
    RunNotice notice;
    notice.kind = RunNotice::Kind::Verified;
    notice.level = RunNotice::Level::Good;
    notice.text = fmt::format("verified: worst relative difference {:.1e} ({})", verified.worst, verified.parameter);
    tell(std::move(notice));
}

void RunLog::take(RunFailed&& failed)
{
    RunNotice notice;
    notice.kind = RunNotice::Kind::Failed;
    notice.level = RunNotice::Level::Error;
    for (const DeviceId device : failed.devices)
        if (device.index() < ranks_.size())
            notice.devices.push_back(device);
    notice.text = failed.message;
    notice.advice = failed.remedy;
    if (!steps_.empty())
        notice.step = steps_.back()->step;
    failed_ = std::move(failed);
    tell(std::move(notice));
}

void RunLog::take(DeviceEnded&& ended)
{
    const std::int64_t came = lines_[ended.device.index()];
    faults_.lostLines += std::max<std::int64_t>(0, ended.lines - came);
}

void RunLog::take(RunEnded&& ended)
{
    ended_ = std::move(ended);
    countLost(true);
    RunNotice notice;
    notice.kind = RunNotice::Kind::Ended;
    notice.level = ended_->outcome == "finished" ? RunNotice::Level::Good : RunNotice::Level::Warning;
    notice.text = "the run has "
        + (ended_->outcome == "interrupted"                                    ? std::string("been stopped")
                : ended_->outcome == "finished" || ended_->outcome == "failed" ? ended_->outcome
                                                                               : "ended: " + ended_->outcome);
    tell(std::move(notice));
}

/// Passes of steps that have ended for all, and were given time: lines of several processes come in any order.
void RunLog::countLost(bool all)
{
    if (!plan_)
        return;
    constexpr std::int64_t grace = 2;
    const std::int64_t end = all ? std::numeric_limits<std::int64_t>::max() : newestEnded_ - grace + 1;
    const auto first = all
        ? kept_.begin()
        : std::ranges::lower_bound(kept_, countedBelow_, {}, [](const Kept& kept) { return kept.step->step; });
    for (auto kept = first; kept != kept_.end() && kept->step->step < end; ++kept) {
        if (!kept->step->ended || kept->lost >= 0)
            continue;
        kept->lost = static_cast<std::int64_t>(plan_->timeline.passes.size()) - kept->step->passes();
        faults_.lostPasses += kept->lost;
    }
    if (!all)
        countedBelow_ = std::max(countedBelow_, end);
}

void RunLog::summarise(const StepEnded& ended)
{
    const double loss = ended.loss.value_or(std::numeric_limits<double>::quiet_NaN());
    const StepSummary summary { ended.step, ended.stepMs, loss };
    const auto at = std::ranges::lower_bound(summaries_, ended.step, {}, &StepSummary::step);
    if (at != summaries_.end() && at->step == ended.step)
        *at = summary;
    else
        summaries_.insert(at, summary);
    if (summaries_.size() <= mostSummaries)
        return;
    // The older half gives way: spikes are what is looked for in it.
    std::vector<StepSummary> thinned;
    thinned.reserve(summaries_.size());
    const std::size_t half = summaries_.size() / 2 / 2 * 2;
    for (std::size_t i = 0; i < half; i += 2)
        thinned.push_back(summaries_[i].stepMs >= summaries_[i + 1].stepMs ? summaries_[i] : summaries_[i + 1]);
    thinned.insert(thinned.end(), summaries_.begin() + static_cast<std::ptrdiff_t>(half), summaries_.end());
    summaries_ = std::move(thinned);
}

void RunLog::evict()
{
    constexpr std::size_t least = 2;
    while (weight_ > mostPasses_ && steps_.size() > least) {
        const MeasuredStep& oldest = *steps_.front();
        weight_ -= static_cast<std::size_t>(oldest.passes()) + oldest.transfers.size() + oldest.rows.size();
        evictedBelow_ = oldest.step;
        if (kept_.front().lost < 0 && oldest.ended && plan_)
            faults_.lostPasses += static_cast<std::int64_t>(plan_->timeline.passes.size()) - oldest.passes();
        steps_.pop_front();
        kept_.pop_front();
    }
}

void RunLog::tell(RunNotice notice)
{
    notices_.push_back(std::move(notice));
    if (notices_.size() > mostNotices) {
        notices_.pop_front();
        ++noticesBefore_;
    }
}

} // namespace pipeloom
