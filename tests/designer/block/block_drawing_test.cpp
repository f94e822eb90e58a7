// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Drawing and changing a block with real mouse and key events.
#include "tests/designer/block/block_fixture.h"

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;

class BlockDrawingTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { failOnWarnings(); }
    void vHalfDrawnFromNothingIsTheLibrarysBlock();
    void keysAlonePlaceAPass();
    void aDragMovesAPassAndIsOneStep();
    void escapePutsAGestureBack();
    void whileDraggingTheCollisionIsToldInWordsAndFiguresStay();
    void shiftDragSwapsWithThePassThatIsMet();
    void draggingToAnotherDeviceMovesTheWholeStageAsOneStep();
    void theIntervalSnapsToLegalOnes();
    void shiftFitsTheBlockToANewInterval();
    void anOffsetHandleShiftsALegAndBack();
    void nudgesOfOneSelectionAreOneStep();
    void everyEditIsUndoneAndRedoneToTheByte_data();
    void everyEditIsUndoneAndRedoneToTheByte();
    void aToolWithNothingLeftSaysWhy();
};

void BlockDrawingTest::vHalfDrawnFromNothingIsTheLibrarysBlock()
{
    const Design wanted = fromLibrary("v-half", 4, 8);
    Design empty = wanted;
    auto& block = std::get<BuildingBlock>(empty.plan);
    block.passes.clear();
    BlockEditor editor(empty);
    for (const auto& [kind, key] :
        { std::pair(PassKind::F, Qt::Key_F), std::pair(PassKind::B, Qt::Key_B), std::pair(PassKind::W, Qt::Key_W) }) {
        QTest::keyClick(&editor.view, key);
        // F from the lowest stage up, B and W from the highest down, as the tools take them.
        for (std::int32_t i = 0; i < wanted.pipeline.stages; ++i) {
            const std::int32_t stage = kind == PassKind::F ? i : wanted.pipeline.stages - 1 - i;
            for (const BlockPass& placed : wanted.block()->passes)
                if (placed.slot.first.kind == kind && placed.slot.first.stage.value == stage)
                    QTest::mouseClick(
                        editor.view.viewport(), Qt::LeftButton, {}, editor.cell(placed.device.value, placed.start));
        }
    }
    QCOMPARE(QString::fromStdString(editor.bytes()), QString::fromStdString(writeDesign(wanted)));
    QCOMPARE(editor.document.undoStack().count(), 24);
    QCOMPARE(editor.figures.figures()->standing, Standing::Whole);
}

void BlockDrawingTest::keysAlonePlaceAPass()
{
    Design empty = fromLibrary("v-half", 4, 8);
    std::get<BuildingBlock>(empty.plan).passes.clear();
    BlockEditor editor(empty);
    QTest::keyClick(&editor.view, Qt::Key_F);
    QTest::keyClick(&editor.view, Qt::Key_Return); // the caret comes
    QTest::keyClick(&editor.view, Qt::Key_Down);
    QTest::keyClick(&editor.view, Qt::Key_Right);
    QTest::keyClick(&editor.view, Qt::Key_Right);
    QTest::keyClick(&editor.view, Qt::Key_Return);
    QCOMPARE(editor.block().passes.size(), std::size_t { 1 });
    QCOMPARE(editor.find("1F"), 0);
    QCOMPARE(editor.startOf("1F"), Ticks { 2 });
}

void BlockDrawingTest::aDragMovesAPassAndIsOneStep()
{
    BlockEditor editor(fromLibrary("v-half", 4, 8));
    const Ticks before = editor.startOf("0W");
    editor.dragPass("0W", 3);
    QCOMPARE(editor.startOf("0W"), before + 3);
    QCOMPARE(editor.document.undoStack().count(), 1);
    QCOMPARE(editor.document.undoStack().undoText(), QString("Move 0W"));
}

