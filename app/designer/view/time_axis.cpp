// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/view/time_axis.h"

#include <algorithm>

namespace pipeloom::designer {

namespace {
constexpr double mostPixelsPerTick = 400;
constexpr std::size_t rememberedRanges = 64;
} // namespace

TimeAxis::TimeAxis(QObject* parent)
    : QObject(parent)
{
}

TimeAxis::Range TimeAxis::range() const { return { map_.begin, map_.begin + width_ / map_.pixelsPerTick }; }

TimeAxis::Range TimeAxis::whole() const
{
    const auto first = static_cast<double>(first_);
    const auto last = static_cast<double>(std::max(last_, first_ + 1));
    return { first, last + (last - first) * 0.012 };
}

void TimeAxis::set(double begin, double end)
{
    const Range all = whole();
    const double least = width_ / mostPixelsPerTick;
    double length = std::clamp(end - begin, std::min(least, all.end - all.begin), all.end - all.begin);
    if (held_)
        length = std::max(end - begin, least);
    else
        begin = std::clamp(begin, all.begin, std::max(all.end - length, all.begin));
    const TimeMap made { begin, width_ / length };
    if (made == map_)
        return;
    map_ = made;
    Q_EMIT changed();
}

/// Within the bounds as they are now.
void TimeAxis::settle()
{
    if (fitted_)
        fit();
    else
        set(range().begin, range().end);
}

void TimeAxis::setBounds(Ticks first, Ticks last)
{
    if (first == first_ && last == last_)
        return;
    first_ = first;
    last_ = last;
    if (!held_)
        settle();
}

void TimeAxis::hold(bool held)
{
    if (held == held_)
        return;
    held_ = held;
    if (!held_)
        settle();
}

void TimeAxis::setWidth(double pixels)
{
    pixels = std::max(pixels, 1.0);
    if (pixels == width_)
        return;
    const double begin = map_.begin;
    const double scale = map_.pixelsPerTick;
    width_ = pixels;
    if (fitted_)
        fit();
    else
        set(begin, begin + width_ / scale);
}

void TimeAxis::fit()
{
    const Range all = whole();
    set(all.begin, all.end);
    fitted_ = true;
}

void TimeAxis::zoomAt(double x, double factor)
{
    const double time = map_.timeAt(x);
    const Range shown = range();
    const double most = whole().end - whole().begin; // which a step of a few ticks makes less than the least otherwise
    const double length
        = std::clamp((shown.end - shown.begin) / factor, std::min(width_ / mostPixelsPerTick, most), most);
    const double begin = time - x * length / width_;
    set(begin, begin + length);
    const Range all = whole();
    fitted_ = range().begin <= all.begin && range().end >= all.end * (1 - 1e-12);
}

void TimeAxis::panBy(double pixels)
{
    const double by = pixels / map_.pixelsPerTick;
    const Range shown = range();
    set(shown.begin + by, shown.end + by);
}

void TimeAxis::show(double from, double to)
{
    past_.push_back(range());
    if (past_.size() > rememberedRanges)
        past_.erase(past_.begin());
    future_.clear();
    fitted_ = false;
    set(from, to);
}

void TimeAxis::back()
{
    if (past_.empty())
        return;
    future_.push_back(range());
    const Range to = past_.back();
    past_.pop_back();
    fitted_ = false;
    set(to.begin, to.end);
}

void TimeAxis::forward()
{
    if (future_.empty())
        return;
    past_.push_back(range());
    const Range to = future_.back();
    future_.pop_back();
    fitted_ = false;
    set(to.begin, to.end);
}

} // namespace pipeloom::designer
