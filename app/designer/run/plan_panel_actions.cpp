// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// The actions of plan and actual: what menus, palette and key sheet list.

#include "app/designer/run/plan_panel.h"
#include "app/designer/run/run_session.h"

#include <QAction>
#include <QActionGroup>

namespace pipeloom::designer {

QAction* PlanPanel::add(
    const char* name, const QString& text, const QList<QKeySequence>& keys, std::function<void()> run)
{
    auto* made = new QAction(text, this);
    made->setObjectName(name);
    made->setShortcuts(keys);
    made->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(made, &QAction::triggered, this, [run = std::move(run)] { run(); });
    addAction(made);
    actions_ << made;
    return made;
}

QAction* PlanPanel::addToggle(
    const char* name, const QString& text, const QList<QKeySequence>& keys, std::function<void(bool)> run)
{
    QAction* made = add(name, text, keys, [] {});
    made->setCheckable(true);
    connect(made, &QAction::triggered, this, [run = std::move(run)](bool checked) { run(checked); });
    return made;
}

void PlanPanel::addSeparator()
{
    auto* separator = new QAction(this);
    separator->setSeparator(true);
    actions_ << separator;
}

void PlanPanel::createStepActions()
{
    live_ = addToggle(
        "run.live", tr("Follow the run live"), { QKeySequence(Qt::Key_L) }, [this](bool on) { session_.setLive(on); });
    live_->setToolTip(tr("Show the newest step as it comes (L). Panning leaves it, End returns"));
    add("run.follow", tr("Return to the newest step"), { QKeySequence(Qt::Key_End) },
        [this] { session_.setLive(true); });
    add("run.previousStep", tr("Previous step"), { QKeySequence(Qt::Key_PageUp) }, [this] { session_.showNext(-1); });
    add("run.nextStep", tr("Next step"), { QKeySequence(Qt::Key_PageDown) }, [this] { session_.showNext(1); });
    // Only while the timeline itself has the keys: a button below it is pressed with Space.
    pause_ = addToggle(
        "run.pauseHere", tr("Pause"), { QKeySequence(Qt::Key_Space) }, [this](bool on) { session_.setPaused(on); });
    pause_->setToolTip(tr("Take no more events in until it goes on (Space)"));
    removeAction(pause_);
    pause_->setShortcutContext(Qt::WidgetShortcut);
    view_->addAction(pause_);
}

void PlanPanel::createViewActions()
{
    const auto ctrl = [](int key) { return QKeySequence(Qt::CTRL | static_cast<Qt::Key>(key)); };
    add("run.fit", tr("Show all of the step"), { QKeySequence(Qt::Key_0) }, [this] { view_->fit(); });
    add("run.focus", tr("Go to the selected pass"), { QKeySequence(Qt::Key_F) }, [this] { view_->focusSelection(); });
    add("run.zoomIn", tr("Zoom in on the step"),
        { QKeySequence(Qt::Key_Plus), QKeySequence(Qt::Key_Equal), ctrl(Qt::Key_Plus), ctrl(Qt::Key_Equal) },
        [this] { view_->zoomBy(1.5); });
    add("run.zoomOut", tr("Zoom out of the step"), { QKeySequence(Qt::Key_Minus), ctrl(Qt::Key_Minus) },
        [this] { view_->zoomBy(1 / 1.5); });
    add("run.back", tr("Back to the part shown before"), { QKeySequence(Qt::ALT | Qt::Key_Left) },
        [this] { view_->axis().back(); });
    add("run.forward", tr("Forward again"), { QKeySequence(Qt::ALT | Qt::Key_Right) },
        [this] { view_->axis().forward(); });
    add("run.rowsHigher", tr("Higher rows"),
        { QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Equal) },
        [this] { view_->stepRowHeight(1); });
    add("run.rowsLower", tr("Lower rows"), { QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Minus) },
        [this] { view_->stepRowHeight(-1); });
    add("run.rowsFit", tr("Rows as high as fits"), { QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_0) },
        [this] { view_->setRowHeight(std::nullopt); });
    addSeparator();
    add("run.nextPass", tr("Next pass of the device"), { QKeySequence(Qt::Key_Period) },
        [this] { view_->selectNeighbour(1); });
    add("run.previousPass", tr("Previous pass of the device"), { QKeySequence(Qt::Key_Comma) },
        [this] { view_->selectNeighbour(-1); });
    add("run.feeds", tr("Go to what the pass feeds"), { QKeySequence(Qt::Key_BracketRight) },
        [this] { view_->selectAlong(1); });
    add("run.needs", tr("Go to what the pass needs"), { QKeySequence(Qt::Key_BracketLeft) },
        [this] { view_->selectAlong(-1); });
    add("run.range", tr("Measure the selected pass"), { QKeySequence(Qt::Key_R) },
        [this] { view_->rangeFromSelection(); });
    add("run.zoomRange", tr("Zoom to the measured range"), { QKeySequence(Qt::Key_Z) },
        [this] { view_->zoomToRange(); });
    add("run.clearRange", tr("Delete the measured range"), { QKeySequence(Qt::Key_Delete) },
        [this] { view_->setRange(std::nullopt); });
}

void PlanPanel::createColourActions()
{
    auto* group = new QActionGroup(this);
    struct Mode {
        const char* name;
        QString text;
        Qt::Key key;
        RunColours colours;
    };
    const QList<Mode> modes { { "run.colourKind", tr("Colour by kind"), Qt::Key_1, RunColours::Kind },
        { "run.colourMicroBatch", tr("Colour by micro-batch"), Qt::Key_2, RunColours::MicroBatch },
        { "run.colourStage", tr("Colour by stage"), Qt::Key_3, RunColours::Stage },
        { "run.colourLateness", tr("Colour by lateness"), Qt::Key_4, RunColours::Lateness } };
    for (const Mode& mode : modes) {
        QAction* made = addToggle(mode.name, mode.text, { QKeySequence(mode.key) }, [this, of = mode.colours](bool) {
            view_->setColours(of);
            tellColours();
        });
        made->setChecked(mode.colours == view_->colours());
        group->addAction(made);
        colours_ << made;
    }
}

void PlanPanel::createPlanActions()
{
    plans_ << add("run.planOwn", tr("Outline: the run's own plan"), {}, [this] { session_.setReference(nullptr); })
           << add("run.planDesign", tr("Outline: the open design"), {}, [this] { Q_EMIT designAsPlanRequested(); })
           << add("run.planOther", tr("Outline: another run or design…"), {}, [this] { Q_EMIT runAsPlanRequested(); });
    auto* group = new QActionGroup(this);
    struct Scale {
        const char* name;
        QString text;
        RunSession::PlanScale scale;
    };
    const QList<Scale> scales {
        { "run.scaleAutomatic", tr("Plan scale: automatic"), RunSession::PlanScale::Automatic },
        { "run.scaleAsDesigned", tr("Plan scale: as designed"), RunSession::PlanScale::AsDesigned },
        { "run.scaleFitted", tr("Plan scale: fitted to what was measured"), RunSession::PlanScale::Fitted },
    };
    for (const Scale& scale : scales) {
        QAction* made
            = addToggle(scale.name, scale.text, {}, [this, of = scale.scale](bool) { session_.setPlanScale(of); });
        made->setChecked(scale.scale == session_.planScale());
        group->addAction(made);
        scales_ << made;
    }
}

} // namespace pipeloom::designer
