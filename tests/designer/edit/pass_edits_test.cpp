// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/edit/block_edits.h"
#include "app/designer/edit/clipboard_edits.h"
#include "app/designer/edit/leg_edits.h"
#include "app/designer/edit/pass_edits.h"
#include "app/designer/edit/selections.h"
#include "app/designer/edit/stage_edits.h"
#include "tests/designer/edit/edit_designs.h"
#include "tests/designer/window_test_main.h"

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;

class PassEditsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void drawingVHalfFromNothingGivesTheLibrarysBlock();
    void placedPassesTakeTheStageThatIsNext();
    void placingIsRefusedWithTheReason();
    void aMoveStopsAllAtZero();
    void aSwapAsDraggedIsLegalInAFullBlock();
    void aSwapOfTwoSelectedKeepsTheirTime();
    void deletedPassesLeaveTheOthersInTheirOrder();
    void mirroringGivesTheBackwardHalf();
    void aMirroredBNeverStandsBeforeItsInput();
    void pairsAreMadeAndUndone();
    void pairsAreRefusedWithTheReason();
    void copiedPassesArePastedOnAnotherDevice();
    void pastingIsRefusedWithTheReason();
    void duplicatesTakeTheNextStages();
    void passesThatBelongTogetherAreFound();
    void aMovedStageTakesItsPassesAlong();
    void aMovedStageOfOneRouteLeavesTheOther();
    void legsAreEditsWithTheirNames();
    void withoutABlockAllAreRefused();
};

void PassEditsTest::drawingVHalfFromNothingGivesTheLibrarysBlock()
{
    const Design library = fromLibrary("v-half");
    Design drawn = library;
    EDIT(drawn, newBlock(library), "New block");
    QCOMPARE(drawn.block()->interval, Ticks { 6 });
    // As a person does it: along the F of each device, then B, then W; in which order does not matter.
    for (const PassKind kind : { PassKind::F, PassKind::B, PassKind::W })
        for (std::int32_t d = 0; d < 4; ++d)
            for (std::int32_t chunk = 0; chunk < 2; ++chunk) {
                const std::int32_t stage = (kind == PassKind::F) == (chunk == 0) ? d : 7 - d;
                const std::string name = std::to_string(stage) + text(kind);
                EDIT(drawn, placePass(drawn, DeviceId { d }, kind, startOf(library, name)),
                    QString::fromStdString("Place " + name));
            }
    QVERIFY(check(*drawn.block(), drawn.pipeline).empty());
    QCOMPARE(fileOf(drawn), fileOf(library));
}

void PassEditsTest::placedPassesTakeTheStageThatIsNext()
{
    Design design = emptyDesign(pipeline(PlacementKind::V, 2, 4, 4));
    std::get<BuildingBlock>(design.plan).group = 2;
    EDIT(design, placePass(design, DeviceId { 1 }, PassKind::F, 5), "Place 1F0");
    EDIT(design, placePass(design, DeviceId { 1 }, PassKind::F, 6), "Place 1F1");
    EDIT(design, placePass(design, DeviceId { 1 }, PassKind::F, -3), "Place 2F0");
    QCOMPARE(design.block()->passes.back().start, Ticks { 0 });
    EDIT(design, placePass(design, DeviceId { 0 }, PassKind::BW, 9), "Place 3BW0");
    EDIT(design, placePass(design, DeviceId { 0 }, PassKind::B, 9), "Place 3B1");
    EDIT(design, placePass(design, DeviceId { 0 }, PassKind::W, 9), "Place 3W1");
    EDIT(design, placePass(design, DeviceId { 0 }, PassKind::BW, 9), "Place 0BW0");
    EDIT(design, placePass(design, DeviceId { 0 }, PassKind::W, 9), "Place 0W1");
    QVERIFY(!nextPass(design, DeviceId { 0 }, PassKind::BW).has_value());
    QCOMPARE(nextPass(design, DeviceId { 0 }, PassKind::B),
        std::optional(Pass { StageId { 0 }, MicroBatch { 1 }, PassKind::B }));
}

