// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/costs_dialog.h"

#include "app/designer/panels/remark.h"
#include "app/designer/run/drift_model.h"
#include "app/designer/run/figure_table.h"
#include "app/designer/run/run_medians.h"
#include "app/designer/run/run_session.h"
#include "app/designer/run/run_texts.h"
#include "app/designer/window/form.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace pipeloom::designer {

CostsModel::CostsModel(CostsOfRun costs, Design design, QObject* parent)
    : QAbstractTableModel(parent)
    , costs_(std::move(costs))
    , design_(std::move(design))
{
    for (const PassKind kind : { PassKind::F, PassKind::B, PassKind::W, PassKind::BW }) {
        const std::vector<CostFigure>& stages = costs_.passes.values[pipeloom::index(kind)];
        if (std::any_of(stages.begin(), stages.end(), [](const CostFigure& figure) { return figure.steps > 0; }))
            kinds_.push_back(kind);
    }
}

int CostsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || kinds_.empty() ? 0 : costs_.pipeline.stages;
}

int CostsModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : 1 + 2 * static_cast<int>(kinds_.size());
}

QVariant CostsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= columnCount())
        return {};
    if (section == 0)
        return tr("stage");
    const QString kind = text(kinds_[static_cast<std::size_t>((section - 1) / 2)]);
    return section % 2 == 1 ? tr("%1 measured, ms").arg(kind) : tr("now");
}

QVariant CostsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid) || role != Qt::DisplayRole)
        return {};
    const StageId stage { index.row() };
    if (index.column() == 0)
        return stageText(costs_.pipeline, stage);
    const PassKind kind = kinds_[static_cast<std::size_t>((index.column() - 1) / 2)];
    if (index.column() % 2 == 1) {
        const CostFigure figure = costs_.passes.of(kind, stage);
        return figure.steps == 0
            ? QString(QChar(0x2013))
            : tr("%1 (%2 %)").arg(msText(figure.median / 1e6)).arg(100 * figure.spread(), 0, 'f', 0);
    }
    const std::vector<Ticks>& now = design_.costs.ticks.values[pipeloom::index(kind)];
    return stage.index() < now.size() ? msText(static_cast<double>(now[stage.index()]) * design_.costs.tickUs / 1000)
                                      : QString(QChar(0x2013));
}

CostsDialog::CostsDialog(RunSession& session, const Design& design, QWidget* parent)
    : QDialog(parent)
{
    setObjectName("costsDialog");
    setWindowTitle(tr("Use Measured Costs"));
    const std::vector<MeasuredStepPtr> steps = forMedians(session.lastWhole());
    const RunPlanPtr& plan = session.log().plan();
    CostsOfRun costs;
    if (plan && !steps.empty()) {
        costs = costsOfRun(steps, *plan);
        explained_ = explainedStep(steps, *plan, costs);
        edited_ = useMeasuredCosts(design, costs, session.log().began()->design->pipeline);
    } else {
        edited_ = refused("No step of the run has ended yet.");
    }
    auto* table = new FigureTable(
        "costsTable", tr("Measured costs beside those of the design"), *new CostsModel(std::move(costs), design, this));
    auto* said = new QLabel(explanation());
    said->setObjectName("costsExplanation");
    said->setWordWrap(true);
    auto* refusal = new Remark(Remark::Tone::Error);
    refusal->setObjectName("costsRefusal");
    refusal->setWordWrap(true);
    const DialogButtons buttons = dialogButtons(*this, tr("&Use Costs"), "costsUse");
    buttons.accept->setEnabled(edited_.ok());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 18, 20, 16);
    column->setSpacing(14);
    column->addWidget(table, 1);
    column->addWidget(said);
    column->addWidget(refusal);
    column->addLayout(buttons.row);
    refusal->say(QString::fromStdString(edited_.refusal));
    resize(scaled(*this, 900), scaled(*this, 480));
}

std::optional<double> CostsDialog::simulatedMs() const
{
    return explained_ ? std::optional(explained_->simulated()) : std::nullopt;
}

QString CostsDialog::explanation() const
{
    if (!explained_)
        return {};
    const ExplainedStep& step = *explained_;
    return tr(
        "The step, from its first pass to its last, takes %1 ms by the median and %2 ms simulated with these costs "
        "(%3): "
        "%4 ms by its passes in their order, %5 ms more by the time between passes, %6 ms more by transfers. What is "
        "left, %7 ms, is jitter: it comes neither in every step nor on every device.")
        .arg(msText(step.measured), msText(step.simulated()),
            changeText(step.measured > 0 ? step.simulated() / step.measured - 1 : 0), msText(step.passes),
            msText(step.between), msText(step.transfer), QString::number(step.rest, 'f', 2));
}

} // namespace pipeloom::designer
