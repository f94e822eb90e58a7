// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/schedule/pass_raster.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace pipeloom::designer {

void fillPixels(QImage& image, const PixelRect& rect, QRgb colour)
{
    const int left = std::max(rect.x, 0);
    const int right = std::min(rect.x + rect.width, image.width());
    if (right <= left)
        return;
    const int bottom = std::min(rect.y + rect.height, image.height());
    for (int y = std::max(rect.y, 0); y < bottom; ++y)
        std::fill_n(reinterpret_cast<QRgb*>(image.scanLine(y)) + left, right - left, colour);
}

PassDetail passDetail(double meanPixels)
{
    return meanPixels < 3 ? PassDetail::Strip : meanPixels <= 14 ? PassDetail::Plain : PassDetail::Labelled;
}

int PassRaster::scaled(double pixels) const { return std::max(1, static_cast<int>(std::lround(pixels * ratio_))); }

void PassRaster::layOut(int height, PassDetail detail)
{
    lineAt_.assign(static_cast<std::size_t>(height), Upper);
    isUsed_.fill(false);
    inBand_.fill(false);
    const double logical = height / ratio_;
    edge_ = logical > 4 ? scaled(1) : 0;
    const auto set = [&](int from, int to, Line line) {
        for (int y = std::max(from, 0); y < std::min(to, height); ++y)
            lineAt_[static_cast<std::size_t>(y)] = line;
    };
    const int middle = height / 2;
    set(middle, height, Lower);
    if (logical > 8) {
        set(middle - edge_, middle, MiddleAbove);
        set(middle, middle + edge_, MiddleBelow);
    }
    const int band = logical >= 12 ? scaled(std::max(3.0, logical / 5)) : 0;
    set(height - edge_ - band, height - edge_, Band);
    if (logical >= 14 && detail != PassDetail::Strip)
        for (int k = 0; k < 3; ++k) {
            const int bottom = height - scaled(2) - k * scaled(3);
            const auto line = static_cast<Line>(Underline1 + k);
            inBand_[line] = bottom - scaled(2) >= height - edge_ - band;
            set(bottom - scaled(2), bottom, line);
        }
    if (edge_ > 0) {
        set(0, edge_, Top);
        set(height - edge_, height, Bottom);
    }
    for (const std::uint8_t line : lineAt_)
        isUsed_[line] = true;
}

void PassRaster::write(Line line, int from, int to, QRgb colour)
{
    if (isUsed_[line])
        std::fill(buffer_[line].begin() + from, buffer_[line].begin() + to, colour);
}

void PassRaster::writePass(
    int from, int to, const Pass& pass, std::int32_t chunk, const PassTone& tone, const PassTone* weights)
{
    const int left = std::max(from, 0);
    const int right = std::min(to, width_);
    const int wide = to - from;
    // A pass too narrow for an edge on both sides has one at its end, so that neighbours of a kind stay two.
    const bool hasEdge = edge_ > 0 && wide > 4 * edge_;
    const bool hasEnd = edge_ > 0 && !hasEdge && wide > 2 * edge_;
    write(Top, left, right, hasEdge ? tone.edge : tone.fill);
    write(Bottom, left, right, hasEdge ? tone.edge : tone.fill);
    for (int l = Upper; l <= Underline3; ++l) {
        const auto line = static_cast<Line>(l);
        const bool isBand = weights && pass.kind == PassKind::BW && (line == Band || inBand_[line]);
        write(line, left, right, isBand ? weights->fill : tone.fill);
    }
    if (chunk > 0 && wide >= scaled(6)) {
        const int inset = std::min(scaled(5), wide / 5);
        const int start = std::max(from + inset, left);
        const int stop = std::min(to - inset, right);
        for (int k = 0; k < std::min(chunk, 3); ++k)
            if (stop > start)
                write(static_cast<Line>(Underline1 + k), start, stop, tone.text);
    }
    for (int l = Upper; l <= Underline3; ++l) {
        const auto line = static_cast<Line>(l);
        if (hasEdge && from >= 0)
            write(line, from, std::min(from + edge_, width_), tone.edge);
        if ((hasEdge || hasEnd) && to <= width_)
            write(line, std::max(to - edge_, left), to, tone.edge);
    }
}

