// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/overhead.h"

#include <fmt/format.h>

namespace pipeloom::executor {

Findings overheadNote(double loopShare, double waitingShare)
{
    constexpr double worthSaying = 0.05;
    if (loopShare < worthSaying || loopShare <= waitingShare)
        return {};
    return { { "run/overhead", Severity::Note, {}, "",
        fmt::format("Between passes the devices spend {:.1f} % of the step, and {:.1f} % waiting for each other: a "
                    "smaller bubble, as of more micro-batches, will hardly make a micro-batch faster.",
            100 * loopShare, 100 * waitingShare),
        "Make passes longer: larger micro-batches, fewer stages." } };
}

} // namespace pipeloom::executor
