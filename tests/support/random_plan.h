// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Random blocks and schedules: legal ones, which every check accepts and which run to their end, and broken ones, which are
// still well formed: stages, members and devices are there, but passes are missing, doubled, early, in the wrong row.

#include "core/block/building_block.h"
#include "core/schedule/schedule.h"
#include "tests/support/random_pipeline.h"

#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace pipeloom::test {

/// Puts passes on devices where they are free modulo the interval.
class BlockDrawer {
public:
    BlockDrawer(Random& random, const Pipeline& pipeline, BuildingBlock& block)
        : random_(random)
        , pipeline_(pipeline)
        , block_(block)
        , taken_(static_cast<std::size_t>(pipeline.devices),
              std::vector<bool>(static_cast<std::size_t>(block.interval), false))
    {
    }

    /// All passes of a member of the group, each after its inputs; false if one finds no place.
    bool draw(std::int32_t member)
    {
        const RouteId route { member % pipeline_.routeCount() };
        std::vector<Ticks> forwardEnd;
        Ticks ready = 0;
        for (std::int32_t s = 0; s < pipeline_.stages; ++s) {
            if (!put({ StageId { s }, MicroBatch { member }, PassKind::F }, route, ready))
                return false;
            forwardEnd.push_back(ready);
        }
        for (std::int32_t s = pipeline_.stages - 1; s >= 0; --s) {
            const PassKind kind = chance(random_, 40) ? PassKind::BW : PassKind::B;
            ready = std::max(ready, forwardEnd[static_cast<std::size_t>(s)]);
            if (!put({ StageId { s }, MicroBatch { member }, kind }, route, ready))
                return false;
            Ticks afterwards = ready;
            if (kind == PassKind::B && !put({ StageId { s }, MicroBatch { member }, PassKind::W }, route, afterwards))
                return false;
        }
        return true;
    }

private:
    /// Starts at `ready` or later; `ready` becomes its end.
    bool put(Pass pass, RouteId route, Ticks& ready)
    {
        const DeviceId device = pipeline_.deviceOf(pass.stage, route);
        const Slot slot { pass, {} };
        const Ticks duration = block_.duration(slot);
        const Ticks from = ready + (chance(random_, 70) ? 0 : between(random_, 0, block_.interval));
        for (Ticks start = from; start < from + block_.interval; ++start) {
            if (!isFree(device, start, duration))
                continue;
            for (Ticks t = start; t < start + duration; ++t)
                taken_[device.index()][static_cast<std::size_t>(t % block_.interval)] = true;
            block_.passes.push_back({ device, slot, start });
            ready = start + duration;
            return true;
        }
        return false;
    }

    bool isFree(DeviceId device, Ticks start, Ticks duration) const
    {
        for (Ticks t = start; t < start + duration; ++t)
            if (taken_[device.index()][static_cast<std::size_t>(t % block_.interval)])
                return false;
        return duration <= block_.interval;
    }

    Random& random_;
    const Pipeline& pipeline_;
    BuildingBlock& block_;
    std::vector<std::vector<bool>> taken_;
};

/// Makes the pipeline's routes such that blocks of `group` micro-batches agree with them: member k takes route k mod routes.
inline void alternateRoutes(Pipeline& pipeline, std::int32_t& group)
{
    pipeline.routeOfMicroBatch.clear();
    if (pipeline.rule == RouteRule::Single)
        return;
    pipeline.rule = RouteRule::Alternate;
    group = pipeline.routeCount() * group;
}

/// A legal block for the pipeline, whose routes become `alternate` if it has several.
inline BuildingBlock randomLegalBlock(Random& random, Pipeline& pipeline, const RandomSizes& sizes = {})
{
    BuildingBlock block;
    block.group = chance(random, 60) ? 1 : small(random, 1, 2);
    alternateRoutes(pipeline, block.group);
    block.durations
        = chance(random, 50) ? unitDurations(pipeline.stages) : randomTable(random, pipeline.stages, 1, sizes.ticks);
    // From about what the fullest device needs, up to where everything finds its place.
    block.interval = Ticks { 3 } * block.group * between(random, 1, sizes.ticks);
    while (true) {
        BlockDrawer drawer(random, pipeline, block);
        bool whole = true;
        for (std::int32_t member = 0; member < block.group && whole; ++member)
            whole = drawer.draw(member);
        if (whole)
            return block;
        block.passes.clear();
        block.interval += between(random, 1, 3);
    }
}

/// Passes that may come next in an order, one after the other, until all have come.
class OrderDrawer {
public:
    OrderDrawer(Random& random, const Pipeline& pipeline)
        : random_(random)
        , pipeline_(pipeline)
        , rows_(static_cast<std::size_t>(pipeline.devices))
        , done_(static_cast<std::size_t>(pipeline.stages) * static_cast<std::size_t>(pipeline.microBatches))
    {
        for (Progress& progress : done_)
            progress.fused = chance(random, 40);
    }

