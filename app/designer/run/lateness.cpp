// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/lateness.h"

#include "app/designer/run/plan_text.h"
#include "app/designer/run/run_picture.h"

#include <QFontMetrics>
#include <QPainter>

namespace pipeloom::designer {

namespace {

constexpr int barWidth = 84;
constexpr int barHeight = 10;
constexpr int gap = 6;

} // namespace

std::vector<PassTone> latenessTones(const Theme& theme)
{
    const QColor earliest("#6f9fd8");
    const QColor middle("#a3a6ab");
    const QColor latest("#e8743b");
    const QColor text("#101010");
    std::vector<PassTone> tones;
    constexpr int steps = RunPicture::onTime;
    for (int grade = 0; grade <= 2 * steps; ++grade) {
        const double off = static_cast<double>(grade - steps) / steps;
        const QColor fill = mixed(middle, off < 0 ? earliest : latest, std::abs(off));
        const QColor edge = theme.dark ? mixed(fill, Qt::white, 0.3) : mixed(fill, Qt::black, 0.3);
        tones.push_back({ fill.rgb(), edge.rgb(), text.rgb() });
    }
    return tones;
}

LatenessLegend::LatenessLegend(QWidget* parent)
    : QWidget(parent)
{
    setObjectName("run.latenessLegend");
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    setScale(0);
}

void LatenessLegend::setScale(Ticks nanos)
{
    scale_ = nanos;
    setAccessibleName(
        nanos > 0 ? tr("Colours from %1 earlier than planned to %1 later").arg(nanosText(nanos)) : tr("Lateness"));
    setToolTip(nanos > 0
            ? tr("How much later than planned a pass started, counted from the step's beginning. The colours end "
                 "at %1, a tenth of the planned step.")
                  .arg(nanosText(nanos))
            : tr("How much later than planned a pass started"));
    updateGeometry();
    update();
}

QString LatenessLegend::text(bool later) const
{
    if (scale_ <= 0)
        return later ? tr("later") : tr("earlier");
    return (later ? tr("%1 later") : tr("%1 earlier")).arg(nanosText(scale_));
}

QSize LatenessLegend::sizeHint() const
{
    const QFontMetrics metrics(uiFont(11));
    return { metrics.horizontalAdvance(text(false)) + metrics.horizontalAdvance(text(true)) + barWidth + 2 * gap,
        metrics.height() + 4 };
}

void LatenessLegend::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event);
    QPainter painter(this);
    const Theme& theme = themeOf(this);
    const std::vector<PassTone> tones = latenessTones(theme);
    painter.setFont(uiFont(11));
    painter.setPen(theme.muted);
    const QFontMetrics metrics(painter.font());
    const int before = metrics.horizontalAdvance(text(false));
    const bool hasRoom = width() >= sizeHint().width();
    int x = 0;
    if (hasRoom) {
        painter.drawText(QRect(0, 0, before + 1, height()), Qt::AlignLeft | Qt::AlignVCenter, text(false));
        painter.drawText(
            QRect(before + barWidth + 2 * gap, 0, width(), height()), Qt::AlignLeft | Qt::AlignVCenter, text(true));
        x = before + gap;
    }
    const int bar = hasRoom ? barWidth : std::min(width(), barWidth);
    const auto count = static_cast<int>(tones.size());
    for (int i = 0; i < count; ++i) {
        const int from = x + bar * i / count;
        painter.fillRect(QRect(from, (height() - barHeight) / 2, x + bar * (i + 1) / count - from, barHeight),
            QColor(tones[static_cast<std::size_t>(i)].fill));
    }
}

} // namespace pipeloom::designer
