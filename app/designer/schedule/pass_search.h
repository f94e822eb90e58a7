// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The search of timelines: `F3 @dev2`, `7B3`, `mb:7 kind:W dur>2`. All terms must hold. Free of Qt.

#include "core/timeline/timeline.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pipeloom::designer {

/// What a pass must be to be found; what is not set does not matter.
struct PassQuery {
    enum class Field : std::uint8_t { Stage, MicroBatch, Device, Duration, Start, End };
    enum class Compare : std::uint8_t { Equal, Less, LessOrEqual, Greater, GreaterOrEqual };
    struct Term {
        Field field = Field::Stage;
        Compare compare = Compare::Equal;
        Ticks value = 0;

        friend bool operator==(const Term&, const Term&) = default;
    };

    std::optional<PassKind> kind;
    std::vector<Term> terms;

    [[nodiscard]] bool matches(const TimedPass& pass, DeviceId device) const;
    friend bool operator==(const PassQuery&, const PassQuery&) = default;
};

struct ParsedQuery {
    std::optional<PassQuery> query;
    std::string problem; ///< one sentence, if there is no query
};

/// Terms, apart by blanks; letters in either case:
///   F3, 7F3, BW3, F, 7F       kind with micro-batch, stage, both or neither
///   @dev2, @2, dev:2          device
///   mb:7 stage:2 kind:W       `=` may stand for `:`
///   dur>2 start>=10 end<40    also <=, and : for equal; in ticks
/// An empty text has no query and no problem.
[[nodiscard]] ParsedQuery parsePassQuery(std::string_view text);

/// Indices into the timeline's passes, by start, then device. O(passes).
[[nodiscard]] std::vector<std::int32_t> findPasses(const Timeline& timeline, const PassQuery& query);

} // namespace pipeloom::designer
