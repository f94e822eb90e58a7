// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Draws the block editor: rows with passes, ghosts and lifespans; the margins around them; what a gesture adds on top.

#include "app/designer/block/block_scene.h"

namespace pipeloom::designer {

/// Everything, in order. Viewport coordinates.
void paintBlock(QPainter& painter, const BlockScene& scene);

/// The parts, from behind to the front.
void paintBehind(QPainter& painter, const BlockScene& scene);   ///< background, and the taken ticks of a row under way
void paintRows(QPainter& painter, const BlockScene& scene);     ///< grid, ghosts, passes, lifespans
void paintOverlays(QPainter& painter, const BlockScene& scene); ///< selection, arrows, collisions, drop targets
void paintMargins(QPainter& painter, const BlockScene& scene);  ///< labels, ruler with T, ticks taken modulo T, offsets
void paintReason(QPainter& painter, const BlockScene& scene);   ///< the sentence at the pointer

/// The handles of the strip below the rows, laid out in the viewport.
[[nodiscard]] std::vector<OffsetHandle> layOutHandles(
    const std::vector<Leg>& legs, const std::vector<Turn>& turns, const BlockLayout& layout);

} // namespace pipeloom::designer
