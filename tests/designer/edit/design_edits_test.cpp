// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/edit/block_edits.h"
#include "app/designer/edit/costs_edits.h"
#include "app/designer/edit/interval_edits.h"
#include "app/designer/edit/leg_edits.h"
#include "app/designer/edit/pass_edits.h"
#include "app/designer/edit/pipeline_edits.h"
#include "tests/designer/edit/edit_designs.h"
#include "tests/designer/window_test_main.h"

#include <limits>

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;

class DesignEditsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theIntervalIsSetAndRefitted();
    void aBlockIsDrawnWithTheRealCosts();
    void durationsAreOfOneStageOrAll();
    void moreAndFewerDevicesKeepTheStagesOfEach();
    void passesOfStagesThatAreGoneAreDropped();
    void tablesKeepTheirValues();
    void aListKeepsItsPlaces();
    void placementsMoveThePasses();
    void severalRoutesAreSet();
    void microBatchesAndTheGroupAreSet();
    void sizesThatAFileCannotHoldAreRefused();
    void anEditedOrderLocksTheSizes();
    void textsAreSet();
    void backwardCostsFollow();
    void memoryIsSet();
    void theNetworkIsSet();
    void reorderingIsSet();
    void aTableOfCostsIsPasted();
    void aTableIsRefusedAtItsFirstBadCell_data();
    void aTableIsRefusedAtItsFirstBadCell();
    void aNewBlockHasTheIntervalOfItsBusiestDevice();
    void everyLibraryScheduleIsAStart();
    void anotherCutIsTheSameModel();
};

void DesignEditsTest::theIntervalIsSetAndRefitted()
{
    const Design library = fromLibrary("v-half");
    Design design = library;
    EDIT(design, setInterval(design, 8), "Interval 8");
    QCOMPARE(design.block()->passes, library.block()->passes);
    EDIT(design, setInterval(design, -3), "Interval 1");
    QVERIFY(!setInterval(design, maxTicks).ok());
    EDIT(design, refitInterval(library, 8), "Refit to interval 8");
    QVERIFY(check(*design.block(), design.pipeline).empty());
    // Broken turns come back.
    EDIT(design, shiftTurn(library, RouteId { 0 }, 1, -1, AfterShift::Leave), "F1→B1 = 3");
    EDIT(design, refitInterval(design, 6), "Refit to interval 6");
    QCOMPARE(design, library);
    EDIT(design, refitInterval(design, 5), "Refit to interval 5"); // six passes do not fit: only T is set
    QCOMPARE(design.block()->passes, library.block()->passes);
    QCOMPARE(design.block()->interval, Ticks { 5 });
}

void DesignEditsTest::aBlockIsDrawnWithTheRealCosts()
{
    Design design = fromLibrary("v-half");
    EDIT(design, setCost(design, PassKind::F, {}, 10), "F = 10");
    EDIT(design, setCost(design, PassKind::B, {}, 12), "B = 12");
    EDIT(design, setCost(design, PassKind::W, {}, 7), "W = 7");
    EDIT(design, retimeWithCosts(design), "Draw with the real costs");
    QVERIFY(check(*design.block(), design.pipeline).empty());
    QCOMPARE(design.block()->durations, design.costs.ticks);
    QVERIFY(design.block()->interval >= Ticks { 2 } * (10 + 12 + 7));
    // B before its F, a copy apart: no interval helps.
    Design broken = fromLibrary("1f1b");
    broken = *movePasses(broken, passesOf(broken, { "3F" }), 12).design;
    REFUSED(retimeWithCosts(broken),
        "The order in which the passes stand cannot run at any interval, as one waits for another that comes after it; "
        "mend "
        "what is early first.");
}

void DesignEditsTest::durationsAreOfOneStageOrAll()
{
    Design design = fromLibrary("v-half");
    EDIT(design, setDuration(design, PassKind::F, StageId { 2 }, 3), "F of stage 2 drawn with 3 ticks");
    QCOMPARE(design.block()->durations.of(PassKind::F, StageId { 2 }), Ticks { 3 });
    QCOMPARE(design.block()->durations.of(PassKind::F, StageId { 1 }), Ticks { 1 });
    EDIT(design, setDuration(design, PassKind::BW, {}, 1), "BW drawn with 1 tick");
    QCOMPARE(design.block()->durations.values[index(PassKind::BW)], std::vector<Ticks>(8, 1));
    REFUSED(setDuration(design, PassKind::F, StageId { 8 }, 3), "There is no stage 8.");
    REFUSED(setDuration(design, PassKind::F, {}, -1), "Ticks go from 0 to 1099511627775, not -1.");
}

