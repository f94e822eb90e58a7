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

#include <QCheckBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace pipeloom::designer {

namespace {

double spreadOf(const Spread& times) { return times.median > 0 ? (times.high - times.low) / times.median : 0; }

} // namespace

CostsModel::CostsModel(MeasuredCosts costs, Pipeline pipeline, Design design, QObject* parent)
    : QAbstractTableModel(parent)
    , costs_(std::move(costs))
    , pipeline_(std::move(pipeline))
    , design_(std::move(design))
{
    for (const PassKind kind : { PassKind::F, PassKind::B, PassKind::W, PassKind::BW }) {
        const std::vector<Spread>& stages = costs_.passes.values[pipeloom::index(kind)];
        if (std::any_of(stages.begin(), stages.end(), [](const Spread& times) { return times.count > 0; }))
            kinds_.push_back(kind);
    }
}

int CostsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || kinds_.empty() ? 0 : pipeline_.stages;
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
        return stageText(pipeline_, stage);
    const PassKind kind = kinds_[static_cast<std::size_t>((index.column() - 1) / 2)];
    if (index.column() % 2 == 1) {
        const Spread times = costs_.passes.of(kind, stage);
        return times.count == 0 ? QString(QChar(0x2013))
                                : tr("%1 (%2 %)").arg(msText(times.median / 1e6)).arg(100 * spreadOf(times), 0, 'f', 0);
    }
    const std::vector<Ticks>& now = design_.costs.ticks.values[pipeloom::index(kind)];
    return stage.index() < now.size() ? msText(static_cast<double>(now[stage.index()]) * design_.costs.tickUs / 1000)
                                      : QString(QChar(0x2013));
}

CostsDialog::CostsDialog(RunSession& session, const Design& design, QWidget* parent)
    : QDialog(parent)
    , design_(design)
    , planned_(session.log().planned())
{
    setObjectName("costsDialog");
    setWindowTitle(tr("Use Measured Costs"));
    const std::vector<MeasuredStepPtr> steps = forMedians(session.lastWhole());
    const RunPlanPtr& plan = session.log().plan();
    if (plan && !steps.empty()) {
        costs_ = runCosts(steps, *plan);
        ofRun_ = session.log().began()->design->pipeline;
    }
    auto* table = new FigureTable("costsTable", tr("Measured costs beside those of the design"),
        *new CostsModel(costs_.costs, plan ? plan->pipeline : Pipeline {}, design, this));
    auto* said = new QLabel(costs_.explained ? QString::fromStdString(text(*costs_.explained)) : QString());
    said->setObjectName("costsExplanation");
    said->setWordWrap(true);
    auto* refusal = new Remark(Remark::Tone::Error);
    refusal->setObjectName("costsRefusal");
    refusal->setWordWrap(true);
    const DialogButtons buttons = dialogButtons(*this, tr("&Use Costs"), "costsUse");
    auto* memory = new QCheckBox(tr("&Memory too, in bytes, as the run measured it"));
    memory->setObjectName("costsMemory");
    memory->setEnabled(planned_ && planned_->memory);
    memory->setChecked(memory->isEnabled() && design.memory.unit == MemoryUnit::Byte);
    const auto follow = [this, refusal, accept = buttons.accept](bool withMemory) {
        make(withMemory);
        accept->setEnabled(edited_.ok());
        refusal->say(QString::fromStdString(edited_.refusal));
    };
    connect(memory, &QCheckBox::toggled, this, follow);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 18, 20, 16);
    column->setSpacing(14);
    column->addWidget(table, 1);
    column->addWidget(said);
    column->addWidget(memory);
    column->addWidget(refusal);
    column->addLayout(buttons.row);
    follow(memory->isChecked());
    resize(scaled(*this, 900), scaled(*this, 480));
}

void CostsDialog::make(bool withMemory)
{
    edited_ = useMeasuredCosts(design_, costs_, ofRun_, withMemory && planned_ ? &*planned_ : nullptr);
}

std::optional<double> CostsDialog::simulatedMs() const
{
    return costs_.explained ? std::optional(costs_.explained->simulated) : std::nullopt;
}

} // namespace pipeloom::designer
