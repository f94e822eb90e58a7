// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/drift_panel.h"

#include "app/designer/run/drift_model.h"
#include "app/designer/run/figure_table.h"
#include "app/designer/run/run_medians.h"
#include "app/designer/run/run_session.h"

namespace pipeloom::designer {

DriftPanel::DriftPanel(RunSession& session, QWidget* parent)
    : RunPanel(session, tr("Drift"), 4, parent)
    , model_(new DriftModel(this))
    , table_(new FigureTable("driftTable", tr("Measured over planned time, by stage and kind"), *model_))
{
    setObjectName("driftPanel");
    setBody(table_);
    const auto activate = [this](const QModelIndex& index) {
        if (!index.isValid())
            return;
        const PassKind kind = model_->kindOf(index.column() == 0 ? 1 : index.column());
        Q_EMIT passActivated(Pass { StageId { index.row() }, MicroBatch { 0 }, kind });
    };
    connect(table_, &QTableView::clicked, this, activate);
    connect(table_, &QTableView::activated, this, activate);
    showEmpty(tr("No run is open."));
}

void DriftPanel::forget()
{
    taken_ = -1;
    takenAgainst_ = nullptr;
}

void DriftPanel::take()
{
    const RunPlanPtr& plan = session().reference();
    const MeasuredStepPtr newest = session().log().newestWhole();
    if (!plan || !newest) {
        setNote({});
        model_->setDrift({}, nullptr);
        forget();
        showEmpty(!session().log().began() ? tr("No run is open.")
                : !plan && newest          ? tr("The plan of this run is not known, so nothing can be held against it.")
                                           : tr("Drift stands here once the first step has ended."));
        return;
    }
    if (taken_ == newest->step && takenAgainst_ == plan.get())
        return;
    taken_ = newest->step;
    takenAgainst_ = plan.get();
    Drift found = drift(forMedians(session().lastWhole()), *plan);
    setNote(found.steps == 1 ? tr("measured / planned, of one step")
                             : tr("measured / planned, median of %1 steps").arg(found.steps));
    model_->setDrift(std::move(found), plan);
    showBody();
}

} // namespace pipeloom::designer
