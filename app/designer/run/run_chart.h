// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A chart of figures over steps: one curve, perhaps another run's behind it, level lines, marks of what happened, and the step
// that is shown. A click or a key shows another step.

#include "app/designer/run/run_marks.h"
#include "app/designer/run/step_curve.h"

#include <QChartView>
#include <QColor>

#include <functional>
#include <optional>
#include <vector>

class QLineSeries;
class QValueAxis;

namespace pipeloom::designer {

/// A dashed line over all steps, with its name at its right end.
struct ChartLevel {
    double value = 0;
    QString name;
};

struct ChartContent {
    StepCurve curve;
    StepCurve other; ///< of another run; may be empty
    QColor colour;
    std::vector<ChartLevel> levels;
    std::vector<RunMark> marks;
    double firstStep = 0;
    double lastStep = 1;                     ///< of the whole run, as far as it is known
    std::optional<double> shownStep;         ///< none: no line
    double least = 0;                        ///< of the value axis
    double most = 1;                         ///< points above it are marked at the top
    std::function<QString(double step)> tip; ///< what is said of a step
};

class RunChart : public QChartView {
    Q_OBJECT
public:
    explicit RunChart(const QString& objectName, const QString& accessibleName, QWidget* parent = nullptr);

    void setContent(ChartContent content);
    [[nodiscard]] const ChartContent& shownContent() const { return content_; }
    /// Where a step and a value are, in the viewport, which the scene fills.
    [[nodiscard]] QPointF place(double step, double value) const;

Q_SIGNALS:
    void stepChosen(std::int64_t step);
    /// By an arrow key, PgUp or PgDn: so many steps on.
    void stepMoved(int by);

protected:
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    void dress();
    void setAxes();
    void showPieces(std::vector<QLineSeries*>& series, const StepCurve& curve, const QColor& colour, double width);
    void drawLevels(QPainter& painter, const QRectF& plot) const;
    void drawMarks(QPainter& painter, const QRectF& plot) const;
    [[nodiscard]] std::optional<std::int64_t> stepAt(const QPointF& position) const;
    [[nodiscard]] int scaled(int pixels) const;

    ChartContent content_;
    QValueAxis* steps_;
    QValueAxis* values_;
    std::vector<QLineSeries*> curve_;
    std::vector<QLineSeries*> other_;
};

} // namespace pipeloom::designer