void PassEditsTest::placingIsRefusedWithTheReason()
{
    const Design fused = fromLibrary("1f1b");
    REFUSED(placePass(fused, DeviceId { 2 }, PassKind::F, 0), "All stages of device 2 have their F.");
    REFUSED(placePass(fused, DeviceId { 2 }, PassKind::B, 0), "All stages of device 2 have their B, or BW.");
    REFUSED(placePass(fused, DeviceId { 2 }, PassKind::W, 0), "All stages of device 2 have their W, or BW.");
    const Design split = fromLibrary("v-half");
    REFUSED(placePass(split, DeviceId { 0 }, PassKind::BW, 0),
        "All stages of device 0 have BW, or B or W; delete those to place BW.");
    REFUSED(placePass(split, DeviceId { 4 }, PassKind::F, 0), "There is no device 4.");
    Design empty = emptyDesign(pipeline(PlacementKind::Linear, 2, 2, 2));
    empty.pipeline.kind = PlacementKind::List;
    empty.pipeline.routes = { { DeviceId { 0 }, DeviceId { 0 } } };
    REFUSED(placePass(empty, DeviceId { 1 }, PassKind::F, 0), "Device 1 holds no stage; place one on it first.");
    REFUSED(placePass(empty, DeviceId { 0 }, PassKind::F, maxTicks),
        "0F would start at 1099511627776; starts go from 0 to 1099511627775.");
}

void PassEditsTest::aMoveStopsAllAtZero()
{
    const Design library = fromLibrary("v-half");
    Design design = library;
    EDIT(design, movePasses(design, passesOf(design, { "7W" }), 3), "Move 7W");
    QCOMPARE(startOf(design, "7W"), startOf(library, "7W") + 3);
    EDIT(design, movePasses(design, passesOf(design, { "7W", "1F", "0B" }), -10), "Move 3 passes");
    QCOMPARE(startOf(design, "1F"), Ticks { 0 }); // stood at 2
    QCOMPARE(startOf(design, "7W"), startOf(library, "7W") + 1);
    QCOMPARE(startOf(design, "0B"), startOf(library, "0B") - 2);
    REFUSED(movePasses(design, {}, 1), "No pass is selected.");
    REFUSED(movePasses(design, std::vector { 0, 0 }, 1), "No pass is selected.");
    REFUSED(movePasses(design, std::vector { 24 }, 1), "No pass is selected.");
    QVERIFY(!movePasses(design, std::vector { 0 }, maxTicks).ok());
}

void PassEditsTest::aSwapAsDraggedIsLegalInAFullBlock()
{
    Design design = fromLibrary("v-half");
    EDIT(design, swapPasses(design, passOf(design, "7W"), passOf(design, "0W"), 20), "Swap 7W and 0W");
    QCOMPARE(startOf(design, "7W"), Ticks { 20 });
    QCOMPARE(startOf(design, "0W"), Ticks { 28 });
    QVERIFY(check(*design.block(), design.pipeline).empty());
}

void PassEditsTest::aSwapOfTwoSelectedKeepsTheirTime()
{
    Design design = fromLibrary("v-half");
    EDIT(design, swapPasses(design, passOf(design, "0W"), passOf(design, "7W")), "Swap 0W and 7W");
    QCOMPARE(startOf(design, "7W"), Ticks { 26 });
    QCOMPARE(startOf(design, "0W"), Ticks { 16 });
    REFUSED(swapPasses(design, passOf(design, "0W"), passOf(design, "1W")),
        "0W is on device 0 and 1W on device 1; only passes of one device change places.");
    REFUSED(swapPasses(design, 3, 3), "No pass is selected.");
    Design fused = fromLibrary("1f1b"); // on device 3: 3F 3..4, 3BW 4..6
    EDIT(fused, swapPasses(fused, passOf(fused, "3F"), passOf(fused, "3BW")), "Swap 3F and 3BW");
    QCOMPARE(startOf(fused, "3BW"), Ticks { 3 });
    QCOMPARE(startOf(fused, "3F"), Ticks { 5 });
}

