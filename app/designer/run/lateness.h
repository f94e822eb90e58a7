// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The colours of lateness: blue-grey for earlier, grey for on time, orange for later, told apart by colour-blind eyes too; and
// the small scale that names them.

#include "app/designer/schedule/pass_tones.h"

#include <QWidget>

namespace pipeloom::designer {

/// Tones of the grades of RunPicture, earliest first. Text on them has a contrast of at least 4.5.
[[nodiscard]] std::vector<PassTone> latenessTones(const Theme& theme);

/// `earlier ▭▭▭▭▭ later than planned`, with the times at its ends.
class LatenessLegend : public QWidget {
    Q_OBJECT
public:
    explicit LatenessLegend(QWidget* parent = nullptr);

    /// Where the scale ends, in nanoseconds; 0: not known.
    void setScale(Ticks nanos);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return { 0, sizeHint().height() }; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QString text(bool later) const;

    Ticks scale_ = 0;
};

} // namespace pipeloom::designer
