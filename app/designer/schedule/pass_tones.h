// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which colours a pass has in a timeline, by what they tell: its kind, its micro-batch or its stage.

#include "app/designer/schedule/timeline_row.h"
#include "app/designer/style/theme.h"

#include <array>
#include <vector>

namespace pipeloom::designer {

enum class ColourMode : std::uint8_t { Kind, MicroBatch, Stage };

/// Colours ready to be written into an image.
struct PassTone {
    QRgb fill = 0;
    QRgb edge = 0;
    QRgb text = 0;
};

class PassTones {
public:
    /// `fade` 0..1 mixes all of them with the panel: 0 as they are. `only`: all other micro-batches are dimmed; -1: none.
    PassTones(const Theme& theme, ColourMode mode, double fade = 0, std::int32_t only = -1);

    [[nodiscard]] const PassTone& of(const Pass& pass) const
    {
        const std::array<PassTone, 8>& tones = only_ >= 0 && pass.microBatch.value != only_ ? dimmed_ : normal_;
        return tones[slotOf(pass)];
    }
    /// Of a row's pass: by its grade if the row has grades, else by what it is.
    [[nodiscard]] const PassTone& of(const TimelineRow& row, std::size_t pass) const
    {
        return row.grades.empty() ? of(row.passes[pass].pass) : grades_[static_cast<std::size_t>(row.grades[pass])];
    }
    /// The tones that grades 0, 1, ... stand for.
    void setGrades(std::vector<PassTone> grades) { grades_ = std::move(grades); }
    [[nodiscard]] const PassTone& weights() const { return weights_; } ///< band of a BW
    /// F, B, W of strips; one neutral tone where colours tell something else than the kind.
    [[nodiscard]] const std::array<QRgb, 3>& shares() const { return shares_; }
    [[nodiscard]] ColourMode mode() const { return mode_; }
    [[nodiscard]] PassColours colours(const Pass& pass) const;

private:
    [[nodiscard]] std::size_t slotOf(const Pass& pass) const
    {
        switch (mode_) {
        case ColourMode::MicroBatch:
            return static_cast<std::size_t>(pass.microBatch.value) % 8;
        case ColourMode::Stage:
            return static_cast<std::size_t>(pass.stage.value) % 8;
        default:
            return pipeloom::index(pass.kind);
        }
    }

    ColourMode mode_;
    std::int32_t only_;
    std::array<PassTone, 8> normal_;
    std::array<PassTone, 8> dimmed_;
    PassTone weights_;
    std::vector<PassTone> grades_;
    std::array<QRgb, 3> shares_ {};
};

/// `part` of the way from one colour to another.
[[nodiscard]] QColor mixed(const QColor& from, const QColor& to, double part);

} // namespace pipeloom::designer
