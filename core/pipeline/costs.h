// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What passes and transfers cost: ticks by stage and kind, memory changes, limits, the network (DESIGN.md 3.1, 3.3, 3.5).

#include "core/finding/finding.h"
#include "core/pipeline/pipeline.h"

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace pipeloom {

/// One number per stage and kind; `values[kind][stage]`, stages ascending.
template <class Number> struct ByKindAndStage {
    std::array<std::vector<Number>, passKinds> values;

    [[nodiscard]] Number of(PassKind kind, StageId stage) const { return values[pipeloom::index(kind)][stage.index()]; }
    friend bool operator==(const ByKindAndStage&, const ByKindAndStage&) = default;
};

/// Time of every pass, in ticks.
struct Costs {
    double tickUs = 1000; ///< microseconds per tick; only for showing and running, never in schedule arithmetic
    ByKindAndStage<Ticks> ticks;
    std::optional<Ticks> pair; ///< of an overlapped pair; none: the sum of its two

    [[nodiscard]] Ticks of(const Pass& pass) const { return ticks.of(pass.kind, pass.stage); }
    /// Of a pass or a pair.
    [[nodiscard]] Ticks of(const Slot& slot) const;
    friend bool operator==(const Costs&, const Costs&) = default;
};

enum class MemoryUnit : std::uint8_t { Activation, Byte };

/// Memory changes and what else a device holds, all in `unit`.
struct MemoryModel {
    MemoryUnit unit = MemoryUnit::Activation;
    ByKindAndStage<Bytes> change;            ///< F +a, B +b, W -(a+b), BW -a
    ByKindAndStage<Bytes> transient;         ///< counts only while the pass runs; >= 0
    std::vector<Bytes> fixed;                ///< static memory per device: weights, gradients, optimizer state
    std::vector<Bytes> communication;        ///< per device: communicators and the like
    std::vector<std::optional<Bytes>> limit; ///< per device; none: no limit

    friend bool operator==(const MemoryModel&, const MemoryModel&) = default;
};

enum class QueueModel : std::uint8_t { Ideal, Directed, Pair, Device };

/// How long transfers take and what they queue for. Either `transfer` or latency and bandwidth (bytesPerTick > 0).
struct Network {
    QueueModel queue = QueueModel::Directed;
    std::vector<Ticks> transfer; ///< per stage boundary (stages - 1 entries), or empty if by latency and bandwidth
    Ticks latency = 0;
    Bytes bytesPerTick = 0;   ///< 0: times are given by `transfer`
    std::vector<Bytes> bytes; ///< per stage boundary; empty: not given, buffers count nothing
    std::int32_t window = 4;  ///< slots that a receive is issued ahead (DESIGN.md 3.7)

    /// Ticks over boundary s -> s+1, either way: the constant, or latency + bytes/bandwidth rounded up.
    [[nodiscard]] Ticks transferTicks(StageId boundary) const;
    /// Bytes of a message over the boundary; 0 if not given.
    [[nodiscard]] Bytes messageBytes(StageId boundary) const;
    friend bool operator==(const Network&, const Network&) = default;
};

/// F, B, W as given for every stage and BW = B + W; changes F +1, W -1, BW -1; nothing static, no limit, free transfers.
[[nodiscard]] Costs unitCosts(std::int32_t stages, Ticks f = 1, Ticks b = 1, Ticks w = 1, std::optional<Ticks> bw = {});
[[nodiscard]] MemoryModel unitMemory(std::int32_t stages, std::int32_t devices);
[[nodiscard]] Network freeNetwork(std::int32_t stages);

/// `ideal`, `directed`, `pair`, `device`.
[[nodiscard]] const char* text(QueueModel queue);
[[nodiscard]] std::optional<QueueModel> queueModel(std::string_view name);

/// Which backward passes a stage has: B with W, BW, or for some micro-batches the one and for some the other.
struct BackwardUse {
    bool split = false;
    bool fused = false;
};

/// Errors: a leak, that is changes of a stage whose sum over F, B, W (or F, BW, whichever it has) is not zero (memory/leak,
/// with what it comes to per micro-batch and in all). Notes: the device that sets the pace (costs/bottleneck) when devices differ, with
/// the balance = mean / longest. Pairs are judged where they stand: checkPairs. The tables must be of the pipeline's sizes.
/// `use`: by stage.
[[nodiscard]] Findings check(
    const Costs& costs, const MemoryModel& memory, const Pipeline& pipeline, const std::vector<BackwardUse>& use);

} // namespace pipeloom
