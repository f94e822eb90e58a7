// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/export/figure_parts.h"
#include "app/designer/export/quantities.h"
#include "core/block/block_index.h"

#include <QCoreApplication>

namespace pipeloom::designer {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("Figure", text); }

Ticks endOf(const BuildingBlock& block)
{
    Ticks end = block.interval;
    for (const BlockPass& pass : block.passes)
        end = std::max(end, pass.start + block.duration(pass.slot));
    return end;
}

/// A stage's bar: from its F to the end of its W.
struct Life {
    StageId stage;
    Ticks start = 0;
    Ticks length = 0;
    int chunk = 0;
};

std::vector<Life> livesOf(const Design& design, DeviceId device)
{
    const BuildingBlock& block = *design.block();
    std::vector<Life> lives;
    int chunk = 0;
    for (const StageId stage : design.pipeline.stagesOn(device)) {
        const std::optional<Ticks> length = lifespan(block, stage);
        for (const BlockPass& pass : block.passes)
            if (length && pass.slot.first.stage == stage && pass.slot.first.kind == PassKind::F) {
                lives.push_back({ stage, pass.start, *length, chunk });
                break;
            }
        ++chunk;
    }
    return lives;
}

struct BlockRows {
    double bar = 0;      ///< height of a lifespan bar; 0: none are drawn
    double barPitch = 0; ///< from bar to bar
    double gap = 0;
    std::vector<std::vector<Life>> lives; ///< by device
    [[nodiscard]] double height(const Sheet& sheet, std::size_t device) const
    {
        return sheet.rowHeight + gap + static_cast<double>(lives[device].size()) * barPitch;
    }
};

BlockRows rowsOf(const Sheet& sheet)
{
    BlockRows rows;
    const Design& design = *sheet.figures.design;
    rows.lives.resize(static_cast<std::size_t>(design.pipeline.devices));
    rows.gap = std::min(0.6 * sheet.text, sheet.rowHeight / 3);
    if (!sheet.options.memory || sheet.rowHeight < 1.2 * sheet.text)
        return rows;
    rows.bar = 0.4 * sheet.text;
    rows.barPitch = 0.95 * sheet.text;
    for (std::size_t device = 0; device < rows.lives.size(); ++device)
        rows.lives[device] = livesOf(design, DeviceId(device));
    return rows;
}

/// Small enough that all labels fit, if that is still legible: a block with labels on some passes looks unfinished.
QFont labelFont(const Sheet& sheet, const TimeMap& time)
{
    const BuildingBlock& block = *sheet.figures.design->block();
    const QFontMetricsF metrics(sheet.small);
    double shrink = 1;
    for (const BlockPass& placed : block.passes) {
        const double room = static_cast<double>(block.duration(placed.slot)) * time.pixelsPerTick - 4;
        shrink = std::min(
            shrink, room / metrics.horizontalAdvance(QString::fromStdString(blockText(placed.slot.first, block))));
    }
    QFont font = sheet.small;
    const auto pixels = static_cast<int>(std::floor(font.pixelSize() * shrink));
    if (pixels >= 0.6 * sheet.text)
        font.setPixelSize(pixels);
    return font;
}

void paintPasses(QPainter& painter, const Sheet& sheet, const TimeMap& time, const std::vector<double>& tops)
{
    const Design& design = *sheet.figures.design;
    const BuildingBlock& block = *design.block();
    const QFont font = labelFont(sheet, time);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    for (const BlockPass& placed : block.passes) {
        const std::size_t device = placed.device.index();
        if (device >= tops.size())
            continue;
        const double x = sheet.left() + time.xOf(placed.start);
        const double width = static_cast<double>(block.duration(placed.slot)) * time.pixelsPerTick;
        const int halves = placed.slot.isPair() ? 2 : 1;
        const double height = sheet.rowHeight / halves;
        for (int half = 0; half < halves; ++half) {
            const Pass& pass = half == 0 ? placed.slot.first : placed.slot.second;
            const auto stages = design.pipeline.stagesOn(placed.device);
            const auto chunk = static_cast<int>(std::find(stages.begin(), stages.end(), pass.stage) - stages.begin());
            const QString label = QString::fromStdString(blockText(pass, block));
            const QRectF rect(x, tops[device] + half * height, width, height);
            drawPass(painter, rect,
                { sheet.theme.of(pass.kind), pass.kind, chunk,
                    sheet.options.labels && height >= sheet.text ? fittingLabel({ label }, width, metrics)
                                                                 : QString() },
                sheet.theme);
        }
    }
}

