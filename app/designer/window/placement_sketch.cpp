// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/placement_sketch.h"

#include "app/designer/style/theme.h"
#include "app/designer/view/coordinates.h"
#include "app/designer/view/pass_look.h"

#include <QPainter>

namespace pipeloom::designer {

PlacementSketch::PlacementSketch(QWidget* parent)
    : QWidget(parent)
{
    setObjectName("placementSketch");
    setMinimumHeight(130);
}

void PlacementSketch::show(const Pipeline& pipeline)
{
    pipeline_ = pipeline;
    QStringList places;
    if (!pipeline_.routes.empty())
        for (const DeviceId device : pipeline_.routes.front())
            places << QString::number(device.value);
    setAccessibleName(tr("Stages live on devices %1").arg(places.join(", ")));
    update();
}

void PlacementSketch::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event);
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.panel);
    painter.setPen(theme.border);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
    if (pipeline_.routes.empty() || pipeline_.routes.front().empty())
        return;
    const Placement& route = pipeline_.routes.front();
    painter.setFont(uiFont(11));
    const bool named = pipeline_.devices <= 8;
    const double labels = named ? painter.fontMetrics().horizontalAdvance("dev 0") + 18 : 12;
    const QRectF area = QRectF(rect()).adjusted(labels, 10, -12, -10);
    const double rowHeight = area.height() / pipeline_.devices;
    const double columnWidth = std::min(area.width() / pipeline_.stages, 40.0);
    const double boxHeight = std::clamp(rowHeight - 4, 1.0, 24.0);
    for (int device = 0; device < pipeline_.devices; ++device) {
        const double middle = area.top() + rowHeight * (device + 0.5);
        painter.fillRect(QRectF(area.left(), snapped(middle, 1), columnWidth * pipeline_.stages, 1), theme.grid);
        if (named) {
            painter.setPen(theme.muted);
            painter.drawText(QRectF(10, middle - 10, labels, 20), Qt::AlignVCenter, QString("dev %1").arg(device));
        }
    }
    QPointF before;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.muted, 1));
    for (std::size_t stage = 0; stage < route.size(); ++stage) {
        const QPointF at(area.left() + columnWidth * (static_cast<double>(stage) + 0.5),
            area.top() + rowHeight * (route[stage].value + 0.5));
        if (stage > 0)
            painter.drawLine(before, at);
        before = at;
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (std::size_t stage = 0; stage < route.size(); ++stage) {
        const double x = area.left() + columnWidth * static_cast<double>(stage);
        const double middle = area.top() + rowHeight * (route[stage].value + 0.5);
        const double gap = std::min(4.0, columnWidth / 8);
        const QRectF box(snapped(x + gap, 1), snapped(middle - boxHeight / 2, 1),
            std::max(1.0, snapped(columnWidth - 2 * gap, 1)), snapped(boxHeight, 1));
        const QString label = boxHeight >= 12 ? fittingLabel({ QString("s%1").arg(stage), QString::number(stage) },
                                  box.width(), QFontMetricsF(painter.font()))
                                              : QString();
        drawPass(painter, box, { theme.forward, PassKind::F, 0, label }, theme);
    }
}

} // namespace pipeloom::designer
