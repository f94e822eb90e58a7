// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Finding a command by some of its letters.

#include <QList>
#include <QString>

#include <optional>

namespace pipeloom::designer {

struct FuzzyMatch {
    int score = 0;        ///< higher: better
    QList<int> positions; ///< in the text, of the letters found
};

/// Whether all letters of `wanted` (blanks aside, in any case) stand in the text in that order. Starts of words and letters
/// side by side count more, and so does an early place. Nothing wanted matches everything alike.
[[nodiscard]] std::optional<FuzzyMatch> fuzzyMatch(const QString& wanted, const QString& text);

} // namespace pipeloom::designer