void PassEditsTest::deletedPassesLeaveTheOthersInTheirOrder()
{
    const Design library = fromLibrary("v-half");
    Design design = library;
    EDIT(design, deletePasses(design, passesOf(design, { "7W" })), "Delete 7W");
    EDIT(design, deletePasses(design, passesOf(design, { "0F", "3B" })), "Delete 2 passes");
    QCOMPARE(design.block()->passes.size(), std::size_t { 21 });
    QCOMPARE(passOf(design, "7W"), -1);
    std::vector<BlockPass> expected = library.block()->passes;
    std::erase_if(expected, [](const BlockPass& placed) {
        const std::string name = blockText(placed.slot, BuildingBlock {});
        return name == "7W" || name == "0F" || name == "3B";
    });
    QCOMPARE(design.block()->passes, expected);
    REFUSED(deletePasses(design, {}), "No pass is selected.");
}

void PassEditsTest::mirroringGivesTheBackwardHalf()
{
    // Linear, F at 0 1 2 3: B at 4 5 6 7 backwards.
    Design design = emptyDesign(pipeline(PlacementKind::Linear, 4, 4, 8));
    for (std::int32_t d = 0; d < 4; ++d)
        EDIT(design, placePass(design, DeviceId { d }, PassKind::F, d), QString("Place %1F").arg(d));
    EDIT(design, mirrorPasses(design, selectKind(design, PassKind::F)), "Mirror 4 F");
    for (std::int32_t s = 0; s < 4; ++s)
        QCOMPARE(startOf(design, std::to_string(s) + "B"), Ticks { 7 - s });
    // Again, with F of stage 0 alone: its B moves, and waits for that of stage 1.
    EDIT(design, mirrorPasses(design, passesOf(design, { "0F", "3B" })), "Mirror 1 F");
    QCOMPARE(startOf(design, "0B"), Ticks { 7 });
    REFUSED(mirrorPasses(design, passesOf(design, { "0B" })),
        "Select F passes: their B is placed as the mirror of time shows it.");
}

void PassEditsTest::aMirroredBNeverStandsBeforeItsInput()
{
    Design design = fromLibrary("1f1b"); // BW of two ticks, F one tick apart
    EDIT(design, mirrorPasses(design, selectKind(design, PassKind::F)), "Mirror 4 F");
    for (std::int32_t s = 0; s < 4; ++s)
        QCOMPARE(startOf(design, std::to_string(s) + "BW"), Ticks { 4 + 2 * (3 - s) });
}

void PassEditsTest::pairsAreMadeAndUndone()
{
    Design design = fromLibrary("v-half");
    const std::int32_t first = std::min(passOf(design, "0F"), passOf(design, "7B"));
    EDIT(design, pairPasses(design, passOf(design, "7B"), passOf(design, "0F")), "Pair 0F and 7B");
    QCOMPARE(design.block()->passes.size(), std::size_t { 23 });
    QCOMPARE(passOf(design, "(0F+7B)"), first);
    QCOMPARE(startOf(design, "(0F+7B)"), Ticks { 0 });
    EDIT(design, unpairPasses(design, passesOf(design, { "(0F+7B)", "1F" })), "Unpair (0F+7B)");
    QCOMPARE(startOf(design, "0F"), Ticks { 0 });
    QCOMPARE(startOf(design, "7B"), Ticks { 1 });
    QCOMPARE(passOf(design, "7B"), 23);
    REFUSED(unpairPasses(design, passesOf(design, { "0F" })), "None of the selected passes is a pair.");
}

