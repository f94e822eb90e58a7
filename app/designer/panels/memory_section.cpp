// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/panels/memory_section.h"

#include "app/designer/edit/costs_edits.h"
#include "app/designer/panels/edit_table.h"

namespace pipeloom::designer {

namespace {

std::optional<DeviceId> deviceOf(std::optional<std::int32_t> row)
{
    return row ? std::optional(DeviceId { *row }) : std::nullopt;
}

std::vector<EditColumn> deviceColumns()
{
    using Row = std::optional<std::int32_t>;
    using Value = std::optional<std::int64_t>;
    const auto at = [](const auto& list, std::int32_t row) { return list.at(static_cast<std::size_t>(row)); };
    return { { Section::tr("static"), Section::tr("static memory: weights, gradients, optimizer state"),
                 EditColumn::Holds::Amount,
                 [at](const Design& design, std::int32_t row) -> Value { return at(design.memory.fixed, row); },
                 [](const Design& design, Row row, Value value) { return setFixed(design, deviceOf(row), *value); } },
        { Section::tr("communication"), Section::tr("memory of communicators and the like"), EditColumn::Holds::Amount,
            [at](const Design& design, std::int32_t row) -> Value { return at(design.memory.communication, row); },
            [](const Design& design, Row row, Value value) {
                return setCommunication(design, deviceOf(row), *value);
            } },
        { Section::tr("limit"), Section::tr("limit of the peak; empty: none"), EditColumn::Holds::AmountOrNone,
            [at](const Design& design, std::int32_t row) -> Value { return at(design.memory.limit, row); },
            [](const Design& design, Row row, Value value) { return setLimit(design, deviceOf(row), value); } } };
}

EditColumn transientColumn(PassKind kind)
{
    const QString name = text(kind);
    return { name, Section::tr("transient memory of %1: only while it runs").arg(name), EditColumn::Holds::Amount,
        [kind](const Design& design, std::int32_t row) -> std::optional<std::int64_t> {
            return design.memory.transient.of(kind, StageId { row });
        },
        [kind](const Design& design, std::optional<std::int32_t> row, std::optional<std::int64_t> value) {
            return setTransient(design, kind, row ? std::optional(StageId { *row }) : std::nullopt, *value);
        } };
}

} // namespace

MemorySection::MemorySection(Document& document, QWidget* parent)
    : Section(document, tr("Memory"), "memorySection", parent)
{
    devices_ = new EditTableModel(
        document, deviceColumns(), [](const Design& design) { return design.pipeline.devices; },
        [](const Design&, std::int32_t row) { return Section::tr("dev %1").arg(row); }, this);
    auto* table = new EditTableView(*devices_, "memoryTable");
    table->setAccessibleName(tr("Memory and limits by device"));
    connect(devices_, &EditTableModel::told, addWide(table), &Remark::say);

    addWide(new Remark(Remark::Tone::Quiet, tr("Transient, only while a pass runs")));
    std::vector<EditColumn> columns { transientColumn(PassKind::F), transientColumn(PassKind::B),
        transientColumn(PassKind::W), transientColumn(PassKind::BW) };
    transients_ = new EditTableModel(
        document, std::move(columns), [](const Design& design) { return design.pipeline.stages; },
        [](const Design&, std::int32_t row) { return Section::tr("stage %1").arg(row); }, this);
    auto* second = new EditTableView(*transients_, "transientTable");
    second->setAccessibleName(tr("Transient memory by stage"));
    connect(transients_, &EditTableModel::told, addWide(second), &Remark::say);
}

void MemorySection::take(const Design& design)
{
    devices_->take(design);
    transients_->take(design);
}

} // namespace pipeloom::designer
