// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// What the block editor shows and how it is moved through.
#include "tests/designer/block/block_fixture.h"

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;

class BlockViewTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { failOnWarnings(); }
    void timeUnderTheCursorStaysWhileZooming();
    void whatIsDrawnCanBeHit_data();
    void whatIsDrawnCanBeHit();
    void aBoxSelectsWhatItTouchesAndControlAdds();
    void selectionFollowsPassesThroughUndo();
    void lifespanBarsSayWhatTheStageHolds();
    void rowsShrinkAndScrollWhenDevicesAreMany();
    void stagesKindsAndMembersAreSelectedWhole();
    void copiesArePastedForStagesThatLackThem();
    void theNextClickLandsWhereItIsAimed();
};

void BlockViewTest::timeUnderTheCursorStaysWhileZooming()
{
    BlockEditor editor(fromLibrary("v-half", 4, 8));
    const QPoint at = editor.cell(1, 10);
    const double x = at.x() - BlockLayout::labelWidth;
    for (const int delta : { 120, 120, 240, -120, 120, 120, -240 }) {
        const double before = editor.view.axis().map().timeAt(x);
        wheel(editor.view.viewport(), at, delta, Qt::ControlModifier);
        const double after = editor.view.axis().map().timeAt(x);
        const bool atEdge = editor.view.axis().map().begin == 0;
        if (!atEdge)
            QVERIFY2(std::abs(after - before) * editor.view.axis().map().pixelsPerTick < 1,
                qPrintable(QString("%1 became %2").arg(before).arg(after)));
    }
    QVERIFY(editor.view.axis().map().pixelsPerTick > 20);
}

void BlockViewTest::whatIsDrawnCanBeHit_data()
{
    QTest::addColumn<int>("devices");
    QTest::addColumn<int>("collides");
    QTest::newRow("p=4") << 4 << 0;
    QTest::newRow("p=4, colliding") << 4 << 2;
    QTest::newRow("p=16") << 16 << 0;
}

void BlockViewTest::whatIsDrawnCanBeHit()
{
    QFETCH(int, devices);
    QFETCH(int, collides);
    BlockEditor editor(fromLibrary("v-half", devices, 8), { 1400, 700 });
    if (collides)
        editor.dragPass(QString("%1W").arg(2 * devices - 1), collides);
    editor.view.select({});
    const QImage image = editor.view.viewport()->grab().toImage();
    const double ratio = image.devicePixelRatio();
    for (std::size_t i = 0; i < editor.block().passes.size(); ++i) {
        const QRectF box = editor.view.rectOf(static_cast<std::int32_t>(i));
        const auto hit = editor.view.passAt(box.center());
        QVERIFY2(hit && *hit == static_cast<std::int32_t>(i), qPrintable(QString::number(i)));
        // And its colour is there.
        const QPointF probe(box.left() + 2.5, box.top() + 3.5);
        if (box.width() < 6 || box.height() < 8 || collides)
            continue;
        const QColor drawn = image.pixelColor((probe * ratio).toPoint());
        const QColor wanted = lightTheme().of(editor.block().passes[i].slot.first.kind).fill;
        QCOMPARE(drawn.name(), wanted.name());
    }
}

void BlockViewTest::aBoxSelectsWhatItTouchesAndControlAdds()
{
    BlockEditor editor(fromLibrary("v-half", 4, 8));
    drag(editor.view.viewport(), editor.cell(0, 13) - QPoint(0, 11), editor.cell(0, 19) + QPoint(0, 4));
    QCOMPARE(editor.view.selected(), (std::set<std::int32_t> { editor.find("7B"), editor.find("7W") }));
    QTest::mouseClick(editor.view.viewport(), Qt::LeftButton, Qt::ControlModifier, editor.centreOf("0F"));
    QCOMPARE(editor.view.selected().size(), std::size_t { 3 });
    QTest::keyClick(&editor.view, Qt::Key_Escape);
    QVERIFY(editor.view.selected().empty());
}

void BlockViewTest::selectionFollowsPassesThroughUndo()
{
    BlockEditor editor(fromLibrary("v-half", 4, 8));
    QTest::mouseClick(editor.view.viewport(), Qt::LeftButton, {}, editor.centreOf("0F"));
    QTest::keyClick(&editor.view, Qt::Key_Delete);
    QVERIFY(editor.view.selected().empty());
    QTest::mouseClick(editor.view.viewport(), Qt::LeftButton, {}, editor.centreOf("7B"));
    editor.document.undoStack().undo(); // 0F is there again, indices have moved
    QCOMPARE(editor.view.selected(), std::set<std::int32_t> { editor.find("7B") });
}

