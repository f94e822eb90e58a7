// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Draws plan and actual into an image: for each device the outlines of the plan, the passes that ran, the memory. What changes
// with the mouse comes on top, in plan_overlays.h.

#include "app/designer/run/plan_scene.h"
#include "app/designer/schedule/row_labels.h"

#include <QImage>

namespace pipeloom::designer {

class PlanPainter {
public:
    /// Makes the picture; `image` is given the right size and is reused.
    void paint(QImage& image, const PlanScene& scene);

    /// Of passes, in two sizes.
    struct Labels {
        PassLabels normal;
        PassLabels small { 9 };
    };

private:
    Labels labels_;
};

/// How wide the label column must be.
[[nodiscard]] double planLabelWidth(const std::vector<PlanLabel>& labels);
/// The ruler's ticks for a scale: labelled ones and those between.
struct RulerSteps {
    Ticks step = 1;
    Ticks minor = 1;
};
[[nodiscard]] RulerSteps rulerSteps(const TimeMap& map);
/// The colour of a planned pass's outline.
[[nodiscard]] QColor outlineColour(const Pass& pass, RunColours colours, const Theme& theme);

} // namespace pipeloom::designer
