// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/document/document.h"
#include "app/designer/edit/schedule_edits.h"
#include "core/formats/design_file.h"
#include "core/library/library.h"
#include "core/plan/plan.h"
#include "tests/designer/window_test_main.h"

#include <QTemporaryDir>

using namespace pipeloom;
using namespace pipeloom::designer;

class ScheduleEditsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theOrderTakesTheBlocksPlaceAndTheWayBackIsExact();
    void backToTheBlockWorksAfterSavingAndOpening();
    void whatElseTheViewRemembersStays();
    void aMoveGivesThatOrderAndUndoTheSameBytes();
    void aMoveThatCannotRunIsRefusedWithTheReason();
    void placesThatAreNotThereAreRefused();
    void sizesAreLockedOnlyWhileExplicit();
    void anExplicitScheduleWithoutABlockHasNoWayBack();

private:
    static Design vHalf() { return *findInLibrary("v-half")->make({}).design; }
    static Schedule orderOf(const Design& design) { return plan(design).schedule; }
};

void ScheduleEditsTest::theOrderTakesTheBlocksPlaceAndTheWayBackIsExact()
{
    const Design block = vHalf();
    const Edited made = toExplicit(block, orderOf(block));
    QVERIFY(made.ok());
    QVERIFY(made.design->schedule() != nullptr);
    QVERIFY(!made.design->reorder.has_value());
    QCOMPARE(plan(*made.design).metrics.makespan(), plan(block).metrics.makespan());
    const Edited back = backToBlock(*made.design);
    QVERIFY(back.ok());
    QCOMPARE(writeDesign(*back.design), writeDesign(block));
}

void ScheduleEditsTest::backToTheBlockWorksAfterSavingAndOpening()
{
    QTemporaryDir folder;
    const QString path = folder.filePath("order.pipeloom.json");
    const Design block = vHalf();
    Document document;
    document.reset(block, {});
    QVERIFY(document.apply(toExplicit(block, orderOf(block))));
    QVERIFY(!hasErrors(document.save(path)));
    Document opened;
    QVERIFY(!hasErrors(opened.open(path)));
    QVERIFY(hasFormerBlock(*opened.committed()));
    QVERIFY(opened.apply(backToBlock(*opened.committed())));
    QCOMPARE(opened.undoStack().count(), 1);
    QCOMPARE(writeDesign(*opened.committed()), writeDesign(block));
    opened.undoStack().undo();
    QCOMPARE(writeDesign(*opened.committed()), writeDesign(*document.committed()));
}

void ScheduleEditsTest::whatElseTheViewRemembersStays()
{
    Design block = vHalf();
    block.view = R"({"zoom":3,"tabs":["a"]})";
    const Edited made = toExplicit(block, orderOf(block));
    QVERIFY(made.design->view.find(R"("zoom":3)") != std::string::npos);
    QCOMPARE(backToBlock(*made.design).design->view, block.view);
}

void ScheduleEditsTest::aMoveGivesThatOrderAndUndoTheSameBytes()
{
    const Design block = vHalf();
    Document document;
    document.reset(block, {});
    QVERIFY(document.apply(toExplicit(block, orderOf(block))));
    const std::string before = writeDesign(*document.committed());
    // Device 3 has 3F0 4F0 ...: 3F1 may come before 4F0.
    const std::span<const Slot> row = document.committed()->schedule()->row(DeviceId { 3 });
    const auto at = std::find_if(row.begin(), row.end(), [](const Slot& slot) {
        return slot.first == Pass { StageId { 3 }, MicroBatch { 1 }, PassKind::F };
    });
    const auto from = static_cast<std::int32_t>(at - row.begin());
    QVERIFY(from > 1);
    const Edited moved = moveSlot(*document.committed(), DeviceId { 3 }, from, 1);
    QVERIFY2(moved.ok(), moved.refusal.c_str());
    QCOMPARE(moved.name, std::string("Move 3F1"));
    QVERIFY(document.apply(moved));
    QCOMPARE(text(document.committed()->schedule()->row(DeviceId { 3 })[1]), std::string("3F1"));
    const std::string after = writeDesign(*document.committed());
    document.undoStack().undo();
    QCOMPARE(writeDesign(*document.committed()), before);
    document.undoStack().redo();
    QCOMPARE(writeDesign(*document.committed()), after);
    // Moving it back is the order before, and the block is still remembered.
    const Edited returned = moveSlot(*document.committed(), DeviceId { 3 }, 1, from);
    QCOMPARE(writeDesign(*returned.design), before);
    QCOMPARE(writeDesign(*backToBlock(*document.committed()).design), writeDesign(block));
}

void ScheduleEditsTest::aMoveThatCannotRunIsRefusedWithTheReason()
{
    const Design block = vHalf();
    const Design order = *toExplicit(block, orderOf(block)).design;
    const std::span<const Slot> row = order.schedule()->row(DeviceId { 0 });
    const auto last = static_cast<std::int32_t>(row.size()) - 1;
    const Edited moved = moveSlot(order, DeviceId { 0 }, last, 0); // a W before everything
    QVERIFY(!moved.ok());
    QVERIFY2(moved.refusal.find(text(row[static_cast<std::size_t>(last)])) != std::string::npos, moved.refusal.c_str());
    // 7B0 needs 7F0, which needs 0F0 of the same device: a deadlock over the other devices if 0F0 goes behind 7F0.
    const Edited circle = moveSlot(order, DeviceId { 0 }, 0, 12);
    QVERIFY(!circle.ok());
    QVERIFY(!circle.refusal.empty());
}

void ScheduleEditsTest::placesThatAreNotThereAreRefused()
{
    const Design block = vHalf();
    const Design order = *toExplicit(block, orderOf(block)).design;
    QVERIFY(!moveSlot(order, DeviceId { 4 }, 0, 1).ok());
    QVERIFY(!moveSlot(order, DeviceId { 0 }, 0, 48).ok());
    QVERIFY(!moveSlot(order, DeviceId { 0 }, -1, 1).ok());
    QVERIFY(!moveSlot(block, DeviceId { 0 }, 0, 1).ok());
    QVERIFY(!toExplicit(order, *order.schedule()).ok());
    QVERIFY(!toExplicit(block, Schedule {}).ok());
}

void ScheduleEditsTest::sizesAreLockedOnlyWhileExplicit()
{
    const Design block = vHalf();
    QVERIFY(!sizesLocked(block).has_value());
    const Design order = *toExplicit(block, orderOf(block)).design;
    QVERIFY(sizesLocked(order).has_value());
    QVERIFY(!sizesLocked(*backToBlock(order).design).has_value());
}

void ScheduleEditsTest::anExplicitScheduleWithoutABlockHasNoWayBack()
{
    Design order = *toExplicit(vHalf(), orderOf(vHalf())).design;
    order.view.clear();
    QVERIFY(!hasFormerBlock(order));
    QVERIFY(!backToBlock(order).ok());
    order.view = R"({"formerBlock":{"pipeloom":1}})";
    QVERIFY(!backToBlock(order).ok());
    order.view = R"(["formerBlock"])";
    QVERIFY(!backToBlock(order).ok());
}

PIPELOOM_WINDOW_TEST_MAIN(ScheduleEditsTest)
#include "schedule_edits_test.moc"
