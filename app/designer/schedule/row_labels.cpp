// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/schedule/row_labels.h"

#include "app/designer/schedule/pass_raster.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("pipeloom::designer::Timeline", text); }

QString limitText(const ScheduleData& data, DeviceId device)
{
    const std::optional<Bytes> limit = data.design().memory.limit[device.index()];
    return limit ? tr("limit %1").arg(levelText(*limit, data.design().memory.unit)) : QString();
}

QString peakText(const ScheduleData& data, DeviceId device)
{
    return tr("peak %1").arg(levelText(data.metrics().devices[device.index()].peak, data.design().memory.unit));
}

} // namespace

QString levelText(Bytes amount, MemoryUnit unit)
{
    if (unit == MemoryUnit::Activation)
        return QString::number(amount);
    constexpr std::array<const char*, 5> units { "B", "kB", "MB", "GB", "TB" };
    double value = static_cast<double>(amount);
    std::size_t at = 0;
    while (std::abs(value) >= 1000 && at + 1 < units.size()) { // as findings and the command line say it
        value /= 1000;
        ++at;
    }
    const int digits = at == 0 || std::abs(value) >= 100 ? 0 : std::abs(value) >= 10 ? 1 : 2;
    return QString::number(value, 'f', digits) + QChar(0x00A0) + QLatin1String(units[at]);
}

QString stagesText(const Pipeline& pipeline, DeviceId device)
{
    QStringList routes;
    for (const Placement& placement : pipeline.routes) {
        QStringList stages;
        for (std::size_t s = 0; s < placement.size(); ++s)
            if (placement[s] == device)
                stages << QStringLiteral("s%1").arg(s);
        routes << stages.join(QStringLiteral(" · "));
    }
    return routes.join(QStringLiteral(" | "));
}

double labelWidthFor(const ScheduleData& data)
{
    double widest = 56;
    if (data.isEmpty())
        return widest + 14;
    const QFontMetricsF small(uiFont(11));
    const std::int32_t rows = std::min(data.devices(), 64);
    for (std::int32_t row = 0; row < rows; ++row) {
        const DeviceId device { row };
        widest = std::max({ widest, small.horizontalAdvance(peakText(data, device)),
            small.horizontalAdvance(limitText(data, device)) });
        if (data.pipeline().routeCount() > 1)
            widest = std::max(widest, small.horizontalAdvance(stagesText(data.pipeline(), device)));
    }
    return std::ceil(std::min(widest, 130.0)) + 14;
}

void drawRuler(QPainter& painter, const TimelineScene& scene)
{
    const BuildingBlock* block = scene.data->design().block();
    const Ticks unit = block ? std::max<Ticks>(block->interval, 1) : 1;
    const double scale = scene.map.pixelsPerTick;
    const RowPlace place { scene.map, scene.labelWidth, scene.plotWidth(), 0, TimelineScene::rulerHeight, scene.ratio };
    drawRuler(painter, place, rulerStep(scale, 52, unit), rulerStep(scale, 6, 1), *scene.theme,
        [](Ticks time) { return QLocale().toString(static_cast<qlonglong>(time)); });
}

void drawRuler(QPainter& painter, const RowPlace& place, Ticks step, Ticks minor, const Theme& theme,
    const std::function<QString(Ticks)>& text)
{
    const double width = place.left + place.width;
    painter.fillRect(QRectF(0, place.top, width, place.height), theme.panel);
    painter.setFont(uiFont(11));
    painter.setPen(theme.muted);
    painter.setClipRect(QRectF(place.left - 1, place.top, place.width + 1, place.height));
    const double end = place.map.timeAt(place.width);
    const QFontMetricsF metrics(painter.font());
    const auto xOf = [&](Ticks time) { return place.left + place.map.xOf(time); };
    const auto mark = [&](Ticks time, double length, const QColor& colour) {
        painter.fillRect(QRectF(snapped(xOf(time), place.ratio), place.top + place.height - length, 1, length), colour);
    };
    const auto firstOf = [&](Ticks every) {
        return static_cast<Ticks>(std::floor(place.map.begin / static_cast<double>(every))) * every;
    };
    if (step % minor == 0 && step > minor)
        for (Ticks time = firstOf(minor); static_cast<double>(time) <= end; time += minor)
            mark(time, 5, theme.gridStrong);
    for (Ticks time = firstOf(step); static_cast<double>(time) <= end; time += step) {
        mark(time, 16, theme.gridStrong);
        const QString label = text(time);
        if (xOf(time) + 3 + metrics.horizontalAdvance(label) < width)
            painter.drawText(QRectF(xOf(time) + 3, place.top + 1, 90, 18), Qt::AlignLeft | Qt::AlignVCenter, label);
    }
    painter.setClipping(false);
}

