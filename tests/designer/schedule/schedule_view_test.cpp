// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/designer/schedule/schedule_fixture.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QScrollBar>
#include <QToolTip>

#include <cmath>

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;

class ScheduleViewTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void ctrlWheelKeepsTheTimeUnderTheCursor_data();
    void ctrlWheelKeepsTheTimeUnderTheCursor();
    void plainWheelOverTheRulerZoomsAndElsewhereScrolls();
    void shiftWheelAndKeysMoveSideways();
    void altWheelChangesTheRowsHeight();
    void middleDragSpaceDragAndShiftDragPan();
    void ctrlDragZoomsToTheBoxAndTheWayBackIsKept();
    void doubleClickZoomsToThePass();
    void clickSelectsCtrlClickTogglesAndEscClears();
    void dragMeasuresARangeWhoseEdgesCanBeDragged();
    void escTakesBackARangeDrag();
    void hoverDimsAllOtherMicroBatchesAndSaysWhatIsThere();
    void aTipHasAtMostSixLinesAndNamesTheReasonOfABubble();
    void narrowPassesSayHowManyTheyAre();
    void shiftShowsTheWholeChain();
    void keysWalkAlongTheRowAndTheDependencies();
    void focusBringsTheSelectionIntoTheMiddleThenZoomsToIt();
    void rowsThatDoNotFitScroll();
    void screenReadersSeeATableOfPasses();
    void whatIsSelectedStaysSelectedWhenFiguresChange();

private:
    static double shown(ShownPanel& panel)
    {
        return panel.view().scene().plotWidth() / panel.panel.axis().map().pixelsPerTick;
    }
};

void ScheduleViewTest::ctrlWheelKeepsTheTimeUnderTheCursor_data()
{
    QTest::addColumn<int>("x");
    QTest::addColumn<bool>("coarse");
    for (const int x : { 90, 400, 811, 1190 })
        for (const bool coarse : { false, true })
            QTest::addRow("x %d%s", x, coarse ? ", coarse" : "") << x << coarse;
}

void ScheduleViewTest::ctrlWheelKeepsTheTimeUnderTheCursor()
{
    QFETCH(int, x);
    QFETCH(bool, coarse);
    ShownPanel panel(libraryDesign("v-half", 4, 64));
    QVERIFY(panel.shown);
    const Qt::KeyboardModifiers keys = Qt::ControlModifier | (coarse ? Qt::ShiftModifier : Qt::NoModifier);
    const double plotX = x - panel.view().scene().labelWidth;
    const double before = shown(panel);
    for (int i = 0; i < 6; ++i) {
        const double time = panel.panel.axis().map().timeAt(plotX);
        wheel(&panel.view(), { x, 200 }, 120, keys);
        QVERIFY(std::abs(panel.panel.axis().map().xOf(time) - plotX) < 1);
    }
    QVERIFY(shown(panel) < before / 2);
    for (int i = 0; i < 60; ++i)
        wheel(&panel.view(), { x, 200 }, -120, keys);
    QCOMPARE(panel.panel.axis().map().begin, 0.0); // and no further
    QVERIFY(std::abs(shown(panel) - before) < 1e-6);
}

void ScheduleViewTest::plainWheelOverTheRulerZoomsAndElsewhereScrolls()
{
    ShownPanel panel(libraryDesign("v-half", 32, 64), { 1000, 300 });
    const double before = shown(panel);
    wheel(&panel.view(), { 500, 10 }, 120);
    QVERIFY(shown(panel) < before);
    const double zoomed = shown(panel);
    auto* bar = panel.view().findChild<QScrollBar*>("schedule.scroll");
    QVERIFY(bar->isVisible());
    wheel(&panel.view(), { 500, 100 }, -120);
    QVERIFY(bar->value() > 0);
    QCOMPARE(shown(panel), zoomed);
    wheel(&panel.view(), { 500, 100 }, 240);
    QCOMPARE(bar->value(), 0);
}

