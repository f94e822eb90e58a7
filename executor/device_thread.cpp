// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/device_thread.h"

#include "executor/device.h"

#include <cmath>

namespace pipeloom::executor {

Device::Device(RunShared& shared, DeviceId device)
    : shared_(shared)
    , job_(shared.job)
    , board_(*shared.board)
    , device_(device)
    , transport_(shared.network->end(device))
    , last_(job_.firstStep + job_.steps - 1)
    , goesAsIs_(job_.clip <= 0)
{
    if (job_.wrapEnd)
        transport_ = job_.wrapEnd(std::move(transport_), device);
}

void Device::live()
{
    if (!start())
        return;
    std::vector<RankLoop> loops;
    loops.emplace_back(job_.program, job_.stages, device_, *work_, *transport_, board_, listener_.get());
    for (const Program& other : job_.others)
        loops.emplace_back(other, job_.stages, device_, *work_, *transport_, board_, listener_.get());
    for (std::int64_t s = job_.firstStep; s <= last_; ++s)
        if (!step(loops[static_cast<std::size_t>(s) % loops.size()], s))
            return;
}

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
    beside_ = {};
    verifying_ = {};
    while (!runPasses(loop, step))
        if (!loop.undone() || !startOver())
            return false;
    auto record = loop.takeRecord();
    record.around += beside_;
    return isSynchronised(step) ? endTogether(step, std::move(record)) : endApart(step, std::move(record));
}

bool Device::runPasses(RankLoop& loop, std::int64_t step)
{
    if (listener_)
        listener_->stepBegins(step, passStart_);
    return board_.enter(device_, Doing::Between) && timed(beside_, [&] {
        work_->resetMemoryPeaks();
        work_->beginStep(step);
    }) && loop.runOnce(passStart_, said_ ? this : nullptr);
}

bool Device::isSaved(std::int64_t step) const
{
    const bool isDue = job_.saveEvery > 0 && (step + 1) % job_.saveEvery == 0;
    return job_.save && (isDue || isLast(step));
}

bool Device::isSynchronised(std::int64_t step) const
{
    const bool isVerified = job_.verify && step == job_.firstStep;
    return job_.optimizer == OptimizerMode::Synchronised || isLast(step) || isSaved(step) || isVerified;
}

bool Device::save(std::int64_t step)
{
    if (!isSaved(step))
        return true;
    if (!succeeds(Doing::Saving, [&] { return job_.save(device_, *work_, step); }) || !everyone())
        return false;
    if (device_.value == 0 && job_.commit && !succeeds(Doing::Saving, [&] { return job_.commit(step); }))
        return false;
    return everyone();
}

bool Device::everyone()
{
    const auto gathered = transport_->gather({});
    if (gathered) {
        stepEnd_ = gathered->complete;
        ownStart_ = stepEnd_;
        passStart_ = stepEnd_;
    }
    return gathered.has_value();
}

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
