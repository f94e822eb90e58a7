// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How a design wants to be reordered (DESIGN.md 3.8).

#include <cstdint>

namespace pipeloom {

/// Rules of reordering (DESIGN.md 3.8): any kind may move, or only W.
enum class ReorderRule : std::uint8_t { All, Weights };
/// What reordering aims at first; the other one second.
enum class ReorderAim : std::uint8_t { Makespan, OwnSpan };

struct Reorder {
    ReorderRule rule = ReorderRule::All;
    ReorderAim aim = ReorderAim::Makespan;

    friend bool operator==(const Reorder&, const Reorder&) = default;
};

} // namespace pipeloom