void ScheduleViewTest::shiftWheelAndKeysMoveSideways()
{
    ShownPanel panel(libraryDesign("v-half", 4, 64));
    panel.panel.axis().show(50, 100);
    const auto begin = [&] { return panel.panel.axis().map().begin; };
    double before = begin();
    wheel(&panel.view(), { 500, 200 }, -120, Qt::ShiftModifier);
    QVERIFY(begin() > before);
    before = begin();
    QTest::keyClick(&panel.view(), Qt::Key_D);
    QVERIFY(begin() > before);
    before = begin();
    QTest::keyClick(&panel.view(), Qt::Key_A);
    QVERIFY(begin() < before);
    const double wide = shown(panel);
    QTest::keyClick(&panel.view(), Qt::Key_W);
    QVERIFY(shown(panel) < wide);
    QTest::keyClick(&panel.view(), Qt::Key_S);
    QVERIFY(std::abs(shown(panel) - wide) < 1e-6);
    QTest::keyClick(&panel.view(), Qt::Key_Home);
    QCOMPARE(begin(), 0.0);
    QTest::keyClick(&panel.view(), Qt::Key_End);
    QVERIFY(panel.panel.axis().map().xOf(panel.data().metrics().lastEnd) < panel.view().scene().plotWidth());
    QTest::keyClick(&panel.view(), Qt::Key_0);
    QVERIFY(panel.panel.axis().isFitted());
}

void ScheduleViewTest::altWheelChangesTheRowsHeight()
{
    ShownPanel panel(libraryDesign("v-half"));
    const double before = panel.view().scene().layout.rowHeight;
    wheel(&panel.view(), { 500, 200 }, 120, Qt::AltModifier, true); // as X11 turns it
    QVERIFY(panel.view().scene().layout.rowHeight > before);
    for (int i = 0; i < 40; ++i)
        wheel(&panel.view(), { 500, 200 }, -120, Qt::AltModifier);
    QCOMPARE(panel.view().scene().layout.rowHeight, RowLayout::leastHeight);
    panel.trigger("schedule.rowsFit");
    QCOMPARE(panel.view().scene().layout.rowHeight, before);
    panel.trigger("schedule.rowsHigher");
    QVERIFY(panel.view().scene().layout.rowHeight > before);
}

void ScheduleViewTest::middleDragSpaceDragAndShiftDragPan()
{
    ShownPanel panel(libraryDesign("v-half", 4, 64));
    panel.panel.axis().show(100, 160);
    const auto panned = [&](auto dragIt) {
        const double time = panel.panel.axis().map().timeAt(400);
        dragIt();
        const double moved = panel.panel.axis().map().xOf(time) - 400;
        panel.panel.axis().show(100, 160);
        return std::abs(moved - 120) < 1;
    };
    QVERIFY(panned([&] { drag(&panel.view(), { 470, 200 }, { 590, 200 }, {}, Qt::MiddleButton); }));
    QVERIFY(panned([&] { drag(&panel.view(), { 470, 200 }, { 590, 200 }, Qt::ShiftModifier); }));
    QVERIFY(panned([&] {
        QTest::keyPress(&panel.view(), Qt::Key_Space);
        drag(&panel.view(), { 470, 200 }, { 590, 200 });
        QTest::keyRelease(&panel.view(), Qt::Key_Space);
    }));
    QVERIFY(!panel.view().range().has_value());
    QVERIFY(panel.view().selection().empty());
}

void ScheduleViewTest::ctrlDragZoomsToTheBoxAndTheWayBackIsKept()
{
    ShownPanel panel(libraryDesign("v-half"));
    const TimeMap before = panel.panel.axis().map();
    const QPoint from = panel.at(20, 0);
    const QPoint to = panel.at(30, 2);
    drag(&panel.view(), from, to, Qt::ControlModifier);
    const TimeMap after = panel.panel.axis().map();
    QVERIFY(std::abs(after.begin - 20) < 0.2);
    QVERIFY(std::abs(shown(panel) - 10) < 0.3);
    QTest::keyClick(&panel.view(), Qt::Key_Left, Qt::AltModifier);
    QVERIFY(panel.panel.axis().map() == before);
    QTest::keyClick(&panel.view(), Qt::Key_Right, Qt::AltModifier);
    QVERIFY(panel.panel.axis().map() == after);
}

void ScheduleViewTest::doubleClickZoomsToThePass()
{
    ShownPanel panel(libraryDesign("v-half", 4, 32));
    const PassIndex pass = panel.find(3, PassKind::B, 10);
    QTest::mouseDClick(&panel.view(), Qt::LeftButton, {}, panel.middleOf(pass));
    const QRectF rect = panel.view().scene().rectOf(pass);
    QVERIFY(rect.width() > 80);
    const double middle = panel.view().scene().labelWidth + panel.view().scene().plotWidth() / 2;
    QVERIFY(std::abs(rect.center().x() - middle) < 3);
}

