// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/plan_panel.h"

#include "app/designer/run/lateness.h"
#include "app/designer/run/run_session.h"
#include "app/designer/run/step_bar.h"

#include <QAction>
#include <QActionGroup>
#include <QLocale>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>
#include <QVBoxLayout>

namespace pipeloom::designer {

PlanPanel::PlanPanel(RunSession& session, QWidget* parent)
    : PanelFrame(tr("Plan and actual"), parent)
    , session_(session)
    , view_(new PlanView(session))
    , legend_(new LatenessLegend)
{
    setObjectName("run.planPanel");
    createStepActions();
    addSeparator();
    createViewActions();
    addSeparator();
    createColourActions();
    addSeparator();
    createPlanActions();
    createHeader();
    steps_ = new StepBar(session, { action("run.previousStep"), action("run.nextStep"), action("run.live"), pause_ });
    auto* body = new QWidget;
    auto* layout = new QVBoxLayout(body);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(view_, 1);
    layout->addWidget(steps_);
    setContent(body);
    setFocusProxy(view_);
    connect(view_, &PlanView::statusText, this, &PlanPanel::statusText);
    connect(view_, &PlanView::pictureChanged, this, &PlanPanel::follow);
    connect(&session_, &RunSession::changed, this, &PlanPanel::follow);
    connect(&session_, &RunSession::liveChanged, this, &PlanPanel::follow);
    connect(&session_, &RunSession::opened, this, &PlanPanel::follow);
    tellColours();
    follow();
}

QAction* PlanPanel::action(const char* name) const
{
    for (QAction* each : actions_)
        if (each->objectName() == QLatin1String(name))
            return each;
    return nullptr;
}

void PlanPanel::createHeader()
{
    addHeaderWidget(legend_);
    planButton_ = addMenuButton("run.planButton", tr("What the outline is"), plans_ + scales_);
    colourButton_ = addMenuButton("run.colourButton", tr("Colours"), colours_);
}

QToolButton* PlanPanel::addMenuButton(const char* name, const QString& accessibleName, const QList<QAction*>& actions)
{
    auto* button = new QToolButton(this);
    button->setObjectName(name);
    button->setAccessibleName(accessibleName);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    auto* menu = new QMenu(button);
    for (QAction* each : actions) {
        if (each == scales_.value(0) && !plans_.isEmpty())
            menu->addSeparator();
        menu->addAction(each);
    }
    // Not the button's own menu: its arrow would lie over the text.
    connect(button, &QToolButton::clicked, menu,
        [button, menu] { menu->popup(button->mapToGlobal(QPoint(0, button->height()))); });
    addHeaderWidget(button);
    return button;
}

/// `step 118 · outline: the run's plan × 0.31 ▾ · colour: lateness ▾`
void PlanPanel::follow()
{
    setNote(session_.shownNumber() < 0 ? QString() : tr("step %1").arg(session_.shownNumber()));
    QString plan = tr("no plan");
    if (const RunPlanPtr& reference = session_.reference()) {
        plan = QString::fromStdString(reference->name);
        constexpr double differs = 0.005;
        if (std::abs(session_.planFactor() - 1) > differs)
            plan += QStringLiteral(" × ") + QLocale().toString(session_.planFactor(), 'g', 3);
    }
    const QString text = tr("Outline: %1 ▾").arg(plan);
    if (planButton_->text() != text) {
        planButton_->setText(text);
        planButton_->setToolTip(tr("What the outlines are, and how their times are scaled"));
    }
    legend_->setScale(session_.reference()
            ? std::llround(static_cast<double>(session_.reference()->makespan) * RunPicture::latenessShare)
            : 0);
    live_->setChecked(session_.isLive());
    pause_->setChecked(session_.isPaused());
    const bool isOpen = session_.state() != RunSession::State::Empty;
    for (const char* name : { "run.live", "run.follow", "run.nextStep", "run.previousStep" })
        action(name)->setEnabled(isOpen);
    pause_->setEnabled(isOpen);
    scales_[static_cast<qsizetype>(session_.planScale())]->setChecked(true);
}

void PlanPanel::tellColours()
{
    const QStringList names { tr("kind"), tr("micro-batch"), tr("stage"), tr("lateness") };
    colourButton_->setText(tr("Colour: %1 ▾").arg(names[static_cast<qsizetype>(view_->colours())]));
    legend_->setVisible(view_->colours() == RunColours::Lateness);
}

} // namespace pipeloom::designer