void PassEditsTest::pairsAreRefusedWithTheReason()
{
    Design design = fromLibrary("v-half");
    REFUSED(pairPasses(design, passOf(design, "0F"), passOf(design, "7F")), "Only an F and a B or BW run as a pair.");
    REFUSED(pairPasses(design, passOf(design, "0F"), passOf(design, "7W")), "Only an F and a B or BW run as a pair.");
    REFUSED(pairPasses(design, passOf(design, "0F"), passOf(design, "6B")), "Only passes of one device run as a pair.");
    REFUSED(pairPasses(design, passOf(design, "0F"), passOf(design, "0B")),
        "0B needs the result of 0F, so they cannot run together; pair it with another stage.");
}

void PassEditsTest::copiedPassesArePastedOnAnotherDevice()
{
    const Design library = fromLibrary("v-half");
    QCOMPARE(copyText(library, passesOf(library, { "7B", "7W", "6B" })), std::string("7B@0 7W@1\n6B@2\n"));
    QCOMPARE(copyText(library, passesOf(library, { "0F", "2F" })), std::string("0F@0\n\n2F@4\n"));
    QCOMPARE(copyText(library, {}), std::string());
    // F of devices 0 and 1, to devices 2 and 3 of an empty block.
    Design design = *clearBlock(library).design;
    EDIT(design,
        pastePasses(design, copyText(library, passesOf(library, { "0F", "7F", "1F", "6F" })), DeviceId { 2 }, 4),
        "Paste 4 passes");
    QCOMPARE(namesOf(design, { 0, 1, 2, 3 }), QString("2F 5F 3F 4F"));
    QCOMPARE(startOf(design, "2F"), Ticks { 4 });
    QCOMPARE(startOf(design, "5F"), Ticks { 15 });
    QCOMPARE(startOf(design, "3F"), Ticks { 6 });
    // Rows of a file do as well, B from the highest stage on.
    EDIT(design, pastePasses(design, "7B@15 7W@16 0B@25\r\n\r\n", DeviceId { 0 }, 0), "Paste 3 passes");
    QCOMPARE(startOf(design, "7B"), Ticks { 15 });
    QCOMPARE(startOf(design, "0B"), Ticks { 25 });
    // From a group to a block without one.
    EDIT(design, pastePasses(design, "0W1@0 (0F1+7BW0)@3", DeviceId { 1 }, 0), "Paste 2 passes");
    QCOMPARE(startOf(design, "6W"), Ticks { 0 });
    QCOMPARE(startOf(design, "(1F+1BW)"), Ticks { 3 });
}

void PassEditsTest::pastingIsRefusedWithTheReason()
{
    const Design library = fromLibrary("v-half");
    REFUSED(pastePasses(library, "0F@0", DeviceId { 1 }, 0), "All stages of device 1 have their F.");
    const Design empty = *clearBlock(library).design;
    REFUSED(pastePasses(empty, "0F@0\n1F@1\n", DeviceId { 3 }, 0),
        "The passes are of 2 devices; from device 3 on there are 1.");
    REFUSED(pastePasses(empty, "", DeviceId { 0 }, 0), "There are no passes to paste.");
    REFUSED(pastePasses(empty, "0F@0", DeviceId { 9 }, 0), "There is no device 9.");
    const Edited words = pastePasses(empty, "0F@0\nhello world\n", DeviceId { 0 }, 0);
    QVERIFY(!words.ok());
    QVERIFY2(
        QString::fromStdString(words.refusal).startsWith("Line 2 is no row of passes: `hello`"), words.refusal.c_str());
}

