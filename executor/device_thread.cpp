// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/device_thread.h"

#include "executor/guarded.h"
#include "executor/rank_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pipeloom::executor {

namespace {

/// One device's thread, from the making of its share on.
class Device {
public:
    Device(LocalShared& shared, DeviceId device)
        : shared_(shared)
        , job_(shared.job)
        , board_(*shared.board)
        , device_(device)
        , transport_(shared.network.end(device))
    {
        if (job_.wrapEnd)
            transport_ = job_.wrapEnd(std::move(transport_), device);
        if (job_.listen)
            listener_ = job_.listen(device);
    }

    void live();

private:
    [[nodiscard]] bool start();
    [[nodiscard]] bool begins(std::int64_t step);
    [[nodiscard]] bool isLast(std::int64_t step);
    [[nodiscard]] bool step(RankLoop& loop, std::int64_t step);
    [[nodiscard]] bool gatherSums(std::int64_t step, StepRecord& record);
    [[nodiscard]] bool numbersAreFinite(std::int64_t step);
    [[nodiscard]] bool verify(std::int64_t step);
    [[nodiscard]] bool optimize(std::int64_t step, StepRecord& record);
    [[nodiscard]] bool endStep(std::int64_t step, StepRecord record);
    [[nodiscard]] bool save(std::int64_t step);
    template <class Work> [[nodiscard]] bool succeeds(Doing doing, Work&& work);
    [[nodiscard]] bool everyone();
    template <class Work> [[nodiscard]] bool timed(Nanoseconds& sum, Work&& work);

