// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/export/figure_parts.h"
#include "app/designer/export/quantities.h"

#include <QCoreApplication>

#include <array>

namespace pipeloom::designer {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("Figure", text); }

/// Below the passes of a device: its memory curve, if there is room.
double curveHeight(const Sheet& sheet)
{
    return sheet.options.memory && sheet.rowHeight >= 1.2 * sheet.text ? 1.1 * sheet.rowHeight : 0;
}

double rowGap(const Sheet& sheet) { return std::min(0.6 * sheet.text, sheet.rowHeight / 3); }

double pitch(const Sheet& sheet) { return sheet.rowHeight + curveHeight(sheet) + rowGap(sheet); }

Bytes highestLevel(const Figures& figures)
{
    Bytes highest = 1;
    for (const DeviceMetrics& device : figures.plan.metrics.devices)
        highest = std::max(highest, device.peak);
    for (const std::optional<Bytes>& limit : figures.planned->memory.limit)
        highest = std::max(highest, limit.value_or(0));
    return highest;
}

void paintCurve(QPainter& painter, const Sheet& sheet, const TimeMap& time, DeviceId device, double top, Bytes highest)
{
    const double height = curveHeight(sheet) - 2;
    const double bottom = top + 2 + height;
    const auto yOf = [&](Bytes level) {
        return bottom - height * static_cast<double>(level) / (1.08 * static_cast<double>(highest));
    };
    const MemoryModel& memory = sheet.figures.planned->memory;
    const std::vector<LevelChange> changes = memoryOverTime(sheet.figures.plan.timeline, memory, device);
    const double last = sheet.left() + time.xOf(sheet.figures.plan.metrics.lastEnd);
    QPolygonF curve;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const double x = sheet.left() + time.xOf(changes[i].time);
        const double next = i + 1 < changes.size() ? sheet.left() + time.xOf(changes[i + 1].time) : last;
        curve << QPointF(x, yOf(changes[i].level)) << QPointF(next, yOf(changes[i].level));
    }
    if (curve.isEmpty())
        return;
    QPolygonF area = curve;
    area << QPointF(area.back().x(), bottom) << QPointF(area.front().x(), bottom);
    painter.setPen(Qt::NoPen);
    painter.setBrush(sheet.theme.memoryFill);
    painter.drawPolygon(area);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(sheet.theme.memoryLine, 0.75));
    painter.drawPolyline(curve);
    if (const auto& limit = memory.limit[device.index()]) {
        painter.setPen(QPen(sheet.theme.limit, 0.75, Qt::DashLine));
        painter.drawLine(QPointF(sheet.left(), yOf(*limit)), QPointF(last, yOf(*limit)));
    }
}

std::vector<int> chunksOf(const Pipeline& pipeline, DeviceId device)
{
    std::vector<int> chunks(static_cast<std::size_t>(pipeline.stages), 0);
    int chunk = 0;
    for (const StageId stage : pipeline.stagesOn(device))
        chunks[stage.index()] = chunk++;
    return chunks;
}

/// What stands on the passes of a kind: `F7`, `7`, or nothing; the same on all, so that none looks forgotten.
enum class LabelForm { Full, Number, None };
using LabelForms = std::array<LabelForm, passKinds>;

LabelForms labelForms(const Sheet& sheet, const TimeMap& time)
{
    std::array<Ticks, passKinds> narrowest {};
    for (const TimedPass& pass : sheet.figures.plan.timeline.passes) {
        Ticks& least = narrowest[index(pass.pass.kind)];
        const Ticks length = pass.end - pass.start;
        least = least == 0 ? length : std::min(least, length);
    }
    const QFontMetricsF metrics(sheet.small);
    double digit = 0;
    for (char each = '0'; each <= '9'; ++each)
        digit = std::max(digit, metrics.horizontalAdvance(QLatin1Char(each)));
    const int highest = sheet.figures.planned->pipeline.microBatches - 1;
    const double number = digit * static_cast<double>(QString::number(highest).size());
    LabelForms forms {};
    for (const PassKind kind : { PassKind::F, PassKind::B, PassKind::W, PassKind::BW }) {
        const double room = static_cast<double>(narrowest[index(kind)]) * time.pixelsPerTick - 4;
        forms[index(kind)] = metrics.horizontalAdvance(text(kind)) + number <= room ? LabelForm::Full
            : number <= room                                                        ? LabelForm::Number
                                                                                    : LabelForm::None;
    }
    return forms;
}

