// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Before anything is sent between ranks: have all come, and do they mean the same run? Ranks with different programs would
// else wait for messages that never come, or train nonsense.

#include "executor/processes/store.h"
#include "executor/processes/wire.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace pipeloom::executor {

struct StartCheckOptions {
    std::int32_t rank = 0;
    std::int32_t devices = 1;                     ///< of the design
    std::int32_t replicas = 1;                    ///< of the pipeline; the design needs devices * replicas ranks
    Nanoseconds limit = std::chrono::seconds(60); ///< for all others to come
    /// Asked again and again: what ended the run meanwhile. May be empty.
    std::function<std::optional<Finding>()> ended;
};

struct StartCheck {
    std::optional<Finding> finding; ///< why there can be no run; it has been claimed as its end
    std::vector<Hello> ranks;       ///< all, by number; empty with a finding
};

/// Says who this rank is, and waits for all others. Findings: run/world (wrong number of ranks), run/rank-twice,
/// run/missing, run/version, run/sizes, run/digest. Throws StoreLost.
[[nodiscard]] StartCheck checkStart(Store& store, const Hello& own, const StartCheckOptions& options);

/// The number of ranks is not the one that the design needs (run/world); nothing if it is.
[[nodiscard]] std::optional<Finding> checkWorld(std::int32_t world, std::int32_t devices, std::int32_t replicas);

/// All ranks, by number: those that differ from most (in doubt from rank 0) in the number of ranks they were told (run/world), in
/// version (run/version), in the size of their messages (run/sizes) or in anything else that they would run (run/digest); nothing if none does.
[[nodiscard]] std::optional<Finding> checkHellos(std::span<const Hello> ranks);

} // namespace pipeloom::executor