void drawRowLabels(QPainter& painter, const TimelineScene& scene)
{
    const Theme& theme = *scene.theme;
    const ScheduleData& data = *scene.data;
    const bool routes = data.pipeline().routeCount() > 1;
    painter.fillRect(QRectF(0, TimelineScene::rulerHeight, scene.labelWidth, scene.height), theme.panel);
    const double height = scene.layout.rowHeight;
    const int namePixels = std::clamp(static_cast<int>(height) - 1, 8, 12);
    // Names that would run into each other are left out, all but every n-th.
    const auto every = static_cast<std::int32_t>(std::ceil(10 / height));
    const QFont name = uiFont(namePixels, height >= RowLayout::levelFrom ? QFont::DemiBold : QFont::Normal);
    const QFont small = uiFont(11);
    for (std::int32_t row = scene.firstRow(); row < scene.endRow(); ++row) {
        const RowBands bands = scene.bandsAt(row);
        const DeviceId device { row };
        const bool separates = scene.layout.detail() != RowDetail::Line;
        if (separates)
            painter.fillRect(
                QRectF(0, bands.top + bands.height - 1 / scene.ratio, scene.labelWidth, 1 / scene.ratio), theme.border);
        const auto line = [&](double y, const QString& text, const QFont& font, const QColor& colour) {
            painter.setFont(font);
            painter.setPen(colour);
            painter.drawText(QRectF(10, y, scene.labelWidth - 12, 16), Qt::AlignLeft | Qt::AlignVCenter,
                QFontMetricsF(font).elidedText(text, Qt::ElideRight, scene.labelWidth - 12));
        };
        if (scene.layout.detail() == RowDetail::Curve) {
            double y = bands.passTop + std::min(bands.passHeight / 2, 14.0) - 8;
            line(y, tr("dev %1").arg(row), name, theme.text);
            const int lines = 1 + (routes ? 1 : 0) + (limitText(data, device).isEmpty() ? 0 : 1);
            const double room = bands.top + bands.height - (y + 16) - 3;
            const double step = std::min(14.0, room / lines);
            y = std::max(
                y + 16, bands.memoryHeight > 0 && !routes ? bands.top + bands.height - lines * step - 8 : y + 16);
            if (routes) {
                line(y, stagesText(data.pipeline(), device), small, theme.muted);
                y += step;
            }
            line(y, peakText(data, device), small, theme.muted);
            if (const QString limit = limitText(data, device); !limit.isEmpty())
                line(y + step, limit, small, theme.limit);
        } else if (row % every == 0) {
            line(bands.top + height / 2 - 8, tr("dev %1").arg(row), name, theme.text);
        }
    }
}

namespace {

const std::array<QString, passKinds> kindNames { "F", "B", "W", "BW" };

void prepare(QStaticText& made, const QString& text, const QFont& font)
{
    made.setText(text);
    made.setTextFormat(Qt::PlainText);
    made.setPerformanceHint(QStaticText::AggressiveCaching);
    made.prepare({}, font);
}

} // namespace

const PassLabels::Label& PassLabels::label(const QString& text)
{
    Label& made = texts_[text];
    if (made.width == 0) {
        prepare(made.text, text, font_);
        made.width = QFontMetricsF(font_).horizontalAdvance(text);
        made.height = made.text.size().height();
    }
    return made;
}

const PassLabels::Label& PassLabels::number(std::int32_t value)
{
    constexpr std::size_t mostKept = 1 << 16;
    const auto at = static_cast<std::size_t>(value) % mostKept;
    if (at != static_cast<std::size_t>(value))
        return label(QString::number(value)); // rare: they are looked up by text
    if (at >= numbers_.size())
        numbers_.resize(std::min(mostKept, at * 2 + 64));
    Label& made = numbers_[at];
    if (made.width == 0) {
        const QString text = QString::number(value);
        prepare(made.text, text, font_);
        made.width = QFontMetricsF(font_).horizontalAdvance(text);
        made.height = made.text.size().height();
    }
    return made;
}

