// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Reads a run that has ended, or as far as it has come, from its file or folder into a log. No window here: a worker calls it.

#include "core/formats/event_lines.h"
#include "core/run/run_log.h"

#include <atomic>
#include <filesystem>
#include <memory>
#include <string>

namespace pipeloom::designer {

struct ReadRun {
    std::shared_ptr<const RunLog> log; ///< null: nothing could be read
    EventCounts counts;
    std::string problem; ///< one sentence; empty: none
};

/// Stops early, without a log, once `cancelled` is set.
[[nodiscard]] ReadRun readRun(const std::filesystem::path& path, const std::atomic<bool>& cancelled);

} // namespace pipeloom::designer