void ScheduleViewTest::clickSelectsCtrlClickTogglesAndEscClears()
{
    ShownPanel panel(libraryDesign("v-half"));
    QSignalSpy selected(&panel.panel, &SchedulePanel::passSelected);
    const PassIndex first = panel.find(6, PassKind::B, 0);
    const PassIndex second = panel.find(2, PassKind::F, 4);
    QTest::mouseClick(&panel.view(), Qt::LeftButton, {}, panel.middleOf(first));
    QCOMPARE(panel.view().selection(), (std::vector<Pass> { panel.data().at(first).pass }));
    QTest::mouseClick(&panel.view(), Qt::LeftButton, Qt::ControlModifier, panel.middleOf(second));
    QCOMPARE(panel.view().selection().size(), std::size_t { 2 });
    QTest::mouseClick(&panel.view(), Qt::LeftButton, Qt::ControlModifier, panel.middleOf(first));
    QCOMPARE(panel.view().selection(), (std::vector<Pass> { panel.data().at(second).pass }));
    QCOMPARE(selected.count(), 3);
    QTest::keyClick(&panel.view(), Qt::Key_Escape);
    QVERIFY(panel.view().selection().empty());
    QTest::mouseClick(&panel.view(), Qt::LeftButton, {}, panel.middleOf(first));
    QTest::mouseClick(&panel.view(), Qt::LeftButton, {}, panel.at(4, 0)); // a bubble
    QVERIFY(panel.view().selection().empty());
}

void ScheduleViewTest::dragMeasuresARangeWhoseEdgesCanBeDragged()
{
    ShownPanel panel(libraryDesign("v-half"));
    QString told;
    connect(&panel.panel, &SchedulePanel::statusText, this, [&](const QString& text) { told = text; });
    drag(&panel.view(), panel.at(10, 1), panel.at(22, 3));
    QCOMPARE(panel.view().range(), std::optional(TimeRange { 10, 22 }));
    const RangeFigures expected = rangeFigures(panel.data(), { 10, 22 });
    QCOMPARE(panel.view().rangeFigures()->busy, expected.busy);
    QCOMPARE(panel.view().rangeFigures()->peak, expected.peak);
    drag(&panel.view(), { static_cast<int>(std::lround(panel.view().scene().xOf(22))), 300 }, panel.at(30, 3));
    QCOMPARE(panel.view().range(), std::optional(TimeRange { 10, 30 }));
    drag(&panel.view(), { static_cast<int>(std::lround(panel.view().scene().xOf(10))), 300 }, panel.at(40, 3));
    QCOMPARE(panel.view().range(), std::optional(TimeRange { 30, 40 })); // the edges change places
    QVERIFY(panel.view().selection().empty());
    QTest::keyClick(&panel.view(), Qt::Key_M, Qt::ControlModifier);
    QCOMPARE(panel.view().marks(), (std::vector<TimeRange> { { 30, 40 } }));
    QVERIFY(!panel.view().range().has_value());
    QTest::keyClick(&panel.view(), Qt::Key_Delete);
    QVERIFY(panel.view().marks().empty());
    QTest::mouseClick(&panel.view(), Qt::LeftButton, {}, panel.middleOf(panel.find(6, PassKind::B, 0)));
    QTest::keyClick(&panel.view(), Qt::Key_R);
    QCOMPARE(panel.view().range()->length(), Ticks { 1 });
    QTest::keyClick(&panel.view(), Qt::Key_Escape);
    QVERIFY(!panel.view().range().has_value());
    QVERIFY(!told.isEmpty());
}

