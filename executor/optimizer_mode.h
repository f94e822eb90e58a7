// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// When the devices take the optimizer's step. It needs two things that only all devices know together: the norm of all
// gradients, by which they are clipped, and whether all of them are finite.
//
// Synchronised: each device says its sums, waits for those of all others, and steps. So all wait for the slowest, step by step.
//
// Post-validation (Qi et al., Zero Bubble Pipeline Parallelism, arXiv 2401.10241, section 4): a device says its sums without
// waiting, takes its step at once as if the gradients were right as they are, keeping what the step overwrites, and begins the
// next one. It looks for what the others said at each of its instructions and while it waits for inputs, and before its first
// backward pass of the new step it waits for it; by then it costs nothing, as a backward pass has inputs from the last stage
// and so from all devices. If the gradients were not right as they are, every device takes its step back bit by bit, takes it
// again with the right scale or not at all, all of them drop the messages that are on their way, and the new step begins again.
// The paper repairs by arithmetic, which loses bits; the copies here cost three times the weights' memory.
//
// A device goes ahead only where it has no reason to expect otherwise: its own gradients are finite, their norm alone is
// within the limit, and the step before was applied as it was. Early in training most steps are clipped; these steps are so
// taken as if synchronised, and only the first of a row of them is rolled back. Steps after which something is saved or
// verified, and the last one, are synchronised.

#include "core/pipeline/pass.h"

#include <cstdint>
#include <string>

namespace pipeloom::executor {

enum class OptimizerMode : std::uint8_t { Synchronised, PostValidation };

/// `synchronised`, `post-validation`.
[[nodiscard]] constexpr const char* text(OptimizerMode mode)
{
    return mode == OptimizerMode::Synchronised ? "synchronised" : "post-validation";
}

/// What happens when the loss or a gradient is not finite.
enum class NanPolicy : std::uint8_t {
    Stop, ///< the run ends (run/nan)
    Skip, ///< the optimizer's step is skipped on all devices, with a warning (run/skipped)
};

/// An optimizer's step that was not taken as it was.
struct UndoneStep {
    enum class Reason : std::uint8_t { NotFinite, Clipped };

    std::int64_t step = 0;
    Reason reason = Reason::NotFinite;
    bool rolledBack = false; ///< devices had taken it; false: skipped before any had
    double scale = 1;        ///< Clipped: of all gradients when the step was taken again
    DeviceId device;         ///< NotFinite: where
    StageId stage;
    std::string parameter; ///< whose gradient is not finite; empty: the loss
};

} // namespace pipeloom::executor
