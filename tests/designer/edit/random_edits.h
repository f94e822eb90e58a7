// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Any edit with any arguments, also such as must be refused; all of it follows from the seed.

#include "app/designer/edit/block_edits.h"
#include "app/designer/edit/clipboard_edits.h"
#include "app/designer/edit/costs_edits.h"
#include "app/designer/edit/interval_edits.h"
#include "app/designer/edit/leg_edits.h"
#include "app/designer/edit/pass_edits.h"
#include "app/designer/edit/pipeline_edits.h"
#include "app/designer/edit/selections.h"
#include "app/designer/edit/stage_edits.h"
#include "core/library/library.h"
#include "tests/support/random_design.h"

#include <string>
#include <vector>

namespace pipeloom::designer::testing {

class RandomEdits {
public:
    explicit RandomEdits(std::uint64_t seed)
        : random_(seed)
    {
    }

    test::Random& engine() { return random_; }

    /// Of one of these, whatever is drawn.
    Edited edit(const Design& design)
    {
        switch (test::between(random_, 0, 4)) {
        case 0:
        case 1:
            return passEdit(design);
        case 2:
            return blockEdit(design);
        case 3:
            return costEdit(design);
        default:
            return pipelineEdit(design);
        }
    }

    Edited passEdit(const Design& design)
    {
        const std::vector<std::int32_t> some = passes(design);
        switch (test::between(random_, 0, 11)) {
        case 0:
        case 1:
            return placePass(design, device(design), kind(), ticks());
        case 2:
            return movePasses(design, some, test::between(random_, -9, 9));
        case 3:
            return movePasses(design, some, test::chance(random_, 50) ? ticks() : -ticks());
        case 4:
            return swapPasses(design, pass(design), pass(design));
        case 5:
            return swapPasses(design, pass(design), pass(design), ticks());
        case 6:
            return deletePasses(design, some);
        case 7:
            return mirrorPasses(design, some);
        case 8:
            return pairPasses(design, pass(design), pass(design));
        case 9:
            return unpairPasses(design, some);
        case 10:
            return pastePasses(
                design, test::chance(random_, 10) ? junk() : copyText(design, some), device(design), ticks());
        default:
            return duplicatePasses(design, some);
        }
    }

    Edited blockEdit(const Design& design)
    {
        const RouteId route { test::small(random_, 0, 1) };
        const auto part = static_cast<std::size_t>(test::between(random_, 0, 5));
        const AfterShift after = test::chance(random_, 50) ? AfterShift::Fit : AfterShift::Leave;
        const Ticks by = test::chance(random_, 90) ? test::between(random_, -4, 4) : ticks();
        switch (test::between(random_, 0, 11)) {
        case 0:
        case 1:
            return shiftLeg(design, route, part, by, after);
        case 2:
            return shiftTurn(design, route, part, by, after);
        case 3:
            return setInterval(design, ticks());
        case 4:
            return refitInterval(design, test::between(random_, 1, 60));
        case 5:
            return retimeWithCosts(design);
        case 6:
            return setDuration(design, kind(), stageOrAll(design), ticks());
        case 7:
            return placeWeightsAgain(design);
        case 8:
            return placeAllWeights(design);
        case 9:
            return moveStage(design, stage(design), route, device(design));
        case 10:
            return test::chance(random_, 50) ? newBlock(design) : clearBlock(design);
        default:
            return startFrom(design,
                library()[static_cast<std::size_t>(
                              test::between(random_, 0, static_cast<std::int64_t>(library().size()) - 1))]
                    .name);
        }
    }

    Edited costEdit(const Design& design)
    {
        const std::optional<DeviceId> oneDevice
            = test::chance(random_, 50) ? std::optional(device(design)) : std::nullopt;
        const std::optional<StageId> oneStage = stageOrAll(design);
        switch (test::between(random_, 0, 17)) {
        case 0:
        case 1:
            return setCost(design, kind(), oneStage, ticks());
        case 2:
            return setPairCost(design, optionalNumber());
        case 3:
            return setTickUs(design, static_cast<double>(test::between(random_, -1, 4000)) / 8);
        case 4:
            return setMemoryUnit(design, test::chance(random_, 50) ? MemoryUnit::Byte : MemoryUnit::Activation);
        case 5:
            return setMemoryChange(design, kind(), oneStage, test::chance(random_, 50) ? ticks() : -ticks());
        case 6:
            return setTransient(design, kind(), oneStage, ticks());
        case 7:
            return setFixed(design, oneDevice, ticks());
        case 8:
            return setCommunication(design, oneDevice, ticks());
        case 9:
            return setLimit(design, oneDevice, optionalNumber());
        case 10:
            return setTransfer(design, oneStage, ticks());
        case 11:
            return setBandwidth(design, test::chance(random_, 30) ? 0 : ticks());
        case 12:
            return setLatency(design, ticks());
        case 13:
            return setMessageBytes(design, oneStage, optionalNumber());
        case 14:
            return setQueue(design, static_cast<QueueModel>(test::between(random_, 0, 3)));
        case 15:
            return setWindow(design, test::small(random_, -1, 9));
        case 16:
            return setReorder(design,
                test::chance(random_, 70)
                    ? std::optional(Reorder { static_cast<ReorderRule>(test::between(random_, 0, 1)),
                        static_cast<ReorderAim>(test::between(random_, 0, 1)) })
                    : std::nullopt);
        default:
            return pasteCosts(design, table(), test::small(random_, -1, 3), test::small(random_, 0, 7));
        }
    }

