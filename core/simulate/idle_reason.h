// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Why a device is idle at a time: what its next pass waits for, read off the timeline, and the sentence that says so.

#include "core/pipeline/pipeline.h"
#include "core/timeline/timeline.h"

#include <optional>
#include <string>

namespace pipeloom {

enum class IdleCause : std::uint8_t {
    Producer,    ///< the input that comes last is still being made, or not begun, when the gap opens
    Transfer,    ///< the input that comes last is made when the gap opens, but not there
    Drawn,       ///< all inputs are there; the timeline just starts the pass later, as a drawn block does
    NothingLeft, ///< the device has run its last pass
    NoWork,      ///< the device runs no pass at all
};

/// A gap of a device and what it comes from. What does not apply to the cause is left at its default.
struct IdleReason {
    IdleCause cause = IdleCause::NothingLeft;
    DeviceId device;
    Ticks start = 0; ///< the gap: end of the pass before it, or the step's start
    Ticks end = 0;   ///< start of the next pass, or the step's end
    bool atStart = false;

    Pass next;  ///< the pass after the gap
    Pass input; ///< of its inputs the one that came last
    DeviceId from;
    Ticks inputStart = 0;
    Ticks inputEnd = 0; ///< when the input was made
    Ticks arrival = 0;  ///< when it was there
    Ticks sent = 0;     ///< when its transfer started; inputEnd without one

    std::optional<Pass> busyWith; ///< what kept the input's device until it could begin, if anything did
    std::optional<Pass> heldUpBy; ///< what the input itself waited for last, if its device was not busy
    DeviceId heldUpFrom;

    friend bool operator==(const IdleReason&, const IdleReason&) = default;
};

/// None if the device runs a pass in [time, time + 1) or the step does not reach that far. O(passes of two devices +
/// transfers).
[[nodiscard]] std::optional<IdleReason> idleReason(
    const Timeline& timeline, const Pipeline& pipeline, DeviceId device, Ticks time);

/// `Device 2 waits 3 ticks for 1F4 from device 1, which was busy with 1B2 until 17.`
[[nodiscard]] std::string text(const IdleReason& reason);

} // namespace pipeloom
