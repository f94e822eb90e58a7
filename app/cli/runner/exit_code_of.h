// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/console/exit_code.h"
#include "executor/run.h"

namespace pipeloom::cli {

[[nodiscard]] inline ExitCode exitCodeOf(executor::Outcome outcome)
{
    switch (outcome) {
    case executor::Outcome::Finished:
        return ExitCode::Fine;
    case executor::Outcome::Refused:
        return ExitCode::DesignWrong;
    case executor::Outcome::Unreadable:
        return ExitCode::WrongUse;
    case executor::Outcome::Failed:
        return ExitCode::Failed;
    case executor::Outcome::Interrupted:
        return ExitCode::Interrupted;
    }
    return ExitCode::Failed;
}

} // namespace pipeloom::cli
