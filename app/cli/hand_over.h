// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/console/console.h"
#include "app/cli/console/exit_code.h"

namespace pipeloom::cli {

/// Becomes `pipeloom-run`, which stands beside this program, with the same arguments: the process and all that waits for it
/// stay as they are. Comes back only if that cannot be, with a finding told.
ExitCode handOver(const char* const* argv, bool json, Console& console);

} // namespace pipeloom::cli
