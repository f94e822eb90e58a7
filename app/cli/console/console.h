// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/cli/console/output.h"
#include "app/cli/console/terminal.h"

namespace pipeloom::cli {

/// Where a command speaks: results to standard output, all else to standard error.
struct Console {
    Output out { 1 };
    Output error { 2 };
    Terminal outTerminal = terminalOf(1);
    Terminal errorTerminal = terminalOf(2);

    /// To standard error, at once.
    void tell(std::string_view text)
    {
        error.write(text);
        error.flush();
    }
};

} // namespace pipeloom::cli
