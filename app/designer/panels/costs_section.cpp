// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/panels/costs_section.h"

#include "app/designer/edit/costs_edits.h"
#include "app/designer/panels/edit_table.h"
#include "app/designer/panels/fields.h"
#include "app/designer/panels/quantity.h"

#include <QStringList>

namespace pipeloom::designer {

namespace {

EditColumn ticksColumn(PassKind kind)
{
    const QString name = text(kind);
    return { name, Section::tr("ticks of %1").arg(name), EditColumn::Holds::Whole,
        [kind](const Design& design, std::int32_t row) -> std::optional<std::int64_t> {
            return design.costs.ticks.of(kind, StageId { row });
        },
        [kind](const Design& design, std::optional<std::int32_t> row, std::optional<std::int64_t> value) {
            return setCost(design, kind, row ? std::optional(StageId { *row }) : std::nullopt, *value);
        } };
}

EditColumn changeColumn(PassKind kind)
{
    const QString name = text(kind);
    return { name + (kind == PassKind::F ? " +" : " ±"), Section::tr("memory change of %1").arg(name),
        EditColumn::Holds::Amount,
        [kind](const Design& design, std::int32_t row) -> std::optional<std::int64_t> {
            return design.memory.change.of(kind, StageId { row });
        },
        [kind](const Design& design, std::optional<std::int32_t> row, std::optional<std::int64_t> value) {
            return setMemoryChange(design, kind, row ? std::optional(StageId { *row }) : std::nullopt, *value);
        } };
}

QString stageTitle(const Design& design, std::int32_t row)
{
    QStringList devices;
    for (const DeviceId device : design.pipeline.devicesOf(StageId { row }))
        devices += QString::number(device.value);
    return Section::tr("%1 dev %2").arg(row).arg(devices.join(','));
}

} // namespace

CostsSection::CostsSection(Document& document, QWidget* parent)
    : Section(document, tr("Costs (ticks) and memory (activations)"), "costsSection", parent)
    , unit_(new ChoiceField("memoryUnit"))
    , pair_(new TextField("pairCost"))
{
    // In the order that a pasted table is read in: edit/costs_edits.h.
    std::vector<EditColumn> columns { ticksColumn(PassKind::F), ticksColumn(PassKind::B), ticksColumn(PassKind::W),
        ticksColumn(PassKind::BW), changeColumn(PassKind::F), changeColumn(PassKind::B), changeColumn(PassKind::W) };
    model_ = new EditTableModel(
        document, std::move(columns), [](const Design& design) { return design.pipeline.stages; }, stageTitle, this);
    table_ = new EditTableView(*model_, "costsTable");
    table_->setAccessibleName(tr("Costs and memory changes by stage"));
    table_->pasteHook = [this](const QString& text, int row, int column) { return paste(text, row, column); };
    remark_ = addWide(table_);
    connect(model_, &EditTableModel::told, remark_, &Remark::say);

    unit_->addItems({ tr("activations"), tr("bytes") });
    bind(unit_, addRow(tr("Memory in"), unit_), [this](int index) {
        return setMemoryUnit(committed(), index == 0 ? MemoryUnit::Activation : MemoryUnit::Byte);
    });
    pair_->setPlaceholderText(tr("sum of its two"));
    pair_->setToolTip(tr("Ticks of an overlapped pair; empty: the sum of its two passes"));
    bind(pair_, addRow(tr("Pair, ticks"), pair_), [this](const QString& text) {
        if (text.trimmed().isEmpty())
            return setPairCost(committed(), std::nullopt);
        const std::optional<std::int64_t> ticks = wholeOf(text);
        return ticks ? setPairCost(committed(), *ticks)
                     : refused(tr("“%1” is no whole number of ticks.").arg(text).toStdString());
    });
}

void CostsSection::take(const Design& design)
{
    const bool bytes = design.memory.unit == MemoryUnit::Byte;
    const QString wanted
        = bytes ? tr("Costs (ticks) and memory (bytes)") : tr("Costs (ticks) and memory (activations)");
    if (title() != wanted)
        setTitle(wanted);
    model_->take(design);
    unit_->setKnown(bytes ? 1 : 0);
    pair_->setValue(design.costs.pair ? QString::number(*design.costs.pair) : QString());
}

bool CostsSection::paste(const QString& text, int row, int column)
{
    const bool oneLine = !text.trimmed().contains('\n');
    if (row == 0 && oneLine)
        return false; // one line for all stages: cell by cell
    step(pasteCosts(committed(), text.toStdString(), std::max(row - 1, 0), column), remark_);
    return true;
}

} // namespace pipeloom::designer
