// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/run/run_alarms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pipeloom {

namespace {

constexpr double nanosPerMs = 1e6;
constexpr std::size_t window = 20;

double medianOf(std::vector<double> values)
{
    if (values.empty())
        return 0;
    std::ranges::sort(values);
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

std::string kindsText(const std::vector<PassKind>& kinds)
{
    std::string said;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        if (i > 0)
            said += i + 1 == kinds.size() ? " and " : ", ";
        said += text(kinds[i]);
    }
    return said;
}

RunNotice noticeOf(RunNotice::Kind kind, std::int64_t step, std::string said, std::string advice)
{
    RunNotice notice;
    notice.kind = kind;
    notice.level = RunNotice::Level::Warning;
    notice.step = step;
    notice.text = std::move(said);
    notice.advice = std::move(advice);
    return notice;
}

std::string bytesText(Bytes bytes)
{
    constexpr double mega = 1e6;
    return fmt::format("{:.2f} MB", static_cast<double>(bytes) / mega);
}

} // namespace

std::vector<RunNotice> RunAlarms::stepEnded(std::span<const MeasuredStepPtr> recent, const RunPlan* plan)
{
    std::vector<RunNotice> told;
    if (recent.empty())
        return told;
    lookAtTime(recent, plan, told);
    if (plan) {
        lookForSlowness(recent, *plan, told);
        lookAtMemory(*recent.back(), *plan, told);
        lookForOverhead(recent, *plan, told);
    }
    checkpoint_.reset();
    stall_.reset();
    rolledBack_ = false;
    return told;
}

void RunAlarms::lookForSlowness(
    std::span<const MeasuredStepPtr> recent, const RunPlan& plan, std::vector<RunNotice>& told)
{
    constexpr std::size_t enough = 5;
    if (recent.size() < enough)
        return;
    constexpr double begins = 0.08;
    constexpr double ends = 0.05;
    const std::vector<Straggler> found = stragglers(recent, plan, ends);
    for (std::int32_t d = 0; d < plan.pipeline.devices; ++d) {
        const DeviceId device { d };
        const auto slow = std::ranges::find(found, device, &Straggler::device);
        bool& is = isSlow_[device];
        if (slow == found.end()) {
            is = false;
            continue;
        }
        if (is || slow->slower < begins)
            continue;
        is = true;
        const bool asPlanned = std::abs(slow->base - 1) < 0.05;
        RunNotice notice = noticeOf(RunNotice::Kind::Straggler, recent.back()->step,
            fmt::format("Device {} {} {}{}{}.", d,
                slow->slower < 1 ? fmt::format("runs {:.0f} % slower than", slow->slower * 100)
                                 : fmt::format("takes {:.1f} times as long as", slow->slower + 1),
                asPlanned ? "planned" : "the others, against the plan", slow->kinds.empty() ? "" : " in ",
                kindsText(slow->kinds)),
            slow->stepMs > 0.05 ? fmt::format("Step time +{:.1f} ms; other devices wait for it.", slow->stepMs)
                                : "It costs the step nothing: the device has the time.");
        notice.devices = { device };
        notice.pass = slow->worst;
        told.push_back(std::move(notice));
    }
}

void RunAlarms::lookAtMemory(const MeasuredStep& step, const RunPlan& plan, std::vector<RunNotice>& told)
{
    for (std::size_t d = 0; d < step.rows.size(); ++d) {
        const std::optional<Bytes> peak = step.rows[d].peak;
        if (!peak)
            continue;
        const bool hasLimit = d < plan.limits.size() && plan.limits[d];
        const bool isOverLimit = hasLimit && *peak > *plan.limits[d];
        const bool isOverPlan
            = d < plan.peaks.size() && static_cast<double>(*peak) > 1.01 * static_cast<double>(plan.peaks[d]);
        bool& is = isOverMemory_[DeviceId { d }];
        if (!is && (isOverLimit || isOverPlan)) {
            RunNotice notice = noticeOf(RunNotice::Kind::Memory, step.step,
                fmt::format("Device {} held {}, {} {}.", d, bytesText(*peak),
                    isOverLimit ? "above its limit of" : "more than foretold:",
                    bytesText(isOverLimit ? *plan.limits[d] : plan.peaks[d])),
                "");
            notice.devices = { DeviceId { d } };
            if (isOverLimit)
                notice.level = RunNotice::Level::Error;
            told.push_back(std::move(notice));
        }
        is = isOverLimit || isOverPlan;
    }
}

