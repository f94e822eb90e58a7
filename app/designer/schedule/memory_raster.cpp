// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/schedule/memory_raster.h"

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

namespace {

int heightOf(Bytes level, const MemoryMarks& marks, int height)
{
    const double share = static_cast<double>(std::max<Bytes>(level, 0)) / static_cast<double>(marks.scale);
    return static_cast<int>(std::lround(std::min(share, 1.0) * height));
}

QRgb* lineOf(QImage& image, int y, int x)
{
    return y >= 0 && y < image.height() ? reinterpret_cast<QRgb*>(image.scanLine(y)) + x : nullptr;
}

} // namespace

void drawMemoryCurve(QImage& image, const std::vector<ColumnLevel>& levels, const PixelRect& area,
    const MemoryMarks& marks, const Theme& theme, double ratio, double fade)
{
    const int thin = std::max(1, static_cast<int>(std::lround(ratio)));
    const auto width = static_cast<std::size_t>(std::min(area.width, image.width() - area.x));
    struct Column {
        int top;      ///< of the fill
        int lineFrom; ///< of the outline
        int lineTo;
        QRgb fill;
        QRgb line;
    };
    const QRgb fill = mixed(theme.memoryFill, theme.panel, fade).rgb();
    const QRgb line = mixed(theme.memoryLine, theme.panel, fade).rgb();
    const QRgb overFill = mixed(theme.limit, theme.panel, 0.75 + fade / 4).rgb();
    const QRgb limitColour = mixed(theme.limit, theme.panel, 0.25 + fade / 2).rgb();
    std::vector<Column> columns(width);
    int before = area.height;
    for (std::size_t x = 0; x < width; ++x) {
        const ColumnLevel& level = levels[x];
        const bool over = level.inside() && marks.limit && level.most > *marks.limit;
        const int top = level.inside() ? area.height - heightOf(level.most, marks, area.height) : area.height;
        const int from = std::min(top, before);
        const int to = std::max(top, before);
        const bool outside = !level.inside() && before == area.height;
        columns[x] = { top, outside ? area.height : std::min(from, area.height - thin),
            outside ? area.height : std::max(to, top + thin), over ? overFill : fill, over ? limitColour : line };
        before = top;
    }
    const int limitAt = marks.limit ? area.height - heightOf(*marks.limit, marks, area.height) : -1;
    const int dash = std::max(2, static_cast<int>(std::lround(4 * ratio)));
    for (int y = 0; y < area.height; ++y) {
        QRgb* const to = lineOf(image, area.y + y, area.x);
        if (!to)
            continue;
        const bool onLimit = limitAt >= 0 && y >= limitAt && y < limitAt + thin;
        for (std::size_t x = 0; x < width; ++x) {
            const Column& column = columns[x];
            if (y >= column.lineFrom && y < column.lineTo)
                to[x] = column.line;
            else if (y >= column.top)
                to[x] = column.fill;
            if (onLimit && static_cast<int>(x) % (dash + dash * 3 / 4) < dash)
                to[x] = limitColour;
        }
    }
}

void drawMemoryStrip(QImage& image, const std::vector<ColumnLevel>& levels, const PixelRect& area,
    const MemoryMarks& marks, const Theme& theme, double fade)
{
    constexpr int tones = 16;
    std::array<QRgb, tones + 1> tone {};
    for (int i = 0; i <= tones; ++i) {
        const QColor level = mixed(mixed(theme.memoryFill, theme.panel, 0.5), theme.memoryLine, i / double { tones });
        tone[static_cast<std::size_t>(i)] = mixed(level, theme.panel, fade).rgb();
    }
    const QRgb over = mixed(theme.limit, theme.panel, fade).rgb();
    const auto width = static_cast<std::size_t>(std::min(area.width, image.width() - area.x));
    std::vector<QRgb> line(width, 0);
    for (std::size_t x = 0; x < width; ++x)
        if (levels[x].inside())
            line[x] = marks.limit && levels[x].most > *marks.limit
                ? over
                : tone[static_cast<std::size_t>(heightOf(levels[x].most, marks, tones))];
    for (int y = 0; y < area.height; ++y)
        if (QRgb* const to = lineOf(image, area.y + y, area.x))
            for (std::size_t x = 0; x < width; ++x)
                if (line[x] != 0)
                    to[x] = line[x];
}

