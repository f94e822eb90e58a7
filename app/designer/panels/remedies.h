// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What one click can do about a finding. A remedy is tried before it is offered: its edit is made here, the link only
// hands it to the document. Qt-free.

#include "app/designer/edit/edited.h"
#include "core/finding/finding.h"

#include <optional>
#include <string>

namespace pipeloom::designer {

struct Remedy {
    std::string text; ///< of the link, `Move 7W to 16`
    Edited edited;    ///< always ok; its name is the text
};

/// The remedy of a finding of the design, or none. A collision: the later pass to the nearest free start, or the next
/// free interval; an interval that is too short: as long as the busiest device needs; an early pass: to when its inputs are
/// ready; a misplaced one: to its stage's device; a doubled or unknown one: taken out; a missing one: placed at the first
/// start that is free; too few micro-batches: as many as devices. A finding that the design does not have any more has none.
[[nodiscard]] std::optional<Remedy> remedyOf(const Design& design, const Finding& finding);

/// Whether findings of that rule have remedies at all: told without looking at a design, for laying out long lists.
[[nodiscard]] bool mayHaveRemedy(const Finding& finding);

} // namespace pipeloom::designer
