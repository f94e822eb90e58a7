// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/block/turn_search.h"

#include "core/block/block_index.h"
#include "core/block/chain.h"
#include "core/block/fit.h"
#include "core/block/intervals.h"
#include "core/block/weights.h"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <tuple>

namespace pipeloom {

namespace {

/// How good a block is that all turns of the same sum lead to: when it ends, and how long its stages live.
std::tuple<Ticks, Ticks> lengthOf(const BuildingBlock& block)
{
    Ticks end = 0;
    Ticks life = 0;
    for (const BlockPass& placed : block.passes) {
        end = std::max(end, placed.start + block.duration(placed.slot));
        if (placed.slot.first.kind == PassKind::F)
            life -= placed.start;
        if (givesWeightGradient(placed.slot.first.kind))
            life += placed.start;
    }
    return { end, life };
}

/// Up to here every tick is tried as a value of a turn.
constexpr Ticks longInterval = 32;

class TurnSearch {
public:
    TurnSearch(const BuildingBlock& block, const Pipeline& pipeline, const std::vector<FreeTurn>& free,
        TurnChoice choice, SearchBudget& budget)
        : block_(block)
        , pipeline_(pipeline)
        , free_(free)
        , choice_(choice)
        , budget_(budget)
        , segments_(free.size() + 1)
        , least_(free.size(), 0)
        , change_(free.size(), 0)
        , taken_(static_cast<std::size_t>(pipeline.devices))
    {
        sortIntoSegments();
        findLeast();
    }

    std::optional<BuildingBlock> run()
    {
        if (legsAreEarly() || !put(segments_[0], 0))
            return std::nullopt;
        if (block_.interval > longInterval) {
            chooseEdges(0, 0, 0);
            return std::move(best_);
        }
        const Ticks most = static_cast<Ticks>(free_.size()) * (block_.interval - 1);
        for (Ticks sum = 0; sum <= most && !best_ && budget_.left > 0; ++sum)
            choose(0, sum, 0);
        return std::move(best_);
    }

private:
    struct Piece {
        std::size_t device = 0;
        Ticks start = 0;
        Ticks ticks = 0;
    };

    /// Changes since the least one that are not free, both ends excluded; `from` is in [0, interval).
    struct Barred {
        Ticks from = 0;
        Ticks to = 0;
    };

    /// Segment 0 stands; segment i + 1 follows free turn i, up to the next one of its route.
    void sortIntoSegments()
    {
        segmentOf_.assign(block_.passes.size(), 0);
        for (std::size_t i = 0; i < block_.passes.size(); ++i) {
            const BlockPass& placed = block_.passes[i];
            const std::int32_t place = chainPlace(placed.slot.first, pipeline_.stages);
            for (std::size_t turn = 0; turn < free_.size(); ++turn)
                if (takesRoute(placed.slot.first, pipeline_, free_[turn].route) && place > free_[turn].boundary)
                    segmentOf_[i] = turn + 1;
            const Ticks ticks = block_.duration(placed.slot);
            if (placed.slot.first.kind != PassKind::W && ticks > 0)
                segments_[segmentOf_[i]].push_back({ placed.device.index(), placed.start, ticks });
        }
    }

    /// Calls `visit(route, boundary, slack)` for each boundary of each member whose passes are there; slack: from the end
    /// of the one to the start of the other.
    template <class Visit> void forEachBoundary(Visit visit) const
    {
        const BlockIndex index(block_, pipeline_);
        for (std::int32_t member = 0; member < block_.group; ++member) {
            const auto at = [&](std::int32_t place) {
                return place < pipeline_.stages
                    ? index.find(StageId { place }, member, Work::Forward)
                    : index.find(StageId { 2 * pipeline_.stages - 1 - place }, member, Work::InputGradient);
            };
            const RouteId route { member % pipeline_.routeCount() };
            for (std::int32_t boundary = 0; boundary + 1 < 2 * pipeline_.stages; ++boundary) {
                const std::int32_t from = at(boundary);
                const std::int32_t to = at(boundary + 1);
                if (from == BlockIndex::none || to == BlockIndex::none)
                    continue;
                const BlockPass& giver = block_.passes[static_cast<std::size_t>(from)];
                visit(route, boundary,
                    block_.passes[static_cast<std::size_t>(to)].start - giver.start - block_.duration(giver.slot));
            }
        }
    }

    [[nodiscard]] bool isFree(RouteId route, std::int32_t boundary) const
    {
        return std::any_of(free_.begin(), free_.end(),
            [&](const FreeTurn& turn) { return turn.route == route && turn.boundary == boundary; });
    }

