// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The vocabulary of the design file (FORMAT.md): the keys of every section in canonical order, the names that stand for
// values, and the word that was probably meant by one that is none of them.

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace pipeloom::formats {

inline constexpr std::int64_t formatNumber = 1; ///< of the key `pipeloom`

enum class Section : std::uint8_t {
    Design,
    Pipeline,
    Routes,
    Costs,
    Memory,
    Transient,
    Network,
    Block,
    Durations,
    Schedule,
    Reorder,
    Model,
    Training,
};

/// What the section is called in findings: its key; `the design` for the whole.
[[nodiscard]] std::string_view nameOf(Section section);

/// Its keys, in the order in which they are written.
[[nodiscard]] std::span<const std::string_view> keysOf(Section section);

/// Other sections that have this key; empty if none.
[[nodiscard]] std::string_view sectionWith(std::string_view key, Section besides);

/// The one of `words` that differs from `word` by the fewest letters (left out, doubled, changed or swapped; case does not
/// count), if it is near enough to have been meant; else empty.
[[nodiscard]] std::string_view nearest(std::string_view word, std::span<const std::string_view> words);

/// Names of values, each in the order of its enum.
inline constexpr std::array<std::string_view, 4> kindKeys { "F", "B", "W", "BW" };
inline constexpr std::array<std::string_view, 3> placementNames { "linear", "interleaved", "v" };
inline constexpr std::array<std::string_view, 2> routeRuleNames { "halves", "alternate" }; ///< RouteRule from Halves on
inline constexpr std::array<std::string_view, 2> unitNames { "activations", "bytes" };
inline constexpr std::array<std::string_view, 4> queueNames { "ideal", "directed", "pair", "device" };
inline constexpr std::array<std::string_view, 2> ruleNames { "all", "weights" };
inline constexpr std::array<std::string_view, 2> aimNames { "makespan", "own_span" };
inline constexpr std::array<std::string_view, 2> precisionNames { "fp32", "bf16" };

} // namespace pipeloom::formats