void PassRaster::writeHalf(int from, int to, bool above, const PassTone& tone)
{
    const int left = std::max(from, 0);
    const int right = std::min(to, width_);
    const bool hasEdge = edge_ > 0 && to - from > 4 * edge_;
    const auto first = above ? Top : MiddleBelow;
    const auto last = above ? MiddleAbove : Bottom;
    for (int l = first; l <= last; ++l) {
        const auto line = static_cast<Line>(l);
        const bool rim = line == first || line == last;
        write(line, left, right, hasEdge && rim ? tone.edge : tone.fill);
        if (!hasEdge)
            continue;
        if (from >= 0)
            write(line, from, std::min(from + edge_, width_), tone.edge);
        if (to <= width_)
            write(line, std::max(to - edge_, left), to, tone.edge);
    }
}

void PassRaster::drawPasses(
    const TimelineRow& row, const TimeMap& map, const PixelRect& area, const PassTones& tones, PassDetail detail)
{
    layOut(area.height, detail);
    width_ = std::min(area.width, image_.width() - area.x);
    if (width_ <= 0)
        return;
    // What lies below the passes stays: each line starts as what is there already.
    for (std::size_t l = 0; l < lines; ++l)
        buffer_[l].assign(isUsed_[l] ? static_cast<std::size_t>(width_) : 0, 0);
    const PassTone* const weights = row.grades.empty() ? &tones.weights() : nullptr;
    for (std::size_t i = row.firstAfter(map.begin); i < row.passes.size(); ++i) {
        const TimedPass& pass = row.passes[i];
        const double x = map.xOf(pass.start);
        if (x >= width_)
            break;
        const double limit = width_ + 8.0;
        const int from = nearestPixel(std::max(x, -8.0));
        int to = nearestPixel(std::clamp(map.xOf(pass.end), -8.0, limit));
        if (to == from)
            ++to; // one that takes less than a pixel, or no time, is still there
        if (to <= 0 || from >= width_)
            continue;
        const PassTone& tone = tones.of(row, i);
        if (pass.joined || row.opensPair(i))
            writeHalf(from, to, !pass.joined, tone);
        else
            writePass(from, to, pass.pass, row.chunk(pass.pass.stage), tone, weights);
    }
    for (int y = 0; y < area.height; ++y) {
        if (area.y + y < 0 || area.y + y >= image_.height())
            continue;
        const std::vector<QRgb>& line = buffer_[lineAt_[static_cast<std::size_t>(y)]];
        QRgb* const to = reinterpret_cast<QRgb*>(image_.scanLine(area.y + y)) + area.x;
        for (int x = 0; x < width_; ++x)
            if (line[static_cast<std::size_t>(x)] != 0)
                to[x] = line[static_cast<std::size_t>(x)];
    }
}

void PassRaster::drawStrip(
    const TimelineRow& row, const TimeMap& map, const PixelRect& area, const std::array<QRgb, 3>& colours)
{
    width_ = std::min(area.width, image_.width() - area.x);
    if (width_ <= 0)
        return;
    averagedShares(row, map, static_cast<std::size_t>(width_), shares_);
    // From above: a pixel row belongs to the topmost kind whose stack reaches it.
    const auto height = static_cast<float>(area.height);
    for (std::size_t k = 0; k < 3; ++k)
        tops_[k].resize(static_cast<std::size_t>(width_));
    for (std::size_t x = 0; x < shares_.size(); ++x) {
        float sum = 0;
        for (std::size_t k = 0; k < 3; ++k) {
            sum += shares_[x].of[k];
            tops_[k][x] = area.height - static_cast<int>(sum * height + 0.5F);
        }
    }
    for (int y = std::max(0, -area.y); y < std::min(area.height, image_.height() - area.y); ++y) {
        QRgb* const to = reinterpret_cast<QRgb*>(image_.scanLine(area.y + y)) + area.x;
        for (std::size_t x = 0; x < shares_.size(); ++x) {
            const QRgb busy = y >= tops_[0][x] ? colours[0] : y >= tops_[1][x] ? colours[1] : colours[2];
            to[x] = y >= tops_[2][x] ? busy : to[x];
        }
    }
}

} // namespace pipeloom::designer
