// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/block/block_index.h"
#include "core/block/swaps.h"
#include "core/library/library.h"
#include "tests/support/random_legal_design.h"

#include <QTest>

#include <array>

using namespace pipeloom;

namespace {

Design vHalf()
{
    LibraryRequest request;
    request.devices = 4;
    return findInLibrary("v-half")->make(request).design.value();
}

std::int32_t find(const BuildingBlock& block, const std::string& name)
{
    for (std::size_t i = 0; i < block.passes.size(); ++i)
        if (blockText(block.passes[i].slot, block) == name)
            return static_cast<std::int32_t>(i);
    return -1;
}

Ticks startOf(const BuildingBlock& block, const std::string& name)
{
    return block.passes[static_cast<std::size_t>(find(block, name))].start;
}

} // namespace

class SwapsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void of276MovesInVHalf8AreLegalAnd42WithSwaps();
    void aPassMeetsTheCopyThatStandsThere();
    void theLongestSharedTimeIsMet();
    void passesOfNoLengthAndDraggedOnesAreNotMet();
    void aSwapGivesTheOtherTheTicksThatAreLeft();
    void passesOfOtherLengthsSwapWithinTheirTime();
    void aSwapMovesTheTwoAndNothingElse();
    void whatIsMetOverlaps();
};

void SwapsTest::of276MovesInVHalf8AreLegalAnd42WithSwaps()
{
    // Each of the 24 passes by up to an interval either way, starts at or above 0.
    const Design design = vHalf();
    const BuildingBlock& block = *design.block();
    int moves = 0;
    int legal = 0;
    int withSwaps = 0;
    for (std::size_t i = 0; i < block.passes.size(); ++i)
        for (Ticks by = -block.interval; by <= block.interval; ++by) {
            const Ticks start = block.passes[i].start + by;
            if (by == 0 || start < 0)
                continue;
            ++moves;
            BuildingBlock moved = block;
            moved.passes[i].start = start;
            const bool isLegal = check(moved, design.pipeline).empty();
            legal += isLegal;
            const auto pass = static_cast<std::int32_t>(i);
            const auto met = meets(block, block.passes[i].device, start, 1, std::array { pass });
            withSwaps += isLegal
                || (met && check(swapped(block, design.pipeline, pass, met->pass, start), design.pipeline).empty());
        }
    QCOMPARE(moves, 276);
    QCOMPARE(legal, 8);
    QCOMPARE(withSwaps, 42);
}

void SwapsTest::aPassMeetsTheCopyThatStandsThere()
{
    const Design design = vHalf();
    const BuildingBlock& block = *design.block();
    const auto met = meets(block, DeviceId { 0 }, 18, 1); // 0F stands at 0
    QVERIFY(met.has_value());
    QCOMPARE(met->pass, find(block, "0F"));
    QCOMPARE(met->copies, Ticks { 3 });
    QCOMPARE(met->from, Ticks { 18 });
    const auto earlier = meets(block, DeviceId { 0 }, 1, 1); // 0B at 25
    QVERIFY(earlier.has_value());
    QCOMPARE(earlier->pass, find(block, "0B"));
    QCOMPARE(earlier->copies, Ticks { -4 });
    BuildingBlock free = block;
    free.interval = 100;
    QVERIFY(!meets(free, DeviceId { 0 }, 1, 10).has_value());
}

void SwapsTest::theLongestSharedTimeIsMet()
{
    BuildingBlock block;
    block.interval = 20;
    block.durations = unitDurations(3);
    block.durations.values[index(PassKind::F)] = { 3, 4, 4 };
    const auto add = [&](int stage, Ticks start) {
        block.passes.push_back({ DeviceId { 0 }, { { StageId { stage }, {}, PassKind::F }, {} }, start });
    };
    add(0, 0);                                              // 0..3
    add(1, 4);                                              // 4..8
    add(2, 8);                                              // 8..12
    QCOMPARE(meets(block, DeviceId { 0 }, 2, 4)->pass, 1);  // 1 tick of 0F, 2 of 1F
    QCOMPARE(meets(block, DeviceId { 0 }, 6, 4)->pass, 1);  // 2 of each: the first
    QCOMPARE(meets(block, DeviceId { 0 }, 27, 5)->pass, 2); // 1 of 1F, 4 of 2F, one interval on
    QCOMPARE(meets(block, DeviceId { 0 }, 27, 5)->copies, Ticks { 1 });
}

void SwapsTest::passesOfNoLengthAndDraggedOnesAreNotMet()
{
    BuildingBlock block;
    block.interval = 6;
    block.durations = unitDurations(2);
    block.durations.values[index(PassKind::W)] = { 0, 0 };
    block.passes = { { DeviceId { 0 }, { { StageId { 0 }, {}, PassKind::F }, {} }, 0 },
        { DeviceId { 0 }, { { StageId { 0 }, {}, PassKind::W }, {} }, 3 } };
    QVERIFY(!meets(block, DeviceId { 0 }, 2, 3).has_value());
    QVERIFY(!meets(block, DeviceId { 0 }, 0, 0).has_value());
    QVERIFY(meets(block, DeviceId { 0 }, 0, 1).has_value());
    QVERIFY(!meets(block, DeviceId { 0 }, 0, 1, std::array { 0 }).has_value());
    QVERIFY(!meets(block, DeviceId { 1 }, 0, 1).has_value());
}

