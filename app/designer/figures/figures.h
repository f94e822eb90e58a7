// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What is known of the design that is shown: its plan, and whose figures these are when the design is not whole.

#include "app/designer/document/document.h"
#include "core/plan/plan.h"

#include <memory>
#include <string>

namespace pipeloom::designer {

/// What the figures stand for.
enum class Standing {
    Whole,      ///< of the design as it is
    OfItsOrder, ///< the block does not repeat yet: of the order that its passes stand in; greyed
    Earlier,    ///< passes are missing or the order cannot run: the last figures there were; dimmed, with the reason
    None,       ///< there never were any
};

struct Figures {
    DesignPtr design;  ///< what they were made for, what-if applied
    Findings findings; ///< of `design`, always up to date
    Plan plan;         ///< the form shown; with Earlier that of an earlier design. Its program is left out
    DesignPtr planned; ///< the design that `plan` is of; with Earlier another than `design`
    Standing standing = Standing::None;
    bool pending = false;    ///< the form that was asked for is still being made; plan shows the squeezed one
    Ticks squeezedTicks = 0; ///< step time of the squeezed form beside that of the form shown; 0: not known
    std::string reason;      ///< with Earlier and None: why there are no new ones

    /// The bounds of `design`'s block, by device; none where a lifespan is not known yet.
    std::vector<std::optional<Bytes>> bounds;
};

using FiguresPtr = std::shared_ptr<const Figures>;

/// A view of the costs that is no part of the design until it is applied.
struct WhatIf {
    std::vector<std::int32_t> devicePercent; ///< by device: slower by so much; empty: none
    std::vector<std::int32_t> stagePercent;  ///< by stage
    Ticks transfer = 0;                      ///< added to every transfer

    [[nodiscard]] bool isNothing() const;
    friend bool operator==(const WhatIf&, const WhatIf&) = default;
};

/// Into how many a tick is cut so that the longer passes take whole ticks; 1 if that is so anyway, or cannot be.
[[nodiscard]] Ticks cutsFor(const WhatIf& whatIf, const Design& design);

/// The design with its costs changed so, ticks cut where that is needed, else rounded up. What `Apply` makes a step of.
[[nodiscard]] Design applied(const WhatIf& whatIf, Design design);

} // namespace pipeloom::designer