    Edited pipelineEdit(const Design& design)
    {
        switch (test::between(random_, 0, 8)) {
        case 0:
            return setDevices(design, test::small(random_, 0, 6));
        case 1:
            return setStages(design, test::small(random_, 0, 12));
        case 2:
            return setMicroBatches(design, test::small(random_, 0, 12));
        case 3:
            return setPlacement(design, static_cast<PlacementKind>(test::between(random_, 0, 3)));
        case 4:
            return setPlacement(design, list(design));
        case 5:
            return setRoutes(
                design, { list(design), list(design) }, static_cast<RouteRule>(test::between(random_, 0, 3)));
        case 6:
            return setGroup(design, test::small(random_, 0, 4));
        case 7:
            return setName(design, test::randomText(random_));
        default:
            return setNotes(design, test::chance(random_, 10) ? "\xC3" : test::randomText(random_));
        }
    }

private:
    /// Mostly one that is there.
    std::int32_t pass(const Design& design)
    {
        const auto count = static_cast<std::int64_t>(design.block() ? design.block()->passes.size() : 0);
        return test::small(random_, test::chance(random_, 3) ? -1 : 0,
            static_cast<std::int32_t>(std::max<std::int64_t>(count - (test::chance(random_, 97) ? 1 : 0), 0)));
    }
    std::vector<std::int32_t> passes(const Design& design)
    {
        std::vector<std::int32_t> some;
        switch (test::between(random_, 0, 5)) {
        case 0:
            return selectChunk(design, test::small(random_, 0, 2));
        case 1:
            return selectKind(design, kind());
        case 2:
            return sameOfAllMembers(design, std::vector { pass(design) });
        default:
            for (std::int32_t n = test::small(random_, 0, 3); n >= 0; --n)
                some.push_back(pass(design));
            std::sort(some.begin(), some.end());
            if (test::chance(random_, 95))
                some.erase(std::unique(some.begin(), some.end()), some.end());
            return some;
        }
    }
    PassKind kind() { return static_cast<PassKind>(test::between(random_, 0, test::chance(random_, 95) ? 3 : 4)); }
    DeviceId device(const Design& design)
    {
        const bool any = test::chance(random_, 5);
        return DeviceId { test::small(random_, any ? -1 : 0, design.pipeline.devices - (any ? 0 : 1)) };
    }
    StageId stage(const Design& design)
    {
        const bool any = test::chance(random_, 5);
        return StageId { test::small(random_, any ? -1 : 0, design.pipeline.stages - (any ? 0 : 1)) };
    }
    std::optional<StageId> stageOrAll(const Design& design)
    {
        return test::chance(random_, 60) ? std::optional(stage(design)) : std::nullopt;
    }
    /// Mostly small, now and then at the edge of what a file can hold.
    std::int64_t ticks()
    {
        if (test::chance(random_, 92))
            return test::between(random_, 0, 40);
        constexpr std::array edges { std::int64_t { -1 }, maxTicks - 1, maxTicks, maxBytes - 1, maxBytes,
            std::numeric_limits<std::int64_t>::max(), std::int64_t { 1 } << 30 };
        return edges[static_cast<std::size_t>(test::between(random_, 0, static_cast<std::int64_t>(edges.size()) - 1))];
    }
    std::optional<std::int64_t> optionalNumber()
    {
        return test::chance(random_, 70) ? std::optional(ticks()) : std::nullopt;
    }
    Placement list(const Design& design)
    {
        Placement made;
        for (std::int32_t s = 0; s < design.pipeline.stages; ++s)
            made.push_back(device(design));
        return made;
    }
    std::string junk()
    {
        constexpr std::array texts { "", "\n\n", "7B@", "0F@99999999999999999999", "0F0@1", "(0F+0B)@3", "\xff",
            "0F@1\t1F@2" };
        return texts[static_cast<std::size_t>(test::between(random_, 0, static_cast<std::int64_t>(texts.size()) - 1))];
    }
    std::string table()
    {
        std::string made;
        for (std::int32_t row = test::small(random_, 0, 3); row >= 0; --row)
            for (std::int32_t column = test::small(random_, 0, 3); column >= 0; --column)
                made += (test::chance(random_, 98) ? std::to_string(ticks()) : junk()) + (column == 0 ? "\n" : "\t");
        return made;
    }

    test::Random random_;
};

} // namespace pipeloom::designer::testing
