// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Draws a whole timeline, ruler, labels and rows, into an image. What changes with the mouse comes on top, in
// timeline_overlays.h; so the image is made anew only when what it shows changes.

#include "app/designer/schedule/row_labels.h"
#include "app/designer/schedule/timeline_scene.h"

#include <QImage>

namespace pipeloom::designer {

class TimelinePainter {
public:
    /// Makes the picture; `image` is given the right size and is reused.
    void paint(QImage& image, const TimelineScene& scene);

private:
    PassLabels labels_;
};

} // namespace pipeloom::designer