    /// How far each turn can shrink until something behind it would be early.
    void findLeast()
    {
        std::fill(least_.begin(), least_.end(), std::numeric_limits<Ticks>::min());
        forEachBoundary([&](RouteId route, std::int32_t boundary, Ticks slack) {
            for (std::size_t i = 0; i < free_.size(); ++i)
                if (free_[i].route == route && free_[i].boundary == boundary)
                    least_[i] = std::max(least_[i], -slack);
        });
        for (Ticks& least : least_)
            if (least == std::numeric_limits<Ticks>::min())
                least = 0; // passes are missing there: it does not shrink
    }

    [[nodiscard]] bool legsAreEarly() const
    {
        bool early = false;
        forEachBoundary([&](RouteId route, std::int32_t boundary, Ticks slack) {
            early = early || (slack < 0 && !isFree(route, boundary));
        });
        return early;
    }

    /// Puts a segment, all of it later by `shift`; nothing of it, and false, if it meets what is there.
    bool put(const std::vector<Piece>& segment, Ticks shift)
    {
        const Ticks interval = block_.interval;
        for (std::size_t i = 0; i < segment.size(); ++i) {
            const Piece& piece = segment[i];
            const Ticks residue = residueOf(piece.start + shift);
            auto& row = taken_[piece.device];
            budget_.left -= static_cast<std::int64_t>(row.size()) + 1;
            if (piece.ticks > interval || overlaps(row, residue, piece.ticks, interval)) {
                takeBack(segment, i);
                return false;
            }
            row.push_back({ residue, piece.ticks, 0 });
        }
        return true;
    }
    void takeBack(const std::vector<Piece>& segment, std::size_t count)
    {
        for (std::size_t i = 0; i < count; ++i)
            taken_[segment[i].device].pop_back();
    }

    /// Of the turns before `turn` on the same route, all changes: what its segment is shifted by besides its own.
    [[nodiscard]] Ticks carried(std::size_t turn, Ticks shift) const
    {
        return turn > 0 && free_[turn - 1].route == free_[turn].route ? shift : 0;
    }

    /// Tries all changes of the turns from `turn` on that come to `sum`.
    void choose(std::size_t turn, Ticks sum, Ticks shift)
    {
        if (turn == free_.size()) {
            if (sum == 0)
                take(0);
            return;
        }
        const bool last = turn + 1 == free_.size();
        const auto tryChange = [&](Ticks change, Ticks used) {
            if (isDone() || change < least_[turn])
                return;
            --budget_.left;
            const Ticks all = carried(turn, shift) + change;
            change_[turn] = change;
            if (!put(segments_[turn + 1], all))
                return;
            choose(turn + 1, sum - used, all);
            takeBack(segments_[turn + 1], segments_[turn + 1].size());
        };
        if (choice_ == TurnChoice::Shortest) {
            for (Ticks more = last ? sum : 0; more <= sum; ++more)
                tryChange(least_[turn] + more, more);
            return;
        }
        for (Ticks away = sum; away >= (last ? sum : 0); --away) {
            tryChange(-away, away);
            if (away > 0)
                tryChange(away, away);
        }
    }

    [[nodiscard]] bool isDone() const
    {
        return budget_.left <= 0 || (choice_ == TurnChoice::Nearest && best_.has_value());
    }

    /// For intervals too long to try every tick: each segment goes to where it just clears what stands before it.
    void chooseEdges(std::size_t turn, Ticks sum, Ticks shift)
    {
        if (turn == free_.size()) {
            take(sum);
            return;
        }
        for (const Ticks change : edges(segments_[turn + 1], carried(turn, shift), least_[turn])) {
            const Ticks cost = choice_ == TurnChoice::Shortest ? change - least_[turn] : std::abs(change);
            if (budget_.left <= 0 || (best_ && sum + cost >= bestSum_))
                continue;
            change_[turn] = change;
            const Ticks all = carried(turn, shift) + change;
            if (!put(segments_[turn + 1], all))
                continue;
            chooseEdges(turn + 1, sum + cost, all);
            takeBack(segments_[turn + 1], segments_[turn + 1].size());
        }
    }

