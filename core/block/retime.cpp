// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/block/retime.h"

#include "core/block/block_index.h"
#include "core/block/links.h"

#include <algorithm>
#include <tuple>

namespace pipeloom {

namespace {

constexpr Ticks most = maxStepTicks;
constexpr std::size_t mostWork = 20'000'000; ///< constraints looked at for one interval

/// start(to) >= start(from) + ticks + copies * T
struct Constraint {
    std::int32_t from = 0;
    std::int32_t to = 0;
    Ticks ticks = 0;
    Ticks copies = 0;
};

class Retimer {
public:
    Retimer(const BuildingBlock& block, const Pipeline& pipeline, const ByKindAndStage<Ticks>& durations)
        : made_(block)
        , oldInterval_(block.interval)
        , starts_(block.passes.size())
    {
        made_.durations = durations;
        for (const BlockPass& placed : block.passes)
            total_ = std::min(total_ + made_.duration(placed.slot), most);
        constrainByInputs(pipeline);
        constrainByOrder();
        // In the order of time most starts are right after one round.
        std::stable_sort(constraints_.begin(), constraints_.end(), [&](const Constraint& a, const Constraint& b) {
            return block.passes[static_cast<std::size_t>(a.from)].start
                < block.passes[static_cast<std::size_t>(b.from)].start;
        });
    }

    std::optional<BuildingBlock> run()
    {
        Ticks copies = 1;
        for (const BlockPass& placed : made_.passes)
            copies = std::max(copies, placed.start / oldInterval_ + 2);
        if (total_ >= most / copies)
            return std::nullopt;
        // Mostly the busiest device sets the interval. If not, a cycle of constraints takes at least one interval for all of
        // its ticks, so `total_` is enough if anything is.
        Ticks tooShort = busiest() - 1;
        Ticks enough = tooShort + 1;
        if (!solve(enough)) {
            tooShort = enough;
            enough = std::max(total_, enough);
            if (!solve(enough))
                return std::nullopt;
        }
        while (enough - tooShort > 1) {
            const Ticks middle = tooShort + (enough - tooShort) / 2;
            (solve(middle) ? enough : tooShort) = middle;
        }
        (void)solve(enough);
        made_.interval = enough;
        for (std::size_t i = 0; i < starts_.size(); ++i)
            made_.passes[i].start = starts_[i];
        return std::move(made_);
    }

private:
    /// Ticks of the device that has most to do; at least 1.
    [[nodiscard]] Ticks busiest() const
    {
        std::vector<Ticks> work;
        for (const BlockPass& placed : made_.passes) {
            work.resize(std::max(work.size(), placed.device.index() + 1), 0);
            work[placed.device.index()] += made_.duration(placed.slot);
        }
        return work.empty() ? 1 : std::max<Ticks>(*std::max_element(work.begin(), work.end()), 1);
    }

    void constrainByInputs(const Pipeline& pipeline)
    {
        const BlockIndex index(made_, pipeline);
        for (std::size_t i = 0; i < made_.passes.size(); ++i) {
            const Slot& slot = made_.passes[i].slot;
            const auto add = [&](std::int32_t input) {
                const Ticks ticks = made_.duration(made_.passes[static_cast<std::size_t>(input)].slot);
                constraints_.push_back({ input, static_cast<std::int32_t>(i), ticks, 0 });
            };
            forEachInput(slot.first, pipeline, index, add);
            if (slot.isPair())
                forEachInput(slot.second, pipeline, index, add);
        }
    }

    void constrainByOrder()
    {
        std::vector<std::int32_t> order;
        for (std::size_t i = 0; i < made_.passes.size(); ++i)
            order.push_back(static_cast<std::int32_t>(i));
        const auto key = [&](std::int32_t pass) {
            const BlockPass& placed = made_.passes[static_cast<std::size_t>(pass)];
            return std::tuple(placed.device, placed.start % oldInterval_, -placed.start, placed.slot.first.stage, pass);
        };
        std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) { return key(a) < key(b); });
        for (std::size_t i = 0; i < order.size();) {
            std::size_t end = i;
            while (end < order.size() && deviceOf(order[end]) == deviceOf(order[i]))
                ++end;
            for (std::size_t j = i; j + 1 < end; ++j)
                follow(order[j], order[j + 1], 0);
            follow(order[end - 1], order[i], 1);
            i = end;
        }
    }
    [[nodiscard]] DeviceId deviceOf(std::int32_t pass) const
    {
        return made_.passes[static_cast<std::size_t>(pass)].device;
    }

    /// `next` runs after `pass` on their device, in the interval `later`.
    void follow(std::int32_t pass, std::int32_t next, Ticks later)
    {
        const BlockPass& a = made_.passes[static_cast<std::size_t>(pass)];
        const BlockPass& b = made_.passes[static_cast<std::size_t>(next)];
        constraints_.push_back(
            { pass, next, made_.duration(a.slot), b.start / oldInterval_ - a.start / oldInterval_ - later });
    }

    /// Where a start comes to when the block is stretched to the interval, rounded down.
    [[nodiscard]] Ticks shareOf(Ticks start, Ticks interval) const
    {
        if (oldInterval_ >= Ticks { 1 } << 31)
            return 0; // the products would overflow; such a block is drawn as early as possible
        const Ticks within = start % oldInterval_;
        return start / oldInterval_ * interval + within * (interval / oldInterval_)
            + within * (interval % oldInterval_) / oldInterval_;
    }

    /// Earliest starts at the interval, none before its share; false if there are none.
    bool solve(Ticks interval)
    {
        for (std::size_t i = 0; i < starts_.size(); ++i)
            starts_[i] = shareOf(made_.passes[i].start, interval);
        // As many rounds as there are passes would settle it; so many are never needed but to see that there is no way.
        const std::size_t rounds
            = std::min(starts_.size(), mostWork / std::max<std::size_t>(constraints_.size(), 1) + 64);
        for (std::size_t round = 0; round <= rounds; ++round) {
            bool changed = false;
            for (const Constraint& one : constraints_) {
                const Ticks start = starts_[static_cast<std::size_t>(one.from)] + one.ticks + one.copies * interval;
                Ticks& at = starts_[static_cast<std::size_t>(one.to)];
                if (start <= at)
                    continue;
                at = start;
                changed = true;
                if (at > most)
                    return false;
            }
            if (!changed)
                return true;
        }
        return false;
    }

    BuildingBlock made_;
    Ticks oldInterval_;
    Ticks total_ = 0;
    std::vector<Constraint> constraints_;
    std::vector<Ticks> starts_;
};

} // namespace

std::optional<BuildingBlock> retimed(
    const BuildingBlock& block, const Pipeline& pipeline, const ByKindAndStage<Ticks>& durations)
{
    return Retimer(block, pipeline, durations).run();
}

} // namespace pipeloom
