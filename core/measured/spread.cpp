// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/measured/spread.h"

#include <algorithm>
#include <cmath>

namespace pipeloom {

namespace {

double quantile(const std::vector<double>& sorted, double share)
{
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(place));
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return std::lerp(sorted[below], sorted[above], place - std::floor(place));
}

} // namespace

Spread spreadOf(std::vector<double> samples)
{
    if (samples.empty())
        return {};
    std::sort(samples.begin(), samples.end());
    return { static_cast<std::int64_t>(samples.size()), quantile(samples, 0.5), quantile(samples, 0.1),
        quantile(samples, 0.9) };
}

} // namespace pipeloom