void SwapsTest::aSwapGivesTheOtherTheTicksThatAreLeft()
{
    // 7W from 16 to 20, where it meets 0W (26 = 2 mod 6): that takes tick 4 of the interval, after its B at 25: 28.
    const Design design = vHalf();
    const BuildingBlock& block = *design.block();
    const BuildingBlock after = swapped(block, design.pipeline, find(block, "7W"), find(block, "0W"), 20);
    QCOMPARE(startOf(after, "7W"), Ticks { 20 });
    QCOMPARE(startOf(after, "0W"), Ticks { 28 });
    QVERIFY(check(after, design.pipeline).empty());
}

void SwapsTest::passesOfOtherLengthsSwapWithinTheirTime()
{
    // F B of two stages and their W, of 3 ticks and of 1, in 8 ticks without a gap.
    BuildingBlock block;
    block.interval = 8;
    const Pipeline one = pipeline(PlacementKind::Interleaved, 1, 2, 4);
    block.durations = unitDurations(2);
    block.durations.values[index(PassKind::W)] = { 1, 3 };
    const auto add = [&](int stage, PassKind kind, Ticks start) {
        block.passes.push_back({ DeviceId { 0 }, { { StageId { stage }, {}, kind }, {} }, start });
    };
    add(0, PassKind::F, 0);
    add(1, PassKind::F, 1);
    add(1, PassKind::B, 2);
    add(0, PassKind::B, 3);
    add(1, PassKind::W, 4);
    add(0, PassKind::W, 7);
    QVERIFY(check(block, one).empty());
    const BuildingBlock right = swapped(block, one, 4, 5, 5); // the long one to 5: the short one fits before it
    QVERIFY(check(right, one).empty());
    QCOMPARE(right.passes[5].start, Ticks { 4 });
    const BuildingBlock left = swapped(block, one, 5, 4, 5); // the short one into the middle of the long one
    QCOMPARE(left, right);
}

void SwapsTest::aSwapMovesTheTwoAndNothingElse()
{
    int legal = 0;
    for (unsigned seed = 1; seed <= 300; ++seed) {
        test::RandomLegalDesign random(seed);
        const Design design = random.design();
        const BuildingBlock& before = *design.block();
        const auto a = static_cast<std::size_t>(random.within(0, static_cast<int>(before.passes.size()) - 1));
        const Ticks start = std::max<Ticks>(before.passes[a].start + random.within(-9, 9), 0);
        const auto pass = static_cast<std::int32_t>(a);
        const auto met = meets(
            before, before.passes[a].device, start, before.duration(before.passes[a].slot), std::array { pass });
        if (!met)
            continue;
        const BuildingBlock after = swapped(before, design.pipeline, pass, met->pass, start);
        const auto b = static_cast<std::size_t>(met->pass);
        for (std::size_t i = 0; i < before.passes.size(); ++i) {
            QVERIFY(after.passes[i].start >= 0);
            if (i != a && i != b)
                QCOMPARE(after.passes[i], before.passes[i]);
        }
        if (!check(after, design.pipeline).empty())
            QCOMPARE(after.passes[a].start, start); // it goes where it is dragged
        else
            ++legal;
    }
    QVERIFY2(legal > 10, QByteArray::number(legal).constData());
}

void SwapsTest::whatIsMetOverlaps()
{
    for (unsigned seed = 1; seed <= 300; ++seed) {
        test::RandomLegalDesign random(seed);
        const Design design = random.design();
        const BuildingBlock& block = *design.block();
        const DeviceId device { random.within(0, design.pipeline.devices - 1) };
        const Ticks start = random.within(0, 60);
        const Ticks ticks = random.within(1, 4);
        // Tick by tick, over all copies that can reach there.
        bool taken = false;
        for (const BlockPass& placed : block.passes)
            for (Ticks tick = start; tick < start + ticks && placed.device == device; ++tick) {
                const Ticks since = ((tick - placed.start) % block.interval + block.interval) % block.interval;
                taken = taken || since < block.duration(placed.slot);
            }
        const auto met = meets(block, device, start, ticks);
        QCOMPARE(met.has_value(), taken);
        if (!met)
            continue;
        const BlockPass& other = block.passes[static_cast<std::size_t>(met->pass)];
        QCOMPARE(other.device, device);
        const Ticks at = other.start + met->copies * block.interval;
        QVERIFY(met->from >= start && met->from >= at && met->from < met->to);
        QVERIFY(met->to <= start + ticks && met->to <= at + block.duration(other.slot));
    }
}

QTEST_APPLESS_MAIN(SwapsTest)
#include "swaps_test.moc"
