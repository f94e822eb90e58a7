// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/program/lower.h"

#include <algorithm>
#include <limits>
#include <tuple>

namespace pipeloom {

void ChannelLowering::run(const Schedule& schedule, const Pipeline& pipeline, std::int32_t window, Program& program)
{
    stages_ = pipeline.stages;
    program.pairing = Pairing::ByKind;
    program.window = window;
    makeChannels(schedule, pipeline, program);
    placeSlots(schedule, pipeline);
    number(schedule, pipeline, program);
    decideIssues(window, program);
    write(schedule, pipeline, program);
}

std::size_t ChannelLowering::idOf(const Pass& pass) const
{
    const auto cell
        = static_cast<std::size_t>(pass.microBatch.value) * static_cast<std::size_t>(stages_) + pass.stage.index();
    return cell * 2 + (pass.kind == PassKind::F ? 0 : 1);
}

std::int32_t ChannelLowering::channelFrom(const Pass& pass, const Pipeline& pipeline) const
{
    if (pass.kind == PassKind::W)
        return -1;
    const bool forward = pass.kind == PassKind::F;
    const std::int32_t boundary = forward ? pass.stage.value : pass.stage.value - 1;
    if (boundary < 0 || boundary >= stages_ - 1)
        return -1;
    const std::int32_t route = pipeline.routeCount() == 1 ? 0 : pipeline.routeOf(pass.microBatch).value;
    const Boundary& channels = boundaries_[static_cast<std::size_t>(route * (stages_ - 1) + boundary)];
    return forward ? channels.down : channels.up;
}

void ChannelLowering::makeChannels(const Schedule& schedule, const Pipeline& pipeline, Program& program)
{
    using Key = std::tuple<DeviceId, DeviceId, DataKind>;
    std::vector<Key> keys;
    const auto forEachBoundary = [&](auto visit) {
        for (std::int32_t route = 0; route < pipeline.routeCount(); ++route)
            for (std::int32_t s = 0; s + 1 < stages_; ++s)
                visit(route, s, pipeline.deviceOf(StageId { s }, RouteId { route }),
                    pipeline.deviceOf(StageId { s + 1 }, RouteId { route }));
    };
    forEachBoundary([&](std::int32_t, std::int32_t, DeviceId upper, DeviceId lower) {
        if (upper == lower)
            return;
        keys.emplace_back(upper, lower, DataKind::Activation);
        keys.emplace_back(lower, upper, DataKind::Gradient);
    });
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());

    const auto find = [&](const Key& key) {
        return static_cast<std::int32_t>(std::lower_bound(keys.begin(), keys.end(), key) - keys.begin());
    };
    boundaries_.assign(static_cast<std::size_t>(pipeline.routeCount() * std::max(stages_ - 1, 0)), {});
    forEachBoundary([&](std::int32_t route, std::int32_t s, DeviceId upper, DeviceId lower) {
        if (upper != lower)
            boundaries_[static_cast<std::size_t>(route * (stages_ - 1) + s)]
                = { find({ upper, lower, DataKind::Activation }), find({ lower, upper, DataKind::Gradient }) };
    });

    program.channels.clear();
    incomingBegin_.assign(static_cast<std::size_t>(schedule.devices()) + 1, 0);
    for (const auto& [from, to, kind] : keys) {
        program.channels.push_back({ from, to, kind, 0, 0, 0 });
        ++incomingBegin_[to.index() + 1];
    }
    for (std::size_t d = 1; d < incomingBegin_.size(); ++d)
        incomingBegin_[d] += incomingBegin_[d - 1];
    incoming_.resize(keys.size());
    std::vector<std::int32_t> next(incomingBegin_.begin(), incomingBegin_.end() - 1);
    for (std::size_t c = 0; c < keys.size(); ++c)
        incoming_[static_cast<std::size_t>(next[std::get<1>(keys[c]).index()]++)] = static_cast<std::int32_t>(c);
}

