// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Edits of what passes and transfers cost: ticks, memory, the network, reordering. Entries are of one stage, boundary or
// device, or (none named) of all. Numbers that a file cannot hold are refused, entries that are not there too. They are
// possible whatever the plan is, reordering aside.

#include "app/designer/edit/edited.h"
#include "core/schedule/reorder_rules.h"

#include <optional>
#include <string_view>

namespace pipeloom::designer {

/// Ticks of a pass. As long as BW is the sum of B and W it stays that. `F = 3`, `F of stage 2 = 3`
[[nodiscard]] Edited setCost(const Design& design, PassKind kind, std::optional<StageId> stage, Ticks ticks);
/// Ticks of an overlapped pair; none: the sum of its two. `Pair = 3`, `Pair = sum`
[[nodiscard]] Edited setPairCost(const Design& design, std::optional<Ticks> ticks);
/// Microseconds per tick, above 0. `Tick = 500 us`
[[nodiscard]] Edited setTickUs(const Design& design, double microseconds);

/// What the unit of all memory is; numbers stay. `Memory in bytes`
[[nodiscard]] Edited setMemoryUnit(const Design& design, MemoryUnit unit);
/// Change of memory by a pass. As long as BW frees what F takes it does so. `Memory of F = 3`
[[nodiscard]] Edited setMemoryChange(const Design& design, PassKind kind, std::optional<StageId> stage, Bytes change);
/// What a pass needs only while it runs. `Transient memory of F = 3`
[[nodiscard]] Edited setTransient(const Design& design, PassKind kind, std::optional<StageId> stage, Bytes held);
/// Static memory of a device, and what its communication takes. `Static memory = 3`, `Communication memory = 3`
[[nodiscard]] Edited setFixed(const Design& design, std::optional<DeviceId> device, Bytes held);
[[nodiscard]] Edited setCommunication(const Design& design, std::optional<DeviceId> device, Bytes held);
/// `Limit = 8`, `Limit of device 2 = none`
[[nodiscard]] Edited setLimit(const Design& design, std::optional<DeviceId> device, std::optional<Bytes> limit);

/// Ticks of a transfer over boundary s, which lies between stage s and s + 1. Ends latency and bandwidth. `Transfer = 2`
[[nodiscard]] Edited setTransfer(const Design& design, std::optional<StageId> boundary, Ticks ticks);
/// Bytes per tick; transfers then take latency + bytes / bandwidth. 0 goes back to transfers by their ticks, of which none is
/// taken over. `Bandwidth = 1000 bytes per tick`
[[nodiscard]] Edited setBandwidth(const Design& design, Bytes bytesPerTick);
/// Refused as long as transfers are given by their ticks. `Latency = 2`
[[nodiscard]] Edited setLatency(const Design& design, Ticks ticks);
/// Bytes of a message; none, for all boundaries: not given. `Message = 1000 bytes`
[[nodiscard]] Edited setMessageBytes(const Design& design, std::optional<StageId> boundary, std::optional<Bytes> bytes);
/// `Queues: pair`
[[nodiscard]] Edited setQueue(const Design& design, QueueModel queue);
/// Slots that a receive is issued ahead, 0 or more. `Window = 4`
[[nodiscard]] Edited setWindow(const Design& design, std::int32_t slots);

/// None: squeezed only. Refused for an explicit schedule, whose order is the order. `Reorder all, makespan`, `Squeeze only`
[[nodiscard]] Edited setReorder(const Design& design, std::optional<Reorder> reorder);

/// Columns of the cost table, one row for each stage: ticks of F, B, W, BW, and memory changes of F, B, W.
inline constexpr int costColumns = 7;

/// Puts a table from a spreadsheet (tabs, new lines) into the cost table, its first cell at the row and column given, both from
/// 0. Empty cells leave what is there. As with setCost and setMemoryChange BW follows, unless it is pasted too. One step, or
/// refused with row and column (from 1, in the pasted table) and the text of the first cell that is no whole number in range,
/// or has no place in the table. `Paste 12 costs`
[[nodiscard]] Edited pasteCosts(const Design& design, std::string_view table, int firstRow, int firstColumn);

} // namespace pipeloom::designer
