// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What of several designs can be set side by side, and whether they stand on one basis: equal devices, equal model, equal
// micro-batches. Times are compared in microseconds, as designs may count in ticks of different length. Qt-free.

#include "app/designer/figures/figures.h"
#include "core/library/library.h"

#include <optional>
#include <string>
#include <vector>

namespace pipeloom::designer {

/// The figures of one design as they are compared.
struct ComparedFigures {
    double stepUs = 0;
    double ownSpanUs = 0;
    double idleShare = 0;
    double ownSpanBubble = 0;
    double peak = 0;               ///< the highest of all devices, in bytes or in micro-batches (activationShare)
    std::optional<double> bound;   ///< the highest; none for explicit schedules
    std::optional<bool> limitKept; ///< none: no device has a limit
};

/// None if the design could not be simulated.
[[nodiscard]] std::optional<ComparedFigures> comparedFigures(const Figures& figures);

/// The activations of one micro-batch that a device holds for its share of the model, on average: with v stages a device v. Peaks in
/// activations are divided by it, else a schedule with more and smaller stages would seem to hold more.
[[nodiscard]] double activationShare(const Design& design);

/// Whether designs can be compared as they are, in words.
struct Basis {
    bool isOne = true;
    std::string sentence;
};
/// Equal devices, equal micro-batches, equal work of a micro-batch by kind of pass, memory in the same unit. What differs is
/// named with its values. Of one design or none it is one.
[[nodiscard]] Basis basisOf(const std::vector<DesignPtr>& designs);

/// A library schedule for the devices, micro-batches, work, memory and network of `like`. The work of a device's share is cut
/// into its chunks evenly, and ticks are made shorter where that takes fractions of them. `chunks` 0: the schedule's own.
[[nodiscard]] LibraryDesign libraryLike(const LibraryEntry& entry, std::int32_t chunks, const Design& like);

} // namespace pipeloom::designer
