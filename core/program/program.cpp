// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/program/program.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace pipeloom {

namespace {

using ChannelKey = std::tuple<DeviceId, DeviceId, std::int32_t>; // from, to, kind of data or 0

ChannelKey keyOf(const Instruction& instruction, DeviceId device, Pairing pairing)
{
    const std::int32_t kind = pairing == Pairing::ByKind ? static_cast<std::int32_t>(dataKind(instruction)) : 0;
    return instruction.op == Op::Send ? ChannelKey { device, instruction.peer, kind }
                                      : ChannelKey { instruction.peer, device, kind };
}

struct Ends {
    std::vector<std::int32_t> sends;    ///< instruction indices in list order
    std::vector<std::int32_t> receives; ///< the same
};

/// Two passes that make the same data: both ends of a message name the same one.
bool sameData(const Pass& a, const Pass& b)
{
    return a.stage == b.stage && a.microBatch == b.microBatch
        && (a.kind == b.kind || (givesInputGradient(a.kind) && givesInputGradient(b.kind)));
}

class Linker {
public:
    Linker(Program& program, const Pipeline& pipeline)
        : program_(program)
        , pipeline_(pipeline)
    {
    }

    void run()
    {
        collect();
        match();
        for (std::int32_t d = 0; d < program_.devices(); ++d)
            findInputs(DeviceId { d });
    }

private:
    void collect()
    {
        for (std::int32_t d = 0; d < program_.devices(); ++d)
            for (auto i = program_.deviceBegin[static_cast<std::size_t>(d)];
                 i < program_.deviceBegin[static_cast<std::size_t>(d) + 1]; ++i) {
                const Instruction& instruction = program_.instructions[static_cast<std::size_t>(i)];
                if (instruction.op == Op::Send)
                    ends_[keyOf(instruction, DeviceId { d }, program_.pairing)].sends.push_back(i);
                else if (instruction.op == Op::Receive)
                    ends_[keyOf(instruction, DeviceId { d }, program_.pairing)].receives.push_back(i);
            }
    }

    void match()
    {
        for (const auto& [key, ends] : ends_) {
            Channel channel;
            channel.from = std::get<0>(key);
            channel.to = std::get<1>(key);
            if (program_.pairing == Pairing::ByKind)
                channel.data = static_cast<DataKind>(std::get<2>(key));
            channel.firstMessage = static_cast<std::int32_t>(program_.messages.size());
            channel.messages = static_cast<std::int32_t>(std::min(ends.sends.size(), ends.receives.size()));
            for (std::size_t k = 0; k < static_cast<std::size_t>(channel.messages); ++k) {
                Instruction& send = program_.instructions[static_cast<std::size_t>(ends.sends[k])];
                Instruction& receive = program_.instructions[static_cast<std::size_t>(ends.receives[k])];
                send.message = receive.message = static_cast<std::int32_t>(program_.messages.size());
                program_.messages.push_back(
                    { send.pass, channel.from, channel.to, static_cast<std::int32_t>(program_.channels.size()),
                        static_cast<std::int32_t>(k), ends.sends[k], ends.receives[k] });
            }
            program_.channels.push_back(channel);
        }
    }

    /// The pass on another device whose result a pass needs, if there is one.
    std::optional<Pass> remoteInput(const Pass& pass, DeviceId device) const
    {
        Pass input = pass;
        if (pass.kind == PassKind::F)
            --input.stage.value;
        else if (givesInputGradient(pass.kind))
            ++input.stage.value;
        else
            return std::nullopt;
        if (input.stage.value < 0 || input.stage.value >= pipeline_.stages || pipeline_.deviceOf(input) == device)
            return std::nullopt;
        return input;
    }

    void findInputs(DeviceId device)
    {
        std::map<std::tuple<std::int32_t, std::int32_t, bool>, std::int32_t> received; // (micro-batch, stage, forward)
        std::map<std::int32_t, std::int32_t> held;                                     // by channel
        const auto key = [](const Pass& pass) {
            return std::tuple(pass.microBatch.value, pass.stage.value, pass.kind == PassKind::F);
        };
        const auto first = program_.deviceBegin[device.index()];
        const auto last = program_.deviceBegin[device.index() + 1];
        for (auto i = first; i < last; ++i)
            if (const Instruction& instruction = program_.instructions[static_cast<std::size_t>(i)];
                instruction.op == Op::Receive && instruction.message >= 0)
                received[key(instruction.pass)] = instruction.message;
        for (auto i = first; i < last; ++i) {
            Instruction& instruction = program_.instructions[static_cast<std::size_t>(i)];
            if (instruction.op == Op::Receive && instruction.message >= 0) {
                Channel& channel = channelOf(instruction.message);
                channel.buffers = std::max(channel.buffers, ++held[messageAt(instruction.message).channel]);
            }
            if (instruction.op != Op::Compute)
                continue;
            const std::optional<Pass> input = remoteInput(instruction.pass, device);
            if (!input)
                continue;
            const auto found = received.find(key(*input));
            if (found == received.end() || !sameData(messageAt(found->second).pass, *input))
                continue;
            instruction.message = found->second;
            --held[messageAt(found->second).channel];
        }
    }

    const Message& messageAt(std::int32_t index) const { return program_.messages[static_cast<std::size_t>(index)]; }
    Channel& channelOf(std::int32_t message)
    {
        return program_.channels[static_cast<std::size_t>(messageAt(message).channel)];
    }

    Program& program_;
    const Pipeline& pipeline_;
    std::map<ChannelKey, Ends> ends_;
};

} // namespace

Program program(const std::vector<std::vector<Instruction>>& rows, const Pipeline& pipeline, Pairing pairing)
{
    Program made;
    made.pairing = pairing;
    for (const std::vector<Instruction>& row : rows) {
        made.instructions.insert(made.instructions.end(), row.begin(), row.end());
        made.deviceBegin.push_back(static_cast<std::int32_t>(made.instructions.size()));
        made.passBegin.push_back(made.passBegin.back()
            + static_cast<std::int32_t>(std::count_if(
                row.begin(), row.end(), [](const Instruction& instruction) { return instruction.op == Op::Compute; })));
    }
    for (Instruction& instruction : made.instructions)
        instruction.message = -1;
    Linker(made, pipeline).run();
    return made;
}

std::string text(const Instruction& instruction)
{
    switch (instruction.op) {
    case Op::Compute:
        return text(instruction.pass);
    case Op::Send:
        return "send " + text(instruction.pass) + " to " + std::to_string(instruction.peer.value);
    case Op::Receive:
        return "receive " + text(instruction.pass) + " from " + std::to_string(instruction.peer.value);
    case Op::Reduce:
        return "reduce " + std::to_string(instruction.pass.stage.value);
    }
    return "";
}

} // namespace pipeloom
