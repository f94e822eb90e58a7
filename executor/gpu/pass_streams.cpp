// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/gpu/pass_streams.h"

#include <algorithm>
#include <stdexcept>
#include <thread>
#include <utility>

namespace pipeloom::executor::gpu {

PassStreams::PassStreams(Gpu& gpu, std::span<const StageId> stages)
    : gpu_(gpu)
    , events_(gpu)
{
    for (const auto stage : stages)
        streams_.emplace_back(stage, gpu.newStream());
}

Stream PassStreams::of(StageId stage) const
{
    const auto place = std::ranges::find(streams_, stage, &std::pair<StageId, Stream>::first);
    if (place == streams_.end())
        throw std::logic_error("Stage " + std::to_string(stage.value) + " has no stream.");
    return place->second;
}

void PassStreams::await(const SharedEvent& event)
{
    while (!gpu_.hasHappened(*event))
        std::this_thread::yield();
}

void PassStreams::beginStep()
{
    running_.clear();
    slot_.clear();
    before_.clear();
    for (const auto& [stage, stream] : streams_)
        await(events_.record(stream));
    base_ = events_.record(streams_.front().second);
    await(base_);
    baseTime_ = std::chrono::steady_clock::now();
}

void PassStreams::begin(const Pass& pass, const SharedEvent& input)
{
    const auto stream = of(pass.stage);
    for (const auto& [other, end] : before_)
        if (other != stream)
            gpu_.waitFor(stream, *end);
    if (input)
        gpu_.waitFor(stream, *input);
    running_.push_back({ pass, !slot_.empty(), events_.record(stream), nullptr });
}

SharedEvent PassStreams::end()
{
    auto& last = running_.back();
    const auto stream = of(last.pass.stage);
    last.end = events_.record(stream);
    slot_.emplace_back(stream, last.end);
    return last.end;
}

void PassStreams::endSlot()
{
    if (!slot_.empty())
        before_ = std::exchange(slot_, {});
}

void PassStreams::awaitSlot()
{
    for (const auto& [stream, end] : before_)
        await(end);
}

std::vector<RanPass> PassStreams::takeEnded()
{
    std::vector<RanPass> ended;
    while (!running_.empty() && running_.front().end && gpu_.hasHappened(*running_.front().end)) {
        const auto& first = running_.front();
        ended.push_back({ first.pass, first.joined, baseTime_ + gpu_.between(*base_, *first.start),
            baseTime_ + gpu_.between(*base_, *first.end) });
        running_.pop_front();
    }
    return ended;
}

} // namespace pipeloom::executor::gpu
