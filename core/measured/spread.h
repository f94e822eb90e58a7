// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace pipeloom {

/// What many measurements of one thing come to; in the unit that they were taken in.
struct Spread {
    std::int64_t count = 0;
    double median = 0;
    double low = 0;  ///< one in ten is lower
    double high = 0; ///< one in ten is higher
};

/// All zero for no samples. Between two samples it is interpolated.
[[nodiscard]] Spread spreadOf(std::vector<double> samples);

} // namespace pipeloom