void PassEditsTest::duplicatesTakeTheNextStages()
{
    Design design = emptyDesign(pipeline(PlacementKind::Interleaved, 2, 4, 4));
    EDIT(design, placePass(design, DeviceId { 0 }, PassKind::F, 0), "Place 0F");
    EDIT(design, placePass(design, DeviceId { 1 }, PassKind::F, 1), "Place 1F");
    EDIT(design, duplicatePasses(design, std::vector { 0, 1 }), "Duplicate 2 passes");
    QCOMPARE(startOf(design, "2F"), Ticks { 2 });
    QCOMPARE(startOf(design, "3F"), Ticks { 3 });
    REFUSED(duplicatePasses(design, std::vector { 0 }), "All stages of device 0 have their F.");
}

void PassEditsTest::passesThatBelongTogetherAreFound()
{
    const Design design = fromLibrary("v-half");
    QCOMPARE(chunkOf(design.pipeline, StageId { 3 }), 0);
    QCOMPARE(chunkOf(design.pipeline, StageId { 4 }), 1);
    QCOMPARE(selectChunk(design, 0).size(), std::size_t { 12 });
    for (const std::int32_t pass : selectChunk(design, 1))
        QVERIFY(design.block()->passes[static_cast<std::size_t>(pass)].slot.first.stage.value >= 4);
    QCOMPARE(selectKind(design, PassKind::W).size(), std::size_t { 8 });
    QCOMPARE(namesOf(design, selectStage(design, StageId { 5 })), QString("5F 5B 5W"));
    QCOMPARE(selectDevice(design, DeviceId { 2 }).size(), std::size_t { 6 });
    const Design group = fromLibrary("interleaved-1f1b", 4, 8, 2);
    QCOMPARE(namesOf(group, sameOfAllMembers(group, passesOf(group, { "4F2" }))), QString("4F0 4F1 4F2 4F3"));
    QVERIFY(sameOfAllMembers(group, {}).empty());
}

void PassEditsTest::aMovedStageTakesItsPassesAlong()
{
    Design design = fromLibrary("v-half");
    EDIT(design, moveStage(design, StageId { 6 }, RouteId { 0 }, DeviceId { 3 }), "Move stage 6 to device 3");
    QVERIFY(design.pipeline.kind == PlacementKind::List);
    for (const char* name : { "6F", "6B", "6W" })
        QCOMPARE(design.block()->passes[static_cast<std::size_t>(passOf(design, name))].device, DeviceId { 3 });
    QCOMPARE(startOf(design, "6F"), Ticks { 10 });
    EDIT(design, moveStage(design, StageId { 1 }, RouteId { 0 }, DeviceId { 3 }), "Move stage 1 to device 3");
    QVERIFY(design.pipeline.stagesOn(DeviceId { 1 }).empty()); // the findings tell of it
    EDIT(design, moveStage(design, StageId { 1 }, RouteId { 0 }, DeviceId { 1 }), "Move stage 1 to device 1");
    EDIT(design, moveStage(design, StageId { 6 }, RouteId { 0 }, DeviceId { 1 }), "Move stage 6 to device 1");
    QCOMPARE(*design.block(), *fromLibrary("v-half").block());
    QCOMPARE(design.pipeline.routes, fromLibrary("v-half").pipeline.routes);
    REFUSED(moveStage(design, StageId { 8 }, RouteId { 0 }, DeviceId { 1 }), "There is no stage 8.");
    REFUSED(moveStage(design, StageId { 1 }, RouteId { 1 }, DeviceId { 1 }), "There is no route 1.");
    REFUSED(moveStage(design, StageId { 1 }, RouteId { 0 }, DeviceId { -1 }), "There is no device -1.");
}