void DesignEditsTest::moreAndFewerDevicesKeepTheStagesOfEach()
{
    const Design library = fromLibrary("v-half");
    Design design = library;
    EDIT(design, setDevices(design, 6), "6 devices");
    QCOMPARE(design.pipeline.stages, 12);
    QVERIFY(design.pipeline.kind == PlacementKind::V);
    QCOMPARE(design.pipeline.deviceOf(StageId { 6 }, RouteId { 0 }), DeviceId { 5 });
    QCOMPARE(design.block()->passes.size(), std::size_t { 24 });
    QVERIFY(design.block()->passes[static_cast<std::size_t>(passOf(design, "7F"))].device == DeviceId { 4 });
    EDIT(design, setDevices(design, 2), "2 devices");
    QCOMPARE(design.pipeline.stages, 4);
    QCOMPARE(design.block()->passes.size(), std::size_t { 12 });
    Design linear = fromLibrary("1f1b");
    EDIT(linear, setDevices(linear, 3), "3 devices");
    QCOMPARE(linear.pipeline.stages, 3);
    EDIT(linear, setDevices(linear, 1), "1 device");
}

void DesignEditsTest::passesOfStagesThatAreGoneAreDropped()
{
    Design design = fromLibrary("v-half");
    design = *pairPasses(design, passOf(design, "0F"), passOf(design, "7B")).design;
    design = *pairPasses(design, passOf(design, "6F"), passOf(design, "1B")).design;
    EDIT(design, setStages(design, 6), "6 stages");
    QCOMPARE(passOf(design, "7B"), -1);
    QVERIFY(passOf(design, "0F") >= 0);
    QVERIFY(passOf(design, "1B") >= 0);
    QVERIFY(passOf(design, "6W") < 0 && passOf(design, "7F") < 0);
    // Snake of 6 stages on 4 devices: 0 1 2 3 3 2
    QCOMPARE(design.block()->passes[static_cast<std::size_t>(passOf(design, "4F"))].device, DeviceId { 3 });
    EDIT(design, setStages(design, 1), "1 stage");
    QCOMPARE(design.block()->passes.size(), std::size_t { 3 });
    const Design linear = fromLibrary("1f1b");
    REFUSED(setStages(linear, 8),
        "A linear placement has one stage on each device, not 8 stages on 4 devices; take interleaved, V or a list "
        "first.");
}

void DesignEditsTest::tablesKeepTheirValues()
{
    Design design = fromLibrary("1f1b");
    design = *setPlacement(design, PlacementKind::Interleaved).design;
    design = *setCost(design, PassKind::F, StageId { 3 }, 9).design;
    design = *setTransfer(design, StageId { 2 }, 5).design;
    design = *setLimit(design, DeviceId { 3 }, 77).design;
    design = *setFixed(design, DeviceId { 1 }, 4).design;
    design.training = Training {};
    design.training->layersPerStage = { 1, 2, 3, 4 };
    EDIT(design, setStages(design, 6), "6 stages");
    QCOMPARE(design.costs.ticks.values[index(PassKind::F)], (std::vector<Ticks> { 1, 1, 1, 9, 9, 9 }));
    QCOMPARE(design.network.transfer, (std::vector<Ticks> { 0, 0, 5, 5, 5 }));
    QCOMPARE(design.training->layersPerStage, (std::vector<std::int32_t> { 1, 2, 3, 4, 4, 4 }));
    QCOMPARE(design.block()->durations.values[index(PassKind::BW)].size(), std::size_t { 6 });
    EDIT(design, setDevices(design, 5), "5 devices");
    QCOMPARE(design.memory.limit, (std::vector<std::optional<Bytes>> { {}, {}, {}, 77, 77 }));
    QCOMPARE(design.memory.fixed, (std::vector<Bytes> { 0, 4, 0, 0, 0 }));
    EDIT(design, setDevices(design, 3), "3 devices");
    QCOMPARE(design.memory.fixed, (std::vector<Bytes> { 0, 4, 0 }));
    QVERIFY(readDesign(writeDesign(design)).design.has_value());
}