    /// The changes from `least` on, one interval of them, at which the segment is free but would not be one tick before or
    /// after, and no change if that is free; cheapest first.
    std::vector<Ticks> edges(const std::vector<Piece>& segment, Ticks shift, Ticks least)
    {
        const Ticks interval = block_.interval;
        std::vector<Barred> barred;
        for (const Piece& piece : segment) {
            const Ticks before = residueOf(-(piece.start + shift + least + piece.ticks));
            for (const TakenTicks& other : taken_[piece.device]) {
                const Ticks sum = before + other.residue;
                const Ticks from = sum < interval ? sum : sum - interval;
                barred.push_back({ from, from + piece.ticks + other.ticks });
            }
        }
        budget_.left -= static_cast<std::int64_t>(barred.size()) + 1;
        sortBarred(barred);
        std::vector<Ticks> found;
        Ticks open = 0;
        for (const Barred& one : barred) // those that reach into the next interval
            open = std::max(open, one.to - interval);
        const auto close = [&](Ticks last) {
            if (last < open)
                return;
            found.insert(found.end(), { least + open, least + last });
            if (least + open < 0 && 0 < least + last)
                found.push_back(0);
        };
        for (const auto& [from, to] : barred) {
            close(std::min(from, interval - 1));
            open = std::max(open, to);
        }
        close(interval - 1);
        if (choice_ == TurnChoice::Nearest)
            std::stable_sort(found.begin(), found.end(), [](Ticks a, Ticks b) { return std::abs(a) < std::abs(b); });
        return found;
    }

    /// By `from`, of each only the one that reaches furthest where that is cheap to know.
    void sortBarred(std::vector<Barred>& barred)
    {
        constexpr Ticks cheap = 1 << 16;
        if (block_.interval > cheap) {
            budget_.left -= 10 * static_cast<std::int64_t>(barred.size());
            std::sort(barred.begin(), barred.end(), [](const Barred& a, const Barred& b) { return a.from < b.from; });
            return;
        }
        reach_.assign(static_cast<std::size_t>(block_.interval), 0);
        for (const Barred& one : barred) {
            Ticks& reach = reach_[static_cast<std::size_t>(one.from)];
            reach = std::max(reach, one.to);
        }
        barred.clear();
        for (std::size_t from = 0; from < reach_.size(); ++from)
            if (reach_[from] > 0)
                barred.push_back({ static_cast<Ticks>(from), reach_[from] });
    }

    [[nodiscard]] Ticks residueOf(Ticks ticks) const
    {
        return (ticks % block_.interval + block_.interval) % block_.interval;
    }

    /// The changes as they are: a block, if all else is well.
    void take(Ticks sum)
    {
        budget_.left -= 20 * static_cast<std::int64_t>(block_.passes.size());
        BuildingBlock made = block_;
        std::vector<Ticks> shifts(segments_.size(), 0);
        for (std::size_t turn = 0; turn < free_.size(); ++turn)
            shifts[turn + 1] = carried(turn, shifts[turn]) + change_[turn];
        for (std::size_t i = 0; i < made.passes.size(); ++i) {
            made.passes[i].start += shifts[segmentOf_[i]];
            if (made.passes[i].start < 0 || made.passes[i].start >= maxTicks)
                return;
        }
        made = placeWeights(std::move(made), pipeline_);
        if (!repeats(made, pipeline_))
            return;
        if (!best_ || std::tuple(sum, lengthOf(made)) < std::tuple(bestSum_, lengthOf(*best_))) {
            best_ = std::move(made);
            bestSum_ = sum;
        }
    }

    const BuildingBlock& block_;
    const Pipeline& pipeline_;
    const std::vector<FreeTurn>& free_;
    TurnChoice choice_;
    SearchBudget& budget_;
    std::vector<std::size_t> segmentOf_; ///< by pass
    std::vector<std::vector<Piece>> segments_;
    std::vector<Ticks> least_;                   ///< change, per free turn
    std::vector<Ticks> change_;                  ///< per free turn, as tried now
    std::vector<std::vector<TakenTicks>> taken_; ///< per device
    std::vector<Ticks> reach_;                   ///< reused
    std::optional<BuildingBlock> best_;
    Ticks bestSum_ = 0; ///< where different sums are tried
};

} // namespace

std::optional<BuildingBlock> searchTurns(const BuildingBlock& block, const Pipeline& pipeline,
    const std::vector<FreeTurn>& free, TurnChoice choice, SearchBudget& budget)
{
    return TurnSearch(block, pipeline, free, choice, budget).run();
}

bool repeats(const BuildingBlock& block, const Pipeline& pipeline)
{
    if (!IntervalTest(block, pipeline).isFree(block.interval))
        return false;
    const BlockIndex index(block, pipeline);
    return std::all_of(block.passes.begin(), block.passes.end(),
        [&](const BlockPass& placed) { return placed.start >= inputsReady(block, pipeline, index, placed.slot).at; });
}

} // namespace pipeloom
