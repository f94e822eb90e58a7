// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/edit/schedule_edits.h"
#include "core/formats/design_file.h"
#include "tests/designer/schedule/schedule_fixture.h"

#include <QCheckBox>
#include <QTemporaryDir>
#include <QToolButton>

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;

class EditOrderTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theToggleMakesTheDesignExplicitAsOneStep();
    void aPassIsDraggedAlongItsRowAndTheRestFollows();
    void keysMoveThePassAsTheMouseDoes();
    void escPutsThePassBack();
    void aPlaceWhereItCannotRunIsRefusedWithTheReason();
    void backToBlockIsOneStepAlsoAfterReopening();
    void reorderedOrdersCanBeEditedToo();

private:
    static QCheckBox* box(ShownPanel& panel) { return panel.panel.findChild<QCheckBox*>("schedule.editOrder.box"); }
    static void toggle(ShownPanel& panel) { QTest::mouseClick(box(panel), Qt::LeftButton, {}, { 8, 8 }); }
    static void moveTo(ShownPanel& panel, QPoint to)
    {
        QMouseEvent move(
            QEvent::MouseMove, to, panel.view().mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(&panel.view(), &move);
    }
};

void EditOrderTest::theToggleMakesTheDesignExplicitAsOneStep()
{
    ShownPanel panel(libraryDesign("v-half"));
    const std::string before = writeDesign(*panel.document.committed());
    toggle(panel);
    QVERIFY(panel.document.committed()->schedule() != nullptr);
    QVERIFY(box(panel)->isChecked());
    QCOMPARE(panel.document.undoStack().count(), 1);
    QCOMPARE(panel.data().metrics().lastEnd, Ticks { 59 });
    QVERIFY(!panel.panel.findChild<ScheduleHeader*>()->forms().button(0)->isEnabled());
    panel.document.undoStack().undo();
    QCOMPARE(writeDesign(*panel.document.committed()), before);
    QVERIFY(!box(panel)->isChecked()); // a block has no order to edit
    QVERIFY(panel.panel.findChild<ScheduleHeader*>()->forms().button(0)->isEnabled());
}

void EditOrderTest::aPassIsDraggedAlongItsRowAndTheRestFollows()
{
    ShownPanel panel(libraryDesign("v-half"), { 1200, 440 }, Form::Reordered);
    toggle(panel);
    const std::string before = writeDesign(*panel.document.committed());
    const Pass moved { StageId { 3 }, MicroBatch { 1 }, PassKind::F };
    const PassIndex pass = panel.data().find(moved);
    const QPoint from = panel.middleOf(pass);
    const QPoint to = panel.at(3.8, 3); // between 3F0 at 3 and 4F0 at 4
    QTest::mousePress(&panel.view(), Qt::LeftButton, {}, from);
    for (int step = 1; step <= 5; ++step)
        moveTo(panel, from + (to - from) * step / 5);
    QVERIFY(panel.document.isPreviewing());
    QCOMPARE(writeDesign(*panel.document.committed()), before);
    QTest::mouseRelease(&panel.view(), Qt::LeftButton, {}, to);
    QVERIFY(!panel.document.isPreviewing());
    QCOMPARE(panel.document.undoStack().count(), 2);
    QCOMPARE(panel.document.undoStack().undoText(), QString("Move 3F1"));
    QCOMPARE(text(panel.document.committed()->schedule()->row(DeviceId { 3 })[1]), std::string("3F1"));
    const std::string after = writeDesign(*panel.document.committed());
    panel.document.undoStack().undo();
    QCOMPARE(writeDesign(*panel.document.committed()), before);
    panel.document.undoStack().redo();
    QCOMPARE(writeDesign(*panel.document.committed()), after);
}

