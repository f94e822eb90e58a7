// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/schedule/range_readout.h"

#include "app/designer/export/quantities.h"
#include "app/designer/schedule/pass_text.h"
#include "app/designer/schedule/row_labels.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <numeric>

namespace pipeloom::designer {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("pipeloom::designer::Timeline", text); }

QString number(Ticks value) { return QLocale().toString(static_cast<qlonglong>(value)); }

std::vector<QStringList> tableOf(const ScheduleData& data, const RangeFigures& figures, std::size_t most)
{
    std::vector<std::size_t> order(figures.devices.size());
    std::iota(order.begin(), order.end(), 0);
    if (order.size() > most)
        std::stable_sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return figures.devices[a].busy < figures.devices[b].busy; });
    order.resize(std::min(order.size(), most));
    std::vector<QStringList> rows;
    QStringList head { QString(), tr("busy"), tr("idle") };
    if (data.hasTransfers())
        head << tr("transfer");
    rows.push_back(head << tr("peak"));
    for (const std::size_t d : order) {
        const DeviceRange& device = figures.devices[d];
        QStringList row { tr("dev %1").arg(d), number(device.busy), number(device.idle) };
        if (data.hasTransfers())
            row << number(device.transfer);
        rows.push_back(row << levelText(device.peak, data.design().memory.unit));
    }
    return rows;
}

} // namespace

void drawRangeReadout(QPainter& painter, const TimelineScene& scene, const RangeFigures& figures)
{
    const ScheduleData& data = *scene.data;
    const std::size_t most = readoutRows(scene.height - TimelineScene::rulerHeight);
    RangeReadout readout;
    readout.rows = tableOf(data, figures, most);
    readout.title = durationText(figures.range.length(), data.design());
    const double whole = static_cast<double>(figures.range.length()) * static_cast<double>(figures.devices.size());
    const double busy = whole > 0 ? static_cast<double>(figures.busy) / whole : 0;
    readout.summary = tr("busy %1 · peak %2").arg(shareText(busy), levelText(figures.peak, data.design().memory.unit));
    if (figures.devices.size() > most)
        readout.rest = tr("the idlest %1 of %2 devices").arg(readout.rows.size() - 1).arg(figures.devices.size());
    drawReadout(painter, readout, { scene.labelWidth, scene.width, TimelineScene::rulerHeight + 4 },
        { scene.xOf(figures.range.from), scene.xOf(figures.range.to) }, *scene.theme);
}

namespace {
constexpr double lineHeight = 16;
constexpr double margin = 8;
} // namespace

std::size_t readoutRows(double height)
{
    return static_cast<std::size_t>(std::clamp((height - 2 * margin - 3 * lineHeight) / lineHeight, 0.0, 10.0));
}

void drawReadout(QPainter& painter, const RangeReadout& readout, const ReadoutPlace& place, const ReadoutRange& range,
    const Theme& theme)
{
    const std::vector<QStringList>& rows = readout.rows;
    const QFont plain = uiFont(11);
    const QFont strong = uiFont(12, QFont::DemiBold);
    const QFontMetricsF metrics(plain);
    std::vector<double> widths(static_cast<std::size_t>(rows.front().size()), 0);
    for (const QStringList& row : rows)
        for (qsizetype column = 0; column < row.size(); ++column)
            widths[static_cast<std::size_t>(column)]
                = std::max(widths[static_cast<std::size_t>(column)], metrics.horizontalAdvance(row[column]) + 12);
    double width = std::accumulate(widths.begin(), widths.end(), 0.0);
    width = std::max(
        { width, QFontMetricsF(strong).horizontalAdvance(readout.title), metrics.horizontalAdvance(readout.summary) });
    const bool more = !readout.rest.isEmpty();
    const double height = (2 + static_cast<double>(rows.size()) + (more ? 1 : 0)) * lineHeight + 2 * margin;
    const double right = range.to + 8;
    const double left = range.from - 8 - width - 2 * margin;
    double x = right + width + 2 * margin <= place.right || left < place.left ? right : left;
    x = std::clamp(x, place.left, std::max(place.left, place.right - width - 2 * margin - 2));
    const QRectF box(std::round(x), place.top, std::ceil(width) + 2 * margin, height);
    painter.fillRect(box, theme.border);
    painter.fillRect(box.adjusted(1, 1, -1, -1), theme.panel);
    double y = box.top() + margin;
    const auto line = [&](double at, double span, const QString& text, const QFont& font, const QColor& colour,
                          Qt::Alignment side) {
        painter.setFont(font);
        painter.setPen(colour);
        painter.drawText(QRectF(at, y, span, lineHeight), side | Qt::AlignVCenter, text);
    };
    const double start = box.left() + margin;
    line(start, width, readout.title, strong, theme.text, Qt::AlignLeft);
    y += lineHeight;
    line(start, width, readout.summary, plain, theme.muted, Qt::AlignLeft);
    y += lineHeight;
    for (std::size_t r = 0; r < rows.size(); ++r) {
        double at = start;
        for (qsizetype column = 0; column < rows[r].size(); ++column) {
            const double span = widths[static_cast<std::size_t>(column)];
            line(at, span - (column > 0 ? 4 : 0), rows[r][column], plain, r == 0 ? theme.muted : theme.text,
                column == 0 ? Qt::AlignLeft : Qt::AlignRight);
            at += span;
        }
        y += lineHeight;
    }
    if (more)
        line(start, width, readout.rest, plain, theme.muted, Qt::AlignLeft);
}

} // namespace pipeloom::designer