void PassEditsTest::aMovedStageOfOneRouteLeavesTheOther()
{
    Design design = emptyDesign(pipeline(PlacementKind::List, 2, 2, 4));
    design.pipeline.routes = { { DeviceId { 0 }, DeviceId { 1 } }, { DeviceId { 1 }, DeviceId { 0 } } };
    design.pipeline.rule = RouteRule::Alternate;
    std::get<BuildingBlock>(design.plan).group = 2;
    for (const std::int32_t d : { 0, 1 })
        for (const PassKind kind : { PassKind::F, PassKind::BW })
            for (int i = 0; i < 2; ++i)
                design = *placePass(design, DeviceId { d }, kind, i).design;
    design = *pairPasses(design, passOf(design, "0F0"), passOf(design, "1BW1")).design; // both on device 0
    EDIT(design, moveStage(design, StageId { 0 }, RouteId { 0 }, DeviceId { 1 }), "Move stage 0 to device 1");
    const auto deviceOf = [&](const char* name) {
        return design.block()->passes[static_cast<std::size_t>(passOf(design, name))].device;
    };
    QCOMPARE(deviceOf("0F0"), DeviceId { 1 });
    QCOMPARE(deviceOf("0BW0"), DeviceId { 1 });
    QCOMPARE(deviceOf("0F1"), DeviceId { 1 });
    QCOMPARE(deviceOf("1BW1"), DeviceId { 0 }); // parted from 0F0
    QCOMPARE(design.pipeline.routes[1][0], DeviceId { 1 });
    QCOMPARE(design.pipeline.routes[0][0], DeviceId { 1 });
}

void PassEditsTest::legsAreEditsWithTheirNames()
{
    const Design library = fromLibrary("v-half");
    Design design = library;
    EDIT(design, shiftLeg(design, RouteId { 0 }, 0, 1), "δF0 = 3");
    QVERIFY(check(*design.block(), design.pipeline).empty());
    EDIT(design, shiftLeg(design, RouteId { 0 }, 0, -1), "δF0 = 2");
    QCOMPARE(design, library);
    EDIT(design, shiftTurn(design, RouteId { 0 }, 1, 2, AfterShift::Leave), "F1→B1 = 6");
    design = *movePasses(library, passesOf(library, { "1F" }), 1).design;
    EDIT(design, shiftLeg(design, RouteId { 0 }, 0, 2, AfterShift::Leave), "δF0 +2");
    REFUSED(shiftLeg(design, RouteId { 0 }, 4, 1), "There is no leg 4 on route 0.");
    REFUSED(shiftTurn(design, RouteId { 1 }, 0, 1), "There is no turn 0 on route 1.");
}

void PassEditsTest::withoutABlockAllAreRefused()
{
    Design design = fromLibrary("v-half");
    design.plan = schedule({ {}, {}, {}, {} });
    design.reorder.reset();
    const QString why = "The order is edited by hand and there is no block; \"Back to block\" brings it back.";
    const std::vector one { 0 };
    REFUSED(placePass(design, DeviceId { 0 }, PassKind::F, 0), why);
    REFUSED(movePasses(design, one, 1), why);
    REFUSED(swapPasses(design, 0, 1), why);
    REFUSED(deletePasses(design, one), why);
    REFUSED(mirrorPasses(design, one), why);
    REFUSED(pairPasses(design, 0, 1), why);
    REFUSED(unpairPasses(design, one), why);
    REFUSED(placeWeightsAgain(design), why);
    REFUSED(placeAllWeights(design), why);
    REFUSED(pastePasses(design, "0F@0", DeviceId { 0 }, 0), why);
    REFUSED(duplicatePasses(design, one), why);
    REFUSED(shiftLeg(design, RouteId { 0 }, 0, 1), why);
    REFUSED(shiftTurn(design, RouteId { 0 }, 0, 1), why);
    REFUSED(clearBlock(design), why);
    QVERIFY(!moveStage(design, StageId { 0 }, RouteId { 0 }, DeviceId { 1 }).ok());
    QVERIFY(newBlock(design).ok());
    QVERIFY(copyText(design, one).empty() && selectChunk(design, 0).empty() && selectKind(design, PassKind::F).empty());
    QVERIFY(!nextPass(design, DeviceId { 0 }, PassKind::F).has_value());
}

PIPELOOM_WINDOW_TEST_MAIN(PassEditsTest)
#include "pass_edits_test.moc"
