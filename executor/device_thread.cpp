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
    Device(RunShared& shared, DeviceId device)
        : shared_(shared)
        , job_(shared.job)
        , board_(*shared.board)
        , device_(device)
        , transport_(shared.network->end(device))
    {
        if (job_.wrapEnd)
            transport_ = job_.wrapEnd(std::move(transport_), device);
    }

    void live();

private:
    [[nodiscard]] bool start();
    [[nodiscard]] bool isLast(std::int64_t step) const;
    [[nodiscard]] bool step(RankLoop& loop, std::int64_t step);
    [[nodiscard]] bool gatherSums(std::int64_t step, StepRecord& record);
    [[nodiscard]] bool numbersAreFinite(std::int64_t step);
    [[nodiscard]] bool holdersAgree(std::int64_t step);
    [[nodiscard]] bool verify(std::int64_t step);
    [[nodiscard]] bool optimize(std::int64_t step, StepRecord& record);
    [[nodiscard]] bool endStep(std::int64_t step, StepRecord record);
    [[nodiscard]] bool save(std::int64_t step);
    template <class Work> [[nodiscard]] bool succeeds(Doing doing, Work&& work);
    [[nodiscard]] bool everyone();
    template <class Work> [[nodiscard]] bool timed(Nanoseconds& sum, Work&& work);

    RunShared& shared_;
    const Job& job_;
    Board& board_;
    DeviceId device_;
    std::unique_ptr<Transport> transport_;
    std::unique_ptr<DeviceWork> work_;
    std::unique_ptr<StepListener> listener_; ///< null: nobody listens
    std::vector<StageSums> own_;
    std::vector<StageSums> all_;
    Clock::time_point start_;  ///< of the step, the same on all devices
    Nanoseconds verifying_ {}; ///< in this step; not part of its time
    bool stop_ = false;        ///< all end with this step
};

void Device::live()
{
    if (!start())
        return;
    std::vector<RankLoop> loops;
    loops.emplace_back(job_.program, job_.stages, device_, *work_, *transport_, board_, listener_.get());
    for (const Program& other : job_.others)
        loops.emplace_back(other, job_.stages, device_, *work_, *transport_, board_, listener_.get());
    for (std::int64_t s = job_.firstStep; s < job_.firstStep + job_.steps && !stop_; ++s)
        if (!step(loops[static_cast<std::size_t>(s) % loops.size()], s))
            return;
}

bool Device::isLast(std::int64_t step) const { return stop_ || step + 1 == job_.firstStep + job_.steps; }

bool Device::start()
{
    if (!guarded(board_, device_, [&] { work_ = job_.makeWork(device_); }))
        return false;
    const bool connected = guarded(board_, device_, [&] {
        transport_->prepare(*work_);
        if (job_.listen)
            listener_ = job_.listen(device_);
    });
    if (!connected)
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
    auto gathered = transport_->gather({ own_ });
    if (!gathered)
        return false;
    all_ = std::move(gathered->sums);
    return numbersAreFinite(step) && holdersAgree(step);
}

// All devices see the same numbers; the one whose they are says so.
bool Device::numbersAreFinite(std::int64_t step)
{
    const auto isBad = [](const StageSums& sums) {
        return !std::isfinite(sums.lossSum) || !std::isfinite(sums.squaredGradientNorm);
    };
    const auto bad = std::find_if(all_.begin(), all_.end(), isBad);
    if (bad == all_.end())
        return true;
    const bool isMine
        = std::any_of(own_.begin(), own_.end(), [&](const StageSums& s) { return s.stage == bad->stage && isBad(s); });
    if (isMine) {
        const auto what = std::isfinite(bad->lossSum)
            ? fmt::format("the gradients of stage {} are not finite in step {}", bad->stage.value, step)
            : fmt::format("the loss of step {} is {} (stage {})", step, bad->lossSum, bad->stage.value);
        board_.fail(
            device_, "run/nan", what, "Take a lower learning rate or a longer warm-up; the step was not applied.");
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
        work_->optimizerStep(step, clipScale(all_, job_.clip));
        record.peak = work_->memoryPeaks();
    });
    if (ok && listener_)
        listener_->stepEnded(record.peak.total);
    return ok;
}

bool Device::endStep(std::int64_t step, StepRecord record)
{
    Contribution end;
    {
        const auto held = board_.lock();
        end.stop = shared_.stop;
    }
    const auto gathered = transport_->gather(std::move(end));
    if (!gathered)
        return false;
    const auto time = gathered->complete - start_ - verifying_;
    start_ = gathered->complete;
    stop_ = gathered->stop;
    record.wait = time - record.busy - record.around - record.transfer;
    if (job_.record)
        job_.record(device_, step, record);
    const auto held = board_.lock();
    shared_.peaks[device_.index()] = highest(shared_.peaks[device_.index()], record.peak);
    shared_.lastStep[device_.index()] = std::move(record);
    shared_.lastStepTime = time;
    if (stop_)
        shared_.stopped = step;
    if (device_.value == 0) {
        shared_.news.push_back({ step, meanLoss(all_), std::chrono::duration<double, std::milli>(time).count() });
        board_.tell();
    }
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

RunShared::RunShared(Job jobToDo, std::shared_ptr<Board> itsBoard, std::shared_ptr<TransportNetwork> itsNetwork)
    : job(std::move(jobToDo))
    , board(std::move(itsBoard))
    , network(std::move(itsNetwork))
    , lastStep(static_cast<std::size_t>(job.program.devices()))
    , peaks(lastStep.size())
{
}

void deviceThread(const std::shared_ptr<RunShared>& shared, DeviceId device)
{
    // Whoever notices an error has said so on the board by now; this is for what nobody expects.
    static_cast<void>(guarded(*shared->board, device, [&] { Device(*shared, device).live(); }));
    shared->board->enter(device, Doing::Ended);
}

double clipScale(const std::vector<StageSums>& sums, double clip)
{
    double squares = 0;
    for (std::size_t i = 0; i < sums.size(); ++i)
        if (i == 0 || sums[i].stage != sums[i - 1].stage)
            squares += sums[i].squaredGradientNorm;
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