void DesignEditsTest::aListKeepsItsPlaces()
{
    Design design = fromLibrary("v-half");
    const Placement list { DeviceId { 0 }, DeviceId { 3 }, DeviceId { 1 }, DeviceId { 2 }, DeviceId { 2 },
        DeviceId { 1 }, DeviceId { 3 }, DeviceId { 0 } };
    EDIT(design, setPlacement(design, list), "Placement by list");
    QCOMPARE(design.block()->passes[static_cast<std::size_t>(passOf(design, "1W"))].device, DeviceId { 3 });
    EDIT(design, setDevices(design, 3), "3 devices");
    QCOMPARE(design.pipeline.stages, 8);
    QCOMPARE(design.pipeline.routes.front()[1], DeviceId { 2 }); // there is no device 3 any more
    EDIT(design, setDevices(design, 6), "6 devices");
    EDIT(design, setStages(design, 10), "10 stages");
    QCOMPARE(design.pipeline.routes.front()[9], DeviceId { 0 });
    REFUSED(setPlacement(design, list), "The list has 8 devices for 10 stages.");
    REFUSED(setPlacement(design, Placement(10, DeviceId { 6 })),
        "Stage 0 cannot be placed on device 6; there are devices 0 to 5.");
}

void DesignEditsTest::placementsMoveThePasses()
{
    Design design = fromLibrary("v-half");
    const Design library = design;
    EDIT(design, setPlacement(design, PlacementKind::Interleaved), "Interleaved placement");
    QCOMPARE(design.block()->passes[static_cast<std::size_t>(passOf(design, "4F"))].device, DeviceId { 0 });
    EDIT(design, setPlacement(design, PlacementKind::V), "V placement");
    QCOMPARE(design, library);
    EDIT(design, setPlacement(design, design.pipeline.routes.front()), "Placement by list"); // the same: the name stays
    QCOMPARE(design, library);
    REFUSED(setPlacement(design, PlacementKind::Linear),
        "A linear placement has one stage on each device, not 8 stages on 4 devices; take interleaved, V or a list "
        "first.");
    REFUSED(setPlacement(design, PlacementKind::List), "A placement by list needs the list.");
}

void DesignEditsTest::severalRoutesAreSet()
{
    Design design = emptyDesign(pipeline(PlacementKind::Linear, 2, 2, 4));
    const Placement there { DeviceId { 0 }, DeviceId { 1 } };
    const Placement back { DeviceId { 1 }, DeviceId { 0 } };
    EDIT(design, setGroup(design, 2), "Group of 2");
    EDIT(design, placePass(design, DeviceId { 0 }, PassKind::F, 0), "Place 0F0");
    EDIT(design, placePass(design, DeviceId { 0 }, PassKind::F, 1), "Place 0F1");
    EDIT(design, setRoutes(design, { there, back }, RouteRule::Alternate), "2 routes");
    QCOMPARE(design.block()->passes[1].device, DeviceId { 1 }); // member 1 takes the other route
    EDIT(design, setDevices(design, 1), "1 device");
    QCOMPARE(design.block()->passes[1].device, DeviceId { 0 });
    EDIT(design, setPlacement(design, PlacementKind::V), "V placement");
    QVERIFY(design.pipeline.rule == RouteRule::Single);
    const QString why = "Give one route by itself, or several with the rule by which micro-batches take them: by "
                        "halves or alternating.";
    REFUSED(setRoutes(design, {}, RouteRule::Alternate), why);
    REFUSED(setRoutes(design, { there, back }, RouteRule::Single), why);
    REFUSED(setRoutes(design, { there, back }, RouteRule::List), why);
}

