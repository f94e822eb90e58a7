// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/drawing/scale.h"
#include "app/cli/json/json_writer.h"
#include "core/formats/design.h"
#include "core/plan/plan.h"

namespace pipeloom::cli {

/// What show draws, as data:
/// {"ok", "findings", "name", "form", "queue", "tick_us", "memory_unit", "devices", "stages", "micro_batches",
///  "block": {"interval", "group", "passes": [{"pass", "device", "start", "end"}],
///            "lifespans": [{"stage", "member", "device", "ticks", "intervals"}]},
///  "passes": [{"pass", "device", "start", "end", "joined"}], "transfers": [{"transfer", "from", "to", "start", "end"}],
///  "memory": [{"device", "peak", "bound", "limit", "levels": [{"time", "level"}]}]}
/// block is null for an explicit schedule. joined: the second half of an overlapped pair, which runs with the pass before it.
/// passes, transfers and levels of a design that cannot be simulated are empty; else those that reach into the range.
void writeShown(JsonWriter& json, const Design& design, const Plan& plan, const Findings& findings, TimeRange range);

} // namespace pipeloom::cli
