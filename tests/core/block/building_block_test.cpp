// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/block/block_index.h"
#include "core/block/building_block.h"
#include "core/block/fit.h"
#include "core/library/library.h"
#include "core/schedule/repeat.h"
#include "core/simulate/critical_path.h"
#include "core/timeline/metrics.h"

#include <QtTest>

#include <algorithm>
#include <array>

using namespace pipeloom;

namespace {

Design vHalf(std::int32_t p = 4, std::int32_t m = 8)
{
    LibraryRequest request;
    request.devices = p;
    request.microBatches = m;
    return findInLibrary("v-half")->make(request).design.value();
}

BuildingBlock& blockOf(Design& design) { return std::get<BuildingBlock>(design.plan); }

BlockPass& passOf(BuildingBlock& block, const std::string& name)
{
    return *std::find_if(block.passes.begin(), block.passes.end(),
        [&](const BlockPass& placed) { return blockText(placed.slot, block) == name; });
}

Findings checkOf(const Design& design) { return check(*design.block(), design.pipeline); }

} // namespace

class BuildingBlockTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void goldenBlocksOfThePaper_data()
    {
        // SCHEDULES.md 1.3: starts of F0, F1, B1, W1, B0, W0 on devices 0..3.
        QTest::addColumn<QString>("name");
        QTest::addColumn<QList<QList<int>>>("starts");
        using Rows = QList<QList<int>>;
        QTest::newRow("V-Min") << "v-min"
                               << Rows { { 0, 1, 2, 3 }, { 7, 6, 5, 4 }, { 8, 9, 10, 11 }, { 10, 10, 12, 13 },
                                      { 15, 14, 13, 12 }, { 17, 17, 15, 14 } };
        QTest::newRow("V-Half") << "v-half"
                                << Rows { { 0, 2, 4, 6 }, { 11, 10, 9, 8 }, { 15, 17, 19, 21 }, { 16, 19, 20, 23 },
                                       { 25, 24, 23, 22 }, { 26, 27, 24, 25 } };
        QTest::newRow("V-ZB") << "v-zb"
                              << Rows { { 0, 4, 8, 12 }, { 19, 17, 15, 13 }, { 20, 24, 28, 32 }, { 22, 26, 30, 34 },
                                     { 39, 37, 35, 33 }, { 41, 39, 37, 35 } };
    }
    void goldenBlocksOfThePaper()
    {
        QFETCH(QString, name);
        QFETCH(QList<QList<int>>, starts);
        LibraryRequest request;
        Design design = findInLibrary(name.toStdString())->make(request).design.value();
        const std::array kinds { "F", "F", "B", "W", "B", "W" };
        const std::array chunks { 0, 1, 1, 1, 0, 0 };
        for (std::size_t row = 0; row < kinds.size(); ++row)
            for (int d = 0; d < 4; ++d) {
                const int stage = chunks[row] == 0 ? d : 7 - d;
                QCOMPARE(passOf(blockOf(design), std::to_string(stage) + kinds[row]).start,
                    Ticks { starts[static_cast<int>(row)][d] });
            }
    }

    void lifespansAndBoundsOfVHalf()
    {
        const Design design = vHalf();
        const std::array<Ticks, 8> expected { 27, 26, 21, 20, 16, 12, 10, 6 };
        for (int s = 0; s < 8; ++s)
            QCOMPARE(lifespan(*design.block(), StageId { s }).value(), expected[static_cast<std::size_t>(s)]);
        const auto bound = bounds(*design.block(), design.pipeline, design.memory);
        QCOMPARE(bound, (std::vector<std::optional<Bytes>> { 6, 7, 6, 7 }));
    }

    void theBoundRoundsUpByStageNotBySum()
    {
        LibraryRequest request;
        request.devices = 5;
        request.microBatches = 20;
        const Design design = findInLibrary("v-min")->make(request).design.value();
        QCOMPARE(bounds(*design.block(), design.pipeline, design.memory)[1].value(), Bytes { 6 });
        const Metrics raw = metrics(repeat(*design.block(), design.pipeline), design.memory);
        QCOMPARE(raw.devices[1].peak, Bytes { 6 });
    }

    void aPassMovedOntoAnotherIsACollisionWithAWayOut()
    {
        Design design = vHalf();
        passOf(blockOf(design), "7W").start = 18;
        const Findings findings = checkOf(design);
        QCOMPARE(findings.size(), std::size_t { 1 });
        QCOMPARE(findings[0].rule, std::string("block/collision"));
        QCOMPARE(findings[0].message,
            std::string("Device 0: 7W at 18 meets 0F at 0 when the block repeats every 6 ticks (both take tick 0 of "
                        "the interval)."));
        QCOMPARE(findings[0].remedy,
            std::string("Move 7W to tick 16, or raise the interval to 12, the next one that is free of collisions on "
                        "this device."));
        QCOMPARE(findings[0].where.size(), std::size_t { 2 });
        QCOMPARE(findings[0].where[0].pass, std::string("7W"));
        QCOMPARE(findings[0].where[1].pass, std::string("0F"));
        passOf(blockOf(design), "7W").start = 16;
        QVERIFY(checkOf(design).empty());
    }

    void theIntervalNamedAsNextIsFreeAndTheOnesBeforeAreNot()
    {
        Design design = vHalf();
        BuildingBlock& block = blockOf(design);
        passOf(block, "7W").start = 18;
        const Ticks next = nextFreeInterval(block, DeviceId { 0 });
        for (Ticks interval = block.interval; interval < next; ++interval)
            QVERIFY(!collisions(block, DeviceId { 0 }, interval).empty());
        QVERIFY(collisions(block, DeviceId { 0 }, next).empty());
    }

    void aPassThatReachesOverTheEndOfTheIntervalMeetsWhatBeginsIt()
    {
        LibraryRequest request;
        request.devices = 1;
        Design design = findInLibrary("1f1b")->make(request).design.value();
        BuildingBlock& block = blockOf(design);
        block.interval = 4;
        block.durations.values[index(PassKind::F)].assign(1, 2);
        passOf(block, "0F").start = 3;  // takes ticks 3 and 0
        passOf(block, "0BW").start = 8; // takes ticks 0 and 1
        const std::vector<Collision> met = collisions(block, DeviceId { 0 }, 4);
        QCOMPARE(met.size(), std::size_t { 1 });
        QCOMPARE(met[0].tick, Ticks { 0 });
        passOf(block, "0BW").start = 9; // ticks 1 and 2
        QVERIFY(checkOf(design).empty());
    }

    void aPassBeforeItsInputIsEarly()
    {
        Design design = vHalf();
        passOf(blockOf(design), "6B").start = 15; // 7B runs at 15 on device 0
        const Findings findings = checkOf(design);
        QVERIFY(!findings.empty());
        QCOMPARE(findings[0].rule, std::string("block/early"));
        QCOMPARE(
            findings[0].message, std::string("Device 1: 6B at 15 starts before its input 7B on device 0 ends at 16."));
    }

    void wBeforeItsOwnBIsEarly()
    {
        Design design = vHalf();
        std::swap(passOf(blockOf(design), "7B").start, passOf(blockOf(design), "7W").start);
        bool found = false;
        for (const Finding& finding : checkOf(design))
            found = found || (finding.rule == "block/early" && finding.where[0].pass == "7W");
        QVERIFY(found);
    }

    void missingPassesAreOneFindingThatNamesTheNext()
    {
        Design design = vHalf();
        BuildingBlock& block = blockOf(design);
        block.passes.clear();
        QCOMPARE(checkOf(design).size(), std::size_t { 1 });
        QCOMPARE(checkOf(design)[0].message, std::string("0 of 24 passes are placed; next 0F."));
        block.passes.push_back({ DeviceId { 0 }, { { StageId { 0 }, MicroBatch { 0 }, PassKind::F }, {} }, 0 });
        QCOMPARE(checkOf(design)[0].message, std::string("1 of 24 passes are placed; next 1F."));
        QVERIFY(!lifespan(block, StageId { 0 }));
        QVERIFY(!bounds(block, design.pipeline, design.memory)[0]);
    }

    void doubledAndMisplacedPassesAreNamed()
    {
        Design design = vHalf();
        BuildingBlock& block = blockOf(design);
        block.passes.push_back({ DeviceId { 0 }, { { StageId { 0 }, MicroBatch { 0 }, PassKind::BW }, {} }, 60 });
        QCOMPARE(checkOf(design)[0].rule, std::string("block/doubled"));
        block.passes.pop_back();
        passOf(block, "3F").device = DeviceId { 2 };
        QCOMPARE(checkOf(design)[0].rule, std::string("block/misplaced"));
        QCOMPARE(checkOf(design)[0].where[0].device.value(), DeviceId { 2 });
    }

    void tooShortAnIntervalIsSaidPlainly()
    {
        Design design = vHalf();
        blockOf(design).interval = 5;
        QCOMPARE(checkOf(design)[0].rule, std::string("block/interval"));
        QCOMPARE(
            checkOf(design)[0].message, std::string("Device 0: the block has 6 ticks of passes and repeats every 5."));
    }

    void aPassOfNoLengthCollidesWithNothing()
    {
        Design design = vHalf();
        BuildingBlock& block = blockOf(design);
        block.durations.values[index(PassKind::W)].assign(8, 0);
        passOf(block, "7W").start = 24;
        QVERIFY(checkOf(design).empty());
    }

    void repeatingKeepsCopiesTApartAndDropsWhatIsBeyondTheLast()
    {
        LibraryRequest request;
        request.devices = 2;
        request.microBatches = 3;
        Design design = findInLibrary("1f1b")->make(request).design.value();
        blockOf(design).group = 2;
        for (const char* extra : { "F", "BW" })
            for (int s = 0; s < 2; ++s) {
                BlockPass copy = passOf(blockOf(design), std::to_string(s) + extra + "0");
                copy.slot.first.microBatch = MicroBatch { 1 };
                copy.start += 3;
                blockOf(design).passes.push_back(copy);
            }
        blockOf(design).interval = 6;
        QVERIFY(checkOf(design).empty());
        const Timeline raw = repeat(blockOf(design), design.pipeline);
        QCOMPARE(raw.passes.size(), std::size_t { 3 * 4 });
        for (const TimedPass& pass : raw.passes) {
            const Ticks first
                = passOf(blockOf(design), std::to_string(pass.pass.stage.value) + text(pass.pass.kind) + "0").start;
            QCOMPARE(pass.start, first + 3 * pass.pass.microBatch.value);
        }
    }

    void aPairTakesTheSumOfItsTwoAndStaysTogether()
    {
        // Two devices, 1F1B: device 1 runs F of the next micro-batch with BW of this one as one slot of three ticks.
        LibraryRequest request;
        request.devices = 1;
        request.microBatches = 4;
        Design design = findInLibrary("1f1b")->make(request).design.value();
        BuildingBlock& block = blockOf(design);
        block.group = 2;
        block.interval = 9;
        const auto pass = [](PassKind kind, int member) { return Pass { StageId { 0 }, MicroBatch { member }, kind }; };
        block.passes = { { DeviceId { 0 }, { pass(PassKind::F, 0), {} }, 0 },
            { DeviceId { 0 }, { pass(PassKind::F, 1), pass(PassKind::BW, 0) }, 1 },
            { DeviceId { 0 }, { pass(PassKind::BW, 1), {} }, 4 } };
        QVERIFY(checkOf(design).empty());
        const Timeline raw = repeat(block, design.pipeline);
        QCOMPARE(raw.passes.size(), std::size_t { 8 });
        QCOMPARE(raw.passes[1].joined, false);
        QCOMPARE(raw.passes[2].joined, true);
        QCOMPARE(raw.passes[2].end - raw.passes[2].start, Ticks { 3 });
        design.pipeline.microBatches = 3; // the second copy loses the member that its pair is made with
        const Timeline cut = repeat(block, design.pipeline);
        QCOMPARE(cut.passes.size(), std::size_t { 6 });
        QCOMPARE(cut.passes[5].pass, (Pass { StageId { 0 }, MicroBatch { 2 }, PassKind::BW }));
        QCOMPARE(cut.passes[5].joined, false);
    }

    void brokenBlocksAreRepeatedInTheOrderOfTheirStarts()
    {
        Design design = vHalf();
        BuildingBlock& block = blockOf(design);
        passOf(block, "7W").start = 18; // meets 0F of the copy three intervals on: the earlier copy comes first
        const Schedule order = repeatedOrder(block, design.pipeline);
        const auto row = order.row(DeviceId { 0 });
        const auto position = [&](const char* name) {
            return std::find_if(row.begin(), row.end(), [&](const Slot& slot) { return text(slot) == name; })
                - row.begin();
        };
        QCOMPARE(position("0F3"), position("7W0") + 1);
    }

    void theCriticalPathOfADrawnBlockGoesBackToItsStart()
    {
        const Design design = vHalf();
        const std::vector<PathStep> path = criticalPath(repeat(*design.block(), design.pipeline), design.pipeline);
        QCOMPARE(path.front().start, Ticks { 0 });
        QCOMPARE(text(path.front().pass), std::string("0F0"));
        QCOMPARE(path.back().end, Ticks { 70 });
        for (std::size_t i = 1; i < path.size(); ++i)
            QVERIFY(path[i].start >= path[i - 1].end);
    }

    void routesOfMembersMustAgreeWithTheRule()
    {
        Design design = vHalf(2, 4);
        design.pipeline.routes.push_back({ DeviceId { 1 }, DeviceId { 0 }, DeviceId { 0 }, DeviceId { 1 } });
        design.pipeline.rule = RouteRule::Halves;
        bool told = false;
        for (const Finding& finding : checkOf(design))
            told = told || finding.rule == "block/routes";
        QVERIFY(told);
    }
};

QTEST_APPLESS_MAIN(BuildingBlockTest)
#include "building_block_test.moc"
