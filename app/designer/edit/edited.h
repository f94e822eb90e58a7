// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What an edit gives: another design and the name of the step, or the reason why not. Edits are pure functions of a design;
// they refuse only what a file cannot hold, a block may collide or be half drawn. The document makes undo steps of them.

#include "core/formats/design.h"

#include <optional>
#include <string>

namespace pipeloom::designer {

struct Edited {
    std::optional<Design> design; ///< none: refused, nothing changed
    std::string name;             ///< of the undo step, `Move 7W`
    std::string refusal;          ///< one sentence for the status line, if refused

    [[nodiscard]] bool ok() const { return design.has_value(); }
};

[[nodiscard]] inline Edited refused(std::string why) { return { std::nullopt, {}, std::move(why) }; }

} // namespace pipeloom::designer
