// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How long the steps take beside what was foretold; or what they come to a second.

#include "app/designer/run/run_chart.h"
#include "app/designer/run/run_panel.h"

#include <optional>

class QToolButton;

namespace pipeloom::designer {

class RunDiff;

class StepTimeChart : public RunPanel {
    Q_OBJECT
public:
    /// `diff`: another run whose times are drawn behind; may be null.
    explicit StepTimeChart(RunSession& session, RunDiff* diff = nullptr, QWidget* parent = nullptr);

    [[nodiscard]] RunChart& chart() { return *chart_; }
    /// The step simulated with measured costs, in ms; a line beside that of the plan. None: no line.
    void setSimulated(std::optional<double> ms);

protected:
    void take() override;
    void forget() override;

private:
    [[nodiscard]] bool isThroughput() const;
    /// What one step counts: tokens, or micro-batches where tokens were not told.
    [[nodiscard]] double countPerStep() const;
    [[nodiscard]] double valueOf(double stepMs) const;
    [[nodiscard]] QString tip(double step) const;

    RunDiff* diff_;
    RunChart* chart_;
    QToolButton* throughput_;
    RunMarks marks_;
    std::optional<double> simulated_;
};

} // namespace pipeloom::designer
