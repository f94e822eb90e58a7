// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/emulation/emulated_clock.h"

#include <algorithm>
#include <cmath>
#include <thread>
#include <utility>

namespace pipeloom::executor {

namespace {

std::uint64_t keyOf(const Pass& pass, std::int32_t stages)
{
    const auto place = static_cast<std::uint64_t>(pass.microBatch.value) * static_cast<std::uint64_t>(stages)
        + static_cast<std::uint64_t>(pass.stage.value);
    return place * passKinds + index(pass.kind);
}

} // namespace

Nanoseconds EmulationPlan::lengthOf(Ticks ticks) const
{
    constexpr double nsPerUs = 1000;
    return Nanoseconds(std::llround(static_cast<double>(ticks) * costs.tickUs * nsPerUs));
}

void PlannedEnds::begin(Clock::time_point start)
{
    const std::lock_guard held(mutex_);
    if (!before_)
        before_ = start;
}

void PlannedEnds::note(std::int64_t step, Clock::time_point end)
{
    const std::lock_guard held(mutex_);
    auto& last = ends_[step];
    last = std::max(last, end);
}

Nanoseconds PlannedEnds::timeOf(std::int64_t step)
{
    const std::lock_guard held(mutex_);
    const Clock::time_point end = ends_.extract(step).mapped();
    return end - std::exchange(*before_, end);
}

EmulatedClock::EmulatedClock(
    const EmulationPlan& plan, const Program& program, DeviceId device, std::shared_ptr<PlannedEnds> ends)
    : plan_(plan)
    , ends_(std::move(ends))
{
    const auto list = program.row(device);
    for (std::size_t i = 0; i + 1 < list.size(); ++i)
        if (list[i].op == Op::Compute && list[i + 1].op == Op::Compute && list[i + 1].joined)
            firstOfPair_.push_back(keyOf(list[i].pass, plan.pipeline.stages));
    std::sort(firstOfPair_.begin(), firstOfPair_.end());
}

void EmulatedClock::beginStep(std::int64_t step)
{
    start_ = nextStart_.value_or(free_);
    nextStart_.reset();
    step_ = step;
    ends_->begin(start_);
    free_ = start_;
    planned_ = {};
    planned_.offset = start_.time_since_epoch();
    if (listener_)
        listener_->stepBegins(step, start_);
}

void EmulatedClock::endStep()
{
    if (listener_)
        listener_->stepEnded(0);
}

void EmulatedClock::note(const TimedTransfer& transfer)
{
    planned_.transfers.push_back(transfer);
    if (listener_)
        listener_->transferEnded(transfer);
}

bool EmulatedClock::isFirstOfPair(const Pass& pass) const
{
    return std::binary_search(firstOfPair_.begin(), firstOfPair_.end(), keyOf(pass, plan_.pipeline.stages));
}

Clock::time_point EmulatedClock::plan(const Pass& pass, Clock::time_point inputs)
{
    if (isFirstOfPair(pass)) {
        pairFirst_ = pass;
        pairInputs_ = inputs;
        return free_;
    }
    const bool endsPair = pairFirst_.kind != PassKind::None;
    const Clock::time_point begin = std::max({ free_, inputs, endsPair ? pairInputs_ : free_ });
    const Ticks ticks = endsPair ? plan_.costs.of(Slot { pairFirst_, pass }) : plan_.costs.of(pass);
    free_ = begin + plan_.lengthOf(ticks);
    const auto add = [&](const Pass& of, bool joined) {
        planned_.passes.push_back({ (begin - start_).count(), (free_ - start_).count(), of, joined });
        if (listener_)
            listener_->passEnded(planned_.passes.back(), -1);
    };
    if (endsPair)
        add(pairFirst_, false);
    add(pass, endsPair);
    planned_.busy += free_ - begin;
    pairFirst_ = {};
    return free_;
}

EmulatedWork::EmulatedWork(std::shared_ptr<EmulatedClock> clock, std::shared_ptr<std::vector<float>> latenessMs)
    : clock_(std::move(clock))
    , latenessMs_(std::move(latenessMs))
{
}

void EmulatedWork::beginStep(std::int64_t step) { clock_->beginStep(step); }

Payload EmulatedWork::packGradients(StageId)
{
    auto result = std::make_shared<EmulatedResult>();
    result->planned = clock_->now();
    return { std::move(result), 1 };
}

Payload EmulatedWork::run(const Pass& pass, Payload input)
{
    Clock::time_point inputs = clock_->stepStart();
    if (input)
        inputs = static_cast<const EmulatedResult*>(input.tensor.get())->planned;
    auto result = std::make_shared<EmulatedResult>();
    const bool isFirst = clock_->isFirstOfPair(pass);
    result->planned = clock_->plan(pass, inputs);
    if (isFirst) {
        pairFirst_ = result;
        return { result, 1 };
    }
    if (pairFirst_)
        pairFirst_->planned = result->planned;
    pairFirst_.reset();
    if (clock_->facts().time == EmulatedTime::Real) {
        std::this_thread::sleep_until(result->planned);
        const std::chrono::duration<float, std::milli> late = Clock::now() - result->planned;
        latenessMs_->push_back(late.count());
    }
    return { result, 1 };
}

} // namespace pipeloom::executor
