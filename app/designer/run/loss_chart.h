// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The loss over the steps of the run, with what happened on the way.

#include "app/designer/run/run_chart.h"
#include "app/designer/run/run_panel.h"

namespace pipeloom::designer {

class RunDiff;

class LossChart : public RunPanel {
    Q_OBJECT
public:
    /// `diff`: another run whose loss is drawn behind it; may be null.
    explicit LossChart(RunSession& session, RunDiff* diff = nullptr, QWidget* parent = nullptr);

    [[nodiscard]] RunChart& chart() { return *chart_; }

protected:
    void take() override;
    void forget() override;

private:
    [[nodiscard]] QString tip(double step) const;

    RunDiff* diff_;
    RunChart* chart_;
    RunMarks marks_;
};

} // namespace pipeloom::designer