void DesignEditsTest::microBatchesAndTheGroupAreSet()
{
    Design design = fromLibrary("interleaved-1f1b", 2, 8, 2);
    EDIT(design, setMicroBatches(design, 16), "16 micro-batches");
    EDIT(design, setMicroBatches(design, 1), "1 micro-batch");
    QCOMPARE(design.block()->passes.size(), std::size_t { 16 });
    EDIT(design, setGroup(design, 1), "Group of 1");
    QCOMPARE(design.block()->passes.size(), std::size_t { 8 });
    EDIT(design, setGroup(design, 3), "Group of 3");
    QCOMPARE(design.block()->passes.size(), std::size_t { 8 });
    design.pipeline.kind = PlacementKind::List;
    design.pipeline.routes.push_back(design.pipeline.routes.front());
    design.pipeline.rule = RouteRule::List;
    design.pipeline.routeOfMicroBatch = { RouteId { 0 } };
    EDIT(design, setMicroBatches(design, 4), "4 micro-batches");
    QCOMPARE(design.pipeline.routeOfMicroBatch,
        (std::vector<RouteId> { RouteId { 0 }, RouteId { 1 }, RouteId { 0 }, RouteId { 1 } }));
    design.pipeline.routeOfMicroBatch[0] = RouteId { 1 };
    EDIT(design, setMicroBatches(design, 5), "5 micro-batches");
    QCOMPARE(design.pipeline.routeOfMicroBatch.back(), RouteId { 1 });
}

void DesignEditsTest::sizesThatAFileCannotHoldAreRefused()
{
    const Design design = fromLibrary("v-half");
    REFUSED(setDevices(design, 0), "A pipeline has 1 to 4096 devices, not 0.");
    REFUSED(setDevices(design, 4097), "A pipeline has 1 to 4096 devices, not 4097.");
    REFUSED(setStages(design, 0), "A pipeline has 1 stage or more, not 0.");
    REFUSED(setStages(design, std::numeric_limits<std::int32_t>::max()),
        "2147483647 stages and 8 micro-batches make more than 16000000 passes.");
    REFUSED(setMicroBatches(design, 0), "A step has 1 micro-batch or more, not 0.");
    REFUSED(setMicroBatches(design, 2'000'000), "8 stages and 2000000 micro-batches make more than 16000000 passes.");
    REFUSED(setGroup(design, 0), "A group has 1 to 8000000 micro-batches, not 0.");
    REFUSED(
        setGroup(design, 8'000'000), "A block of 8000000 micro-batches and 8 stages has more than 16000000 passes.");
    // 2^60 ticks and more in a step.
    const Design manySteps = emptyDesign(pipeline(PlacementKind::Linear, 1, 1, 4'000'000));
    QVERIFY(setInterval(manySteps, maxTicks / 8).ok());
    QVERIFY(!setInterval(manySteps, maxTicks - 1).ok());
}

void DesignEditsTest::anEditedOrderLocksTheSizes()
{
    Design design = fromLibrary("v-half");
    design.plan = schedule({ {}, {}, {}, {} });
    design.reorder.reset();
    const QString why = "The order is edited by hand, so devices, stages and micro-batches are locked; \"Back to "
                        "block\" unlocks them.";
    REFUSED(setDevices(design, 2), why);
    REFUSED(setStages(design, 4), why);
    REFUSED(setMicroBatches(design, 4), why);
    REFUSED(setPlacement(design, PlacementKind::V), why);
    REFUSED(setPlacement(design, Placement(8, DeviceId { 0 })), why);
    REFUSED(setGroup(design, 2), why);
    REFUSED(setReorder(design, Reorder {}),
        "The order is edited by hand and is not reordered; \"Back to block\" ends that.");
    QVERIFY(setCost(design, PassKind::F, {}, 3).ok());
    QVERIFY(setQueue(design, QueueModel::Pair).ok());
}

void DesignEditsTest::textsAreSet()
{
    Design design = fromLibrary("v-half");
    EDIT(design, setName(design, "Größe"), "Rename");
    EDIT(design, setNotes(design, "one\ntwo"), "Notes");
    QCOMPARE(design.name, std::string("Größe"));
    QCOMPARE(design.notes, std::string("one\ntwo"));
    REFUSED(setName(design, "\xff"), "The text is not UTF-8.");
}

