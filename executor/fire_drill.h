// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Faults on purpose: a pass that throws, stops its process, gives nonsense or is slow, to see what a run, and whoever watches
// it, makes of that.

#include "executor/model.h"

#include <memory>
#include <optional>
#include <string>

namespace pipeloom::executor {

struct FireDrill {
    enum class Fault : std::uint8_t {
        Throw,  ///< an exception
        Memory, ///< as if memory were used up
        Hang,   ///< the pass never ends
        Kill,   ///< SIGKILL to the process
        Stop,   ///< SIGSTOP to the process: silence
        Nan,    ///< the pass's result is not a number
        Slow,   ///< the pass takes `milliseconds` longer, in every step from `step` on
    };
    Fault fault = Fault::Throw;
    double milliseconds = 0;
    Pass pass;
    std::int64_t step = 0; ///< of the run, counted from 0 at the seed

    friend bool operator==(const FireDrill&, const FireDrill&) = default;
};

struct ReadFireDrill {
    std::optional<FireDrill> drill;
    Findings findings; ///< run/drill
};

/// `throw@1F2`: in pass 1F2 of step 0; `kill@1F2:5`: of step 5; `slow=50@1F2`: 50 ms. Faults: throw, memory, hang, kill, stop,
/// nan, slow=MS.
[[nodiscard]] ReadFireDrill readFireDrill(const std::string& text);

/// The work with the fault in it.
[[nodiscard]] std::unique_ptr<ModelWork> withFault(std::unique_ptr<ModelWork> work, const FireDrill& drill);

} // namespace pipeloom::executor
