// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Schedules written as text in tests: `0F0 1BW2 (2F7+5BW3)`, one string per device. Throws on what it cannot read: a test
// that is written wrong should stop. (The design file has the strict reader with findings; this one is for tests of rooms
// below it.)

#include "core/schedule/schedule.h"

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace pipeloom::test {

inline Pass passOf(const std::string& word)
{
    std::size_t at = 0;
    const auto number = [&] {
        std::size_t used = 0;
        const int value = std::stoi(word.substr(at), &used);
        at += used;
        return value;
    };
    Pass pass;
    pass.stage = StageId { number() };
    const std::size_t from = at;
    while (at < word.size() && word[at] >= 'A' && word[at] <= 'Z')
        ++at;
    const std::string kind = word.substr(from, at - from);
    if (kind == "F")
        pass.kind = PassKind::F;
    else if (kind == "B")
        pass.kind = PassKind::B;
    else if (kind == "W")
        pass.kind = PassKind::W;
    else if (kind == "BW")
        pass.kind = PassKind::BW;
    else
        throw std::invalid_argument("no kind of pass in " + word);
    pass.microBatch = MicroBatch { number() };
    if (at != word.size())
        throw std::invalid_argument("something follows the pass in " + word);
    return pass;
}

inline Slot slotOf(const std::string& word)
{
    if (word.front() != '(')
        return { passOf(word), {} };
    const std::size_t plus = word.find('+');
    return { passOf(word.substr(1, plus - 1)), passOf(word.substr(plus + 1, word.size() - plus - 2)) };
}

inline Schedule scheduleOf(const std::vector<std::string>& rows)
{
    std::vector<std::vector<Slot>> made;
    for (const std::string& row : rows) {
        made.emplace_back();
        std::istringstream words(row);
        for (std::string word; words >> word;)
            made.back().push_back(slotOf(word));
    }
    return schedule(made);
}

} // namespace pipeloom::test