    Schedule draw(int pairPercent)
    {
        for (std::vector<Pass> ready = readyPasses(); !ready.empty(); ready = readyPasses()) {
            const Pass pass
                = ready[static_cast<std::size_t>(between(random_, 0, static_cast<std::int64_t>(ready.size()) - 1))];
            const std::optional<Pass> other = chance(random_, pairPercent) ? partner(pass, ready) : std::nullopt;
            const DeviceId device = pipeline_.deviceOf(pass);
            if (!other.has_value())
                rows_[device.index()].push_back({ pass, {} });
            else if (pass.kind == PassKind::F)
                rows_[device.index()].push_back({ pass, *other });
            else
                rows_[device.index()].push_back({ *other, pass });
            finish(pass);
            if (other.has_value())
                finish(*other);
        }
        return schedule(rows_);
    }

private:
    struct Progress {
        bool fused = false; ///< BW instead of B and W
        bool forward = false;
        bool backward = false;
        bool weights = false;
    };

    Progress& at(StageId stage, MicroBatch microBatch)
    {
        return done_[microBatch.index() * static_cast<std::size_t>(pipeline_.stages) + stage.index()];
    }

    std::vector<Pass> readyPasses()
    {
        std::vector<Pass> ready;
        for (std::int32_t j = 0; j < pipeline_.microBatches; ++j)
            for (std::int32_t s = 0; s < pipeline_.stages; ++s) {
                const StageId stage { s };
                const MicroBatch microBatch { j };
                const Progress& here = at(stage, microBatch);
                const bool first = s == 0;
                const bool last = s + 1 == pipeline_.stages;
                if (!here.forward && (first || at(StageId { s - 1 }, microBatch).forward))
                    ready.push_back({ stage, microBatch, PassKind::F });
                if (here.forward && !here.backward && (last || at(StageId { s + 1 }, microBatch).backward))
                    ready.push_back({ stage, microBatch, here.fused ? PassKind::BW : PassKind::B });
                if (here.backward && !here.weights)
                    ready.push_back({ stage, microBatch, PassKind::W });
            }
        return ready;
    }

    /// A pass that is ready too and can run overlapped with this one.
    std::optional<Pass> partner(const Pass& pass, const std::vector<Pass>& ready) const
    {
        for (const Pass& other : ready) {
            const bool fits = (pass.kind == PassKind::F && givesInputGradient(other.kind))
                || (givesInputGradient(pass.kind) && other.kind == PassKind::F);
            if (fits && pipeline_.deviceOf(pass) == pipeline_.deviceOf(other))
                return other;
        }
        return std::nullopt;
    }

    void finish(const Pass& pass)
    {
        Progress& here = at(pass.stage, pass.microBatch);
        here.forward = true;
        here.backward = here.backward || givesInputGradient(pass.kind);
        here.weights = here.weights || givesWeightGradient(pass.kind);
    }

    Random& random_;
    const Pipeline& pipeline_;
    std::vector<std::vector<Slot>> rows_;
    std::vector<Progress> done_;
};

/// A schedule that holds every pass once and does not deadlock: the passes of a random order in which each stands after its
/// inputs. Some pairs, some stages with BW for some micro-batches.
inline Schedule randomLegalSchedule(Random& random, const Pipeline& pipeline, int pairPercent = 20)
{
    return OrderDrawer(random, pipeline).draw(pairPercent);
}

/// One fault in a block.
inline void breakBlock(Random& random, const Pipeline& pipeline, BuildingBlock& block)
{
    if (block.passes.empty())
        return;
    const auto chosen
        = static_cast<std::size_t>(between(random, 0, static_cast<std::int64_t>(block.passes.size()) - 1));
    BlockPass& pass = block.passes[chosen];
    switch (between(random, 0, 6)) {
    case 0:
        block.passes.erase(block.passes.begin() + static_cast<std::ptrdiff_t>(chosen));
        break;
    case 1:
        block.passes.push_back(BlockPass { pass.device, pass.slot, between(random, 0, 3 * block.interval) });
        break;
    case 2:
        pass.start = between(random, 0, 3 * block.interval);
        break;
    case 3:
        pass.device = DeviceId { small(random, 0, pipeline.devices - 1) };
        break;
    case 4:
        pass.slot.first.kind = static_cast<PassKind>(between(random, 0, 3));
        break;
    case 5:
        pass.slot.second = block.passes.front().slot.first;
        break;
    default:
        block.interval = between(random, 1, block.interval);
        break;
    }
}

/// One fault in a schedule, or an order that may deadlock.
inline void breakSchedule(Random& random, Schedule& schedule)
{
    std::vector<std::vector<Slot>> rows;
    for (std::int32_t d = 0; d < schedule.devices(); ++d) {
        const auto row = schedule.row(DeviceId { d });
        rows.emplace_back(row.begin(), row.end());
    }
    auto& row = rows[static_cast<std::size_t>(between(random, 0, schedule.devices() - 1))];
    auto& other = rows[static_cast<std::size_t>(between(random, 0, schedule.devices() - 1))];
    if (row.empty())
        return;
    const auto chosen = between(random, 0, static_cast<std::int64_t>(row.size()) - 1);
    const Slot slot = row[static_cast<std::size_t>(chosen)];
    switch (between(random, 0, 4)) {
    case 0:
        row.erase(row.begin() + chosen);
        break;
    case 1:
        other.push_back(slot);
        break;
    case 2:
        row.erase(row.begin() + chosen);
        other.insert(other.begin(), slot);
        break;
    case 3:
        row[static_cast<std::size_t>(chosen)].second = row.back().first;
        break;
    default:
        std::swap(row[static_cast<std::size_t>(chosen)], row.back());
        break;
    }
    schedule = pipeloom::schedule(rows);
}

} // namespace pipeloom::test
