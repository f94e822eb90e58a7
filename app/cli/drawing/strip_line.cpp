// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/drawing/lane.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace pipeloom::cli {

namespace {

constexpr std::u32string_view unicodeLevels = U" ▁▂▃▄▅▆▇█";
constexpr std::u32string_view asciiLevels = U"0123456789";

/// The highest level in a time; none before the device's first pass.
class HighestLevel {
public:
    explicit HighestLevel(const std::vector<LevelChange>& levels)
        : levels_(levels)
    {
    }

    /// Times must be asked for in order.
    std::optional<Bytes> in(TimeRange time)
    {
        while (next_ < levels_.size() && levels_[next_].time <= time.from)
            ++next_;
        std::optional<Bytes> highest;
        if (next_ > 0)
            highest = levels_[next_ - 1].level;
        for (; next_ < levels_.size() && levels_[next_].time < time.to; ++next_)
            highest = std::max(highest.value_or(levels_[next_].level), levels_[next_].level);
        return highest;
    }

private:
    const std::vector<LevelChange>& levels_;
    std::size_t next_ = 0;
};

char32_t columnOf(Bytes level, const StripStyle& strip, Characters characters)
{
    const std::u32string_view glyphs = characters == Characters::Unicode ? unicodeLevels : asciiLevels;
    if (level <= strip.base)
        return glyphs.front();
    // Whatever is above the base shows. Rounded up in parts of the whole, as level times steps could overflow.
    const auto steps = static_cast<Bytes>(glyphs.size() - 1);
    const Bytes part = (strip.full - strip.base + steps - 1) / steps;
    const Bytes step = std::min((level - strip.base + part - 1) / part, steps);
    return glyphs[static_cast<std::size_t>(step)];
}

} // namespace

Line stripLine(const Lane& lane, const LaneStyle& style, const StripStyle& strip, const Window& window)
{
    Line line(static_cast<std::size_t>(window.count));
    HighestLevel highest(lane.levels);
    const std::int64_t end = std::min(window.first + window.count, window.end);
    const std::int64_t step = strip.numbers ? strip.cell : 1;
    for (std::int64_t column = window.first; column < end; column += step) {
        const Ticks from = style.scale.timeOf(column);
        const TimeRange time { .from = from, .to = std::max(style.scale.timeOf(column + step), from + 1) };
        const std::optional<Bytes> level = highest.in(time);
        if (!level)
            continue;
        const Ink ink = lane.limit && *level > *lane.limit ? Ink::Error : Ink::Faint;
        const auto index = static_cast<std::size_t>(column - window.first);
        if (strip.numbers)
            line.write(index, std::to_string(*level), ink);
        else
            line.put(index, columnOf(*level, strip, style.characters), ink);
    }
    return line;
}

} // namespace pipeloom::cli