void BlockDrawingTest::escapePutsAGestureBack()
{
    BlockEditor editor(fromLibrary("v-half", 4, 8));
    const std::string before = editor.bytes();
    const QPoint from = editor.centreOf("7W");
    editor.hold(from, from + editor.byTicks(2));
    QVERIFY(editor.document.isPreviewing());
    QTest::keyClick(&editor.view, Qt::Key_Escape);
    QVERIFY(!editor.document.isPreviewing());
    QTest::mouseRelease(editor.view.viewport(), Qt::LeftButton, {}, from + editor.byTicks(2));
    QCOMPARE(editor.bytes(), before);
    QCOMPARE(editor.document.undoStack().count(), 0);
}

void BlockDrawingTest::whileDraggingTheCollisionIsToldInWordsAndFiguresStay()
{
    BlockEditor editor(fromLibrary("v-half", 4, 8));
    const QPoint from = editor.centreOf("7W");
    editor.hold(from, from + editor.byTicks(2)); // 16 -> 18, where 0F of the copy three intervals on stands
    QCOMPARE(editor.view.marks().reason, std::string("7W at 18 meets 0F of the copy 3 intervals on"));
    QCOMPARE(editor.figures.figures()->standing, Standing::OfItsOrder);
    QVERIFY(editor.figures.figures()->plan.simulated());
    QTest::mouseRelease(editor.view.viewport(), Qt::LeftButton, {}, from + editor.byTicks(2));
    QCOMPARE(editor.startOf("7W"), Ticks { 18 });
    bool told = false;
    for (const Finding& finding : editor.figures.figures()->findings)
        told |= finding.rule == "block/collision";
    QVERIFY(told);
}

void BlockDrawingTest::shiftDragSwapsWithThePassThatIsMet()
{
    BlockEditor editor(fromLibrary("v-half", 4, 8));
    const Ticks w5 = editor.startOf("5W");
    const Ticks w2 = editor.startOf("2W");
    editor.dragPass("5W", w2 - w5, Qt::ShiftModifier);
    QCOMPARE(editor.startOf("5W"), w2);
    QCOMPARE(editor.startOf("2W") % 6, w5 % 6);
    QCOMPARE(editor.document.undoStack().count(), 1);
    QVERIFY(editor.document.undoStack().undoText().startsWith("Swap"));
}

void BlockDrawingTest::draggingToAnotherDeviceMovesTheWholeStageAsOneStep()
{
    BlockEditor editor(fromLibrary("v-half", 4, 8));
    const QPoint from = editor.centreOf("7W");
    const QPoint to = editor.cell(1, 16);
    drag(editor.view.viewport(), from, to);
    QCOMPARE(editor.document.undoStack().count(), 1);
    QCOMPARE(editor.document.committed()->pipeline.kind, PlacementKind::List);
    for (const BlockPass& placed : editor.block().passes)
        if (placed.slot.first.stage.value == 7)
            QCOMPARE(placed.device.value, 1);
    QCOMPARE(editor.startOf("7W"), Ticks { 16 });
}

void BlockDrawingTest::theIntervalSnapsToLegalOnes()
{
    BlockEditor editor(fromLibrary("v-half", 4, 8));
    const QPoint from = editor.view.intervalHandle().toPoint();
    drag(editor.view.viewport(), from, from + editor.byTicks(5));
    QCOMPARE(editor.block().interval, Ticks { 12 }); // 6, 12, 18, 21 are legal
    QVERIFY(!hasErrors(check(editor.block(), editor.document.committed()->pipeline)));
    editor.document.undoStack().undo();
    const QPoint again = editor.view.intervalHandle().toPoint();
    drag(editor.view.viewport(), again, again + editor.byTicks(2), Qt::AltModifier);
    QCOMPARE(editor.block().interval, Ticks { 8 });
}

