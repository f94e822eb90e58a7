// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A schedule lowered to instructions, with every send, receive and reduction written out: what is checked for
// deadlocks, simulated, and run by the executor, which knows no schedule by name (DESIGN.md 3.7).

#include "core/finding/finding.h"
#include "core/pipeline/costs.h"
#include "core/pipeline/pass.h"
#include "core/pipeline/pipeline.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pipeloom {

/// Kind of data on the way: activations go with F, gradients with B or BW.
enum class DataKind : std::uint8_t { Activation, Gradient };

enum class Op : std::uint8_t {
    Compute, ///< run `pass`; waits for its inputs, never for a send
    Send,    ///< hand the result of `pass` to `peer`; issued when the pass before it in the list has ended
    Receive, ///< take the result of `pass` (a pass of `peer`) into a buffer; issued like a send
    Reduce,  ///< sum the weight gradients of `pass.stage` over all devices that hold the stage
};

/// One line of a device's program.
struct Instruction {
    Op op = Op::Compute;
    /// Compute, Send, Receive: one with the instruction before it. A joined Compute is the second half of an overlapped
    /// pair; a joined Send or Receive is in the same group, inside which no order holds.
    bool joined = false;
    Pass pass;     ///< Send and Receive: the pass that makes the data, so both ends carry the same pass
    DeviceId peer; ///< Send: to; Receive: from
    /// Index into Program::messages. Send, Receive: the message itself, -1 if it found no partner. Compute: the message that
    /// brings its input from another device, -1 if none does (its input is made on this device, or it needs none).
    std::int32_t message = -1;

    friend bool operator==(const Instruction&, const Instruction&) = default;
};

[[nodiscard]] constexpr DataKind dataKind(const Instruction& i)
{
    return i.pass.kind == PassKind::F ? DataKind::Activation : DataKind::Gradient;
}

/// A send and the receive that it meets.
struct Message {
    Pass pass; ///< that makes the data
    DeviceId from;
    DeviceId to;
    std::int32_t channel = 0;             ///< index into Program::channels
    std::int32_t position = 0;            ///< k: it is the k-th message of its channel
    std::int32_t sendInstruction = -1;    ///< index into Program::instructions
    std::int32_t receiveInstruction = -1; ///< index into Program::instructions

    friend bool operator==(const Message&, const Message&) = default;
};

/// A way of messages in one direction. By kind of data in the channels lowering; both kinds in one in the mirrored one.
struct Channel {
    DeviceId from;
    DeviceId to;
    std::optional<DataKind> data;  ///< none: both kinds share the channel
    std::int32_t firstMessage = 0; ///< its messages are [firstMessage, firstMessage + messages) of Program::messages
    std::int32_t messages = 0;
    std::int32_t buffers = 0; ///< receive buffers: the most receives issued and not yet taken over at one time

    friend bool operator==(const Channel&, const Channel&) = default;
};

/// How sends meet receives: the k-th on a channel meets the k-th. `ByKind`: a channel per directed device pair and kind of
/// data (queue models ideal and directed); `Shared`: a channel per directed device pair (pair and device).
enum class Pairing : std::uint8_t { ByKind, Shared };

/// Flat: the instructions of device 0, then those of device 1, ...
struct Program {
    std::vector<Instruction> instructions;
    std::vector<std::int32_t> deviceBegin { 0 }; ///< devices + 1 entries
    std::vector<std::int32_t> passBegin { 0 };   ///< devices + 1 entries: how many Compute stand on the devices before
    std::vector<Message> messages;               ///< by channel, then position
    std::vector<Channel> channels;               ///< by from, to, kind
    Pairing pairing = Pairing::ByKind;
    std::int32_t window = 0; ///< that receives were issued with; channels lowering

    [[nodiscard]] std::int32_t devices() const { return static_cast<std::int32_t>(deviceBegin.size()) - 1; }
    [[nodiscard]] std::span<const Instruction> row(DeviceId device) const
    {
        const auto first = static_cast<std::size_t>(deviceBegin[device.index()]);
        const auto last = static_cast<std::size_t>(deviceBegin[device.index() + 1]);
        return { instructions.data() + first, last - first };
    }
    friend bool operator==(const Program&, const Program&) = default;
};

[[nodiscard]] constexpr Pairing pairingOf(QueueModel queue)
{
    return queue == QueueModel::Ideal || queue == QueueModel::Directed ? Pairing::ByKind : Pairing::Shared;
}

/// A program from one list per device, in whatever order it was written; sends and receives are matched as `pairing` says
/// (k-th with k-th), inputs of passes found, buffers counted. What finds no partner keeps message -1, and check says so.
[[nodiscard]] Program program(
    const std::vector<std::vector<Instruction>>& rows, const Pipeline& pipeline, Pairing pairing);

/// `0F3`; `send 1F3 to 2`; `receive 1F3 from 0`; `reduce 4`.
[[nodiscard]] std::string text(const Instruction& instruction);

} // namespace pipeloom
