// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Memory against time, a point a design: what is down and to the left of another is better in both.

#include "app/designer/compare/compare_list.h"

#include <QChartView>

class QScatterSeries;

namespace pipeloom::designer {

class CompareScatter : public QChartView {
    Q_OBJECT
public:
    explicit CompareScatter(CompareList& list, QWidget* parent = nullptr);

    /// The points as they are shown, design by design; those without figures left out.
    [[nodiscard]] std::vector<QPointF> points() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void take();

    CompareList& list_;
};

} // namespace pipeloom::designer
