// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// From a device's last W to its next step: what all agree on, before the optimizer's step or after it (optimizer_mode.h).

#include "executor/device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pipeloom::executor {

namespace {

constexpr std::size_t skipsNamed = 8; ///< as warnings; more are counted

} // namespace

bool Device::endTogether(std::int64_t step, StepRecord record)
{
    return gatherSums(step, record) && verify(step) && optimize(step, record) && endStep(step, std::move(record))
        && save(step);
}

bool Device::gatherSums(std::int64_t step, StepRecord& record)
{
    if (!board_.enter(device_, Doing::Optimizer) || !timed(record.around, [&] { own_ = work_->sums(); }))
        return false;
    auto gathered = transport_->gather({ own_ });
    return gathered && judge(step, std::move(gathered->sums));
}

// All devices see the same numbers; the one whose they are says so.
bool Device::judge(std::int64_t step, std::vector<StageSums> sums)
{
    all_ = std::move(sums);
    verdict_ = stepVerdict(all_, job_.clip);
    goesAsIs_ = verdict_.asIs();
    if (!verdict_.notFinite)
        return holdersAgree(step);
    const bool tells = teller() == device_;
    if (tells && !guarded(board_, device_, [&] { notFinite_ = notFiniteText(step); }))
        return false;
    if (job_.nanPolicy == NanPolicy::Skip)
        return true;
    if (tells) {
        static_cast<void>(board_.enter(device_, Doing::Optimizer)); // it has waited for the others' sums
        board_.fail(device_, "run/nan", notFinite_,
            "Take a lower learning rate or a longer warm-up; the step was not applied.");
    }
    return false;
}

// Devices that hold one stage have summed the same gradients in the same order: any other bit means that they have not.
bool Device::holdersAgree(std::int64_t step)
{
    const auto differs = std::adjacent_find(all_.begin(), all_.end(), [](const StageSums& a, const StageSums& b) {
        return a.stage == b.stage && a.squaredGradientNorm != b.squaredGradientNorm;
    });
    if (differs == all_.end())
        return true;
    const bool isMine
        = std::any_of(own_.begin(), own_.end(), [&](const StageSums& s) { return s.stage == differs->stage; });
    if (isMine)
        board_.fail(device_, "run/reduction",
            fmt::format("the devices that hold stage {} have different gradients in step {}: squared norms {} and {}",
                differs->stage.value, step, differs->squaredGradientNorm, std::next(differs)->squaredGradientNorm),
            "Give the stage a reduction on each of its devices, behind its last W or BW.");
    return false;
}

std::string Device::notFiniteText(std::int64_t step)
{
    const auto& sums = *verdict_.notFinite;
    badParameter_.clear();
    if (!std::isfinite(sums.lossSum))
        return fmt::format("the loss of step {} is {} (stage {})", step, sums.lossSum, sums.stage.value);
    badParameter_ = work_->notFinite(sums.stage);
    return fmt::format("the gradients of stage {} are not finite in step {}{}", sums.stage.value, step,
        badParameter_.empty() ? "" : fmt::format(", first that of `{}`", badParameter_));
}

/// Who tells what all know: of a stage that is not finite the first device that has it.
DeviceId Device::teller() const
{
    if (!verdict_.notFinite)
        return DeviceId { 0 };
    for (std::int32_t d = 0; d < job_.program.devices(); ++d)
        for (const auto& instruction : job_.program.row(DeviceId { d }))
            if (instruction.op == Op::Compute && instruction.pass.stage == verdict_.notFinite->stage)
                return DeviceId { d };
    return DeviceId { 0 };
}

bool Device::verify(std::int64_t step)
{
    if (!job_.verify || step != job_.firstStep)
        return true;
    const auto began = Clock::now();
    if (!succeeds(Doing::Verifying, [&] { return job_.verify(device_, *work_, step, all_); }))
        return false;
    const auto gathered = transport_->gather({});
    verifying_ = Clock::now() - began;
    return gathered.has_value();
}

bool Device::optimize(std::int64_t step, StepRecord& record)
{
    const bool ok = board_.enter(device_, Doing::Optimizer) && timed(record.around, [&] {
        apply(step);
        record.peak = work_->memoryPeaks();
    });
    if (ok && listener_)
        listener_->stepEnded(record.peak.total);
    if (ok && verdict_.notFinite)
        tellUndone(step, false);
    return ok;
}

/// As the verdict says.
void Device::apply(std::int64_t step)
{
    if (verdict_.notFinite)
        work_->discardStep();
    else
        work_->optimizerStep(step, verdict_.scale);
}

bool Device::endStep(std::int64_t step, StepRecord record)
{
    Contribution end;
    end.stop = isAskedToStop();
    const auto gathered = transport_->gather(std::move(end));
    if (!gathered)
        return false;
    record.offset = passStart_ - stepEnd_;
    closeRecord(record, gathered->complete - verifying_);
    keep(step, std::move(record));
    report(step, gathered->complete);
    ownStart_ = gathered->complete;
    passStart_ = ownStart_;
    if (gathered->stop) {
        last_ = step;
        stopped_ = true;
    }
    if (stopped_ && isLast(step)) {
        const auto held = board_.lock();
        shared_.stopped = step;
    }
    return true;
}