void DesignEditsTest::backwardCostsFollow()
{
    Design design = fromLibrary("v-half");
    EDIT(design, setCost(design, PassKind::B, StageId { 1 }, 4), "B of stage 1 = 4");
    QCOMPARE(design.costs.ticks.of(PassKind::BW, StageId { 1 }), Ticks { 5 });
    QCOMPARE(design.costs.ticks.of(PassKind::BW, StageId { 0 }), Ticks { 2 });
    EDIT(design, setCost(design, PassKind::BW, StageId { 1 }, 4), "BW of stage 1 = 4");
    EDIT(design, setCost(design, PassKind::W, {}, 3), "W = 3");
    QCOMPARE(design.costs.ticks.of(PassKind::BW, StageId { 1 }), Ticks { 4 }); // no longer the sum
    QCOMPARE(design.costs.ticks.of(PassKind::BW, StageId { 0 }), Ticks { 4 });
    EDIT(design, setPairCost(design, 7), "Pair = 7");
    EDIT(design, setPairCost(design, {}), "Pair = sum");
    EDIT(design, setTickUs(design, 0.5), "Tick = 0.5 us");
    REFUSED(setTickUs(design, 0), "A tick takes more than 0 microseconds.");
    REFUSED(setTickUs(design, std::numeric_limits<double>::infinity()), "A tick takes more than 0 microseconds.");
    REFUSED(setPairCost(design, maxTicks), "Ticks go from 0 to 1099511627775, not 1099511627776.");
    REFUSED(setCost(design, PassKind::F, StageId { -1 }, 1), "There is no stage -1.");
}

void DesignEditsTest::memoryIsSet()
{
    Design design = fromLibrary("v-half");
    EDIT(design, setMemoryUnit(design, MemoryUnit::Byte), "Memory in bytes");
    EDIT(design, setMemoryChange(design, PassKind::F, {}, 30), "Memory of F = 30");
    EDIT(design, setMemoryChange(design, PassKind::B, {}, -10), "Memory of B = -10");
    EDIT(design, setMemoryChange(design, PassKind::W, {}, -20), "Memory of W = -20");
    QCOMPARE(design.memory.change.of(PassKind::BW, StageId { 7 }), Bytes { -30 });
    EDIT(design, setTransient(design, PassKind::B, StageId { 0 }, 5), "Transient memory of B of stage 0 = 5");
    EDIT(design, setFixed(design, {}, 100), "Static memory = 100");
    EDIT(design, setCommunication(design, DeviceId { 1 }, 9), "Communication memory of device 1 = 9");
    EDIT(design, setLimit(design, {}, 500), "Limit = 500");
    EDIT(design, setLimit(design, DeviceId { 2 }, {}), "Limit of device 2 = none");
    QCOMPARE(design.memory.limit, (std::vector<std::optional<Bytes>> { 500, 500, {}, 500 }));
    REFUSED(setLimit(design, DeviceId { 4 }, 1), "There is no device 4.");
    REFUSED(setFixed(design, {}, -1), "Amounts of memory go from 0 to 1152921504606846975, not -1.");
    QVERIFY(!setMemoryChange(design, PassKind::F, {}, maxBytes - 1).ok()); // 8 stages of it: beyond 2^62
}

void DesignEditsTest::theNetworkIsSet()
{
    Design design = fromLibrary("v-half");
    EDIT(design, setTransfer(design, {}, 2), "Transfer = 2");
    EDIT(design, setTransfer(design, StageId { 3 }, 4), "Transfer 3→4 = 4");
    REFUSED(
        setLatency(design, 1), "Transfers are given by their ticks; give a bandwidth first, then the latency counts.");
    REFUSED(setTransfer(design, StageId { 7 }, 4),
        "There is no boundary 7; the last one is 6, between the last two stages.");
    EDIT(design, setBandwidth(design, 10), "Bandwidth = 10 bytes per tick");
    EDIT(design, setLatency(design, 3), "Latency = 3");
    EDIT(design, setMessageBytes(design, {}, 25), "Message = 25 bytes");
    QCOMPARE(design.network.transferTicks(StageId { 3 }), Ticks { 6 });
    QVERIFY(readDesign(writeDesign(design)).design->network == design.network);
    EDIT(design, setTransfer(design, StageId { 0 }, 1), "Transfer 0→1 = 1");
    QCOMPARE(design.network.transferTicks(StageId { 3 }), Ticks { 0 });
    EDIT(design, setBandwidth(design, 0), "Transfers by ticks");
    QCOMPARE(design.network.transferTicks(StageId { 0 }), Ticks { 1 });
    EDIT(design, setMessageBytes(design, {}, {}), "Message bytes not given");
    EDIT(design, setQueue(design, QueueModel::Pair), "Queues: pair");
    EDIT(design, setWindow(design, 0), "Window = 0");
    REFUSED(setWindow(design, -1), "Slots ahead go from 0 to 16000000, not -1.");
    QVERIFY(readDesign(writeDesign(design)).design->network == design.network);
    const Design one = emptyDesign(pipeline(PlacementKind::Linear, 1, 1, 2));
    REFUSED(setTransfer(one, {}, 1), "There is one stage, and so no transfer.");
}

