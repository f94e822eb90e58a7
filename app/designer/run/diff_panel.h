// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Another run beside this one: step times, losses, passes, devices. Shown only as long as there is one.

#include "app/designer/run/run_panel.h"

#include <cstdint>

class QLabel;
class QStackedWidget;
class QToolButton;

namespace pipeloom::designer {

class DeviceDiffModel;
class PassDiffModel;
class RunDiff;
class SegmentedBar;

class DiffPanel : public RunPanel {
    Q_OBJECT
public:
    explicit DiffPanel(RunSession& session, RunDiff& diff, QWidget* parent = nullptr);

    /// The sentences above the tables.
    [[nodiscard]] QString summary() const;

protected:
    void take() override;
    void forget() override;

private:
    void makeHeader();
    void follow();
    [[nodiscard]] QString lossSentence() const;
    [[nodiscard]] QString timeSentence() const;

    RunDiff& diff_;
    PassDiffModel* passes_;
    DeviceDiffModel* devices_;
    QLabel* summary_;
    QStackedWidget* tables_;
    SegmentedBar* which_;
    QToolButton* outline_;
    QToolButton* close_;
    std::int64_t taken_ = -1; ///< newest whole step here that is in the tables
};

} // namespace pipeloom::designer
