// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pipeloom::cli {

/// What the shell is told (DESIGN.md 5). Warnings are fine.
enum class ExitCode : int {
    Fine = 0,
    DesignWrong = 1, ///< the design has errors, deadlocks, or cannot meet its limits
    WrongUse = 2,    ///< wrong use, or a file that cannot be read
    Failed = 3,      ///< a run failed or did not verify, or something could not be written
    Interrupted = 130,
};

} // namespace pipeloom::cli