namespace {

/// The line on top of the levels; `isDrawn` tells which columns of it are.
template <class Drawn>
void drawTop(QImage& image, const std::vector<ColumnLevel>& levels, const PixelRect& area, const MemoryMarks& marks,
    QRgb colour, double ratio, Drawn isDrawn)
{
    const int thin = std::max(1, static_cast<int>(std::lround(ratio)));
    const auto width = static_cast<std::size_t>(std::max(0, std::min(area.width, image.width() - area.x)));
    int before = -1;
    for (std::size_t x = 0; x < width; ++x) {
        if (!levels[x].inside()) {
            before = -1;
            continue;
        }
        const int top = std::min(area.height - heightOf(levels[x].most, marks, area.height), area.height - thin);
        if (isDrawn(static_cast<int>(x))) {
            const int at = area.x + static_cast<int>(x);
            fillPixels(image, { at, area.y + top, 1, thin }, colour);
            if (before >= 0 && std::abs(before - top) > thin)
                fillPixels(image, { at, area.y + std::min(before, top), 1, std::abs(before - top) }, colour);
        }
        before = top;
    }
}

} // namespace

void drawLevelLine(QImage& image, const std::vector<ColumnLevel>& levels, const PixelRect& area,
    const MemoryMarks& marks, QRgb colour, double ratio)
{
    drawTop(image, levels, area, marks, colour, ratio, [](int) { return true; });
}

void drawLevelDashes(QImage& image, const std::vector<ColumnLevel>& levels, const PixelRect& area,
    const MemoryMarks& marks, QRgb colour, double ratio)
{
    const int dash = std::max(2, static_cast<int>(std::lround(3 * ratio)));
    drawTop(image, levels, area, marks, colour, ratio, [dash](int x) { return x % (2 * dash) < dash; });
}

void drawHatching(QImage& image, const std::vector<HatchedSpan>& spans, const TimeMap& map, const PixelRect& area,
    const Theme& theme, double ratio, double fade)
{
    const int width = std::min(area.width, image.width() - area.x);
    const QRgb line = mixed(theme.transfer, theme.panel, fade).rgb();
    const QRgb ground = mixed(theme.transfer, theme.panel, 0.72 + fade / 4).rgb();
    const int period = std::max(3, static_cast<int>(std::lround(4 * ratio)));
    const int stroke = std::max(1, static_cast<int>(std::lround(1.4 * ratio)));
    int done = 0; // columns before this one are drawn
    for (const HatchedSpan& span : spans) {
        const double start = map.xOf(span.from);
        if (start >= width)
            break;
        const int from = std::max(static_cast<int>(std::lround(std::max(start, 0.0))), done);
        const int to
            = std::min(static_cast<int>(std::lround(std::clamp(map.xOf(span.to), 0.0, double { 1e6 }))), width);
        for (int y = 0; y < area.height && to > from; ++y)
            if (QRgb* const pixels = lineOf(image, area.y + y, area.x))
                for (int x = from; x < to; ++x)
                    pixels[x] = (x + y) % period < stroke ? line : ground;
        done = std::max(done, to);
    }
}

void drawTransferLane(QImage& image, const ScheduleData& data, DeviceId device, const TimeMap& map,
    const PixelRect& area, const Theme& theme, double ratio, double fade)
{
    std::vector<HatchedSpan> spans;
    for (const std::int32_t i : data.transfersTo(device)) {
        const TimedTransfer& transfer = data.timeline().transfers[static_cast<std::size_t>(i)];
        if (map.xOf(transfer.start) >= area.width)
            break;
        spans.push_back({ transfer.start, transfer.end });
    }
    drawHatching(image, spans, map, area, theme, ratio, fade);
}

} // namespace pipeloom::designer