bool Device::endApart(std::int64_t step, StepRecord record)
{
    if (!board_.enter(device_, Doing::Optimizer) || !timed(record.around, [&] { own_ = work_->sums(); }))
        return false;
    const bool ahead = mayGoAhead();
    transport_->contribute({ own_, isAskedToStop(), ahead });
    if (ahead && !timed(record.around, [&] { work_->optimizerStepAhead(step); }))
        return false;
    record.peak = work_->memoryPeaks();
    record.offset = passStart_ - stepEnd_;
    if (listener_)
        listener_->stepEnded(record.peak.total);
    said_ = Said { step, ahead, std::move(record) };
    if (!ahead)
        return settle() != Standing::Ended && startOver();
    passStart_ = Clock::now();
    closeRecord(said_->record, passStart_);
    ownStart_ = passStart_;
    return true;
}

bool Device::mayGoAhead() const { return goesAsIs_ && stepVerdict(own_, job_.clip).asIs(); }

Validation::Standing Device::look()
{
    auto gathered = transport_->gathered();
    return gathered ? conclude(std::move(gathered)) : Standing::Pending;
}

Validation::Standing Device::settle() { return conclude(transport_->awaitGathered()); }

Validation::Standing Device::conclude(std::optional<Gathered> gathered)
{
    if (!gathered || !judge(said_->step, std::move(gathered->sums)))
        return Standing::Ended;
    someAreAhead_ = gathered->ahead;
    if (gathered->stop) { // the next step is under way on some devices
        last_ = std::min(last_, said_->step + 1);
        stopped_ = true;
    }
    report(said_->step, gathered->complete);
    if (device_.value == 0 && someAreAhead_) {
        const auto held = board_.lock();
        ++shared_.counts.ahead;
    }
    if (!said_->ahead)
        return Standing::Undone;
    keep(said_->step, std::move(said_->record));
    if (!verdict_.asIs())
        return Standing::Undone;
    if (!timed(beside_, [&] { work_->confirmStep(); }))
        return Standing::Ended;
    said_.reset();
    return Standing::Stands;
}

/// Takes the step that was said as it should be, having taken it back if it was taken otherwise; then the next one can begin,
/// or begin again.
bool Device::startOver()
{
    Said said = std::move(*said_);
    said_.reset();
    const bool isVoid = someAreAhead_ && !verdict_.asIs(); // what devices have begun since
    const bool ok = board_.enter(device_, Doing::Optimizer) && timed(said.record.around, [&] {
        if (said.ahead)
            work_->undoStep();
        apply(said.step);
    });
    if (!ok || (isVoid && !transport_->restart()))
        return false;
    if (!verdict_.asIs())
        tellUndone(said.step, isVoid);
    passStart_ = Clock::now();
    if (said.ahead) {
        beside_ = passStart_ - ownStart_;
        return true;
    }
    closeRecord(said.record, passStart_);
    ownStart_ = passStart_;
    keep(said.step, std::move(said.record));
    return true;
}

/// Warnings, events and counts of a step that was not taken as it was.
void Device::tellUndone(std::int64_t step, bool rolledBack)
{
    if (device_.value == 0) {
        const auto held = board_.lock();
        shared_.counts.rolledBack += rolledBack ? 1 : 0;
        shared_.counts.skipped += verdict_.notFinite ? 1 : 0;
    }
    if (teller() != device_ || !(rolledBack || verdict_.notFinite))
        return;
    UndoneStep undone;
    undone.step = step;
    undone.rolledBack = rolledBack;
    if (verdict_.notFinite) {
        undone.reason = UndoneStep::Reason::NotFinite;
        undone.device = device_;
        undone.stage = verdict_.notFinite->stage;
        undone.parameter = badParameter_;
        if (skipsTold_++ < skipsNamed)
            warnOfSkip(undone);
    } else {
        undone.reason = UndoneStep::Reason::Clipped;
        undone.scale = verdict_.scale;
    }
    if (listener_)
        listener_->stepUndone(undone);
}

void Device::warnOfSkip(const UndoneStep& undone)
{
    Place here;
    here.device = device_;
    Finding finding;
    finding.rule = "run/skipped";
    finding.severity = Severity::Warning;
    finding.where = { here };
    finding.message = fmt::format("Step {} was skipped on all devices{}: {} (device {}).", undone.step,
        undone.rolledBack ? ", and rolled back where it had been taken" : "", notFinite_, device_.value);
    finding.remedy = "If it happens often, take a lower learning rate or a longer warm-up.";
    const auto held = board_.lock();
    shared_.warnings.push_back(std::move(finding));
}

/// What is left of the device's step is waiting.
void Device::closeRecord(StepRecord& record, Clock::time_point end) const
{
    record.wait = end - ownStart_ - record.busy - record.around - record.transfer;
}

/// As that of the step that ended last.
void Device::keep(std::int64_t step, StepRecord record)
{
    if (job_.record)
        job_.record(device_, step, record);
    const auto held = board_.lock();
    shared_.peaks[device_.index()] = highest(shared_.peaks[device_.index()], record.peak);
    shared_.lastStep[device_.index()] = std::move(record);
}

/// That the step has ended for all, at `end`.
void Device::report(std::int64_t step, Clock::time_point end)
{
    const auto time = end - stepEnd_ - verifying_;
    stepEnd_ = end;
    const auto held = board_.lock();
    shared_.lastStepTime = time;
    if (device_.value == 0) {
        shared_.news.push_back({ step, meanLoss(all_), std::chrono::duration<double, std::milli>(time).count() });
        board_.tell();
    }
}

bool Device::isAskedToStop()
{
    const auto held = board_.lock();
    return shared_.stop;
}

} // namespace pipeloom::executor
