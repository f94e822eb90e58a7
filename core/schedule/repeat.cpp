// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/repeat.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>

namespace pipeloom {

namespace {

/// A pass of the block as it comes round: in interval n it belongs to copy n - `after`.
struct Round {
    const BlockPass* placed;
    Ticks residue;
    Ticks after;
    Ticks ticks;
};

std::int32_t chainPosition(const Pass& pass, std::int32_t stages)
{
    if (pass.kind == PassKind::F)
        return pass.stage.value;
    return pass.kind == PassKind::W ? 2 * stages : 2 * stages - 1 - pass.stage.value;
}

std::vector<std::vector<Round>> roundsByDevice(const BuildingBlock& block, const Pipeline& pipeline)
{
    std::vector<std::vector<Round>> rounds(static_cast<std::size_t>(pipeline.devices));
    for (const BlockPass& placed : block.passes)
        rounds[placed.device.index()].push_back(
            { &placed, placed.start % block.interval, placed.start / block.interval, block.duration(placed.slot) });
    const auto key = [&](const Round& round) {
        const Pass& pass = round.placed->slot.first;
        const bool takesTime = round.ticks > 0;
        return std::tuple(round.residue, takesTime, -round.after,
            takesTime ? pass.stage.value : chainPosition(pass, pipeline.stages), pass.microBatch.value);
    };
    for (std::vector<Round>& row : rounds)
        std::sort(row.begin(), row.end(), [&](const Round& a, const Round& b) { return key(a) < key(b); });
    return rounds;
}

/// What is left of a slot when micro-batches beyond the last are dropped.
std::optional<Slot> remaining(const Slot& slot, std::int32_t microBatches)
{
    if (slot.isPair() && slot.second.microBatch.value < microBatches)
        return Slot { slot.second, {} };
    if (slot.isPair() && slot.first.microBatch.value < microBatches)
        return Slot { slot.first, {} };
    return std::nullopt;
}

/// The first interval from `n` on in which the device has a pass: one that stands far from the others leaves many
/// without, which would take for ever to be gone through one by one.
Ticks firstInterval(const std::vector<Round>& row, Ticks copies, Ticks n)
{
    Ticks first = std::numeric_limits<Ticks>::max();
    for (const Round& round : row) {
        if (round.after <= n && n < round.after + copies)
            return n;
        if (round.after > n)
            first = std::min(first, round.after);
    }
    return first;
}

/// Calls `visit(slot, start, ticks)` in order for every pass of one device.
template <class Visit>
void forEachRepeated(const std::vector<Round>& row, const BuildingBlock& block, std::int32_t microBatches, Visit visit)
{
    Ticks last = -1;
    for (const Round& round : row)
        last = std::max(last, round.after);
    const Ticks copies = (microBatches + block.group - 1) / block.group;
    for (Ticks n = firstInterval(row, copies, 0); n < copies + last; n = firstInterval(row, copies, n + 1))
        for (const Round& round : row) {
            const Ticks copy = n - round.after;
            if (copy < 0 || copy >= copies)
                continue;
            const auto first = static_cast<std::int32_t>(copy) * block.group;
            Slot slot = round.placed->slot;
            slot.first.microBatch.value += first;
            if (slot.isPair())
                slot.second.microBatch.value += first;
            if (slot.first.microBatch.value < microBatches
                && (!slot.isPair() || slot.second.microBatch.value < microBatches)) {
                visit(slot, n * block.interval + round.residue, round.ticks);
            } else if (const std::optional<Slot> rest = remaining(slot, microBatches)) {
                visit(*rest, n * block.interval + round.residue, block.duration(*rest));
            }
        }
}

} // namespace

Schedule repeatedOrder(const BuildingBlock& block, const Pipeline& pipeline)
{
    const auto rounds = roundsByDevice(block, pipeline);
    Schedule order;
    order.slots.reserve(
        block.passes.size() * static_cast<std::size_t>((pipeline.microBatches + block.group - 1) / block.group));
    for (const std::vector<Round>& row : rounds) {
        forEachRepeated(
            row, block, pipeline.microBatches, [&](const Slot& slot, Ticks, Ticks) { order.slots.push_back(slot); });
        order.deviceBegin.push_back(static_cast<std::int32_t>(order.slots.size()));
    }
    return order;
}

Timeline repeat(const BuildingBlock& block, const Pipeline& pipeline)
{
    const auto rounds = roundsByDevice(block, pipeline);
    Timeline raw;
    raw.passes.reserve(
        block.passes.size() * static_cast<std::size_t>((pipeline.microBatches + block.group - 1) / block.group));
    for (const std::vector<Round>& row : rounds) {
        forEachRepeated(row, block, pipeline.microBatches, [&](const Slot& slot, Ticks start, Ticks ticks) {
            raw.passes.push_back({ start, start + ticks, slot.first, false });
            if (slot.isPair())
                raw.passes.push_back({ start, start + ticks, slot.second, true });
        });
        raw.deviceBegin.push_back(static_cast<std::int32_t>(raw.passes.size()));
    }
    return raw;
}

} // namespace pipeloom
