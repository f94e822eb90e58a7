// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The building block as text: as it is drawn, taken modulo its interval, and what it holds.

#include "app/cli/console/output.h"
#include "app/cli/console/terminal.h"
#include "core/formats/design.h"

#include <optional>
#include <vector>

namespace pipeloom::cli {

/// Draws the design's block, also one that is broken or half drawn: overlaps are marked. `bounds` as Plan has them.
void drawBlock(
    const Design& design, const std::vector<std::optional<Bytes>>& bounds, const Terminal& terminal, Output& out);

} // namespace pipeloom::cli
