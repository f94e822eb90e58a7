// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/simulate/simulator.h"

#include <algorithm>

namespace pipeloom {

namespace {

/// Each device works through streams of its own, far more than the hardware follows by itself: what it will come to soon
/// is asked for ahead. Asking beyond the end of an array does no harm.
constexpr std::ptrdiff_t ahead = 8;

template <class T> void prefetch(const T* at) { __builtin_prefetch(at, 0); }
template <class T> void prefetchToWrite(const T* at) { __builtin_prefetch(at, 1); }

} // namespace

bool Simulator::run(const Program& program, const Pipeline& pipeline, const Costs& costs, const Network& network,
    QueueModel queue, Timeline& timeline)
{
    program_ = &program;
    queue_ = queue;
    own_ = {};
    takeCosts(pipeline, costs, network);
    return runAll(timeline);
}

bool Simulator::run(
    const Program& program, const Pipeline& pipeline, const OwnTimes& times, QueueModel queue, Timeline& timeline)
{
    program_ = &program;
    queue_ = queue;
    takeCosts(pipeline, unitCosts(pipeline.stages), freeNetwork(pipeline.stages));
    own_ = times;
    return runAll(timeline);
}

bool Simulator::runAll(Timeline& timeline)
{
    prepare(timeline);
    while (!ready_.empty()) {
        const auto device = static_cast<std::size_t>(ready_.back());
        ready_.pop_back();
        runDevice(device, timeline);
    }
    for (std::size_t d = 0; d < next_.size(); ++d)
        if (next_[d] != program_->deviceBegin[d + 1])
            return false;
    return std::all_of(flights_.begin(), flights_.end(), [](const Flight& flight) { return flight.end >= 0; });
}

void Simulator::takeCosts(const Pipeline& pipeline, const Costs& costs, const Network& network)
{
    pairTicks_ = costs.pair;
    cost_.resize(static_cast<std::size_t>(pipeline.stages) * passKinds);
    for (std::int32_t s = 0; s < pipeline.stages; ++s)
        for (const PassKind kind : { PassKind::F, PassKind::B, PassKind::W, PassKind::BW })
            cost_[static_cast<std::size_t>(s) * passKinds + index(kind)] = costs.ticks.of(kind, StageId { s });
    transfer_.resize(static_cast<std::size_t>(std::max(pipeline.stages - 1, 0)));
    for (std::size_t s = 0; s < transfer_.size(); ++s)
        transfer_[s] = network.transferTicks(StageId { s });
}

void Simulator::prepare(Timeline& timeline)
{
    const auto devices = static_cast<std::size_t>(program_->devices());
    next_.assign(program_->deviceBegin.begin(), program_->deviceBegin.end() - 1);
    waitsFor_.assign(devices, -1);
    free_.assign(devices, 0);
    flights_.assign(program_->messages.size(), {});
    ready_.clear();
    for (std::size_t d = devices; d-- > 0;)
        ready_.push_back(static_cast<std::int32_t>(d));
    channels_.clear();
    for (const Channel& channel : program_->channels)
        channels_.push_back({ channel.firstMessage, channel.firstMessage + channel.messages, 0 });
    if (queue_ == QueueModel::Pair || queue_ == QueueModel::Device)
        queues_.build(*program_, queue_);

    timeline.deviceBegin = program_->passBegin;
    passAt_.assign(program_->passBegin.begin(), program_->passBegin.end() - 1);
    timeline.passes.resize(static_cast<std::size_t>(timeline.deviceBegin.back()));
    timeline.transfers.resize(program_->messages.size());
}

void Simulator::runDevice(std::size_t device, Timeline& timeline)
{
    const std::int32_t last = program_->deviceBegin[device + 1];
    std::int32_t at = next_[device];
    Ticks free = free_[device];
    while (at < last) {
        const Instruction& instruction = program_->instructions[static_cast<std::size_t>(at)];
        prefetch(&instruction + ahead);
        if (instruction.op == Op::Compute) {
            const std::int32_t after = compute(device, at, free, timeline);
            if (after == at)
                break;
            at = after;
            continue;
        }
        if (instruction.message >= 0)
            issue(instruction.message, instruction.op == Op::Send, free, timeline);
        ++at;
    }
    next_[device] = at;
    free_[device] = free;
}

std::int32_t Simulator::compute(std::size_t device, std::int32_t at, Ticks& free, Timeline& timeline)
{
    const Instruction* const first = &program_->instructions[static_cast<std::size_t>(at)];
    const std::int32_t last = program_->deviceBegin[device + 1];
    std::int32_t count = 1;
    while (at + count < last && first[count].op == Op::Compute && first[count].joined)
        ++count;
    Ticks start = free;
    Ticks cost = 0;
    for (std::int32_t i = 0; i < count; ++i) {
        if (first[i].message >= 0) {
            const Ticks arrived = flights_[static_cast<std::size_t>(first[i].message)].end;
            if (arrived < 0) {
                waitsFor_[device] = first[i].message;
                return at;
            }
            start = std::max(start, arrived);
        }
        cost += cost_[first[i].pass.stage.index() * passKinds + index(first[i].pass.kind)];
    }
    if (!own_.passes.empty())
        cost = own_.passes[static_cast<std::size_t>(passAt_[device])];
    else if (count > 1 && pairTicks_)
        cost = *pairTicks_;
    free = start + cost;
    prefetchToWrite(timeline.passes.data() + passAt_[device] + ahead);
    for (std::int32_t i = 0; i < count; ++i)
        timeline.passes[static_cast<std::size_t>(passAt_[device]++)] = { start, free, first[i].pass, i > 0 };
    return at + count;
}

void Simulator::issue(std::int32_t message, bool send, Ticks now, Timeline& timeline)
{
    const auto at = static_cast<std::size_t>(message);
    Flight& flight = flights_[at];
    if (queue_ == QueueModel::Ideal) {
        if (send)
            arrive(message, now, now + transferTicks(at, program_->messages[at].pass), timeline);
        return;
    }
    flight.issue(now);
    if (!flight.bothIssued())
        return;
    if (queue_ == QueueModel::Directed) {
        moveChannel(static_cast<std::size_t>(program_->messages[at].channel), timeline);
        return;
    }
    // What one transfer frees may free others in turn.
    std::vector<std::int32_t> moving { message };
    while (!moving.empty()) {
        const std::int32_t next = moving.back();
        moving.pop_back();
        const Flight& ready = flights_[static_cast<std::size_t>(next)];
        if (ready.end >= 0 || !ready.bothIssued() || !queues_.atHead(next))
            continue;
        const Ticks start = std::max(ready.issued, queues_.freeAt(next));
        const auto index = static_cast<std::size_t>(next);
        const Ticks end = start + transferTicks(index, program_->messages[index].pass);
        arrive(next, start, end, timeline);
        queues_.finish(next, end, [&](std::int32_t freed) { moving.push_back(freed); });
    }
}

void Simulator::moveChannel(std::size_t channel, Timeline& timeline)
{
    ChannelState& state = channels_[channel];
    while (state.next < state.last) {
        const Flight& head = flights_[static_cast<std::size_t>(state.next)];
        if (!head.bothIssued())
            return;
        const Ticks start = std::max(head.issued, state.free);
        const auto message = static_cast<std::size_t>(state.next);
        state.free = start + transferTicks(message, program_->messages[message].pass);
        arrive(state.next++, start, state.free, timeline);
    }
}

void Simulator::arrive(std::int32_t message, Ticks start, Ticks end, Timeline& timeline)
{
    const auto at = static_cast<std::size_t>(message);
    const Message& sent = program_->messages[at];
    prefetch(&sent + ahead);
    prefetchToWrite(timeline.transfers.data() + at + ahead);
    flights_[at].end = end;
    timeline.transfers[at] = { start, end, sent.pass, sent.from, sent.to };
    if (std::int32_t& waitsFor = waitsFor_[sent.to.index()]; waitsFor == message) {
        waitsFor = -1;
        ready_.push_back(sent.to.value);
    }
}

Standstill Simulator::standstill() const
{
    Standstill stand;
    stand.next = next_;
    stand.waitsFor = waitsFor_;
    for (std::size_t i = 0; i < flights_.size(); ++i) {
        const Message& message = program_->messages[i];
        stand.sent.push_back(message.sendInstruction < next_[message.from.index()]);
        stand.received.push_back(message.receiveInstruction < next_[message.to.index()]);
        stand.done.push_back(flights_[i].end >= 0);
    }
    return stand;
}

std::optional<Timeline> simulate(
    const Program& program, const Pipeline& pipeline, const Costs& costs, const Network& network, QueueModel queue)
{
    Timeline timeline;
    if (!Simulator().run(program, pipeline, costs, network, queue, timeline))
        return std::nullopt;
    return timeline;
}

std::optional<Timeline> simulate(
    const Program& program, const Pipeline& pipeline, const OwnTimes& times, QueueModel queue)
{
    Timeline timeline;
    if (!Simulator().run(program, pipeline, times, queue, timeline))
        return std::nullopt;
    return timeline;
}

} // namespace pipeloom
