// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The big part of the Run layout: the timeline of plan and actual, its title bar with colours and outline, and the bar of steps;
// and the actions of all of these.

#include "app/designer/panels/panel_frame.h"
#include "app/designer/run/plan_view.h"

#include <QList>

#include <functional>

class QAction;
class QActionGroup;
class QMenu;
class QToolButton;

namespace pipeloom::designer {

class LatenessLegend;
class RunSession;
class StepBar;

class PlanPanel : public PanelFrame {
    Q_OBJECT
public:
    explicit PlanPanel(RunSession& session, QWidget* parent = nullptr);

    [[nodiscard]] PlanView& view() { return *view_; }
    [[nodiscard]] StepBar& steps() { return *steps_; }
    /// All that can be done here, with separators: run.live, run.nextStep, run.colourLateness, ...
    [[nodiscard]] const QList<QAction*>& menuActions() const { return actions_; }
    /// By objectName; null: none.
    [[nodiscard]] QAction* action(const char* name) const;

Q_SIGNALS:
    void statusText(const QString& sentence);
    /// What the outline shall be. The run's own plan needs no help and is set here.
    void designAsPlanRequested(); ///< the design that is open
    void runAsPlanRequested();    ///< another run, or a file with a design

private:
    QAction* add(const char* name, const QString& text, const QList<QKeySequence>& keys, std::function<void()> run);
    QAction* addToggle(
        const char* name, const QString& text, const QList<QKeySequence>& keys, std::function<void(bool)> run);
    void addSeparator();
    void createStepActions();
    void createViewActions();
    void createColourActions();
    void createPlanActions();
    void createHeader();
    QToolButton* addMenuButton(const char* name, const QString& accessibleName, const QList<QAction*>& actions);
    void follow();
    void tellColours();

    RunSession& session_;
    PlanView* view_;
    StepBar* steps_ = nullptr;
    LatenessLegend* legend_;
    QToolButton* colourButton_ = nullptr;
    QToolButton* planButton_ = nullptr;
    QList<QAction*> actions_;
    QList<QAction*> colours_;
    QList<QAction*> plans_;
    QList<QAction*> scales_;
    QAction* live_ = nullptr;
    QAction* pause_ = nullptr;
};

} // namespace pipeloom::designer
