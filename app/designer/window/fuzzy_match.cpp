// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/fuzzy_match.h"

#include <algorithm>
#include <vector>

namespace pipeloom::designer {

namespace {

constexpr int startOfWord = 10;
constexpr int sideBySide = 11;
constexpr int none = -1'000'000;

bool startsWord(const QString& text, int at)
{
    return at == 0 || !text[at - 1].isLetterOrNumber() || (text[at].isUpper() && text[at - 1].isLower());
}

} // namespace

std::optional<FuzzyMatch> fuzzyMatch(const QString& wanted, const QString& text)
{
    QString letters = wanted.toCaseFolded();
    letters.remove(' ');
    const QString folded = text.toCaseFolded();
    if (letters.isEmpty() || folded.size() != text.size())
        return letters.isEmpty() ? std::optional(FuzzyMatch {}) : std::nullopt;
    const auto columns = static_cast<std::size_t>(text.size());
    const auto rows = static_cast<std::size_t>(letters.size());
    // best[i][j]: of the first i + 1 letters with the last of them at j; from: where the one before stands.
    std::vector<std::vector<int>> best(rows, std::vector<int>(columns, none));
    std::vector<std::vector<int>> from(rows, std::vector<int>(columns, -1));
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = i; j < columns; ++j) {
            const auto at = static_cast<int>(j);
            if (folded[at] != letters[static_cast<int>(i)])
                continue;
            const int here = (startsWord(text, at) ? startOfWord : 0) - (i == 0 ? at / 4 : 0);
            if (i == 0)
                best[i][j] = here;
            for (std::size_t k = i == 0 ? j : 0; k < j; ++k) {
                const int score = best[i - 1][k] + here + (k + 1 == j ? sideBySide : 0);
                if (best[i - 1][k] > none && score > best[i][j]) {
                    best[i][j] = score;
                    from[i][j] = static_cast<int>(k);
                }
            }
        }
    const auto end = std::max_element(best.back().begin(), best.back().end());
    if (end == best.back().end() || *end == none)
        return std::nullopt;
    FuzzyMatch match { *end, {} };
    auto at = static_cast<int>(end - best.back().begin());
    for (std::size_t i = rows; i-- > 0;) {
        match.positions.prepend(at);
        at = from[i][static_cast<std::size_t>(at)];
    }
    return match;
}

} // namespace pipeloom::designer
