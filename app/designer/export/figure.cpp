// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/export/figure.h"

#include "app/designer/export/figure_parts.h"
#include "app/designer/export/quantities.h"

#include <QCoreApplication>

namespace pipeloom::designer {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("Figure", text); }

bool shows(FigureOptions::What what, FigureOptions::What part)
{
    return what == part || what == FigureOptions::What::Both;
}

bool hasBlock(const Figures& figures)
{
    return figures.design && figures.design->block() && !figures.design->block()->passes.empty();
}

bool hasSchedule(const Figures& figures) { return figures.planned && figures.plan.simulated(); }

bool uses(const Figures& figures, PassKind kind)
{
    if (hasSchedule(figures))
        return std::any_of(figures.plan.timeline.passes.begin(), figures.plan.timeline.passes.end(),
            [&](const TimedPass& pass) { return pass.pass.kind == kind; });
    return hasBlock(figures)
        && std::any_of(figures.design->block()->passes.begin(), figures.design->block()->passes.end(),
            [&](const BlockPass& pass) { return pass.slot.first.kind == kind || pass.slot.second.kind == kind; });
}

struct LegendEntry {
    QString text;
    PassColours colours;
    PassKind kind = PassKind::F;
};

std::vector<LegendEntry> legendOf(const Sheet& sheet)
{
    std::vector<LegendEntry> entries;
    const std::pair<PassKind, const char*> kinds[] { { PassKind::F, "F forward" }, { PassKind::B, "B input gradient" },
        { PassKind::W, "W weight gradient" }, { PassKind::BW, "BW both gradients" } };
    for (const auto& [kind, text] : kinds)
        if (uses(sheet.figures, kind))
            entries.push_back({ tr(text), sheet.theme.of(kind), kind });
    if (shows(sheet.options.what, FigureOptions::What::Schedule))
        entries.push_back({ tr("idle"), { sheet.theme.idle, sheet.theme.border, sheet.theme.text }, PassKind::None });
    return entries;
}

/// Paints the legend, or only measures it without a painter. Gives the height.
double layLegend(QPainter* painter, const Sheet& sheet, double top)
{
    const QFontMetricsF metrics(sheet.font);
    const double box = std::max(sheet.text, 12.0); // a BW shows its band from 12 on
    double x = sheet.margin;
    double y = top;
    for (const LegendEntry& entry : legendOf(sheet)) {
        const double width = box + 5 + metrics.horizontalAdvance(entry.text);
        if (x > sheet.margin && x + width > sheet.options.width - sheet.margin) {
            x = sheet.margin;
            y += sheet.line;
        }
        if (painter) {
            const QRectF swatch(x, y + (sheet.line - box) / 2, box, box);
            drawPass(*painter, swatch, { entry.colours, entry.kind, 0, {} }, sheet.theme);
            painter->setPen(sheet.theme.text);
            painter->drawText(
                QRectF(x + box + 5, y, width, sheet.line), Qt::AlignVCenter | Qt::TextSingleLine, entry.text);
        }
        x += width + 1.5 * sheet.text;
    }
    return y + sheet.line - top;
}

/// Paints all parts, or only measures them without a painter. Gives the height.
double lay(QPainter* painter, const Sheet& sheet)
{
    const FigureOptions& options = sheet.options;
    const double gap = 0.9 * sheet.text;
    double y = sheet.margin;
    const auto textLines = [&](const QString& text, const QFont& font, const QColor& colour) {
        for (const QString& line : wrapped(sheet, text)) {
            if (painter) {
                painter->setFont(font);
                painter->setPen(colour);
                painter->drawText(QRectF(sheet.margin, y, options.width - 2 * sheet.margin, sheet.line),
                    Qt::AlignVCenter | Qt::TextSingleLine, line);
            }
            y += sheet.line;
        }
    };
    if (!options.title.isEmpty()) {
        textLines(options.title, sheet.bold, sheet.theme.text);
        y += gap / 2;
    }
    if (shows(options.what, FigureOptions::What::Block) && hasBlock(sheet.figures)) {
        if (painter)
            paintBlock(*painter, sheet, y);
        y += blockHeight(sheet) + gap;
    }
    if (shows(options.what, FigureOptions::What::Schedule) && hasSchedule(sheet.figures)) {
        if (painter)
            paintSchedule(*painter, sheet, y);
        y += scheduleHeight(sheet) + gap;
    }
    if (options.legend) {
        if (painter)
            painter->setFont(sheet.font);
        y += layLegend(painter, sheet, y);
    }
    if (options.caption)
        textLines(captionText(sheet.figures), sheet.font, sheet.theme.muted);
    return y + sheet.margin;
}

QColor grey(const QColor& colour)
{
    const int level = qGray(colour.rgb());
    return QColor(level, level, level, colour.alpha());
}

} // namespace

Theme inGreyscale(Theme theme)
{
    for (QColor* colour : { &theme.window, &theme.panel, &theme.header, &theme.border, &theme.grid, &theme.gridStrong,
             &theme.text, &theme.muted, &theme.accent, &theme.accentSoft, &theme.error, &theme.lifespan,
             &theme.lifespanSoft, &theme.memoryFill, &theme.memoryLine, &theme.limit, &theme.idle, &theme.transfer })
        *colour = grey(*colour);
    for (PassColours* colours : { &theme.forward, &theme.backward, &theme.weights })
        *colours = { grey(colours->fill), grey(colours->edge), grey(colours->text) };
    return theme;
}