/// `s0: ⌈27/6⌉ = 5`
QString textOf(const Life& life, Ticks interval)
{
    const Ticks held = (life.length + interval - 1) / interval;
    return QString("s%1: ⌈%2/%3⌉ = %4").arg(life.stage.value).arg(life.length).arg(interval).arg(held);
}

/// As large as leaves room for what is written behind the bars, if that takes no more than a third; a nearly empty block is
/// not stretched.
TimeMap timeOf(const Sheet& sheet, const BlockRows& rows, Ticks end)
{
    const QFontMetricsF metrics(sheet.small);
    const double whole = sheet.areaWidth() / static_cast<double>(end);
    double scale = std::min(whole, 3 * sheet.text);
    for (const std::vector<Life>& lives : rows.lives)
        for (const Life& life : lives) {
            const double text = metrics.horizontalAdvance(textOf(life, sheet.figures.design->block()->interval)) + 5;
            scale = std::min(scale, (sheet.areaWidth() - text) / static_cast<double>(life.start + life.length));
        }
    return { 0, std::max(scale, std::min(whole * 2 / 3, 3 * sheet.text)) };
}

void paintLives(
    QPainter& painter, const Sheet& sheet, const TimeMap& time, const BlockRows& rows, std::size_t device, double top)
{
    const Ticks interval = sheet.figures.design->block()->interval;
    const QFontMetricsF metrics(sheet.small);
    double y = top + sheet.rowHeight + rows.gap / 2;
    for (const Life& life : rows.lives[device]) {
        const double x = sheet.left() + time.xOf(life.start);
        const double width = static_cast<double>(life.length) * time.pixelsPerTick;
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(life.chunk == 0 ? sheet.theme.lifespan : sheet.theme.lifespanSoft);
        const QRectF bar(x, y + (rows.barPitch - rows.bar) / 2, width, rows.bar);
        painter.drawRoundedRect(bar, rows.bar / 2, rows.bar / 2);
        painter.setRenderHint(QPainter::Antialiasing, false);
        const QString whole = textOf(life, interval);
        const double room = sheet.left() + sheet.areaWidth() - bar.right() - 4;
        if (sheet.options.labels && metrics.horizontalAdvance(whole) <= room) {
            painter.setFont(sheet.small);
            painter.setPen(sheet.theme.muted);
            painter.drawText(
                QRectF(bar.right() + 4, y, room, rows.barPitch), Qt::AlignVCenter | Qt::TextSingleLine, whole);
        }
        y += rows.barPitch;
    }
}

} // namespace

double blockHeight(const Sheet& sheet)
{
    const BlockRows rows = rowsOf(sheet);
    double height = 2 * sheet.line + 0.3 * sheet.text;
    for (std::size_t device = 0; device < rows.lives.size(); ++device)
        height += rows.height(sheet, device);
    return height;
}

void paintBlock(QPainter& painter, const Sheet& sheet, double top)
{
    const BuildingBlock& block = *sheet.figures.design->block();
    const BlockRows rows = rowsOf(sheet);
    const Ticks end = endOf(block);
    const TimeMap time = timeOf(sheet, rows, end);
    painter.setFont(sheet.bold);
    painter.setPen(sheet.theme.text);
    painter.drawText(QRectF(sheet.margin, top, sheet.options.width - 2 * sheet.margin, sheet.line),
        Qt::AlignVCenter | Qt::TextSingleLine,
        tr("Building block, repeated every T = %1").arg(ticksText(block.interval)));
    const double ruler = top + sheet.line;
    const double firstRow = ruler + sheet.line + 0.3 * sheet.text;
    paintRuler(painter, sheet, time, end, block.interval, ruler, top + blockHeight(sheet));
    const double intervalWidth = time.xOf(block.interval);
    painter.fillRect(QRectF(sheet.left(), ruler + sheet.line - 3, intervalWidth, 2), sheet.theme.accent);
    painter.fillRect(QRectF(sheet.left() + intervalWidth - 1, ruler + sheet.line - 6, 2, 7), sheet.theme.accent);

    std::vector<double> tops;
    double y = firstRow;
    for (std::size_t device = 0; device < rows.lives.size(); ++device) {
        tops.push_back(y);
        paintDeviceName(painter, sheet, static_cast<int>(device), y, sheet.rowHeight);
        if (rows.bar > 0)
            paintLives(painter, sheet, time, rows, device, y);
        y += rows.height(sheet, device);
    }
    paintPasses(painter, sheet, time, tops);
}

} // namespace pipeloom::designer