void ScheduleViewTest::escTakesBackARangeDrag()
{
    ShownPanel panel(libraryDesign("v-half"));
    panel.view().setRange(TimeRange { 3, 9 });
    const QPoint from = panel.at(20, 1);
    QTest::mousePress(&panel.view(), Qt::LeftButton, {}, from);
    const QPoint to = from + QPoint(150, 0);
    QMouseEvent move(QEvent::MouseMove, to, panel.view().mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(&panel.view(), &move);
    QVERIFY(*panel.view().range() != (TimeRange { 3, 9 }));
    QTest::keyClick(&panel.view(), Qt::Key_Escape);
    QCOMPARE(panel.view().range(), std::optional(TimeRange { 3, 9 }));
    QTest::mouseRelease(&panel.view(), Qt::LeftButton, {}, to);
    QCOMPARE(panel.view().range(), std::optional(TimeRange { 3, 9 }));
}

void ScheduleViewTest::hoverDimsAllOtherMicroBatchesAndSaysWhatIsThere()
{
    ShownPanel panel(libraryDesign("v-half"));
    QString told;
    connect(&panel.panel, &SchedulePanel::statusText, this, [&](const QString& text) { told = text; });
    const PassIndex pass = panel.find(6, PassKind::B, 0);
    const PassIndex same = panel.find(1, PassKind::F, 0);
    const PassIndex other = panel.find(1, PassKind::F, 3);
    const auto colourOf = [&](PassIndex of) {
        const QPoint at = panel.view().scene().rectOf(of).topLeft().toPoint() + QPoint(4, 3);
        return panel.view().grab().toImage().pixelColor(at);
    };
    QCOMPARE(colourOf(other), lightTheme().forward.fill);
    QTest::mouseMove(&panel.view(), panel.middleOf(pass));
    QCOMPARE(colourOf(same), lightTheme().forward.fill);
    QVERIFY(colourOf(other).lightness() > lightTheme().forward.fill.lightness() + 60);
    QVERIFY2(told.startsWith("6B0 on device 1"), qPrintable(told));
    QVERIFY(told.contains("needs 7B0 (dev 0) and 6F0"));
    QVERIFY(told.contains("feeds 5B0 (dev 2) and 6W0"));
    QTest::mouseMove(&panel.view(), panel.at(4, 0));
    QCOMPARE(colourOf(other), lightTheme().forward.fill);
    QVERIFY2(told.startsWith("Device 0 waits"), qPrintable(told));
}

void ScheduleViewTest::aTipHasAtMostSixLinesAndNamesTheReasonOfABubble()
{
    ShownPanel panel(libraryDesign("v-half", 4, 8, 1));
    const auto tipAt = [&](QPoint at) {
        QToolTip::hideText();
        QHelpEvent help(QEvent::ToolTip, at, panel.view().mapToGlobal(at));
        QApplication::sendEvent(&panel.view(), &help);
        return QToolTip::text();
    };
    const QString pass = tipAt(panel.middleOf(panel.find(6, PassKind::B, 0)));
    QVERIFY(pass.contains("input gradient of stage 6, micro-batch 0"));
    QVERIFY(pass.count("<br>") < 6);
    const QString bubble = tipAt(panel.at(4, 0));
    QVERIFY2(bubble.contains("Device 0 waits"), qPrintable(bubble));
}

void ScheduleViewTest::narrowPassesSayHowManyTheyAre()
{
    ShownPanel panel(libraryDesign("v-half", 4, 256));
    QVERIFY(panel.panel.axis().map().pixelsPerTick < 1);
    QString told;
    connect(&panel.panel, &SchedulePanel::statusText, this, [&](const QString& text) { told = text; });
    QTest::mouseMove(&panel.view(), panel.at(400, 1));
    QVERIFY2(told.contains("passes, zoom in"), qPrintable(told));
    QTest::mouseDClick(&panel.view(), Qt::LeftButton, {}, panel.at(400, 1));
    QVERIFY(panel.panel.axis().map().pixelsPerTick > 5);
}

void ScheduleViewTest::shiftShowsTheWholeChain()
{
    ShownPanel panel(libraryDesign("v-half"));
    const PassIndex pass = panel.find(7, PassKind::B, 2);
    panel.view().select({ panel.data().at(pass).pass });
    const QImage plain = panel.view().grab().toImage();
    QTest::keyPress(&panel.view(), Qt::Key_Shift);
    QVERIFY(panel.view().overlays().wholeChain);
    QVERIFY(panel.view().grab().toImage() != plain);
    QTest::keyRelease(&panel.view(), Qt::Key_Shift);
    QVERIFY(panel.view().grab().toImage() == plain);
    // 7B needs 7F and so every F; it feeds every B below and all W of them: 8 F, 7 B, 8 W.
    QCOMPARE(panel.data().chain(pass).size(), std::size_t { 23 });
}

void ScheduleViewTest::keysWalkAlongTheRowAndTheDependencies()
{
    ShownPanel panel(libraryDesign("v-half"));
    const auto current = [&] { return QString::fromStdString(text(panel.view().selection().back())); };
    panel.view().select({ Pass { StageId { 6 }, MicroBatch { 0 }, PassKind::B } });
    QTest::keyClick(&panel.view(), Qt::Key_BracketRight);
    QCOMPARE(current(), QString("5B0"));
    QTest::keyClick(&panel.view(), Qt::Key_BracketLeft);
    QCOMPARE(current(), QString("6B0"));
    QTest::keyClick(&panel.view(), Qt::Key_BracketRight);
    QTest::keyClick(&panel.view(), Qt::Key_BracketRight, Qt::ControlModifier);
    QVERIFY(current() != "5B0");
    panel.view().select({ panel.data().at(0).pass });
    QTest::keyClick(&panel.view(), Qt::Key_Period);
    QCOMPARE(panel.view().overlays().selected.back(), 1);
    QTest::keyClick(&panel.view(), Qt::Key_Comma);
    QTest::keyClick(&panel.view(), Qt::Key_Comma);
    QCOMPARE(panel.view().overlays().selected.back(), 0);
    QTest::keyClick(&panel.view(), Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(panel.view().selection().size(), std::size_t { 48 });
    QTest::keyClick(&panel.view(), Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(panel.view().selection().size(), std::size_t { 192 });
}

void ScheduleViewTest::focusBringsTheSelectionIntoTheMiddleThenZoomsToIt()
{
    ShownPanel panel(libraryDesign("v-half", 4, 64));
    panel.panel.axis().show(0, 60);
    const PassIndex pass = panel.find(3, PassKind::B, 30);
    panel.view().select({ panel.data().at(pass).pass });
    QVERIFY(panel.view().scene().rectOf(pass).left() > panel.view().width());
    QTest::keyClick(&panel.view(), Qt::Key_F);
    const auto offset = [&] {
        const TimelineScene scene = panel.view().scene();
        return std::abs(scene.rectOf(pass).center().x() - scene.labelWidth - scene.plotWidth() / 2);
    };
    QVERIFY(offset() < 3);
    const double wide = shown(panel);
    QTest::keyClick(&panel.view(), Qt::Key_F);
    QVERIFY(shown(panel) < wide / 4);
    QVERIFY(offset() < 3);
}

void ScheduleViewTest::rowsThatDoNotFitScroll()
{
    ShownPanel panel(libraryDesign("v-half", 64, 64), { 900, 300 });
    auto* bar = panel.view().findChild<QScrollBar*>("schedule.scroll");
    QVERIFY(bar->isVisible());
    panel.panel.showPass(Pass { StageId { 60 }, MicroBatch { 3 }, PassKind::F });
    const PassIndex pass = panel.find(60, PassKind::F, 3);
    QVERIFY(panel.view().rect().contains(panel.view().scene().rectOf(pass).center().toPoint()));
    QTest::keyClick(&panel.view(), Qt::Key_PageUp);
    QTest::keyClick(&panel.view(), Qt::Key_PageUp);
    QTest::keyClick(&panel.view(), Qt::Key_PageUp);
    QTest::keyClick(&panel.view(), Qt::Key_PageUp);
    QCOMPARE(bar->value(), 0);
}

void ScheduleViewTest::screenReadersSeeATableOfPasses()
{
    ShownPanel panel(libraryDesign("v-half"));
    QAccessibleInterface* root = QAccessible::queryAccessibleInterface(&panel.view());
    QVERIFY(root);
    QCOMPARE(root->role(), QAccessible::Table);
    QAccessibleTableInterface* table = root->tableInterface();
    QVERIFY(table);
    QCOMPARE(table->rowCount(), 4);
    QCOMPARE(table->columnCount(), 48);
    QCOMPARE(root->childCount(), 192);
    QCOMPARE(table->rowDescription(1), QString("device 1, 48 passes, busy 48 ticks, peak 6"));
    QAccessibleInterface* cell = table->cellAt(0, 0);
    QVERIFY(cell);
    QVERIFY(cell->text(QAccessible::Name).startsWith("0F0 on device 0"));
    QCOMPARE(root->child(49), table->cellAt(1, 1));
    QCOMPARE(root->indexOfChild(table->cellAt(1, 1)), 49);
    QVERIFY(!table->cellAt(0, 48));
    const QPoint middle = panel.view().mapToGlobal(panel.middleOf(0));
    QVERIFY(cell->rect().contains(middle));
    QCOMPARE(root->childAt(middle.x(), middle.y()), cell);
    QVERIFY(!cell->state().selected);
    panel.view().select({ panel.data().at(0).pass });
    QVERIFY(cell->state().selected);
    QCOMPARE(root->focusChild(), cell);
    QCOMPARE(table->selectedCells(), QList<QAccessibleInterface*> { cell });
}

void ScheduleViewTest::whatIsSelectedStaysSelectedWhenFiguresChange()
{
    ShownPanel panel(libraryDesign("v-half"));
    const Pass pass { StageId { 6 }, MicroBatch { 5 }, PassKind::B };
    panel.view().select({ pass });
    const Ticks before = panel.data().at(panel.view().overlays().selected.front()).start;
    panel.live.setForm(Form::Reordered);
    QCOMPARE(panel.view().selection(), std::vector<Pass> { pass });
    const PassIndex now = panel.view().overlays().selected.front();
    QVERIFY(panel.data().at(now).pass == pass);
    QVERIFY(panel.data().at(now).start != before);
}

PIPELOOM_WINDOW_TEST_MAIN(ScheduleViewTest)
#include "schedule_view_test.moc"
