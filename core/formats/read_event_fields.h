// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A flat JSON object of numbers, short texts and flags, read in place: what a run's most frequent lines are.

#include "core/pipeline/pass.h"

#include <array>
#include <string>
#include <string_view>

namespace pipeloom::formats {

class EventFields {
public:
    /// False if the line is no such object (it may be JSON all the same): nested, escaped, too many keys.
    [[nodiscard]] bool read(std::string_view line);

    /// Empty if there is none.
    [[nodiscard]] std::string_view text(std::string_view key) const;
    // What must be there; else problem() says what is not.
    [[nodiscard]] std::int64_t integer(std::string_view key) const;
    [[nodiscard]] DeviceId device(std::string_view key) const;
    [[nodiscard]] Pass pass(std::string_view key) const;
    // What may be left out.
    [[nodiscard]] std::int64_t integerOr(std::string_view key, std::int64_t otherwise) const;
    [[nodiscard]] bool flag(std::string_view key) const;

    void require(bool holds, std::string_view problem) const;
    /// The first thing that was not as it must be.
    [[nodiscard]] const std::string& problem() const { return problem_; }

private:
    struct Field {
        std::string_view key;
        std::string_view value; ///< of a text what is between the quotes
        bool isText = false;
    };
    [[nodiscard]] const Field* find(std::string_view key) const;
    [[nodiscard]] bool readKey(std::string_view& rest, Field& field) const;
    [[nodiscard]] bool readValue(std::string_view& rest, Field& field) const;

    std::array<Field, 12> fields_;
    std::size_t count_ = 0;
    mutable std::string problem_;
};

} // namespace pipeloom::formats
