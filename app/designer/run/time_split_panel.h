// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Where the time goes: per device a bar of compute, transfer, waiting and the device's own time, which add up to the step.

#include "app/designer/run/run_panel.h"
#include "core/finding/ids.h"

#include <cstdint>

class QListView;

namespace pipeloom::designer {

class Remark;
class SegmentedBar;
class SplitModel;

class TimeSplitPanel : public RunPanel {
    Q_OBJECT
public:
    explicit TimeSplitPanel(RunSession& session, QWidget* parent = nullptr);

    [[nodiscard]] SplitModel& model() { return *model_; }

Q_SIGNALS:
    void deviceActivated(pipeloom::DeviceId device);

protected:
    void take() override;
    void forget() override;

private:
    class RowDelegate;
    [[nodiscard]] bool isOfShown() const;
    void takeShown();
    void takeMedians();

    SplitModel* model_;
    QListView* list_;
    SegmentedBar* of_;
    Remark* overhead_;
    std::int64_t taken_ = -1; ///< newest whole step that is in the medians shown; -1: none, or those of the step shown
};

} // namespace pipeloom::designer
