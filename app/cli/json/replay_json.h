// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the events of a run come to, for programs. Times in milliseconds, memory in bytes.

#include "app/cli/json/json_writer.h"
#include "app/cli/replay.h"

namespace pipeloom::cli {

/// {"ok", "findings", "outcome", "emulated", "planned_ms", "plan_factor", "steps": [{"step", "loss", "ms"}],
///  "devices": [{"device", "compute_ms", "transfer_ms", "waiting_ms", "own_ms", "step_ms", "peak_bytes", "predicted_bytes", "limit_bytes"}],
///  "drift": [{"stage", "F", "B", "W", "BW"}], "notices": [{"kind", "level", "step", "at_ms", "devices", "text", "advice"}],
///  "events": {"lines", "garbled", "unknown", "cut", "late", "lost_passes", "lost_lines", "strange"}}
void writeReplay(JsonWriter& json, const Replayed& run);

/// {"step", "passes": [{"pass", "device", "start_ms", "end_ms", "planned_start_ms", "planned_end_ms"}], "devices": [as above]}
void writeStep(JsonWriter& json, const MeasuredStep& step, const RunPlan& plan);

/// {"a": as writeReplay, "b": the same}
void writeDiff(JsonWriter& json, const Replayed& run, const Replayed& other);

} // namespace pipeloom::cli
