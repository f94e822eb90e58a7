// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/run_page.h"

#include "app/designer/run/run_session.h"

#include <QAction>
#include <QApplication>
#include <QDataStream>
#include <QVBoxLayout>

namespace pipeloom::designer {

RunPage::RunPage(RunSession& session, QWidget* parent)
    : QWidget(parent)
    , rows_(new QSplitter(Qt::Vertical, this))
    , top_(new QSplitter(Qt::Horizontal))
    , right_(new QSplitter(Qt::Vertical))
    , bottom_(new QSplitter(Qt::Horizontal))
    , diff_(new RunDiff(session, this))
    , plan_(new PlanPanel(session))
    , drift_(new DriftPanel(session))
    , alarms_(new AlarmsPanel(session))
    , diffPanel_(new DiffPanel(session, *diff_))
    , loss_(new LossChart(session, diff_))
    , stepTime_(new StepTimeChart(session, diff_))
    , split_(new TimeSplitPanel(session))
    , log_(new LogPanel(session))
{
    setObjectName("run");
    setAccessibleName(tr("Run"));
    auto* around = new QVBoxLayout(this);
    around->setContentsMargins(8, 8, 8, 8);
    around->addWidget(rows_);
    for (QWidget* part :
        { static_cast<QWidget*>(drift_), static_cast<QWidget*>(alarms_), static_cast<QWidget*>(diffPanel_) })
        right_->addWidget(part);
    for (QWidget* part : { static_cast<QWidget*>(loss_), static_cast<QWidget*>(stepTime_),
             static_cast<QWidget*>(split_), static_cast<QWidget*>(log_) })
        bottom_->addWidget(part);
    top_->addWidget(plan_);
    top_->addWidget(right_);
    rows_->addWidget(top_);
    rows_->addWidget(bottom_);
    rows_->setStretchFactor(0, 1);
    top_->setStretchFactor(0, 1);
    for (QSplitter* splitter : { rows_, top_, right_, bottom_ })
        splitter->setChildrenCollapsible(false);
    setFocusProxy(&plan_->view());
    connectParts();
    resetLayout();
}

void RunPage::connectParts()
{
    connect(plan_, &PlanPanel::statusText, this, &RunPage::statusText);
    connect(plan_, &PlanPanel::designAsPlanRequested, this, &RunPage::designPlanRequested);
    connect(plan_, &PlanPanel::runAsPlanRequested, this, &RunPage::otherRunRequested);
    connect(drift_, &DriftPanel::passActivated, &plan_->view(), &PlanView::showPass);
    connect(alarms_, &AlarmsPanel::showPass, &plan_->view(), &PlanView::showPass);
    connect(alarms_, &AlarmsPanel::showDevice, &plan_->view(), &PlanView::showDevice);
    connect(split_, &TimeSplitPanel::deviceActivated, &plan_->view(), &PlanView::showDevice);
    // Following the run is a matter of the whole layout, so its key works in all of it.
    QAction* live = plan_->action("run.live");
    plan_->removeAction(live);
    addAction(live);
}

QList<QAction*> RunPage::menuActions() const
{
    return plan_->menuActions() + alarms_->menuActions() + log_->menuActions();
}

void RunPage::resetLayout()
{
    constexpr int rightWidth = 362;
    constexpr int part = 400;
    rows_->setSizes({ 552, 340 });
    top_->setSizes({ 1216, rightWidth });
    right_->setSizes({ 256, 290, 290 });
    bottom_->setSizes({ part, part, part, rightWidth });
}

namespace {
constexpr quint32 layoutMagic = 0x504c5231; // PLR1
}

QByteArray RunPage::saveLayout() const
{
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << layoutMagic << rows_->saveState() << top_->saveState() << right_->saveState() << bottom_->saveState();
    return state;
}

bool RunPage::restoreLayout(const QByteArray& state)
{
    QDataStream in(state);
    quint32 magic = 0;
    QByteArray rows;
    QByteArray top;
    QByteArray right;
    QByteArray bottom;
    in >> magic >> rows >> top >> right >> bottom;
    if (in.status() != QDataStream::Ok || magic != layoutMagic)
        return false;
    return rows_->restoreState(rows) && top_->restoreState(top) && right_->restoreState(right)
        && bottom_->restoreState(bottom);
}

void RunPage::cycleFocus(int step)
{
    const QList<QWidget*> parts { &plan_->view(), drift_, alarms_, diffPanel_, loss_, stepTime_, split_, log_ };
    const auto count = static_cast<int>(parts.size());
    const QWidget* focus = QApplication::focusWidget();
    int at = step > 0 ? count - 1 : 0;
    for (int i = 0; i < count; ++i)
        if (focus && (parts[i] == focus || parts[i]->isAncestorOf(focus)))
            at = i;
    // Parts that are hidden, or have nothing that takes keys now, are passed over.
    for (int tries = 0; tries < count; ++tries) {
        at = (at + step + count) % count;
        QWidget* part = parts[at];
        if (!part->isVisible())
            continue;
        if (part->focusPolicy() & Qt::TabFocus) {
            part->setFocus(Qt::TabFocusReason);
            return;
        }
        for (QWidget* child : part->findChildren<QWidget*>())
            if (child->isVisible() && (child->focusPolicy() & Qt::TabFocus) && child->isEnabled()) {
                child->setFocus(Qt::TabFocusReason);
                return;
            }
    }
}

} // namespace pipeloom::designer
