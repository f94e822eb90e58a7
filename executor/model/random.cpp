// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/model/random.h"

#include <cmath>
#include <numbers>

namespace pipeloom::executor {

namespace {

/// The output function of SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t mixedOnce(std::uint64_t x)
{
    x += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27U)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31U);
}

/// In (0, 1].
double unit(std::uint64_t x) { return (static_cast<double>(x >> 11U) + 1) * 0x1p-53; }

} // namespace

std::uint64_t mixed(std::initializer_list<std::uint64_t> parts)
{
    std::uint64_t state = 0;
    for (const std::uint64_t part : parts)
        state = mixedOnce(state ^ mixedOnce(part));
    return state;
}

std::uint64_t numberOf(std::string_view name)
{
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : name)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return hash;
}

void fillNormal(std::span<float> values, double deviation, std::uint64_t seed)
{
    for (std::size_t i = 0; i < values.size(); i += 2) {
        // Box and Muller: two uniform numbers make two normal ones.
        const double radius = deviation * std::sqrt(-2 * std::log(unit(mixed({ seed, i }))));
        const double angle = 2 * std::numbers::pi * unit(mixed({ seed, i + 1 }));
        values[i] = static_cast<float>(radius * std::cos(angle));
        if (i + 1 < values.size())
            values[i + 1] = static_cast<float>(radius * std::sin(angle));
    }
}

} // namespace pipeloom::executor
