// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A gesture of the block editor as a value: made when the mouse goes down, asked at every move what the design would be, and
// either committed or forgotten. Knows no widget. Dragging is free: what collides is shown, not refused.

#include "app/designer/block/block_scene.h"
#include "app/designer/document/document.h"
#include "app/designer/edit/edited.h"

#include <optional>
#include <string>
#include <vector>

namespace pipeloom::designer {

/// Where the pointer is, in the terms of the block.
struct Pointer {
    double ticks = 0;               ///< time under the pointer
    std::optional<DeviceId> device; ///< row under it
    double rowsAway = 0;            ///< from where it went down, in rows
    double pixelsPerTick = 1;       ///< how fine it can point
    bool shift = false;             ///< swaps; refits
    bool alt = false;               ///< leaves turns and W alone; does not snap T
};

class Gesture {
public:
    /// Passes moved together; `lead` is the one that was taken hold of.
    [[nodiscard]] static Gesture move(DesignPtr base, std::vector<std::int32_t> passes, std::int32_t lead, Pointer at);
    /// A pass of a kind added, and moved as long as the button is down.
    [[nodiscard]] static Gesture place(DesignPtr base, PassKind kind);
    [[nodiscard]] static Gesture interval(DesignPtr base);
    [[nodiscard]] static Gesture leg(DesignPtr base, RouteId route, std::int32_t leg, Pointer at);
    [[nodiscard]] static Gesture turn(DesignPtr base, RouteId route, std::int32_t turn, Pointer at);

    struct State {
        Edited edited;      ///< what letting go would make
        bool shown = true;  ///< the edited design is previewed; else only marked (a stage over another row)
        GestureMarks marks; ///< reasonAt is the caller's
        std::string status; ///< for the status line
    };
    [[nodiscard]] State at(const Pointer& pointer) const;

private:
    enum class Kind { Move, Place, Interval, Leg, Turn };
    Gesture(Kind kind, DesignPtr base)
        : kind_(kind)
        , base_(std::move(base))
    {
    }
    [[nodiscard]] State moved(const Pointer& pointer) const;
    [[nodiscard]] State placed(const Pointer& pointer) const;
    [[nodiscard]] State stretched(const Pointer& pointer) const;
    [[nodiscard]] State shifted(const Pointer& pointer) const;
    [[nodiscard]] State otherDevice(const Pointer& pointer) const;
    [[nodiscard]] Ticks snappedBy(double wanted, const Pointer& pointer) const;

    Kind kind_;
    DesignPtr base_;
    std::vector<std::int32_t> passes_;
    std::int32_t lead_ = 0; ///< pass, leg or turn
    RouteId route_;         ///< of the leg or turn
    PassKind passKind_ = PassKind::F;
    double grabbed_ = 0; ///< ticks
};

/// Why a pass does not stand well where it is, in a few words, or nothing: what it meets, or which input is late.
[[nodiscard]] std::string troubleOf(const Design& design, std::int32_t pass);

} // namespace pipeloom::designer
