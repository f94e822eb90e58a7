// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which pass of which stage is slower than planned: measured over planned time, medians of the last whole steps.

#include "app/designer/run/run_panel.h"
#include "core/pipeline/pass.h"

#include <cstdint>

namespace pipeloom::designer {

class DriftModel;
class FigureTable;

class DriftPanel : public RunPanel {
    Q_OBJECT
public:
    explicit DriftPanel(RunSession& session, QWidget* parent = nullptr);

    [[nodiscard]] DriftModel& model() { return *model_; }

Q_SIGNALS:
    /// A figure was clicked or Enter pressed on it: the first such pass is to be shown. Of a stage's name: its F, or what it has.
    void passActivated(pipeloom::Pass pass);

protected:
    void take() override;
    void forget() override;

private:
    DriftModel* model_;
    FigureTable* table_;
    std::int64_t taken_ = -1;            ///< newest whole step that is in
    const void* takenAgainst_ = nullptr; ///< and the plan
};

} // namespace pipeloom::designer