PassLabels::Parts PassLabels::fitting(const Pass& pass, double width)
{
    // Making a text may move the others: the kinds are there already, and of the numbers the highest is made first.
    const std::int32_t highest = std::max(pass.stage.value, pass.microBatch.value);
    number(highest);
    // What fits is judged by wide digits and the widest kind, so that neighbours of one width are labelled alike.
    const auto room = [&](std::int32_t value) {
        int digits = 1;
        for (std::int32_t rest = value / 10; rest > 0; rest /= 10)
            ++digits;
        return digits * widestDigit_;
    };
    const Label& microBatch = number(pass.microBatch.value);
    double taken = room(pass.microBatch.value);
    if (taken + 4 > width)
        return {};
    const Label& kind = label(kindNames[pipeloom::index(pass.kind)]);
    Parts parts { { nullptr, nullptr, &microBatch }, microBatch.width };
    taken += std::max(kind.width, widestKind_);
    if (taken + 1 > width)
        return parts;
    parts.of[1] = &kind;
    parts.width += kind.width;
    const Label& stage = number(pass.stage.value);
    if (taken + room(pass.stage.value) + 4 > width)
        return parts;
    parts.of[0] = &stage;
    parts.width += stage.width;
    return parts;
}

void PassLabels::drawParts(QPainter& painter, const Parts& parts, QPointF centre)
{
    double x = centre.x() - parts.width / 2;
    for (const Label* part : parts.of)
        if (part) {
            painter.drawStaticText(QPointF(x, centre.y() - part->height / 2), part->text);
            x += part->width;
        }
}

void PassLabels::draw(QPainter& painter, const TimelineScene& scene, const PassTones& tones)
{
    std::vector<LabelledRow> rows;
    for (std::int32_t row = scene.firstRow(); row < scene.endRow(); ++row)
        rows.push_back({ scene.data->row(DeviceId { row }), scene.placeOf(DeviceId { row }) });
    draw(painter, rows, QRectF(scene.labelWidth, TimelineScene::rulerHeight, scene.plotWidth(), scene.height), tones);
}

void PassLabels::draw(QPainter& painter, std::vector<LabelledRow> rows, const QRectF& clip, const PassTones& tones)
{
    std::erase_if(rows, [this](const LabelledRow& each) {
        return passDetail(each.row.meanTicks * each.place.map.pixelsPerTick) != PassDetail::Labelled
            || each.place.height < pixels_ + 1;
    });
    std::size_t passes = 0;
    for (const LabelledRow& each : rows)
        passes
            += each.row.firstAfter(each.place.map.timeAt(each.place.width)) - each.row.firstAfter(each.place.map.begin);
    if (passes > mostLabels)
        return; // some rows with and some without would look broken
    font_ = uiFont(pixels_);
    widestDigit_ = QFontMetricsF(font_).horizontalAdvance(QLatin1Char('0'));
    widestKind_ = QFontMetricsF(font_).horizontalAdvance(QLatin1Char('W'));
    for (const QString& kind : kindNames)
        label(kind);
    painter.setFont(font_);
    painter.setClipRect(clip);
    for (const LabelledRow& each : rows)
        drawRow(painter, each, tones);
    painter.setClipping(false);
}

void PassLabels::drawRow(QPainter& painter, const LabelledRow& of, const PassTones& tones)
{
    const double end = of.place.map.timeAt(of.place.width);
    std::optional<QRgb> pen;
    for (std::size_t i = of.row.firstAfter(of.place.map.begin); i < of.row.passes.size(); ++i) {
        const Pass& pass = of.row.passes[i].pass;
        if (static_cast<double>(of.row.passes[i].start) >= end)
            break;
        const QRectF rect = of.place.rectOf(of.row, i);
        // Judged before edges are snapped, so that passes of one length are labelled alike.
        const double exact
            = static_cast<double>(of.row.passes[i].end - of.row.passes[i].start) * of.place.map.pixelsPerTick;
        const Parts parts = rect.height() < pixels_ + 1 ? Parts {} : fitting(pass, std::min(exact, rect.width() + 0.5));
        if (!parts.of[2])
            continue;
        if (const QRgb text = tones.of(of.row, i).text; text != pen) {
            pen = text;
            painter.setPen(QColor(text));
        }
        const std::int32_t chunk = of.row.chunk(pass.stage);
        const double raise = chunk > 0 && rect.height() < 26 ? std::min(chunk, 3) : 0;
        drawParts(painter, parts, rect.center() - QPointF(0, raise));
    }
}

} // namespace pipeloom::designer