void RunAlarms::lookForOverhead(
    std::span<const MeasuredStepPtr> recent, const RunPlan& plan, std::vector<RunNotice>& told)
{
    constexpr std::size_t enough = 5;
    if (recent.size() < enough)
        return;
    double between = 0;
    double waiting = 0;
    double all = 0;
    for (const TimeSplit& split : timeSplit(recent, plan)) {
        between += static_cast<double>(split.between);
        waiting += static_cast<double>(split.waiting + split.transfer);
        all += static_cast<double>(split.step);
    }
    constexpr double matters = 0.05;
    const bool is = between > waiting && between > matters * all;
    if (is && !isOverhead_)
        told.push_back(noticeOf(RunNotice::Kind::Overhead, recent.back()->step,
            fmt::format(
                "Per-pass overhead dominates: devices spend {:.0f} % of the step between passes whose inputs are "
                "there, and wait for {:.0f} %.",
                between / all * 100, waiting / all * 100),
            "A schedule with a smaller bubble gains little here; larger micro-batches or fewer chunks do."));
    isOverhead_ = is;
}

void RunAlarms::lookAtTime(std::span<const MeasuredStepPtr> recent, const RunPlan* plan, std::vector<RunNotice>& told)
{
    const MeasuredStep& step = *recent.back();
    if (!step.ended)
        return;
    constexpr std::size_t enough = 5;
    constexpr double much = 1.15;
    const double usual = medianOf({ stepMs_.begin(), stepMs_.end() });
    const double took = step.ended->stepMs;
    stepMs_.push_back(took);
    if (stepMs_.size() > window)
        stepMs_.pop_front();
    if (stepMs_.size() <= enough || took <= much * usual)
        return;
    const std::string why = reason(recent, plan, took - usual);
    RunNotice notice = noticeOf(RunNotice::Kind::Slow, step.step,
        fmt::format("Step {} took {:.1f} ms, {:.1f} more than usual{}.", step.step, took, took - usual,
            why.empty() ? "" : ": " + why),
        checkpoint_ ? "Nothing to do." : "");
    if (checkpoint_)
        notice.level = RunNotice::Level::Good;
    told.push_back(std::move(notice));
}

std::string RunAlarms::reason(std::span<const MeasuredStepPtr> recent, const RunPlan* plan, double more) const
{
    if (checkpoint_)
        return checkpoint_->ms > 0 ? fmt::format("a checkpoint was written ({:.1f} ms)", checkpoint_->ms)
                                   : "a checkpoint was written";
    if (rolledBack_)
        return "a step was taken back and done again";
    if (stall_)
        return fmt::format("device {} kept the others waiting", stall_->value);
    if (!plan || recent.size() < 3)
        return {};
    const auto before = timeSplit(recent.first(recent.size() - 1), *plan);
    const auto now = timeSplit(*recent.back(), *plan);
    std::size_t most = 0;
    double longer = 0;
    for (std::size_t d = 0; d < std::min(before.size(), now.size()); ++d) {
        const double by = static_cast<double>(now[d].compute - before[d].compute) / nanosPerMs;
        if (by > longer) {
            longer = by;
            most = d;
        }
    }
    return longer > more / 2 ? fmt::format("the passes of device {} took {:.1f} ms more", most, longer) : std::string();
}

} // namespace pipeloom
