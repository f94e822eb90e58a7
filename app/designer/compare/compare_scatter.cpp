// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/compare/compare_scatter.h"

#include "app/designer/compare/compare_table.h"
#include "app/designer/style/theme.h"

#include <QApplication>
#include <QChart>
#include <QEvent>
#include <QScatterSeries>
#include <QStringList>
#include <QValueAxis>

#include <algorithm>
#include <array>
#include <cmath>

namespace pipeloom::designer {

namespace {

constexpr std::array<const char*, 6> byteUnits { "B", "kB", "MB", "GB", "TB", "PB" };

/// The unit in which the largest of the amounts is below 1000.
std::size_t byteUnit(double most)
{
    std::size_t unit = 0;
    for (; unit + 1 < byteUnits.size() && most >= 1000; ++unit)
        most /= 1000;
    return unit;
}

void dress(QValueAxis& axis, const QString& title, const Theme& theme)
{
    const int pixels = 11 * QApplication::font().pixelSize() / 13;
    axis.setTitleText(title);
    axis.setTitleFont(uiFont(pixels));
    axis.setTitleBrush(theme.muted);
    axis.setLabelsFont(uiFont(pixels));
    axis.setLabelsColor(theme.muted);
    axis.setGridLineColor(theme.grid);
    axis.setLinePenColor(theme.border);
}

/// From below the least to above the most, with air for the labels, on whole steps.
void setRange(QValueAxis& axis, double least, double most)
{
    const double spread = std::max(most - least, std::max(most * 0.2, 1.0));
    const double magnitude = std::pow(10, std::floor(std::log10(spread)));
    const double step = spread / magnitude < 2 ? magnitude / 2 : spread / magnitude < 5 ? magnitude : 2 * magnitude;
    axis.setRange(std::max(std::floor((least - spread * 0.3) / step) * step, 0.0),
        std::ceil((most + spread * 0.2) / step) * step);
    axis.setTickType(QValueAxis::TicksDynamic);
    axis.setTickAnchor(0);
    axis.setTickInterval(2 * step);
    axis.setLabelFormat(step < 1 ? "%.1f" : "%.0f");
}

} // namespace

CompareScatter::CompareScatter(CompareList& list, QWidget* parent)
    : QChartView(new QChart, parent)
    , list_(list)
{
    setObjectName("compareScatter");
    setAccessibleName(tr("Highest peak against step time"));
    setFrameShape(NoFrame);
    viewport()->setFocusPolicy(Qt::NoFocus); // Tab comes to the view itself, once
    setRenderHint(QPainter::Antialiasing);
    chart()->legend()->hide();
    chart()->setMargins(QMargins(4, 4, 4, 4));
    chart()->layout()->setContentsMargins(0, 0, 0, 0);
    chart()->setBackgroundRoundness(0);
    connect(&list_, &CompareList::structureChanged, this, &CompareScatter::take);
    connect(&list_, &CompareList::figuresChanged, this, &CompareScatter::take);
    take();
}

std::vector<QPointF> CompareScatter::points() const
{
    std::vector<QPointF> found;
    for (const QAbstractSeries* series : chart()->series())
        if (const auto* scatter = qobject_cast<const QScatterSeries*>(series))
            for (const QPointF& point : scatter->points())
                found.push_back(point);
    return found;
}

void CompareScatter::take()
{
    const Theme& theme = themeOf(this);
    chart()->removeAllSeries();
    for (QAbstractAxis* axis : chart()->axes()) {
        chart()->removeAxis(axis);
        delete axis;
    }
    chart()->setBackgroundBrush(theme.panel);
    chart()->setBackgroundPen(Qt::NoPen);
    double leastX = 0, mostX = 0, leastY = 0, mostY = 0;
    bool some = false;
    const bool bytes = list_.size() > 0 && list_.designs().front().design->memory.unit == MemoryUnit::Byte;
    for (const ComparedDesign& each : list_.designs())
        if (each.compared)
            mostY = std::max(mostY, each.compared->peak);
    const std::size_t unit = bytes ? byteUnit(mostY) : 0;
    mostY = 0;
    const double scale = std::pow(1000.0, static_cast<double>(unit));

    std::vector<std::pair<QPointF, QScatterSeries*>> placed;
    for (int design = 0; design < list_.size(); ++design) {
        const ComparedDesign& each = list_.designs()[static_cast<std::size_t>(design)];
        if (!each.compared)
            continue;
        const double tickUs = list_.designs().front().design->costs.tickUs;
        const QPointF point(each.compared->stepUs / tickUs, each.compared->peak / scale);
        leastX = some ? std::min(leastX, point.x()) : point.x();
        mostX = std::max(mostX, point.x());
        leastY = some ? std::min(leastY, point.y()) : point.y();
        mostY = std::max(mostY, point.y());
        some = true;
        auto* series = new QScatterSeries;
        series->append(point);
        series->setColor(compareColour(design));
        series->setBorderColor(theme.panel);
        series->setMarkerSize(11);
        series->setPointLabelsColor(theme.text);
        series->setPointLabelsFont(uiFont(11 * QApplication::font().pixelSize() / 13));
        series->setPointLabelsClipping(false);
        // Designs on one point share one label, else theirs would cover each other.
        const auto same = std::find_if(placed.begin(), placed.end(), [&](const auto& other) {
            return std::abs(other.first.x() - point.x()) < 1e-6 && std::abs(other.first.y() - point.y()) < 1e-6;
        });
        if (same != placed.end()) {
            same->second->setPointLabelsFormat(same->second->pointLabelsFormat() + ", " + each.name);
        } else {
            series->setPointLabelsFormat(each.name);
            series->setPointLabelsVisible(true);
            placed.emplace_back(point, series);
        }
        chart()->addSeries(series);
    }
    if (!some)
        return;
    auto* time = new QValueAxis;
    auto* memory = new QValueAxis;
    dress(*time, tr("step time, ticks"), theme);
    dress(*memory, bytes ? tr("highest peak, %1").arg(byteUnits[unit]) : tr("highest peak, micro-batches"), theme);
    setRange(*time, leastX, mostX);
    setRange(*memory, leastY, mostY);
    chart()->addAxis(time, Qt::AlignBottom);
    chart()->addAxis(memory, Qt::AlignLeft);
    QStringList spoken;
    for (QAbstractSeries* series : chart()->series()) {
        series->attachAxis(time);
        series->attachAxis(memory);
        const auto* scatter = static_cast<QScatterSeries*>(series);
        spoken += tr("%1 at %2, %3").arg(scatter->pointLabelsFormat()).arg(scatter->at(0).x()).arg(scatter->at(0).y());
    }
    setAccessibleDescription(spoken.join("; "));
}

void CompareScatter::changeEvent(QEvent* event)
{
    QChartView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::ApplicationFontChange)
        take();
}

} // namespace pipeloom::designer
