// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a run is proposed to be started with: as the design was run last, else what suits it.

#include "app/designer/run/run_settings.h"
#include "app/designer/window/settings.h"
#include "core/formats/design.h"

namespace pipeloom::designer {

/// `path`: the design's file; empty: it has none yet.
[[nodiscard]] RunSettings proposedRun(const Settings& settings, const Design& design, const QString& path);
/// For the next time that this design is run. The runs of twenty designs are remembered.
void rememberRun(Settings& settings, const QString& path, const RunSettings& run);

} // namespace pipeloom::designer
