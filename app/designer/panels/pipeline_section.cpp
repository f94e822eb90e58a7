// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/panels/pipeline_section.h"

#include "app/designer/edit/costs_edits.h"
#include "app/designer/edit/pipeline_edits.h"
#include "app/designer/edit/stage_edits.h"
#include "app/designer/panels/fields.h"
#include "app/designer/panels/placement_board.h"

#include <QHBoxLayout>
#include <QRegularExpression>
#include <QScrollArea>
#include <QScrollBar>
#include <QStringList>

#include <algorithm>

namespace pipeloom::designer {

namespace {
constexpr int mostBoardRows = 9;
}

std::optional<Placement> placementOf(const QString& text)
{
    static const QRegularExpression gaps("[\\s,;]+");
    Placement made;
    for (const QString& part : text.split(gaps, Qt::SkipEmptyParts)) {
        bool ok = false;
        const int device = part.toInt(&ok);
        if (!ok || device < 0)
            return std::nullopt;
        made.emplace_back(device);
    }
    if (made.empty())
        return std::nullopt;
    return made;
}

QString placementText(const Placement& placement)
{
    QStringList parts;
    for (const DeviceId device : placement)
        parts += QString::number(device.value);
    return parts.join(' ');
}

std::optional<double> microsecondsOf(const QString& text)
{
    static const QRegularExpression form("^\\s*(\\d+(?:\\.\\d*)?|\\.\\d+)\\s*(us|µs|μs|ms|s)?\\s*$");
    const QRegularExpressionMatch match = form.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    const double number = match.captured(1).toDouble();
    const QString unit = match.captured(2);
    const double us = unit == "s" ? number * 1e6 : unit.isEmpty() || unit == "ms" ? number * 1000 : number;
    return us > 0 ? std::optional(us) : std::nullopt;
}

QString tickText(double microseconds)
{
    for (int decimals = 3; decimals < 12; ++decimals) {
        const QString text = QString::number(microseconds / 1000, 'f', decimals) + " ms";
        if (microsecondsOf(text) == microseconds)
            return text;
    }
    return QString::number(microseconds, 'g', 17) + " us";
}

PipelineSection::PipelineSection(Document& document, QWidget* parent)
    : Section(document, tr("Pipeline"), "pipelineSection", parent)
{
    makeSizes();
    makePlacement();
    makeRest();
}

void PipelineSection::makeSizes()
{
    locked_ = new Remark(Remark::Tone::Quiet,
        tr("The order is edited by hand: the schedule names every pass, so devices, stages, places and micro-batches "
           "are "
           "locked."));
    locked_->setObjectName("pipelineLocked");
    locked_->setWordWrap(true);
    addWide(locked_);
    devices_ = new NumberField("devices");
    bind(devices_, addRow(tr("Devices"), devices_), [this](int n) { return setDevices(committed(), n); });
    stages_ = new NumberField("stages");
    bind(stages_, addRow(tr("Stages"), stages_), [this](int n) { return setStages(committed(), n); });
}

void PipelineSection::makePlacement()
{
    route_ = new ChoiceField("route");
    addRow(tr("Route shown"), route_);
    connect(route_, &QComboBox::activated, this, [this] { follow(); });
    placement_ = new ChoiceField("placement");
    placement_->addItems({ tr("Linear"), tr("Interleaved"), tr("V"), tr("By list") });
    placement_->setFixedWidth(placement_->fontMetrics().horizontalAdvance(placement_->itemText(1)) + 36);
    list_ = new TextField("placementList");
    list_->setToolTip(tr("The device of each stage, from stage 0 on"));
    auto* both = new QWidget;
    auto* row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(placement_);
    row->addWidget(list_, 1);
    both->setFocusProxy(placement_);
    Remark* said = addRow(tr("Placement"), both);
    placement_->setAccessibleName(tr("Placement"));
    list_->setAccessibleName(tr("Device of each stage"));
    bind(placement_, said, [this](int kind) {
        if (kind != static_cast<int>(PlacementKind::List))
            return setPlacement(committed(), static_cast<PlacementKind>(kind));
        list_->setFocus();
        list_->selectAll();
        return Edited { committed(), {}, {} }; // the list is there to be changed; nothing is different yet
    });
    bind(list_, said, [this](const QString& text) { return placedBy(text); });

    board_ = new PlacementBoard;
    boardArea_ = new QScrollArea;
    boardArea_->setObjectName("placementArea");
    boardArea_->setFrameShape(QFrame::NoFrame);
    boardArea_->setWidgetResizable(true);
    boardArea_->setFocusPolicy(Qt::NoFocus);
    boardArea_->setWidget(board_);
    boardArea_->setBackgroundRole(QPalette::Base);
    Remark* remark = addWide(boardArea_);
    connect(board_, &PlacementBoard::stageMoved, this, [this, remark](StageId stage, DeviceId device) {
        step(moveStage(committed(), stage, RouteId { std::max(route_->currentIndex(), 0) }, device), remark);
    });
    connect(board_, &PlacementBoard::chosenChanged, this,
        [this](const QRect& where) { boardArea_->ensureVisible(where.center().x(), where.center().y()); });
}

void PipelineSection::makeRest()
{
    microBatches_ = new NumberField("microBatches");
    bind(microBatches_, addRow(tr("Micro-batches"), microBatches_),
        [this](int n) { return setMicroBatches(committed(), n); });
    group_ = new NumberField("group");
    group_->setToolTip(tr("Micro-batches in one block"));
    bind(group_, addRow(tr("Group"), group_), [this](int n) { return setGroup(committed(), n); });
    tick_ = new TextField("tick");
    tick_->setToolTip(tr("How long a tick is: 1 ms, 250 us, 0.5 s"));
    bind(tick_, addRow(tr("Tick"), tick_), [this](const QString& text) {
        const std::optional<double> us = microsecondsOf(text);
        return us ? setTickUs(committed(), *us)
                  : refused(tr("“%1” is no time; write it like 1 ms or 250 us.").arg(text).toStdString());
    });
    fixedBySchedule_ = { devices_, stages_, placement_, list_, board_, microBatches_, group_ };
}

Edited PipelineSection::placedBy(const QString& text) const
{
    const std::optional<Placement> placement = placementOf(text);
    if (!placement)
        return refused(tr("Write one device for each stage, such as 0 1 2 3.").toStdString());
    const Pipeline& pipeline = committed().pipeline;
    if (pipeline.routeCount() <= 1)
        return setPlacement(committed(), *placement);
    std::vector<Placement> lists = pipeline.routes;
    lists.at(static_cast<std::size_t>(std::max(route_->currentIndex(), 0))) = *placement;
    return setRoutes(committed(), lists, pipeline.rule);
}

void PipelineSection::take(const Design& design)
{
    const Pipeline& pipeline = design.pipeline;
    devices_->setKnown(pipeline.devices);
    stages_->setKnown(pipeline.stages);
    microBatches_->setKnown(pipeline.microBatches);
    placement_->setKnown(static_cast<int>(pipeline.kind));
    if (route_->count() != pipeline.routeCount()) {
        route_->clear();
        for (int route = 0; route < pipeline.routeCount(); ++route)
            route_->addItem(tr("Route %1").arg(route));
    }
    showRow(route_, pipeline.routeCount() > 1);
    const auto shown = static_cast<std::size_t>(std::max(route_->currentIndex(), 0));
    const Placement& placement = pipeline.routes.at(std::min(shown, pipeline.routes.size() - 1));
    list_->setValue(placementText(placement));
    board_->setPlacement(placement, pipeline.devices);
    const int row = board_->sizeHint().height() / std::max(pipeline.devices, 1);
    const bool wide = board_->sizeHint().width() > boardArea_->width();
    boardArea_->setFixedHeight(row * std::min(pipeline.devices, mostBoardRows) + 6
        + (wide ? boardArea_->horizontalScrollBar()->sizeHint().height() : 0));
    const BuildingBlock* block = design.block();
    showRow(group_, block != nullptr);
    if (block)
        group_->setKnown(block->group);
    tick_->setValue(tickText(design.costs.tickUs));
    locked_->setVisible(!block);
    for (QWidget* field : fixedBySchedule_)
        field->setEnabled(block != nullptr);
}

} // namespace pipeloom::designer
