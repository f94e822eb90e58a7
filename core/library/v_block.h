// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The V-shaped building blocks of arXiv 2405.15362: two chunks on each device, repeated every 6 ticks, told apart by the
// offsets between neighbouring devices.

#include "core/library/library.h"

namespace pipeloom {

/// Ticks from device to device along the way of F and B through both chunks, and at the three turns. Tables 8 and 9 of the
/// paper.
struct VOffsets {
    Ticks f0;     ///< F of chunk 0, device i -> i+1
    Ticks f1;     ///< F of chunk 1, device i+1 -> i
    Ticks b1;     ///< B of chunk 1, device i -> i+1
    Ticks b0;     ///< B of chunk 0, device i+1 -> i
    Ticks turnF;  ///< F of chunk 0 -> F of chunk 1 on the last device
    Ticks turnFB; ///< F of chunk 1 -> B of chunk 1 on device 0
    Ticks turnB;  ///< B of chunk 1 -> B of chunk 0 on the last device
};

/// The design with the block of these offsets; each W in the first free tick of the interval after its own B, the W of the
/// earlier B first. Refuses fewer than 2 devices (library/size).
[[nodiscard]] LibraryDesign makeV(const LibraryRequest& request, std::string_view title, const VOffsets& offsets);

} // namespace pipeloom