void EditOrderTest::keysMoveThePassAsTheMouseDoes()
{
    ShownPanel panel(libraryDesign("v-half"), { 1200, 440 }, Form::Reordered);
    toggle(panel);
    const std::string before = writeDesign(*panel.document.committed());
    const Pass moved { StageId { 3 }, MicroBatch { 1 }, PassKind::F };
    QTest::mouseClick(&panel.view(), Qt::LeftButton, {}, panel.middleOf(panel.data().find(moved)));
    QString said;
    connect(&panel.document, &Document::refused, this, [&](const QString& reason) { said = reason; });
    QTest::keyClick(&panel.view(), Qt::Key_Left, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(text(panel.document.committed()->schedule()->row(DeviceId { 3 })[1]), std::string("3F1"));
    QCOMPARE(panel.document.undoStack().count(), 2);
    QTest::keyClick(&panel.view(), Qt::Key_Left, Qt::ControlModifier | Qt::ShiftModifier);
    QTest::keyClick(&panel.view(), Qt::Key_Left, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(text(panel.document.committed()->schedule()->row(DeviceId { 3 })[0]), std::string("3F1"));
    QCOMPARE(panel.document.undoStack().count(), 2); // moves of one pass are one step
    panel.document.undoStack().undo();
    QCOMPARE(writeDesign(*panel.document.committed()), before);
}

void EditOrderTest::escPutsThePassBack()
{
    ShownPanel panel(libraryDesign("v-half"), { 1200, 440 }, Form::Reordered);
    toggle(panel);
    const std::string before = writeDesign(*panel.document.committed());
    const PassIndex pass = panel.find(3, PassKind::F, 1);
    const QPoint from = panel.middleOf(pass);
    QTest::mousePress(&panel.view(), Qt::LeftButton, {}, from);
    moveTo(panel, from - QPoint(20, 0));
    moveTo(panel, panel.at(3.8, 3));
    QVERIFY(panel.document.isPreviewing());
    QTest::keyClick(&panel.view(), Qt::Key_Escape);
    QVERIFY(!panel.document.isPreviewing());
    QTest::mouseRelease(&panel.view(), Qt::LeftButton, {}, panel.at(3.8, 3));
    QCOMPARE(panel.document.undoStack().count(), 1);
    QCOMPARE(writeDesign(*panel.document.committed()), before);
}

void EditOrderTest::aPlaceWhereItCannotRunIsRefusedWithTheReason()
{
    ShownPanel panel(libraryDesign("v-half"));
    toggle(panel);
    QString reason;
    connect(&panel.document, &Document::refused, this, [&](const QString& text) { reason = text; });
    const std::string before = writeDesign(*panel.document.committed());
    const QPoint from = panel.middleOf(panel.find(0, PassKind::W, 7));
    drag(&panel.view(), from, panel.at(0.2, 0));
    QVERIFY2(reason.contains("0W7"), qPrintable(reason));
    QCOMPARE(panel.document.undoStack().count(), 1);
    QCOMPARE(writeDesign(*panel.document.committed()), before);
    QVERIFY(!panel.view().overlays().dropIsRefused);
}

void EditOrderTest::backToBlockIsOneStepAlsoAfterReopening()
{
    QTemporaryDir folder;
    const QString path = folder.filePath("order.pipeloom.json");
    const Design block = libraryDesign("v-half");
    ShownPanel panel(block, { 1200, 440 }, Form::Reordered);
    toggle(panel);
    drag(&panel.view(), panel.middleOf(panel.find(3, PassKind::F, 1)), panel.at(3.8, 3));
    QVERIFY(!hasErrors(panel.document.save(path)));
    QVERIFY(!hasErrors(panel.document.open(path)));
    auto* back = panel.panel.findChild<QToolButton*>("schedule.backToBlock.button");
    QVERIFY(back->isVisible());
    QTest::mouseClick(back, Qt::LeftButton);
    QCOMPARE(panel.document.undoStack().count(), 1);
    QCOMPARE(writeDesign(*panel.document.committed()), writeDesign(block));
    QVERIFY(!back->isVisible());
}

void EditOrderTest::reorderedOrdersCanBeEditedToo()
{
    ShownPanel panel(libraryDesign("v-half"), { 1200, 440 }, Form::Reordered);
    const Ticks reordered = panel.data().metrics().lastEnd;
    toggle(panel);
    QVERIFY(panel.document.committed()->schedule() != nullptr);
    QCOMPARE(panel.data().metrics().lastEnd, reordered);
}

PIPELOOM_WINDOW_TEST_MAIN(EditOrderTest)
#include "edit_order_test.moc"
