// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Random numbers that follow from names and numbers alone: the same whatever the cut, the order or the number of
// threads.

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

namespace pipeloom::executor {

/// A well mixed number of all of `parts`, in their order.
[[nodiscard]] std::uint64_t mixed(std::initializer_list<std::uint64_t> parts);

/// A number of a name (FNV-1a).
[[nodiscard]] std::uint64_t numberOf(std::string_view name);

/// Normally distributed values around 0, which follow from `seed` and their position.
void fillNormal(std::span<float> values, double deviation, std::uint64_t seed);

} // namespace pipeloom::executor