void BlockDrawingTest::shiftFitsTheBlockToANewInterval()
{
    BlockEditor editor(fromLibrary("v-half", 4, 8));
    const QPoint from = editor.view.intervalHandle().toPoint();
    drag(editor.view.viewport(), from, from + editor.byTicks(1), Qt::ShiftModifier);
    QCOMPARE(editor.block().interval, Ticks { 7 });
    QVERIFY(!hasErrors(check(editor.block(), editor.document.committed()->pipeline)));
}

void BlockDrawingTest::anOffsetHandleShiftsALegAndBack()
{
    BlockEditor editor(fromLibrary("v-half", 4, 8));
    const std::string before = editor.bytes();
    QVERIFY(!editor.view.handles().empty());
    const auto handle = [&] { return editor.view.handles().front().rect.center().toPoint(); };
    QVERIFY(editor.view.handles().front().text.startsWith(QString::fromUtf8("δF0")));
    drag(editor.view.viewport(), handle(), handle() + editor.byTicks(1));
    QCOMPARE(editor.startOf("1F"), Ticks { 3 });
    QCOMPARE(editor.startOf("3F"), Ticks { 9 });
    drag(editor.view.viewport(), handle(), handle() - editor.byTicks(1));
    QCOMPARE(editor.bytes(), before);
    QCOMPARE(editor.document.undoStack().count(), 2);
}

void BlockDrawingTest::nudgesOfOneSelectionAreOneStep()
{
    BlockEditor editor(fromLibrary("v-half", 4, 8));
    QTest::mouseClick(editor.view.viewport(), Qt::LeftButton, {}, editor.centreOf("0W"));
    QTest::keyClick(&editor.view, Qt::Key_Right);
    QTest::keyClick(&editor.view, Qt::Key_Right);
    QCOMPARE(editor.startOf("0W"), Ticks { 28 });
    QCOMPARE(editor.document.undoStack().count(), 1);
    QTest::mouseClick(editor.view.viewport(), Qt::LeftButton, {}, editor.centreOf("1W"));
    QTest::keyClick(&editor.view, Qt::Key_Right);
    QCOMPARE(editor.document.undoStack().count(), 2);
}

void BlockDrawingTest::everyEditIsUndoneAndRedoneToTheByte_data()
{
    QTest::addColumn<QString>("action");
    for (const char* action : { "block.delete", "block.mirror", "block.weights", "block.clear", "block.retime" })
        QTest::newRow(action) << QString(action);
}

void BlockDrawingTest::everyEditIsUndoneAndRedoneToTheByte()
{
    QFETCH(QString, action);
    BlockEditor editor(fromLibrary("v-half", 4, 8));
    QTest::mouseClick(editor.view.viewport(), Qt::LeftButton, {}, editor.centreOf("4F"));
    QTest::keyClick(&editor.view, Qt::Key_Right);
    const std::string before = editor.bytes();
    const int steps = editor.document.undoStack().count();
    editor.panel.findChild<QAction*>(action)->trigger();
    const std::string after = editor.bytes();
    if (editor.document.undoStack().count() == steps) {
        QCOMPARE(after, before); // it changed nothing, so it is no step
        return;
    }
    editor.document.undoStack().undo();
    QCOMPARE(editor.bytes(), before);
    editor.document.undoStack().redo();
    QCOMPARE(editor.bytes(), after);
}

void BlockDrawingTest::aToolWithNothingLeftSaysWhy()
{
    BlockEditor editor(fromLibrary("v-half", 4, 8));
    QString said;
    connect(&editor.document, &Document::refused, this, [&](const QString& reason) { said = reason; });
    QTest::keyClick(&editor.view, Qt::Key_F);
    QTest::mouseClick(editor.view.viewport(), Qt::LeftButton, {}, editor.cell(0, 3));
    QVERIFY2(!said.isEmpty(), "placing a ninth F is refused with the reason");
    QCOMPARE(editor.document.undoStack().count(), 0);
}

PIPELOOM_WINDOW_TEST_MAIN(BlockDrawingTest)
#include "block_drawing_test.moc"