    LocalShared& shared_;
    const LocalJob& job_;
    Board& board_;
    DeviceId device_;
    std::unique_ptr<Transport> transport_;
    std::unique_ptr<DeviceWork> work_;
    std::unique_ptr<StepListener> listener_; ///< null: nobody listens
    std::vector<StageSums> own_;
    std::vector<StageSums> all_;
    Clock::time_point start_;  ///< of the step, the same on all devices
    Nanoseconds verifying_ {}; ///< in this step; not part of its time
};

void Device::live()
{
    if (!start())
        return;
    RankLoop loop(job_.program, job_.stages, device_, *work_, *transport_, board_, listener_.get());
    for (std::int64_t i = 0; i < job_.steps; ++i)
        if (!begins(job_.firstStep + i) || !step(loop, job_.firstStep + i))
            return;
}

bool Device::begins(std::int64_t step)
{
    const auto held = board_.lock();
    if (step > shared_.stopAfter)
        return false;
    shared_.begun = std::max(shared_.begun, step);
    return true;
}

bool Device::isLast(std::int64_t step)
{
    const auto held = board_.lock();
    return step + 1 == job_.firstStep + job_.steps || step == shared_.stopAfter;
}

bool Device::start()
{
    if (!guarded(board_, device_, [&] { work_ = job_.makeWork(device_); }))
        return false;
    if (job_.load && !succeeds(Doing::Saving, [&] { return job_.load(device_, *work_); }))
        return false;
    return everyone();
}

bool Device::step(RankLoop& loop, std::int64_t step)
{
    Nanoseconds preparing {};
    verifying_ = {};
    if (listener_)
        listener_->stepBegins(step, start_);
    const bool ran = board_.enter(device_, Doing::Between) && timed(preparing, [&] {
        work_->resetMemoryPeaks();
        work_->beginStep(step);
    }) && loop.runOnce(start_);
    if (!ran)
        return false;
    auto record = loop.takeRecord();
    record.around += preparing;
    return gatherSums(step, record) && verify(step) && optimize(step, record) && endStep(step, std::move(record))
        && save(step);
}

bool Device::gatherSums(std::int64_t step, StepRecord& record)
{
    if (!board_.enter(device_, Doing::Optimizer) || !timed(record.around, [&] { own_ = work_->sums(); }))
        return false;
    auto gathered = transport_->gather(own_);
    if (!gathered)
        return false;
    all_ = std::move(gathered->sums);
    return numbersAreFinite(step);
}

// All devices see the same numbers; the one whose they are says so.
bool Device::numbersAreFinite(std::int64_t step)
{
    const auto bad = std::find_if(all_.begin(), all_.end(),
        [](const StageSums& sums) { return !std::isfinite(sums.lossSum) || !std::isfinite(sums.squaredGradientNorm); });
    if (bad == all_.end())
        return true;
    const bool isMine
        = std::any_of(own_.begin(), own_.end(), [&](const StageSums& s) { return s.stage == bad->stage; });
    if (isMine) {
        const auto what = std::isfinite(bad->lossSum)
            ? fmt::format("the gradients of stage {} are not finite in step {}", bad->stage.value, step)
            : fmt::format("the loss of step {} is {} (stage {})", step, bad->lossSum, bad->stage.value);
        board_.fail(
            device_, "run/nan", what, "Take a lower learning rate or a longer warm-up; the step was not applied.");
    }
    return false;
}

bool Device::verify(std::int64_t step)
{
    if (!job_.verify || step != job_.firstStep)
        return true;
    const auto began = Clock::now();
    if (device_.value == 0 && !succeeds(Doing::Verifying, [&] { return job_.verify(step, all_); }))
        return false;
    const auto gathered = transport_->gather({});
    verifying_ = Clock::now() - began;
    return gathered.has_value();
}

bool Device::optimize(std::int64_t step, StepRecord& record)
{
    const bool ok = board_.enter(device_, Doing::Optimizer) && timed(record.around, [&] {
        work_->optimizerStep(step, clipScale(all_, job_.clip));
        record.peak = work_->memoryPeaks();
    });
    if (ok && listener_)
        listener_->stepEnded(record.peak.total);
    return ok;
}

bool Device::endStep(std::int64_t step, StepRecord record)
{
    {
        const auto held = board_.lock();
        shared_.peaks[device_.index()] = highest(shared_.peaks[device_.index()], record.peak);
        shared_.records[device_.index()] = std::move(record);
    }
    const auto gathered = transport_->gather({});
    if (!gathered)
        return false;
    const auto time = gathered->complete - start_ - verifying_;
    start_ = gathered->complete;
    if (device_.value != 0)
        return true;
    // The others cannot end another step before this device has run it too.
    const auto held = board_.lock();
    for (auto& device : shared_.records)
        device.wait = time - device.busy - device.around - device.transfer;
    shared_.lastStep = shared_.records;
    shared_.lastStepTime = time;
    shared_.news.push_back({ step, meanLoss(all_), std::chrono::duration<double, std::milli>(time).count() });
    board_.tell();
    return true;
}

bool Device::save(std::int64_t step)
{
    const auto done = step + 1;
    const bool isDue = job_.saveEvery > 0 && done % job_.saveEvery == 0;
    if (!job_.save || !(isDue || isLast(step)))
        return true;
    if (!succeeds(Doing::Saving, [&] { return job_.save(device_, *work_, step); }) || !everyone())
        return false;
    if (device_.value == 0 && job_.commit && !succeeds(Doing::Saving, [&] { return job_.commit(step); }))
        return false;
    return everyone();
}

/// The first error among what `work` finds ends the run; warnings are kept.
template <class Work> bool Device::succeeds(Doing doing, Work&& work)
{
    Findings findings;
    if (!board_.enter(device_, doing) || !guarded(board_, device_, [&] { findings = work(); }))
        return false;
    const auto error = std::find_if(
        findings.begin(), findings.end(), [](const Finding& f) { return f.severity == Severity::Error; });
    if (error == findings.end()) {
        const auto held = board_.lock();
        append(shared_.warnings, std::move(findings));
        return true;
    }
    if (error->where.empty()) {
        Place here;
        here.device = device_;
        error->where.push_back(here);
    }
    board_.end(std::move(*error));
    return false;
}

bool Device::everyone()
{
    const auto gathered = transport_->gather({});
    if (gathered)
        start_ = gathered->complete;
    return gathered.has_value();
}

template <class Work> bool Device::timed(Nanoseconds& sum, Work&& work)
{
    const auto began = Clock::now();
    const bool ok = guarded(board_, device_, std::forward<Work>(work));
    sum += Clock::now() - began;
    return ok;
}

} // namespace

LocalShared::LocalShared(LocalJob jobToDo)
    : job(std::move(jobToDo))
    , board(std::make_shared<Board>(job.program.devices(), job.limit))
    , network(board, job.program.devices())
    , records(static_cast<std::size_t>(job.program.devices()))
    , peaks(records.size())
{
}

void deviceThread(const std::shared_ptr<LocalShared>& shared, DeviceId device)
{
    // Whoever notices an error has said so on the board by now; this is for what nobody expects.
    static_cast<void>(guarded(*shared->board, device, [&] { Device(*shared, device).live(); }));
    shared->board->enter(device, Doing::Ended);
}

double clipScale(const std::vector<StageSums>& sums, double clip)
{
    double squares = 0;
    for (const auto& stage : sums)
        squares += stage.squaredGradientNorm;
    const double norm = std::sqrt(squares);
    return clip > 0 && norm > clip ? clip / norm : 1;
}

double meanLoss(const std::vector<StageSums>& sums)
{
    double loss = 0;
    std::int64_t tokens = 0;
    for (const auto& stage : sums) {
        loss += stage.lossSum;
        tokens += stage.tokens;
    }
    return tokens == 0 ? 0 : loss / static_cast<double>(tokens);
}

} // namespace pipeloom::executor
