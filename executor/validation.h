// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether the weights that a step runs with are the right ones, when that is not known yet at its beginning.

#include <cstdint>

namespace pipeloom::executor {

class Validation {
public:
    enum class Standing : std::uint8_t {
        Pending, ///< not known yet
        Stands,  ///< they are
        Undone,  ///< they are not: what was done with them is void
        Ended,   ///< the run has ended
    };

    virtual ~Validation() = default;

    /// Never waits. Not asked again once it is known.
    [[nodiscard]] virtual Standing look() = 0;
    /// Waits until it is known.
    [[nodiscard]] virtual Standing settle() = 0;
};

} // namespace pipeloom::executor
