// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every device of a run is doing at one moment, and the sentences that say why a run cannot go on.

#include "core/finding/finding.h"
#include "core/pipeline/pass.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace pipeloom::executor {

using Clock = std::chrono::steady_clock;
using Nanoseconds = std::chrono::nanoseconds;

enum class Doing : std::uint8_t {
    Starting, ///< makes its share of the model
    Between,  ///< between two instructions
    Pass,     ///< runs `pass`
    Input,  ///< waits for the result of `needs` from `from`, before `pass`; at the end of its list for weight gradients
    Others, ///< waits for all others: at the start of the run, for the sums, at the end of a step
    Optimizer, ///< sums, and the optimizer's step
    Saving,    ///< writes or reads its stages
    Verifying, ///< compares with the unpipelined model; takes as long as a whole step on one device, and has no limit
    Ended,     ///< its thread has nothing more to do
};

struct DeviceStatus {
    DeviceId device;
    Doing doing = Doing::Starting;
    Clock::time_point since {};
    Pass pass;
    Pass needs;
    DeviceId from;
    std::optional<Pass> finished; ///< the last pass that ended

    /// For the weight gradients that another device has of its stage, not for a pass.
    [[nodiscard]] bool waitsForReduction() const { return doing == Doing::Input && needs.kind == PassKind::W; }
    [[nodiscard]] bool waits() const { return doing == Doing::Input || doing == Doing::Others; }
};

/// `device 2 waited 10.0 s for 1F3 from device 1 before 2F3`; `device 1 has been in 1F3 for 10.0 s`.
[[nodiscard]] std::string text(const DeviceStatus& status, Clock::time_point now);

// What sentences about devices are made of. `devices` are statuses in any number and order: of one that is not among them
// nothing is known.

[[nodiscard]] std::string secondsText(Nanoseconds time); ///< `10.0 s`
/// `1F3`; `making its share of the model`; before or while waiting: the pass that is to come.
[[nodiscard]] std::string placeText(const DeviceStatus& status);
/// For a device that can say no more: `in 1F3`; `waiting for 0F3 from device 0 before 1F3`.
[[nodiscard]] std::string lastSeenText(const DeviceStatus& status);
[[nodiscard]] std::string finishedText(const DeviceStatus& status); ///< `last finished 1F2`; `no pass finished`
/// Who waits for data of `device`, or for all others while it does not wait: sentences with a blank before them, or nothing.
[[nodiscard]] std::string waitersText(std::span<const DeviceStatus> devices, DeviceId device, Clock::time_point now);
[[nodiscard]] Place placeOf(const DeviceStatus& status);
/// Null: nothing is known of it.
[[nodiscard]] const DeviceStatus* statusOf(std::span<const DeviceStatus> devices, DeviceId device);

/// Why nothing goes on (run/stalled, an error): the device that waits on nobody, stuck in what it does; else the cycle of
/// devices that wait for each other, in order; else what is waited for though nobody will send it. Names for each the last
/// finished pass and who waits. `devices` are all devices, ascending; not empty.
[[nodiscard]] Finding stalled(std::span<const DeviceStatus> devices, Clock::time_point now, Nanoseconds limit);

/// A device that failed on its own: `what` says it in the words of who threw. Names the pass, the last finished one and who
/// waited on it.
[[nodiscard]] Finding failed(std::span<const DeviceStatus> devices, DeviceId device, const std::string& rule,
    const std::string& what, const std::string& remedy, Clock::time_point now);

} // namespace pipeloom::executor
