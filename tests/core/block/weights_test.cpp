// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/block/fit.h"
#include "core/block/weights.h"
#include "core/formats/pass_rows.h"
#include "core/library/library.h"
#include "tests/support/random_design.h"

#include <QTest>

using namespace pipeloom;

namespace {

Design made(const char* name, std::int32_t devices)
{
    LibraryRequest request;
    request.devices = devices;
    return findInLibrary(name)->make(request).design.value();
}

bool isWeights(const BlockPass& placed) { return placed.slot.first.kind == PassKind::W; }

} // namespace

class WeightsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void thePapersBlocksComeBackWhateverTheirWWere();
    void missingWAreAdded();
    void aWWithoutRoomStandsRightAfterItsB();
    void aWLongerThanATickNeedsThemAllInARow();
    void nothingButWMovesAndEachStandsAfterItsB();
};

void WeightsTest::thePapersBlocksComeBackWhateverTheirWWere()
{
    for (const char* name : { "v-min", "v-half", "v-zb" })
        for (std::int32_t p = 2; p <= 9; ++p) {
            const Design design = made(name, p);
            BuildingBlock moved = *design.block();
            for (std::size_t i = 0; i < moved.passes.size(); ++i)
                if (isWeights(moved.passes[i]))
                    moved.passes[i].start = static_cast<Ticks>(7 * i % 11);
            QCOMPARE(placeWeights(moved, design.pipeline), *design.block());
        }
}

void WeightsTest::missingWAreAdded()
{
    const Design design = made("v-half", 4);
    BuildingBlock without = *design.block();
    std::erase_if(without.passes, isWeights);
    QCOMPARE(placeWeights(without, design.pipeline), without);
    const BuildingBlock all = withAllWeights(without, design.pipeline);
    QCOMPARE(all.passes.size(), std::size_t { 24 });
    QCOMPARE(formats::rowsOf(all, 4), formats::rowsOf(*design.block(), 4));
    QCOMPARE(withAllWeights(all, design.pipeline), all);
    const Design fused = made("1f1b", 4);
    QCOMPARE(withAllWeights(*fused.block(), fused.pipeline), *fused.block());
}

void WeightsTest::aWWithoutRoomStandsRightAfterItsB()
{
    const Design design = made("v-half", 4);
    BuildingBlock tight = *design.block();
    tight.interval = 5;
    const BuildingBlock placed = placeWeights(tight, design.pipeline);
    QVERIFY(!check(placed, design.pipeline).empty());
    for (const BlockPass& pass : placed.passes)
        QVERIFY(pass.start >= 0);
    tight.durations.values[index(PassKind::W)].assign(8, 9);
    for (const BlockPass& pass : placeWeights(tight, design.pipeline).passes)
        if (isWeights(pass))
            for (const BlockPass& backward : tight.passes)
                if (backward.slot.first.kind == PassKind::B && backward.slot.first.stage == pass.slot.first.stage)
                    QCOMPARE(pass.start, backward.start + 1);
}

void WeightsTest::aWLongerThanATickNeedsThemAllInARow()
{
    // F 0, B 2, W of 3 ticks in 8: from 3 to 6 is free. With another pass at 4 only 5 to 8.
    BuildingBlock block;
    const Pipeline one = pipeline(PlacementKind::Interleaved, 1, 2, 4);
    block.interval = 8;
    block.durations = unitDurations(2);
    block.durations.values[index(PassKind::W)] = { 3, 3 };
    const auto add = [&](int stage, PassKind kind, Ticks start) {
        block.passes.push_back({ DeviceId { 0 }, { { StageId { stage }, {}, kind }, {} }, start });
    };
    add(0, PassKind::F, 0);
    add(0, PassKind::B, 2);
    add(0, PassKind::W, 0);
    QCOMPARE(placeWeights(block, one).passes[2].start, Ticks { 3 });
    add(1, PassKind::F, 4 + 8);
    QCOMPARE(placeWeights(block, one).passes[2].start, Ticks { 5 });
}

void WeightsTest::nothingButWMovesAndEachStandsAfterItsB()
{
    test::Random random(7);
    for (int run = 0; run < 300; ++run) {
        const Design design = test::randomDesign(random);
        if (!design.block())
            continue;
        const BuildingBlock& before = *design.block();
        const BuildingBlock after = placeWeights(before, design.pipeline);
        QCOMPARE(after.passes.size(), before.passes.size());
        const BlockIndex index(after, design.pipeline);
        for (std::size_t i = 0; i < after.passes.size(); ++i) {
            if (!isWeights(after.passes[i]) || after.passes[i].slot.isPair()) {
                QCOMPARE(after.passes[i], before.passes[i]);
                continue;
            }
            QCOMPARE(after.passes[i].slot, before.passes[i].slot);
            if (after.passes[i] != before.passes[i])
                QVERIFY(after.passes[i].start >= inputsReady(after, design.pipeline, index, after.passes[i].slot).at);
        }
        QCOMPARE(placeWeights(after, design.pipeline), after);
    }
}

QTEST_APPLESS_MAIN(WeightsTest)
#include "weights_test.moc"