void ChannelLowering::placeSlots(const Schedule& schedule, const Pipeline& pipeline)
{
    slotOf_.assign(static_cast<std::size_t>(pipeline.microBatches) * static_cast<std::size_t>(stages_) * 2, -1);
    weightsLeft_.clear();
    const bool reduces = pipeline.routeCount() > 1;
    if (reduces)
        weightsLeft_.assign(static_cast<std::size_t>(pipeline.devices) * static_cast<std::size_t>(stages_), 0);
    for (std::int32_t d = 0; d < schedule.devices(); ++d) {
        const std::span<const Slot> row = schedule.row(DeviceId { d });
        for (std::size_t i = 0; i < row.size(); ++i)
            for (const Pass& pass : { row[i].first, row[i].second }) {
                if (pass.kind == PassKind::None)
                    continue;
                if (pass.kind != PassKind::W)
                    slotOf_[idOf(pass)] = static_cast<std::int32_t>(i);
                if (reduces && givesWeightGradient(pass.kind))
                    ++weightsLeft_[static_cast<std::size_t>(d) * static_cast<std::size_t>(stages_)
                        + pass.stage.index()];
            }
    }
}

void ChannelLowering::number(const Schedule& schedule, const Pipeline& pipeline, Program& program)
{
    sent_.assign(program.channels.size(), 0);
    for (const Slot& slot : schedule.slots)
        for (const Pass& pass : { slot.first, slot.second })
            if (pass.kind != PassKind::None)
                if (const std::int32_t channel = channelFrom(pass, pipeline); channel >= 0)
                    ++sent_[static_cast<std::size_t>(channel)];
    std::int32_t first = 0;
    for (std::size_t c = 0; c < program.channels.size(); ++c) {
        program.channels[c].firstMessage = first;
        program.channels[c].messages = sent_[c];
        first += sent_[c];
        sent_[c] = 0;
    }
    program.messages.resize(static_cast<std::size_t>(first));
    messageOf_.assign(slotOf_.size(), -1);
    issueBehind_.resize(static_cast<std::size_t>(first));
    for (const Slot& slot : schedule.slots)
        for (const Pass& pass : { slot.first, slot.second }) {
            const std::int32_t c = pass.kind == PassKind::None ? -1 : channelFrom(pass, pipeline);
            if (c < 0)
                continue;
            const Channel& channel = program.channels[static_cast<std::size_t>(c)];
            const std::int32_t position = sent_[static_cast<std::size_t>(c)]++;
            const std::int32_t message = channel.firstMessage + position;
            program.messages[static_cast<std::size_t>(message)]
                = { pass, channel.from, channel.to, c, position, -1, -1 };
            const std::size_t id = idOf(pass);
            messageOf_[id] = message;
            // The consumer: the same work of the next stage along the chain.
            issueBehind_[static_cast<std::size_t>(message)] = slotOf_[pass.kind == PassKind::F ? id + 2 : id - 2];
        }
}

void ChannelLowering::decideIssues(std::int32_t window, const Program& program)
{
    for (const Channel& channel : program.channels) {
        std::int32_t earliest = std::numeric_limits<std::int32_t>::max();
        for (std::int32_t k = channel.messages - 1; k >= 0; --k) {
            std::int32_t& behind = issueBehind_[static_cast<std::size_t>(channel.firstMessage + k)];
            if (behind >= 0) // -1: nobody consumes it, which check reports
                earliest = std::min(earliest, behind);
            behind = earliest == std::numeric_limits<std::int32_t>::max() ? -1 : std::max(earliest - window - 1, -1);
        }
    }
}

void ChannelLowering::write(const Schedule& schedule, const Pipeline& pipeline, Program& program)
{
    program.instructions.clear();
    program.instructions.reserve(schedule.slots.size() + 2 * program.messages.size());
    program.deviceBegin.assign(1, 0);
    program.passBegin.assign(1, 0);
    received_.resize(program.channels.size());
    held_.assign(program.channels.size(), 0);
    for (std::size_t c = 0; c < program.channels.size(); ++c)
        received_[c] = program.channels[c].firstMessage;
    for (std::size_t d = 0; d < static_cast<std::size_t>(schedule.devices()); ++d) {
        const std::span<const Slot> row = schedule.row(DeviceId { d });
        std::int32_t passes = 0;
        writeIdleReductions(DeviceId { d }, pipeline, program);
        writeReceives(d, -1, program);
        for (std::size_t i = 0; i < row.size(); ++i) {
            const Slot& slot = row[i];
            passes += slot.isPair() ? 2 : 1;
            writeCompute(slot.first, false, program);
            if (slot.isPair())
                writeCompute(slot.second, true, program);
            writeSend(slot.first, pipeline, program);
            if (slot.isPair())
                writeSend(slot.second, pipeline, program);
            writeReceives(d, static_cast<std::int32_t>(i), program);
        }
        program.deviceBegin.push_back(static_cast<std::int32_t>(program.instructions.size()));
        program.passBegin.push_back(program.passBegin.back() + passes);
    }
}

