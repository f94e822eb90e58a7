// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/drawing/lane.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace pipeloom::cli {

namespace {

/// A slot as it stands in the timeline: one pass, or two that run as one.
struct Bar {
    TimedPass first;
    std::optional<Pass> second;
};

/// On a coloured ground the ground itself fills.
char32_t fill(const LaneStyle& style)
{
    if (style.colours != Colours::None)
        return U' ';
    return style.characters == Characters::Unicode ? U'─' : U'-';
}

char32_t dot(const LaneStyle& style) { return style.characters == Characters::Unicode ? U'·' : U'.'; }

/// The bars that reach into the window.
std::vector<Bar> barsIn(const Window& window, const Lane& lane, const Scale& scale)
{
    std::vector<Bar> bars;
    const Ticks from = scale.timeOf(window.first);
    const auto reaches = [from](const TimedPass& pass) { return pass.end <= from; };
    // Collisions apart, ends are in order as starts are; a block, which may have them, has few passes.
    const auto begin
        = lane.passes.size() < 10'000 ? lane.passes.begin() : std::ranges::partition_point(lane.passes, reaches);
    for (auto pass = begin; pass != lane.passes.end() && scale.columnOf(pass->start) < window.first + window.count;
         ++pass)
        if (pass->joined && !bars.empty())
            bars.back().second = pass->pass;
        else
            bars.push_back({ .first = *pass, .second = {} });
    return bars;
}

class PassPainter {
public:
    PassPainter(const Lane& lane, const Labels& labels, const LaneStyle& style, const Window& window)
        : lane_(lane)
        , labels_(labels)
        , style_(style)
        , window_(window)
        , line_(static_cast<std::size_t>(window.count))
        , taken_(line_.columns())
    {
    }

    Line paint()
    {
        for (const Bar& bar : barsIn(window_, lane_, style_.scale))
            paint(bar);
        paintIdle();
        return std::move(line_);
    }

private:
    void paint(const Bar& bar)
    {
        const std::int64_t begin = style_.scale.columnOf(bar.first.start);
        const std::int64_t width = style_.scale.columnOf(bar.first.end) - begin;
        std::string written = label(bar);
        if (static_cast<std::int64_t>(written.size()) > width)
            written = letters(bar);

        const std::int64_t to = std::min(begin + width, window_.first + window_.count);
        for (std::int64_t column = std::max(begin, window_.first); column < to; ++column) {
            const std::int64_t inBar = column - begin;
            const auto index = static_cast<std::size_t>(column - window_.first);
            if (taken_[index])
                line_.put(index, U'!', Ink::Error);
            else
                paint(index, bar, written, inBar, width);
            taken_[index] = true;
        }
    }

    void paint(std::size_t index, const Bar& bar, const std::string& written, std::int64_t inBar, std::int64_t width)
    {
        const auto length = static_cast<std::int64_t>(written.size());
        if (inBar >= length && inBar == width - 1)
            return; // a blank sets it apart from the next
        const char32_t character
            = inBar < length ? static_cast<unsigned char>(written[static_cast<std::size_t>(inBar)]) : fill(style_);
        const Pass& pass = bar.second && inBar >= width / 2 ? *bar.second : bar.first.pass;
        line_.put(index, character, ink(pass.kind), labels_.isSecondStage(pass, lane_.device));
    }

    void paintIdle()
    {
        const std::int64_t count = std::min(window_.count, window_.end - window_.first);
        for (std::int64_t column = 0; column < count; ++column) {
            const auto index = static_cast<std::size_t>(column);
            // Where a dot is not the first column of a tick it would cling to the pass after it.
            const bool clings = style_.scale.columns == 1 && index + 1 < taken_.size() && taken_[index + 1];
            if (!taken_[index] && !clings && (window_.first + column) % style_.cell == 0)
                line_.put(index, dot(style_), Ink::Faint);
        }
    }

    [[nodiscard]] std::string label(const Bar& bar) const
    {
        const std::string first = labels_.of(bar.first.pass, lane_.device);
        return bar.second ? first + '+' + labels_.of(*bar.second, lane_.device) : first;
    }

    [[nodiscard]] std::string letters(const Bar& bar) const
    {
        std::string letters(1, labels_.letter(bar.first.pass, lane_.device));
        if (bar.second)
            letters += labels_.letter(*bar.second, lane_.device);
        return letters;
    }

    const Lane& lane_;
    const Labels& labels_;
    const LaneStyle& style_;
    const Window& window_;
    Line line_;
    std::vector<bool> taken_;
};

/// Of each column, the ticks that passes of each kind take.
using Shares = std::vector<std::array<Ticks, passKinds>>;

Shares sharesOf(const Lane& lane, const Scale& scale, const Window& window)
{
    Shares shares(static_cast<std::size_t>(window.count));
    for (const TimedPass& pass : lane.passes) {
        if (pass.joined)
            continue;
        const std::int64_t first = std::max(scale.columnOf(pass.start), window.first);
        const std::int64_t last = std::min(scale.columnOf(pass.end), window.first + window.count - 1);
        for (std::int64_t column = first; column <= last; ++column) {
            const Ticks from = std::max(pass.start, scale.timeOf(column));
            const Ticks to = std::min(pass.end, scale.timeOf(column + 1));
            shares[static_cast<std::size_t>(column - window.first)][index(pass.pass.kind)]
                += std::max<Ticks>(to - from, 0);
        }
    }
    return shares;
}

Line shareLine(const Lane& lane, const LaneStyle& style, const Window& window)
{
    Line line(static_cast<std::size_t>(window.count));
    const Shares shares = sharesOf(lane, style.scale, window);
    for (std::size_t column = 0; column < line.columns(); ++column) {
        const auto& share = shares[column];
        const auto most = static_cast<std::size_t>(std::ranges::max_element(share) - share.begin());
        const Ticks busy = share[0] + share[1] + share[2] + share[3];
        if (2 * busy >= style.scale.ticks)
            line.put(column, U"FBWX"[most], ink(static_cast<PassKind>(most)));
        else if (window.first + static_cast<std::int64_t>(column) < window.end)
            line.put(column, dot(style), Ink::Faint);
    }
    return line;
}

} // namespace

Line passLine(const Lane& lane, const Labels& labels, const LaneStyle& style, const Window& window)
{
    if (style.detail == Detail::Shares)
        return shareLine(lane, style, window);
    return PassPainter(lane, labels, style, window).paint();
}

} // namespace pipeloom::cli
