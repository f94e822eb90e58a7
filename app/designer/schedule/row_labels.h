// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The text of a timeline: ruler, device names with peak and limit, labels in passes.

#include "app/designer/schedule/timeline_scene.h"

#include <QFont>
#include <QHash>
#include <QStaticText>
#include <QString>

#include <functional>
#include <vector>

class QPainter;

namespace pipeloom::designer {

/// `3`, in bytes `1.50 GB`.
[[nodiscard]] QString levelText(Bytes amount, MemoryUnit unit);
/// `s0 · s7`; with routes each stage once for each route, `s0 · s7 | s3 · s4`.
[[nodiscard]] QString stagesText(const Pipeline& pipeline, DeviceId device);

void drawRuler(QPainter& painter, const TimelineScene& scene);
/// The same for any plot: `place` is that of the ruler, the labelled ticks are `step` apart, those between `minor`.
void drawRuler(QPainter& painter, const RowPlace& place, Ticks step, Ticks minor, const Theme& theme,
    const std::function<QString(Ticks)>& text);
/// The label column, over whatever of the rows reached into it.
void drawRowLabels(QPainter& painter, const TimelineScene& scene);
/// How wide the label column must be for a design: names, peaks, limits and, with routes, stages.
[[nodiscard]] double labelWidthFor(const ScheduleData& data);

/// Labels of passes that have room for one; none in a frame with more than 1500 such passes. Texts are laid out once for all frames.
class PassLabels {
public:
    static constexpr int fontPixels = 11;
    static constexpr int mostLabels = 1500;

    explicit PassLabels(int pixels = fontPixels)
        : pixels_(pixels)
    {
    }

    void draw(QPainter& painter, const TimelineScene& scene, const PassTones& tones);
    struct LabelledRow {
        TimelineRow row;
        RowPlace place;
    };
    /// The same for any rows; those that have no room are left out.
    void draw(QPainter& painter, std::vector<LabelledRow> rows, const QRectF& clip, const PassTones& tones);

private:
    struct Label {
        QStaticText text;
        double width = 0;
        double height = 0;
    };
    /// What a label is put together from: stage, kind, micro-batch. So there are few texts, however many passes.
    struct Parts {
        const Label* of[3] {};
        double width = 0;
    };
    const Label& label(const QString& text);
    const Label& number(std::int32_t value);
    /// The longest that fits; of[2] null: none.
    Parts fitting(const Pass& pass, double width);
    void drawRow(QPainter& painter, const LabelledRow& of, const PassTones& tones);
    void drawParts(QPainter& painter, const Parts& parts, QPointF centre);

    int pixels_;
    QFont font_;
    double widestDigit_ = 0;
    double widestKind_ = 0; ///< of F, B and W
    QHash<QString, Label> texts_;
    std::vector<Label> numbers_; ///< by value; a width of 0: not made yet
};

} // namespace pipeloom::designer