void ChannelLowering::writeCompute(const Pass& pass, bool joined, Program& program)
{
    std::int32_t message = -1;
    if (pass.kind != PassKind::W) {
        const bool forward = pass.kind == PassKind::F;
        const std::int32_t neighbour = forward ? pass.stage.value - 1 : pass.stage.value + 1;
        if (neighbour >= 0 && neighbour < stages_)
            message = messageOf_[forward ? idOf(pass) - 2 : idOf(pass) + 2];
    }
    if (message >= 0)
        --held_[static_cast<std::size_t>(program.messages[static_cast<std::size_t>(message)].channel)];
    program.instructions.push_back({ Op::Compute, joined, pass, DeviceId {}, message });
}

void ChannelLowering::writeSend(const Pass& pass, const Pipeline& pipeline, Program& program)
{
    if (pass.kind != PassKind::W)
        if (const std::int32_t message = messageOf_[idOf(pass)]; message >= 0) {
            Message& sent = program.messages[static_cast<std::size_t>(message)];
            sent.sendInstruction = static_cast<std::int32_t>(program.instructions.size());
            program.instructions.push_back({ Op::Send, false, pass, sent.to, message });
        }
    if (weightsLeft_.empty() || !givesWeightGradient(pass.kind))
        return;
    const DeviceId device = pipeline.deviceOf(pass);
    std::int32_t& left = weightsLeft_[device.index() * static_cast<std::size_t>(stages_) + pass.stage.index()];
    if (--left == 0 && pipeline.devicesOf(pass.stage).size() > 1)
        program.instructions.push_back({ Op::Reduce, false, pass, DeviceId {}, -1 });
}

void ChannelLowering::writeIdleReductions(DeviceId device, const Pipeline& pipeline, Program& program) const
{
    if (!weightsLeft_.empty())
        for (const StageId stage : idleSharedStages(pipeline, device, weightsLeft_))
            program.instructions.push_back(
                { Op::Reduce, false, { stage, MicroBatch {}, PassKind::W }, DeviceId {}, -1 });
}

void ChannelLowering::writeReceives(std::size_t device, std::int32_t behind, Program& program)
{
    for (std::int32_t i = incomingBegin_[device]; i < incomingBegin_[device + 1]; ++i) {
        const auto c = static_cast<std::size_t>(incoming_[static_cast<std::size_t>(i)]);
        Channel& channel = program.channels[c];
        std::int32_t& next = received_[c];
        const std::int32_t last = channel.firstMessage + channel.messages;
        while (next < last && issueBehind_[static_cast<std::size_t>(next)] <= behind) {
            Message& message = program.messages[static_cast<std::size_t>(next)];
            message.receiveInstruction = static_cast<std::int32_t>(program.instructions.size());
            program.instructions.push_back({ Op::Receive, false, message.pass, channel.from, next });
            channel.buffers = std::max(channel.buffers, ++held_[c]);
            ++next;
        }
    }
}

std::vector<StageId> idleSharedStages(
    const Pipeline& pipeline, DeviceId device, const std::vector<std::int32_t>& weights)
{
    std::vector<StageId> idle;
    for (std::int32_t s = 0; s < pipeline.stages; ++s) {
        const StageId stage { s };
        if (weights[device.index() * static_cast<std::size_t>(pipeline.stages) + stage.index()] > 0)
            continue;
        const bool isHeld = std::any_of(pipeline.routes.begin(), pipeline.routes.end(),
            [&](const Placement& route) { return route[stage.index()] == device; });
        if (isHeld && pipeline.devicesOf(stage).size() > 1)
            idle.push_back(stage);
    }
    return idle;
}

std::optional<Program> lower(
    const Schedule& schedule, const Pipeline& pipeline, const Network& network, QueueModel queue)
{
    if (pairingOf(queue) == Pairing::Shared)
        return lowerMirrored(schedule, pipeline);
    Program program;
    ChannelLowering().run(schedule, pipeline, network.window, program);
    return program;
}

} // namespace pipeloom
