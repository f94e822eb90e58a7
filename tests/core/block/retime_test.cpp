// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/block/retime.h"
#include "core/library/library.h"
#include "core/schedule/repeat.h"
#include "tests/support/random_design.h"
#include "tests/support/random_legal_design.h"

#include <QTest>

using namespace pipeloom;

namespace {

Design made(const char* name, std::int32_t devices, Ticks f = 1, Ticks b = 1, Ticks w = 1)
{
    LibraryRequest request;
    request.devices = devices;
    request.f = f;
    request.b = b;
    request.w = w;
    return findInLibrary(name)->make(request).design.value();
}

} // namespace

class RetimeTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aFullBlockStaysWithTheDurationsThatItHas();
    void timesGrowWithTheDurations();
    void theIntervalIsThatOfTheBusiestDeviceWhereTheOrderAllows();
    void theOrderOfEveryDeviceStays();
    void whatCollidesIsPutRight();
    void anOrderThatCannotRunIsRefused();
};

void RetimeTest::aFullBlockStaysWithTheDurationsThatItHas()
{
    // Every device is busy all the time, so the times follow from the order.
    for (const char* name : { "1f1b", "zb-h1", "v-min", "v-half", "v-zb" }) {
        const Design design = made(name, 4);
        const auto again = retimed(*design.block(), design.pipeline, design.block()->durations);
        QVERIFY(again.has_value());
        QVERIFY(check(*again, design.pipeline).empty());
        QCOMPARE(again->interval, design.block()->interval);
    }
    const Design design = made("v-half", 4);
    QCOMPARE(retimed(*design.block(), design.pipeline, design.block()->durations), std::optional(*design.block()));
}

void RetimeTest::timesGrowWithTheDurations()
{
    const Design design = made("v-half", 4, 100, 100, 100);
    const auto drawn = retimed(*design.block(), design.pipeline, design.costs.ticks);
    QVERIFY(drawn.has_value());
    QCOMPARE(drawn->interval, Ticks { 600 });
    for (std::size_t i = 0; i < drawn->passes.size(); ++i)
        QCOMPARE(drawn->passes[i].start, 100 * design.block()->passes[i].start);
}

void RetimeTest::theIntervalIsThatOfTheBusiestDeviceWhereTheOrderAllows()
{
    // 1F1B with F = 2, BW = 5: 7 ticks a micro-batch, and B of device d comes 2 + 5 later from device to device.
    LibraryRequest request;
    request.devices = 2;
    request.f = 2;
    request.bw = 5;
    const Design design = findInLibrary("1f1b")->make(request).design.value();
    const auto drawn = retimed(*design.block(), design.pipeline, design.costs.ticks);
    QVERIFY(drawn.has_value());
    QCOMPARE(drawn->interval, Ticks { 7 });
    // 0F 0..2, 1F 2..4, 1BW 4..9, 0BW 9..14.
    std::vector<Ticks> starts;
    for (const BlockPass& placed : drawn->passes)
        starts.push_back(placed.start);
    QCOMPARE(starts, (std::vector<Ticks> { 0, 9, 2, 4 }));
}

void RetimeTest::theOrderOfEveryDeviceStays()
{
    for (unsigned seed = 1; seed <= 200; ++seed) {
        test::RandomLegalDesign random(seed);
        const Design design = random.design();
        const auto drawn = retimed(*design.block(), design.pipeline, design.costs.ticks);
        QVERIFY2(drawn.has_value(), QByteArray::number(seed).constData());
        QVERIFY2(check(*drawn, design.pipeline).empty(), QByteArray::number(seed).constData());
        // Passes of no length have no order of their own in a repeated block.
        bool lengths = true;
        for (const auto& ticks : design.costs.ticks.values)
            lengths = lengths && std::all_of(ticks.begin(), ticks.end(), [](Ticks t) { return t > 0; });
        if (lengths)
            QCOMPARE(repeatedOrder(*drawn, design.pipeline), repeatedOrder(*design.block(), design.pipeline));
    }
}

void RetimeTest::whatCollidesIsPutRight()
{
    const Design design = made("v-half", 4);
    BuildingBlock tight = *design.block();
    tight.interval = 5;
    QVERIFY(!check(tight, design.pipeline).empty());
    if (const auto drawn = retimed(tight, design.pipeline, tight.durations))
        QVERIFY(check(*drawn, design.pipeline).empty());
    test::Random random(3);
    int mended = 0;
    for (int run = 0; run < 300; ++run) {
        Pipeline pipeline = test::randomPipeline(random);
        BuildingBlock block = test::randomLegalBlock(random, pipeline);
        block.interval = std::max<Ticks>(block.interval - 1, 1);
        if (const auto drawn = retimed(block, pipeline, block.durations)) {
            QVERIFY(check(*drawn, pipeline).empty());
            ++mended;
        }
    }
    QVERIFY2(mended > 100, QByteArray::number(mended).constData());
}

void RetimeTest::anOrderThatCannotRunIsRefused()
{
    // B before F of the same stage on its device, in the same copy.
    BuildingBlock block;
    block.interval = 4;
    block.durations = unitDurations(1);
    block.passes = { { DeviceId { 0 }, { { StageId { 0 }, {}, PassKind::B }, {} }, 0 },
        { DeviceId { 0 }, { { StageId { 0 }, {}, PassKind::F }, {} }, 1 } };
    const Pipeline one = pipeline(PlacementKind::Linear, 1, 1, 4);
    const auto drawn = retimed(block, one, block.durations);
    // The ring of the device lets B of one copy follow F of the next: at most that is found, and then it is legal.
    QVERIFY(!drawn || check(*drawn, one).size() <= 1);
    block.passes[1].start = 5; // F a copy later than B
    QVERIFY(!retimed(block, one, block.durations).has_value());
    BuildingBlock empty;
    empty.durations = unitDurations(1);
    QVERIFY(retimed(empty, one, empty.durations).has_value());
}

QTEST_APPLESS_MAIN(RetimeTest)
#include "retime_test.moc"