void BlockViewTest::lifespanBarsSayWhatTheStageHolds()
{
    const Design design = fromLibrary("v-half", 4, 8);
    const BlockTables tables(*design.block(), design.pipeline);
    const auto bars = lifespanBars(*design.block(), tables, DeviceId { 0 });
    QCOMPARE(bars.size(), std::size_t { 2 });
    QCOMPARE(bars[0].stage.value, 0);
    QCOMPARE(bars[0].end - bars[0].begin, Ticks { 27 }); // mock/design-light.png: s0 lives 27, holds 5
    QCOMPARE(bars[0].holds, Ticks { 5 });
    QCOMPARE(bars[1].end - bars[1].begin, Ticks { 6 });
    QCOMPARE(bars[1].holds, Ticks { 1 });
}

void BlockViewTest::rowsShrinkAndScrollWhenDevicesAreMany()
{
    const Design design = fromLibrary("v-half", 64, 64);
    const BlockTables tables(*design.block(), design.pipeline);
    const BlockLayout layout = layOutBlock(design, tables, { 1200, 400 }, 1);
    QCOMPARE(layout.rows.size(), std::size_t { 64 });
    QVERIFY(layout.rows[0].height >= 20 && layout.rows[0].barStep == 0);
    QVERIFY(layout.contentHeight > layout.time.height());
    BlockEditor editor(design);
    QVERIFY(editor.view.selectByName("0F", DeviceId { 0 }));
    QVERIFY(editor.view.selectByName("63F", DeviceId { 63 }));
    const QRectF box = editor.view.rectOf(*editor.view.selected().begin());
    QVERIFY(editor.view.viewport()->rect().contains(box.center().toPoint()));
}

void BlockViewTest::stagesKindsAndMembersAreSelectedWhole()
{
    BlockEditor editor(fromLibrary("v-half", 4, 8));
    QTest::mouseClick(editor.view.viewport(), Qt::LeftButton, {}, editor.centreOf("5B"));
    editor.panel.findChild<QAction*>("block.selectStage")->trigger();
    QCOMPARE(
        editor.view.selected(), (std::set<std::int32_t> { editor.find("5F"), editor.find("5B"), editor.find("5W") }));
    QTest::mouseClick(editor.view.viewport(), Qt::LeftButton, {}, editor.cell(3, 30));
    QTest::mouseClick(editor.view.viewport(), Qt::LeftButton, {}, editor.centreOf("5B"));
    editor.panel.findChild<QAction*>("block.selectChunk")->trigger();
    QCOMPARE(editor.view.selected().size(), std::size_t { 12 }); // F, B and W of stages 4 to 7
    QTest::mouseClick(editor.view.viewport(), Qt::LeftButton, {}, editor.cell(3, 30));
    QTest::mouseClick(editor.view.viewport(), Qt::LeftButton, {}, editor.centreOf("5B"));
    editor.panel.findChild<QAction*>("block.selectKind")->trigger();
    QCOMPARE(editor.view.selected().size(), std::size_t { 8 });
}

void BlockViewTest::copiesArePastedForStagesThatLackThem()
{
    BlockEditor editor(fromLibrary("v-half", 4, 8));
    const std::string before = editor.bytes();
    QTest::mouseClick(editor.view.viewport(), Qt::LeftButton, {}, editor.centreOf("0B"));
    QTest::keySequence(&editor.view, QKeySequence::Copy);
    QTest::keyClick(&editor.view, Qt::Key_Delete);
    QCOMPARE(editor.find("0B"), -1);
    QTest::mouseMove(editor.view.viewport(), editor.cell(0, 25));
    QTest::keySequence(&editor.view, QKeySequence::Paste);
    QCOMPARE(editor.startOf("0B"), Ticks { 25 });
    QCOMPARE(editor.bytes(), before);
}

void BlockViewTest::theNextClickLandsWhereItIsAimed()
{
    Design empty = fromLibrary("v-half", 4, 8);
    std::get<BuildingBlock>(empty.plan).passes.clear();
    BlockEditor editor(empty);
    QTest::keyClick(&editor.view, Qt::Key_F);
    const TimeMap before = editor.view.axis().map();
    for (const auto& [device, tick] : { std::pair(0, 0), std::pair(1, 2), std::pair(2, 4), std::pair(3, 6),
             std::pair(3, 8), std::pair(2, 9), std::pair(1, 10), std::pair(0, 11) })
        QTest::mouseClick(editor.view.viewport(), Qt::LeftButton, {}, editor.cell(device, tick));
    QVERIFY(editor.view.axis().map() == before); // the scale stays while there is room
    QCOMPARE(editor.startOf("7F"), Ticks { 11 });
    editor.panel.findChild<QAction*>("block.view.fit")->trigger();
    QCOMPARE(editor.view.axis().last(), Ticks { 24 });
}

PIPELOOM_WINDOW_TEST_MAIN(BlockViewTest)
#include "block_view_test.moc"
