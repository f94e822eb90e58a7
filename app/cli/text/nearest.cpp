// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/text/nearest.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

namespace pipeloom::cli {

namespace {

/// Letters to insert, delete or exchange (Levenshtein), a row of the table at a time.
std::size_t distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t { 0 });
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = std::exchange(row[0], i + 1);
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t exchanged = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({ exchanged, row[j] + 1, row[j + 1] + 1 });
        }
    }
    return row.back();
}

} // namespace

std::string nearest(std::string_view word, std::span<const std::string> names)
{
    constexpr std::size_t longestWord = 64; // beyond it nothing is near, and comparing would take its square
    std::string best;
    std::size_t least = std::min<std::size_t>(word.size() / 2 + 1, 4);
    if (word.size() > longestWord)
        return best;
    for (const std::string& name : names) {
        const std::size_t changes = distance(word, name);
        if (changes < least) {
            least = changes;
            best = name;
        }
    }
    return best;
}

} // namespace pipeloom::cli