void DesignEditsTest::reorderingIsSet()
{
    Design design = fromLibrary("1f1b");
    EDIT(
        design, setReorder(design, Reorder { ReorderRule::Weights, ReorderAim::OwnSpan }), "Reorder weights, own span");
    QVERIFY(design.reorder.has_value());
    EDIT(design, setReorder(design, {}), "Squeeze only");
    QVERIFY(!design.reorder.has_value());
}

void DesignEditsTest::aTableOfCostsIsPasted()
{
    Design design = fromLibrary("1f1b");
    EDIT(design, pasteCosts(design, "10\t20\t 5 \r\n11\t+21\t6\r\n", 1, 0), "Paste 6 costs");
    QCOMPARE(design.costs.ticks.values[index(PassKind::F)], (std::vector<Ticks> { 1, 10, 11, 1 }));
    QCOMPARE(design.costs.ticks.values[index(PassKind::BW)], (std::vector<Ticks> { 2, 25, 27, 2 }));
    EDIT(design, pasteCosts(design, "7\t40\t\t-40\n\n8\t50\t-20\t-30", 0, 3), "Paste 7 costs");
    QCOMPARE(design.costs.ticks.values[index(PassKind::BW)], (std::vector<Ticks> { 7, 25, 8, 2 }));
    QCOMPARE(design.memory.change.values[index(PassKind::F)], (std::vector<Bytes> { 40, 1, 50, 1 }));
    QCOMPARE(design.memory.change.values[index(PassKind::B)], (std::vector<Bytes> { 0, 0, -20, 0 }));
    QCOMPARE(design.memory.change.values[index(PassKind::BW)], (std::vector<Bytes> { -40, -1, -50, -1 }));
    EDIT(design, pasteCosts(design, "3", 3, 2), "Paste 1 cost");
    REFUSED(pasteCosts(design, " \n\n", 0, 0), "There is no table to paste.");
}

void DesignEditsTest::aTableIsRefusedAtItsFirstBadCell_data()
{
    QTest::addColumn<QByteArray>("table");
    QTest::addColumn<int>("row");
    QTest::addColumn<int>("column");
    QTest::addColumn<QString>("why");
    const QString fraction
        = "only whole numbers, without separators, can be pasted; take a shorter tick for fractions.";
    QTest::newRow("decimal comma") << QByteArray("1\t2\n3\t4,5\n6,1") << 0 << 0
                                   << "Row 2, column 2, `4,5`: " + fraction;
    QTest::newRow("decimal point") << QByteArray("1.5") << 0 << 0 << "Row 1, column 1, `1.5`: " + fraction;
    QTest::newRow("words") << QByteArray("F\tB\n1\t2") << 0 << 0 << "Row 1, column 1, `F`: it is no whole number.";
    QTest::newRow("unit") << QByteArray("1\t2 ms") << 0 << 0 << "Row 1, column 2, `2 ms`: it is no whole number.";
    QTest::newRow("negative ticks") << QByteArray("1\t-2") << 0 << 0
                                    << "Row 1, column 2, `-2`: Ticks go from 0 to 1099511627775, not -2.";
    QTest::newRow("huge") << QByteArray("99999999999999999999") << 0 << 0
                          << "Row 1, column 1, `99999999999999999999`: Ticks go from 0 to 1099511627775.";
    QTest::newRow("too many rows") << QByteArray("1\n2\n3") << 2 << 0
                                   << "Row 3, column 1, `3`: it would be of stage 4; there are 4 stages.";
    QTest::newRow("too many columns") << QByteArray(
        "1\t2\t3") << 0 << 5 << "Row 1, column 3, `3`: the cost table has 7 columns, and it would be in number 8.";
}

