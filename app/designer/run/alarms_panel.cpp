// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/alarms_panel.h"

#include "app/designer/run/alarm_list.h"
#include "app/designer/run/alarm_model.h"
#include "app/designer/run/run_medians.h"
#include "app/designer/run/run_session.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>

#include <algorithm>

namespace pipeloom::designer {

AlarmsPanel::AlarmsPanel(RunSession& session, QWidget* parent)
    : RunPanel(session, tr("Alarms"), 10, parent)
    , model_(new AlarmModel(this))
    , list_(new AlarmList(*model_))
{
    setObjectName("alarmsPanel");
    setBody(list_);
    makeActions();
    connect(list_, &AlarmList::showActivated, this, &AlarmsPanel::show);
    connect(list_, &AlarmList::planActivated, this, &AlarmsPanel::plan);
    showEmpty(tr("No run is open."));
}

void AlarmsPanel::makeActions()
{
    const auto add = [this](const QString& text, const QString& name, auto&& slot) {
        auto* action = new QAction(text, this);
        action->setObjectName(name);
        actions_.push_back(action);
        list_->addAction(action);
        connect(action, &QAction::triggered, this, slot);
    };
    add(tr("Show"), "alarmShow", [this] { show(list_->currentIndex().row()); });
    add(tr("Plan for it"), "alarmPlan", [this] { plan(list_->currentIndex().row()); });
    add(tr("Copy the alarm"), "alarmCopy", [this] { copy(); });
    list_->setContextMenuPolicy(Qt::ActionsContextMenu);
    const auto enable = [this] {
        const Alarm* alarm = model_->alarm(list_->currentIndex().row());
        actions_[0]->setEnabled(alarm && alarm->canShow());
        actions_[1]->setEnabled(alarm && alarm->isStraggler);
        actions_[2]->setEnabled(alarm != nullptr);
    };
    connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this, enable);
    connect(model_, &QAbstractItemModel::modelReset, this, enable);
    connect(model_, &QAbstractItemModel::dataChanged, this, enable);
    enable();
}

void AlarmsPanel::forget() { model_->clear(); }

void AlarmsPanel::take()
{
    const RunLog& log = session().log();
    const MeasuredStepPtr newest = log.newest();
    const std::int64_t step = newest ? newest->step : -1;
    // Who waits for whom is worth a word only if nothing moves any more, and nobody else has said it: what a killed rank had
    // not written yet is missing here, while the run itself knows better.
    const bool isTold = log.failed() && log.failed()->message.find(" wait") != std::string::npos;
    const bool stands
        = newest && log.plan() && !newest->isWhole() && !isTold && (log.failed() || session().standstill());
    const std::vector<HeldUp> held = stands ? heldUp(*newest, *log.plan()) : std::vector<HeldUp> {};
    std::vector<Alarm> standing;
    if (log.failed())
        standing.push_back(alarmOf(*log.failed(), step, held));
    else if (!held.empty())
        standing.push_back(alarmOf(held, step));
    if (std::optional<Alarm> faults = alarmOf(log.faults(), session().counts()))
        standing.push_back(std::move(*faults));
    model_->take(std::move(standing), log);
    setNote(model_->rowCount() > 0 ? QString::number(model_->rowCount()) : QString());
    if (model_->rowCount() > 0)
        showBody();
    else
        showEmpty(log.began() ? tr("Nothing to look at.") : tr("No run is open."));
}

void AlarmsPanel::show(int row)
{
    const Alarm* found = model_->alarm(row);
    if (!found || !found->canShow())
        return;
    const Alarm alarm = *found; // showing a step may change the list
    if (alarm.step >= 0) {
        const auto [first, last] = session().steps();
        if (last >= first)
            session().showStep(std::clamp(alarm.step, first, last));
        Q_EMIT showStep(alarm.step);
    }
    if (alarm.pass)
        Q_EMIT showPass(*alarm.pass);
    else if (!alarm.devices.empty())
        Q_EMIT showDevice(alarm.devices.front());
}

void AlarmsPanel::plan(int row)
{
    const Alarm* alarm = model_->alarm(row);
    if (!alarm || !alarm->isStraggler || !session().reference())
        return;
    const DeviceId device = alarm->devices.front();
    const double slower = slownessOf(device, forMedians(session().lastWhole()), *session().reference());
    Q_EMIT planFor(device, slower);
}

void AlarmsPanel::copy()
{
    if (const QModelIndex at = list_->currentIndex(); at.isValid())
        QGuiApplication::clipboard()->setText(at.data().toString());
}

} // namespace pipeloom::designer