/// Chunks that have no underlines of their own any more are told by the stage, where it fits.
QString labelOf(const Pass& pass, int chunk, LabelForm form, double width, const QFontMetricsF& metrics)
{
    if (form == LabelForm::None)
        return {};
    const QString number = QString::number(pass.microBatch.value);
    const QString named = form == LabelForm::Full ? text(pass.kind) + number : number;
    return chunk > 3 ? fittingLabel({ QString::fromStdString(text(pass)), named }, width, metrics) : named;
}

void paintRow(
    QPainter& painter, const Sheet& sheet, const TimeMap& time, DeviceId device, double top, const LabelForms& forms)
{
    const std::span<const TimedPass> row = sheet.figures.plan.timeline.row(device);
    if (row.empty())
        return;
    const std::vector<int> chunks = chunksOf(sheet.figures.planned->pipeline, device);
    const QFontMetricsF metrics(sheet.small);
    const DeviceMetrics& own = sheet.figures.plan.metrics.devices[device.index()];
    painter.fillRect(
        QRectF(sheet.left() + time.xOf(own.firstStart), top, time.xOf(own.span()), sheet.rowHeight), sheet.theme.idle);
    painter.setFont(sheet.small);
    double covered = -1;
    for (std::size_t i = 0; i < row.size(); ++i) {
        const bool isPair = row[i].joined || (i + 1 < row.size() && row[i + 1].joined);
        const double height = isPair ? sheet.rowHeight / 2 : sheet.rowHeight;
        const double x = sheet.left() + time.xOf(row[i].start);
        const double width = static_cast<double>(row[i].end - row[i].start) * time.pixelsPerTick;
        if (sheet.options.cancelled && *sheet.options.cancelled)
            return;
        if (!sheet.options.everyPass && x + width < covered + 0.5)
            continue;
        covered = x + width;
        const Pass& pass = row[i].pass;
        const int chunk = chunks[pass.stage.index()];
        const QString label = sheet.options.labels && height >= sheet.text
            ? labelOf(pass, chunk, forms[index(pass.kind)], width, metrics)
            : QString();
        drawPass(painter, QRectF(x, top + (row[i].joined ? height : 0), width, height),
            { sheet.theme.of(pass.kind), pass.kind, width >= 6 ? chunk : 0, label }, sheet.theme);
    }
}

} // namespace

double scheduleHeight(const Sheet& sheet)
{
    return 2 * sheet.line + 0.3 * sheet.text + pitch(sheet) * sheet.figures.plan.timeline.devices();
}

void paintSchedule(QPainter& painter, const Sheet& sheet, double top)
{
    const Plan& plan = sheet.figures.plan;
    const Ticks last = std::max<Ticks>(plan.metrics.lastEnd, 1);
    const TimeMap time { 0, sheet.areaWidth() / static_cast<double>(last) };
    painter.setFont(sheet.bold);
    painter.setPen(sheet.theme.text);
    const QString heading = sheet.figures.planned->schedule() ? tr("Schedule")
        : plan.form == Form::Raw                              ? tr("Schedule, raw")
        : plan.form == Form::Squeezed                         ? tr("Schedule, squeezed")
                                                              : tr("Schedule, reordered");
    painter.drawText(QRectF(sheet.margin, top, sheet.options.width - 2 * sheet.margin, sheet.line),
        Qt::AlignVCenter | Qt::TextSingleLine, heading);
    const double ruler = top + sheet.line;
    paintRuler(painter, sheet, time, last, 1, ruler, top + scheduleHeight(sheet));
    const Bytes highest = highestLevel(sheet.figures);
    const LabelForms forms = labelForms(sheet, time);
    double y = ruler + sheet.line + 0.3 * sheet.text;
    for (int device = 0; device < plan.timeline.devices(); ++device) {
        paintDeviceName(painter, sheet, device, y, sheet.rowHeight);
        paintRow(painter, sheet, time, DeviceId(device), y, forms);
        if (curveHeight(sheet) > 0)
            paintCurve(painter, sheet, time, DeviceId(device), y + sheet.rowHeight, highest);
        y += pitch(sheet);
    }
}

} // namespace pipeloom::designer