QString captionText(const Figures& figures)
{
    const QString sizes = sizesLine(*figures.design);
    const QString numbers = figuresLine(figures);
    return numbers.isEmpty() ? sizes : sizes + " · " + numbers;
}

bool hasFigure(const Figures& figures, FigureOptions::What what)
{
    return (shows(what, FigureOptions::What::Block) && hasBlock(figures))
        || (shows(what, FigureOptions::What::Schedule) && hasSchedule(figures));
}

std::int64_t passCount(const Figures& figures, FigureOptions::What what)
{
    std::int64_t count = 0;
    if (shows(what, FigureOptions::What::Block) && hasBlock(figures))
        count += static_cast<std::int64_t>(figures.design->block()->passes.size());
    if (shows(what, FigureOptions::What::Schedule) && hasSchedule(figures))
        count += static_cast<std::int64_t>(figures.plan.timeline.passes.size());
    return count;
}

QString exportProblem(const Figures& figures)
{
    if (figures.pending)
        return tr("The reordered schedule is still being made.");
    if (figures.standing == Standing::Whole)
        return {};
    if (!figures.reason.empty())
        return QString::fromStdString(figures.reason);
    for (const Finding& finding : figures.findings)
        if (finding.severity == Severity::Error)
            return QString::fromStdString(finding.message);
    return tr("There is no schedule yet.");
}

Sheet::Sheet(const Figures& of, const FigureOptions& asked)
    : figures(of)
    , options(asked)
    , theme(asked.dark ? darkTheme() : lightTheme())
    , font(uiFont(11))
    , bold(uiFont(11, QFont::DemiBold))
    , small(uiFont(9))
    , text(asked.textPixels)
    , line(1.45 * asked.textPixels)
    , margin(0.8 * asked.textPixels)
{
    if (options.greyscale)
        theme = inGreyscale(theme);
    font.setPixelSize(std::max(1, static_cast<int>(std::lround(text))));
    bold.setPixelSize(std::max(1, static_cast<int>(std::lround(1.1 * text))));
    small.setPixelSize(std::max(1, static_cast<int>(std::lround(0.85 * text))));
    const int devices = figures.design ? figures.design->pipeline.devices : 1;
    // Up to 16 devices in full, more share the height of those.
    rowHeight = std::clamp(32 * text / devices, 2.0, 2 * text);
    const QFontMetricsF metrics(font);
    labelWidth = named(rowHeight) ? metrics.horizontalAdvance(QString("dev %1").arg(devices - 1)) + text : text / 2;
}

QStringList wrapped(const Sheet& sheet, const QString& text)
{
    const QFontMetricsF metrics(sheet.font);
    const double width = sheet.options.width - 2 * sheet.margin;
    QStringList lines;
    for (const QString& part : text.split(" · ")) {
        const QString joined = lines.isEmpty() ? part : lines.back() + " · " + part;
        if (!lines.isEmpty() && metrics.horizontalAdvance(joined) <= width)
            lines.back() = joined;
        else
            lines << part;
    }
    return lines;
}

void paintRuler(
    QPainter& painter, const Sheet& sheet, const TimeMap& time, Ticks last, Ticks unit, double top, double bottom)
{
    painter.setFont(sheet.small);
    const Ticks step = rulerStep(time.pixelsPerTick, 4 * sheet.text, unit);
    const double right = sheet.left() + sheet.areaWidth();
    for (Ticks tick = 0; tick <= last; tick += step) {
        const double x = sheet.left() + time.xOf(tick);
        painter.fillRect(QRectF(x, top + sheet.line - 3, 0.75, bottom - top - sheet.line + 3), sheet.theme.gridStrong);
        if (x + 2 * sheet.text > right && tick > 0)
            continue;
        painter.setPen(sheet.theme.muted);
        painter.drawText(QRectF(x + 2, top, 6 * sheet.text, sheet.line - 2), Qt::AlignVCenter | Qt::TextSingleLine,
            QString::number(tick));
    }
}

void paintDeviceName(QPainter& painter, const Sheet& sheet, int device, double top, double height)
{
    if (!sheet.named(sheet.rowHeight))
        return;
    painter.setFont(sheet.font);
    painter.setPen(sheet.theme.text);
    painter.drawText(QRectF(sheet.margin, top, sheet.labelWidth, height), Qt::AlignVCenter | Qt::TextSingleLine,
        QString("dev %1").arg(device));
}

QSizeF figureSize(const Figures& figures, const FigureOptions& options)
{
    const Sheet sheet(figures, options);
    return { options.width, std::ceil(lay(nullptr, sheet)) };
}

void paintFigure(QPainter& painter, const Figures& figures, const FigureOptions& options)
{
    const Sheet sheet(figures, options);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(QRectF({ 0, 0 }, QSizeF(options.width, std::ceil(lay(nullptr, sheet)))), sheet.theme.panel);
    lay(&painter, sheet);
    painter.restore();
}

} // namespace pipeloom::designer
