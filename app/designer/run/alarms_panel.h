// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a person should look at: who is slow, who stands still, what failed, what was rolled back, what the file lacks.

#include "app/designer/run/run_panel.h"
#include "core/pipeline/pass.h"

#include <QList>

#include <cstdint>

class QAction;

namespace pipeloom::designer {

class AlarmList;
class AlarmModel;

class AlarmsPanel : public RunPanel {
    Q_OBJECT
public:
    explicit AlarmsPanel(RunSession& session, QWidget* parent = nullptr);

    [[nodiscard]] AlarmModel& model() { return *model_; }
    [[nodiscard]] AlarmList& list() { return *list_; }
    /// Show, plan for it, copy: they act on the current row.
    [[nodiscard]] const QList<QAction*>& menuActions() const { return actions_; }

Q_SIGNALS:
    /// "Show" of an alarm. The session shows its step already; then what it names is to be shown in the timeline.
    void showStep(std::int64_t step);
    void showDevice(pipeloom::DeviceId device);
    void showPass(pipeloom::Pass pass);
    /// "Plan for it": the design with this device slower than the others by that much, 0.12 is 12 %.
    void planFor(pipeloom::DeviceId device, double slower);

protected:
    void take() override;
    void forget() override;

private:
    void makeActions();
    void show(int row);
    void plan(int row);
    void copy();

    AlarmModel* model_;
    AlarmList* list_;
    QList<QAction*> actions_;
};

} // namespace pipeloom::designer
