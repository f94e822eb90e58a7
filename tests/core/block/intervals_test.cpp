// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/block/fit.h"
#include "core/block/intervals.h"
#include "core/library/library.h"
#include "tests/support/random_design.h"

#include <QTest>

using namespace pipeloom;

namespace {

Design made(const char* name, std::int32_t devices)
{
    LibraryRequest request;
    request.devices = devices;
    request.microBatches = 2 * devices;
    return findInLibrary(name)->make(request).design.value();
}

bool isFreeByCollisions(const BuildingBlock& block, const Pipeline& pipeline, Ticks interval)
{
    for (std::int32_t d = 0; d < pipeline.devices; ++d)
        if (!collisions(block, DeviceId { d }, interval).empty())
            return false;
    // A pass that is longer than the interval meets itself, which is no collision of two.
    return std::all_of(block.passes.begin(), block.passes.end(),
        [&](const BlockPass& placed) { return block.duration(placed.slot) <= interval; });
}

} // namespace

class IntervalsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void vHalfRepeatsAtTheseIntervals();
    void theNearestLegalIntervalIsFound_data();
    void theNearestLegalIntervalIsFound();
    void passesThatOverlapInTheBlockAreNeverFree();
    void theyAreThoseWithoutCollisions();
};

void IntervalsTest::vHalfRepeatsAtTheseIntervals()
{
    // By hand for device 0: 0F 0, 7F 11, 7B 15, 7W 16, 0B 25, 0W 26; and so on for the others.
    const Design design = made("v-half", 4);
    const std::vector<Ticks> expected { 6, 12, 18, 21, 23, 24, 27, 28, 29, 30 };
    QCOMPARE(legalIntervals(*design.block(), design.pipeline, 1, 30), expected);
    QCOMPARE(legalIntervals(*design.block(), design.pipeline, -5, 6), std::vector<Ticks> { 6 });
    QVERIFY(legalIntervals(*design.block(), design.pipeline, 7, 11).empty());
    QCOMPARE(legalIntervals(BuildingBlock {}, design.pipeline, 1, 3), (std::vector<Ticks> { 1, 2, 3 }));
}

void IntervalsTest::theNearestLegalIntervalIsFound_data()
{
    QTest::addColumn<qlonglong>("wanted");
    QTest::addColumn<qlonglong>("nearest");
    for (const auto& [wanted, nearest] : { std::pair(-7, 6), { 1, 6 }, { 6, 6 }, { 8, 6 }, { 9, 6 }, { 10, 12 },
             { 22, 21 }, { 25, 24 }, { 26, 27 }, { 5000, 5000 } })
        QTest::addRow("%d", wanted) << qlonglong(wanted) << qlonglong(nearest);
}

void IntervalsTest::theNearestLegalIntervalIsFound()
{
    QFETCH(qlonglong, wanted);
    QFETCH(qlonglong, nearest);
    const Design design = made("v-half", 4);
    QCOMPARE(nearestLegalInterval(*design.block(), design.pipeline, wanted), std::optional<Ticks>(nearest));
}

void IntervalsTest::passesThatOverlapInTheBlockAreNeverFree()
{
    Design design = made("v-half", 4);
    BuildingBlock& block = std::get<BuildingBlock>(design.plan);
    block.passes[1].start = block.passes[0].start; // both of device 0
    QVERIFY(!nearestLegalInterval(block, design.pipeline, 6).has_value());
    QVERIFY(legalIntervals(block, design.pipeline, 1, 60).empty());
}

void IntervalsTest::theyAreThoseWithoutCollisions()
{
    test::Random random(20240525);
    for (int run = 0; run < 300; ++run) {
        const Design design = test::randomDesign(random);
        const BuildingBlock* block = design.block();
        if (!block)
            continue;
        std::vector<Ticks> expected;
        for (Ticks interval = 1; interval <= 3 * block->interval; ++interval)
            if (isFreeByCollisions(*block, design.pipeline, interval))
                expected.push_back(interval);
        QCOMPARE(legalIntervals(*block, design.pipeline, 1, 3 * block->interval), expected);
        for (const Ticks wanted : { Ticks { 1 }, block->interval, 2 * block->interval }) {
            const auto nearest = nearestLegalInterval(*block, design.pipeline, wanted);
            QVERIFY(!nearest || isFreeByCollisions(*block, design.pipeline, *nearest));
            for (const Ticks other : expected)
                QVERIFY(nearest && std::abs(*nearest - wanted) <= std::abs(other - wanted));
        }
    }
}

QTEST_APPLESS_MAIN(IntervalsTest)
#include "intervals_test.moc"
