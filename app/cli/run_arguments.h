// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/console/console.h"
#include "app/cli/console/exit_code.h"
#include "executor/run.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace pipeloom::cli {

/// What `run` was asked for.
struct RunArguments {
    std::string file;
    executor::RunOptions options; ///< without what a run tells its caller
    enum class Emulate : std::uint8_t { No, Real, Virtual };
    Emulate emulate = Emulate::No;                    ///< a rehearsal instead of training
    std::optional<executor::TransportKind> transport; ///< none: by how the program was started
    std::string drill;                                ///< as readFireDrill takes it; empty: none
    bool json = false;
};

} // namespace pipeloom::cli