void DesignEditsTest::aTableIsRefusedAtItsFirstBadCell()
{
    QFETCH(QByteArray, table);
    QFETCH(int, row);
    QFETCH(int, column);
    QFETCH(QString, why);
    REFUSED(pasteCosts(fromLibrary("1f1b"), table.toStdString(), row, column), why);
}

void DesignEditsTest::aNewBlockHasTheIntervalOfItsBusiestDevice()
{
    Design design = fromLibrary("interleaved-1f1b", 4, 8, 2);
    EDIT(design, newBlock(design), "New block");
    QCOMPARE(design.block()->interval, Ticks { 24 }); // two stages, four members, three ticks
    QVERIFY(design.block()->passes.empty());
    design = *setDuration(design, PassKind::W, StageId { 5 }, 11).design;
    EDIT(design, newBlock(design), "New block");
    QCOMPARE(design.block()->interval, Ticks { 64 });
    Design lonely = emptyDesign(pipeline(PlacementKind::Interleaved, 4, 2, 8)); // devices without a stage
    EDIT(lonely, newBlock(lonely), "New block");
    QCOMPARE(lonely.block()->interval, Ticks { 3 });
    EDIT(design, clearBlock(design), "Clear block");
    QCOMPARE(design.block()->interval, Ticks { 64 });
}

void DesignEditsTest::everyLibraryScheduleIsAStart()
{
    for (const LibraryEntry& entry : library()) {
        Design design = emptyDesign(pipeline(PlacementKind::Linear, 4, 4, 8));
        design = *setCost(design, PassKind::F, {}, 5).design;
        design = *setLimit(design, {}, 9).design;
        const std::string name(entry.name);
        EDIT(design, startFrom(design, name), QString::fromStdString("Start from " + std::string(entry.title)));
        const Design made = fromLibrary(name.c_str());
        QCOMPARE(*design.block(), *made.block());
        QCOMPARE(design.pipeline, made.pipeline);
        QCOMPARE(design.name, std::string(entry.title));
        QCOMPARE(design.costs.ticks.values[0], std::vector<Ticks>(static_cast<std::size_t>(made.pipeline.stages), 5));
        QCOMPARE(*design.memory.limit.front(), Bytes { 9 });
        design.name = "Mine";
        design.notes = "kept";
        design = *startFrom(design, "1f1b").design;
        QCOMPARE(design.name, std::string("Mine"));
        QCOMPARE(design.notes, std::string("kept"));
        QVERIFY(readDesign(writeDesign(design)).design.has_value());
    }
    const Design seven = emptyDesign(pipeline(PlacementKind::Linear, 4, 4, 7));
    REFUSED(startFrom(seven, "interleaved-1f1b"),
        "Interleaved 1F1B runs rounds of 4 micro-batches, one for each device, and 7 is no multiple of 4. Take 8 "
        "micro-batches, the nearest that fits.");
    REFUSED(startFrom(seven, "v-quarter"), "The library has no schedule v-quarter.");
}

void DesignEditsTest::anotherCutIsTheSameModel()
{
    const Design half = fromLibrary("v-half", 4, 8);
    const Design plain = *startFrom(half, "1f1b").design;
    QCOMPARE(plain.pipeline.stages, 4);
    QCOMPARE(plain.costs.ticks.values[index(PassKind::F)], std::vector<Ticks>(4, 2));
    QCOMPARE(plain.costs.ticks.values[index(PassKind::BW)], std::vector<Ticks>(4, 4));
    QCOMPARE(plain.memory.change.values[index(PassKind::F)], std::vector<Bytes>(4, 2));
    const Design back = *startFrom(plain, "v-half").design;
    QCOMPARE(back.costs.ticks, half.costs.ticks);
    QCOMPARE(back.memory.change, half.memory.change);
}

PIPELOOM_WINDOW_TEST_MAIN(DesignEditsTest)
#include "design_edits_test.moc"
