// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The Run layout: plan and actual, drift and alarms beside it, curves, where the time goes and the log below.

#include "app/designer/run/alarms_panel.h"
#include "app/designer/run/diff_panel.h"
#include "app/designer/run/drift_panel.h"
#include "app/designer/run/log_panel.h"
#include "app/designer/run/loss_chart.h"
#include "app/designer/run/plan_panel.h"
#include "app/designer/run/run_diff.h"
#include "app/designer/run/step_time_chart.h"
#include "app/designer/run/time_split_panel.h"

#include <QSplitter>
#include <QWidget>

namespace pipeloom::designer {

class RunSession;

class RunPage : public QWidget {
    Q_OBJECT
public:
    /// The session must live longer.
    explicit RunPage(RunSession& session, QWidget* parent = nullptr);

    [[nodiscard]] PlanPanel& plan() { return *plan_; }
    [[nodiscard]] DriftPanel& drift() { return *drift_; }
    [[nodiscard]] AlarmsPanel& alarms() { return *alarms_; }
    [[nodiscard]] LossChart& loss() { return *loss_; }
    [[nodiscard]] StepTimeChart& stepTime() { return *stepTime_; }
    [[nodiscard]] TimeSplitPanel& split() { return *split_; }
    [[nodiscard]] LogPanel& log() { return *log_; }
    /// Another run to hold this one against; its panel is seen while there is one.
    [[nodiscard]] RunDiff& diff() { return *diff_; }

    /// For the Run menu, with separators. Their keys work while the keyboard is in the page or the part they belong to.
    [[nodiscard]] QList<QAction*> menuActions() const;

    /// Sizes as designed.
    void resetLayout();
    [[nodiscard]] QByteArray saveLayout() const;
    /// False if it does not fit this version's layout.
    bool restoreLayout(const QByteArray& state);
    /// The next part gets the keys, in reading order; back: the one before.
    void cycleFocus(int step);

Q_SIGNALS:
    void statusText(const QString& text);
    void designPlanRequested(); ///< the open design is to be the outline
    void otherRunRequested();   ///< another run, or a file with a design, is

private:
    void connectParts();

    QSplitter* rows_;
    QSplitter* top_;
    QSplitter* right_;
    QSplitter* bottom_;
    RunDiff* diff_;
    PlanPanel* plan_;
    DriftPanel* drift_;
    AlarmsPanel* alarms_;
    DiffPanel* diffPanel_;
    LossChart* loss_;
    StepTimeChart* stepTime_;
    TimeSplitPanel* split_;
    LogPanel* log_;
};

} // namespace pipeloom::designer
