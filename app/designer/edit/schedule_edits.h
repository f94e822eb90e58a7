// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Editing the order by hand. It turns the design into an explicit schedule, which remembers the block that it came from in
// `view.formerBlock`; so the way back is there after saving and opening too.

#include "app/designer/edit/edited.h"

namespace pipeloom::designer {

/// The design with the order shown in place of its block. Refused if it has no block, or the order is not one row per
/// device.
[[nodiscard]] Edited toExplicit(const Design& design, const Schedule& shownOrder);

/// The slot at `from` of a device's row moved to position `to`, both from 0; the rest follows when it is squeezed. Refused
/// with the finding's own sentence if the order could not run then.
[[nodiscard]] Edited moveSlot(const Design& design, DeviceId device, std::int32_t from, std::int32_t to);

/// The explicit schedule remembers a block.
[[nodiscard]] bool hasFormerBlock(const Design& design);
/// The block and its reorder rules in place of the order; all else stays as it is now. Refused if none is remembered, or it
/// does not fit the pipeline.
[[nodiscard]] Edited backToBlock(const Design& design);

/// Why devices, stages and micro-batches cannot be changed: they are locked in an explicit schedule. None: they can.
[[nodiscard]] std::optional<std::string> sizesLocked(const Design& design);

} // namespace pipeloom::designer
