// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/panels/network_section.h"

#include "app/designer/edit/costs_edits.h"
#include "app/designer/panels/edit_table.h"
#include "app/designer/panels/fields.h"
#include "app/designer/panels/quantity.h"

#include <algorithm>

namespace pipeloom::designer {

namespace {

/// What the way by latency and bandwidth starts with: fast enough that a transfer still takes its latency only.
constexpr Bytes firstBandwidth = 1'000'000;

QString boundaryTitle(const Design&, std::int32_t row) { return Section::tr("%1 → %2").arg(row).arg(row + 1); }

std::int32_t boundaries(const Design& design) { return std::max(design.pipeline.stages - 1, 0); }

std::optional<StageId> boundaryOf(std::optional<std::int32_t> row)
{
    return row ? std::optional(StageId { *row }) : std::nullopt;
}

std::vector<EditColumn> transferColumns()
{
    return { { Section::tr("ticks"), Section::tr("ticks of a transfer over this boundary, either way"),
        EditColumn::Holds::Whole,
        [](const Design& design, std::int32_t row) -> std::optional<std::int64_t> {
            const auto at = static_cast<std::size_t>(row);
            return at < design.network.transfer.size() ? std::optional(design.network.transfer[at]) : std::nullopt;
        },
        [](const Design& design, std::optional<std::int32_t> row, std::optional<std::int64_t> value) {
            return setTransfer(design, boundaryOf(row), *value);
        } } };
}

std::vector<EditColumn> messageColumns()
{
    return { { Section::tr("bytes"), Section::tr("bytes of a message over this boundary; empty for all: not given"),
        EditColumn::Holds::AmountOrNone,
        [](const Design& design, std::int32_t row) -> std::optional<std::int64_t> {
            const auto at = static_cast<std::size_t>(row);
            return at < design.network.bytes.size() ? std::optional(design.network.bytes[at]) : std::nullopt;
        },
        [](const Design& design, std::optional<std::int32_t> row, std::optional<std::int64_t> value) {
            return setMessageBytes(design, boundaryOf(row), value);
        } } };
}

} // namespace

NetworkSection::NetworkSection(Document& document, QWidget* parent)
    : Section(document, tr("Network"), "networkSection", parent)
    , queue_(new ChoiceField("queue"))
    , way_(new ChoiceField("transferWay"))
    , window_(new NumberField("window"))
    , latency_(new TextField("latency"))
    , bandwidth_(new TextField("bandwidth"))
{
    queue_->addItems({ tr("Ideal: no queues"), tr("Directed: one per device pair, way and kind"),
        tr("Pair: one per device pair"), tr("Device: one per device") });
    bind(queue_, addRow(tr("Queues"), queue_),
        [this](int index) { return setQueue(committed(), static_cast<QueueModel>(index)); });
    bind(window_, addRow(tr("Window, slots"), window_), [this](int n) { return setWindow(committed(), n); });
    window_->setToolTip(tr("Slots that a receive is issued ahead"));
    way_->addItems({ tr("by ticks"), tr("by latency and bandwidth") });
    bind(way_, addRow(tr("Transfers"), way_),
        [this](int index) { return setBandwidth(committed(), index == 0 ? 0 : firstBandwidth); });
    const auto whole = [this](TextField* field, const QString& label, Edited (*edit)(const Design&, std::int64_t)) {
        bind(field, addRow(label, field), [this, edit](const QString& text) {
            const std::optional<std::int64_t> number = wholeOf(text);
            return number ? edit(committed(), *number)
                          : refused(tr("“%1” is no whole number.").arg(text).toStdString());
        });
    };
    whole(latency_, tr("Latency, ticks"), &setLatency);
    whole(bandwidth_, tr("Bytes per tick"), &setBandwidth);

    transfers_ = new EditTableModel(document, transferColumns(), boundaries, boundaryTitle, this);
    transferTable_ = new EditTableView(*transfers_, "transferTable");
    transferTable_->setAccessibleName(tr("Ticks of transfers by boundary"));
    connect(transfers_, &EditTableModel::told, addWide(transferTable_), &Remark::say);
    messages_ = new EditTableModel(document, messageColumns(), boundaries, boundaryTitle, this);
    messageTable_ = new EditTableView(*messages_, "messageTable");
    messageTable_->setAccessibleName(tr("Bytes of messages by boundary"));
    connect(messages_, &EditTableModel::told, addWide(messageTable_), &Remark::say);
}

void NetworkSection::take(const Design& design)
{
    const Network& network = design.network;
    const bool byBandwidth = network.bytesPerTick > 0;
    queue_->setKnown(static_cast<int>(network.queue));
    way_->setKnown(byBandwidth ? 1 : 0);
    window_->setKnown(network.window);
    latency_->setValue(wholeText(network.latency));
    bandwidth_->setValue(wholeText(network.bytesPerTick));
    showRow(latency_, byBandwidth);
    showRow(bandwidth_, byBandwidth);
    transfers_->take(design);
    messages_->take(design);
    transferTable_->setVisible(!byBandwidth && design.pipeline.stages > 1);
    messageTable_->setVisible(design.pipeline.stages > 1);
}

} // namespace pipeloom::designer
