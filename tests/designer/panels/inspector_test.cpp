// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/panels/pipeline_section.h"
#include "app/designer/panels/placement_board.h"
#include "core/formats/design_file.h"
#include "tests/designer/panels/inspector_fixture.h"

#include <QAction>
#include <QElapsedTimer>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSlider>

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;

class InspectorTest : public InspectorFixture {
    Q_OBJECT
private Q_SLOTS:
    void init() { open(); }
    void cleanup() { close(); }

    void aListIsReadAsPeopleTypeIt_data();
    void aListIsReadAsPeopleTypeIt();
    void aTimeIsReadWithItsUnit_data();
    void aTimeIsReadWithItsUnit();

    void aTypedNumberIsOneStep();
    void aHeldArrowIsOneStepAndTheNextOneAnother();
    void badInputIsToldAndEscPutsTheOldValueBack();
    void aNumberThatNoFileHoldsIsRefusedInWords();
    void aStageIsDraggedToAnotherDevice();
    void aStageIsMovedByKeys();
    void anExplicitScheduleLocksTheSizes();
    void notesAreOneStepWhenTheyAreLeft();
    void aSliderIsNoStepUntilApply();
    void everyFieldHasANameAndIsReachedByTab();
    void aSectionIsGoneToFromTheList();
    void followingADragTakesNoTimeToSpeakOf();
    void anyDesignIsShown_data();
    void anyDesignIsShown();
};

void InspectorTest::aListIsReadAsPeopleTypeIt_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("read"); // empty: refused
    QTest::newRow("blanks") << "0 1 2 3"
                            << "0 1 2 3";
    QTest::newRow("commas") << "[0,1]"
                            << "";
    QTest::newRow("commas and blanks") << " 0, 1,2 "
                                       << "0 1 2";
    QTest::newRow("word") << "0 one"
                          << "";
    QTest::newRow("negative") << "0 -1"
                              << "";
    QTest::newRow("nothing") << "  "
                             << "";
}

void InspectorTest::aListIsReadAsPeopleTypeIt()
{
    QFETCH(QString, text);
    QFETCH(QString, read);
    const std::optional<Placement> placement = placementOf(text);
    QCOMPARE(placement.has_value(), !read.isEmpty());
    if (placement)
        QCOMPARE(placementText(*placement), read);
}

void InspectorTest::aTimeIsReadWithItsUnit_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("us"); // 0: refused
    QTest::addColumn<QString>("written");
    QTest::newRow("ms") << "1 ms" << 1000.0 << "1.000 ms";
    QTest::newRow("plain") << "2.5" << 2500.0 << "2.500 ms";
    QTest::newRow("us") << "250us" << 250.0 << "0.250 ms";
    QTest::newRow("s") << "0.5 s" << 500000.0 << "500.000 ms";
    QTest::newRow("fine") << "0.12345 us" << 0.12345 << "0.12345 us";
    QTest::newRow("zero") << "0 ms" << 0.0 << "";
    QTest::newRow("word") << "soon" << 0.0 << "";
    QTest::newRow("negative") << "-1 ms" << 0.0 << "";
}

void InspectorTest::aTimeIsReadWithItsUnit()
{
    QFETCH(QString, text);
    QFETCH(double, us);
    QFETCH(QString, written);
    const std::optional<double> read = microsecondsOf(text);
    QCOMPARE(read.value_or(0), us);
    if (read)
        QCOMPARE(tickText(*read), written);
}

void InspectorTest::aTypedNumberIsOneStep()
{
    auto* field = find<NumberField>("microBatches");
    type(field, "16");
    QCOMPARE(steps(), 1);
    QCOMPARE(document_->committed()->pipeline.microBatches, 16);
    type(field, "24");
    QCOMPARE(steps(), 2);
    document_->undoStack().undo();
    QCOMPARE(field->value(), 16);
    document_->undoStack().undo();
    QCOMPARE(writeDesign(*document_->committed()), writeDesign(mockDesign()));
    QCOMPARE(field->value(), 8);
}

void InspectorTest::aHeldArrowIsOneStepAndTheNextOneAnother()
{
    auto* field = find<NumberField>("microBatches");
    field->setFocus();
    const auto held = [&](bool repeated) {
        QKeyEvent press(QEvent::KeyPress, Qt::Key_Up, {}, {}, repeated);
        QApplication::sendEvent(field, &press);
    };
    held(false);
    held(true);
    held(true);
    const std::int32_t reached = document_->committed()->pipeline.microBatches;
    QVERIFY(reached >= 11);
    QCOMPARE(steps(), 1);
    QTest::keyRelease(field, Qt::Key_Up);
    QTest::keyClick(field, Qt::Key_Up);
    QCOMPARE(steps(), 2);
    document_->undoStack().undo();
    QCOMPARE(document_->committed()->pipeline.microBatches, reached);
    document_->undoStack().undo();
    QCOMPARE(document_->committed()->pipeline.microBatches, 8);
}

void InspectorTest::badInputIsToldAndEscPutsTheOldValueBack()
{
    auto* list = find<TextField>("placementList");
    QVERIFY(remarks().isEmpty());
    type(list, "0 1 x");
    QCOMPARE(steps(), 0);
    QCOMPARE(list->text(), QString("0 1 x"));
    QCOMPARE(remarks(), QStringList("Write one device for each stage, such as 0 1 2 3."));
    QTest::keyClick(list, Qt::Key_Escape);
    QCOMPARE(list->text(), QString("0 1 2 3 3 2 1 0"));
    QVERIFY(remarks().isEmpty());
    type(list, "nowhere");
    QCOMPARE(remarks().size(), 1);
    document_->reset(libraryDesign("1f1b"), {}); // another document: what was typed is gone
    QCOMPARE(list->text(), QString("0 1 2 3"));
    QVERIFY(remarks().isEmpty());
    document_->reset(mockDesign(), {});
    type(list, "0, 1, 2, 3, 0, 1, 2, 3");
    QCOMPARE(steps(), 1);
    QCOMPARE(list->text(), QString("0 1 2 3 0 1 2 3"));
    QCOMPARE(document_->committed()->pipeline.deviceOf(StageId { 4 }, RouteId { 0 }), DeviceId { 0 });
}

void InspectorTest::aNumberThatNoFileHoldsIsRefusedInWords()
{
    auto* field = find<NumberField>("devices");
    type(field, "5000");
    QCOMPARE(steps(), 0);
    QCOMPARE(remarks().size(), 1);
    QTest::keyClick(field, Qt::Key_Escape);
    QCOMPARE(field->value(), 4);
    QVERIFY(remarks().isEmpty());
    type(field, "0");
    QCOMPARE(steps(), 0);
    QCOMPARE(remarks().size(), 1);
}

void InspectorTest::aStageIsDraggedToAnotherDevice()
{
    auto* board = find<PlacementBoard>("placementBoard");
    const QPoint from = board->chipRect(StageId { 5 }).center();
    const QPoint to(from.x(), board->chipRect(StageId { 0 }).center().y());
    drag(board, from, to);
    QCOMPARE(steps(), 1);
    QCOMPARE(document_->committed()->pipeline.deviceOf(StageId { 5 }, RouteId { 0 }), DeviceId { 0 });
    QCOMPARE(document_->committed()->pipeline.kind, PlacementKind::List);
    for (const BlockPass& pass : document_->committed()->block()->passes)
        if (pass.slot.first.stage == StageId { 5 })
            QCOMPARE(pass.device, DeviceId { 0 });
    QCOMPARE(find<TextField>("placementList")->text(), QString("0 1 2 3 3 0 1 0"));
    drag(board, board->chipRect(StageId { 2 }).center(), board->chipRect(StageId { 2 }).center() + QPoint(2, 2));
    QCOMPARE(steps(), 1); // dropped where it was
}

void InspectorTest::aStageIsMovedByKeys()
{
    auto* board = find<PlacementBoard>("placementBoard");
    board->setFocus();
    QTest::keyClick(board, Qt::Key_Right);
    QCOMPARE(board->chosen(), std::optional(StageId { 1 }));
    QTest::keyClick(board, Qt::Key_Down, Qt::ControlModifier);
    QCOMPARE(document_->committed()->pipeline.deviceOf(StageId { 1 }, RouteId { 0 }), DeviceId { 2 });
    QTest::keyClick(board, Qt::Key_Up, Qt::ControlModifier);
    QTest::keyClick(board, Qt::Key_Up, Qt::ControlModifier);
    QTest::keyClick(board, Qt::Key_Up, Qt::ControlModifier); // there is no device above
    QCOMPARE(document_->committed()->pipeline.deviceOf(StageId { 1 }, RouteId { 0 }), DeviceId { 0 });
    QCOMPARE(steps(), 3);
}

void InspectorTest::anExplicitScheduleLocksTheSizes()
{
    Design design = mockDesign();
    design.plan = plan(design).schedule;
    document_->reset(design, {});
    for (const char* name : { "devices", "stages", "microBatches" })
        QVERIFY(!find<NumberField>(name)->isEnabled());
    QVERIFY(!find<PlacementBoard>("placementBoard")->isEnabled());
    QVERIFY(!find<ChoiceField>("reorderRule")->isEnabled());
    QVERIFY(find<Remark>("pipelineLocked")->isVisible());
    QVERIFY(find<TextField>("tick")->isEnabled());
    document_->reset(mockDesign(), {});
    QVERIFY(find<NumberField>("devices")->isEnabled());
    QVERIFY(!find<Remark>("pipelineLocked")->isVisible());
}

void InspectorTest::notesAreOneStepWhenTheyAreLeft()
{
    auto* notes = find<QPlainTextEdit>("designNotes");
    notes->setFocus();
    QTest::keyClicks(notes, "For the big run.");
    QCOMPARE(steps(), 0);
    find<TextField>("designName")->setFocus();
    QCOMPARE(steps(), 1);
    QCOMPARE(document_->committed()->notes, std::string("For the big run."));
    type(find<TextField>("designName"), "Mine");
    QCOMPARE(steps(), 2);
    document_->undoStack().setIndex(0);
    QCOMPARE(notes->toPlainText(), QString());
}

void InspectorTest::aSliderIsNoStepUntilApply()
{
    auto* device = find<QSlider>("whatIfDevice");
    auto* transfers = find<QSlider>("whatIfTransfer");
    const Ticks before = live_->figures()->plan.metrics.makespan();
    QVERIFY(!find<QPushButton>("whatIfApply")->isEnabled());
    panel_->showSection("whatIfSection");
    QTRY_VERIFY(device->visibleRegion().boundingRect().height() > 0);
    drag(device, QPoint(7, device->height() / 2), QPoint(device->width() / 2, device->height() / 2));
    QVERIFY(device->value() > 0);
    QCOMPARE(steps(), 0);
    QVERIFY(live_->figures()->plan.metrics.makespan() > before);
    transfers->setFocus();
    QTest::keyClick(transfers, Qt::Key_Right);
    QCOMPARE(live_->whatIf().transfer, Ticks { 1 });
    QVERIFY(find<Remark>("whatIfSentence")->text().contains("transfers take 1 tick more"));
    const Ticks asIf = live_->figures()->plan.metrics.makespan();

    QTest::mouseClick(find<QPushButton>("whatIfReset"), Qt::LeftButton);
    QCOMPARE(live_->figures()->plan.metrics.makespan(), before);
    QCOMPARE(device->value(), 0);
    QCOMPARE(steps(), 0);

    device->setValue(100);
    transfers->setValue(1);
    QTest::mouseClick(find<QPushButton>("whatIfApply"), Qt::LeftButton);
    QCOMPARE(steps(), 1);
    QVERIFY(live_->whatIf().isNothing());
    QCOMPARE(device->value(), 0);
    QCOMPARE(document_->committed()->costs.ticks.of(PassKind::F, StageId { 0 }), Ticks { 2 });
    QCOMPARE(document_->committed()->network.transfer[0], Ticks { 1 });
    QVERIFY(live_->figures()->plan.metrics.makespan() >= asIf);
    document_->undoStack().undo();
    QCOMPARE(writeDesign(*document_->committed()), writeDesign(mockDesign()));
}

void InspectorTest::everyFieldHasANameAndIsReachedByTab()
{
    for (const QWidget* widget : panel_->findChildren<QWidget*>()) {
        if (!(widget->focusPolicy() & Qt::TabFocus) || !widget->isVisible() || widget->objectName().startsWith("qt_"))
            continue;
        QVERIFY2(!widget->accessibleName().isEmpty() || qobject_cast<const QAbstractButton*>(widget),
            qPrintable(QString(widget->metaObject()->className()) + " " + widget->objectName()));
    }
    // Tab goes down the panel until it is round, and from section to section in their order.
    auto* first = find<NumberField>("devices");
    const QWidget* page = panel_->sections().front()->parentWidget();
    first->setFocus();
    int above = -1;
    int fields = 0;
    for (; fields < 90; ++fields) {
        QWidget* at = QApplication::focusWidget();
        const int y = page->isAncestorOf(at) ? at->mapTo(page, QPoint(0, at->height() / 2)).y() : above;
        QVERIFY2(y >= above - at->height(), qPrintable(at->objectName()));
        above = page->isAncestorOf(at) ? y : -1;
        QTest::keyClick(at, Qt::Key_Tab);
        if (QApplication::focusWidget() == first)
            break;
    }
    QVERIFY2(fields > 25 && fields < 89, qPrintable(QString::number(fields)));
}

void InspectorTest::aSectionIsGoneToFromTheList()
{
    for (Section* section : panel_->sections())
        section->setOpen(false);
    QCOMPARE(panel_->menuActions().size(), 7);
    panel_->findChild<QAction*>("inspectNetworkSection")->trigger();
    QTRY_COMPARE(QApplication::focusWidget(), static_cast<QWidget*>(find<ChoiceField>("queue")));
}

void InspectorTest::followingADragTakesNoTimeToSpeakOf()
{
    // Figures of another document, so that only the inspector is measured.
    Document other;
    LiveFigures figures(other);
    Document document;
    document.reset(libraryDesign("v-half", 16, 128), {});
    InspectorPanel panel(document, figures);
    panel.resize(365, 900);
    panel.show();
    Design dragged = *document.committed();
    qint64 best = std::numeric_limits<qint64>::max();
    for (int i = 0; i < 20; ++i) {
        ++passOf(dragged, PassKind::W, 31).start;
        QElapsedTimer clock;
        clock.start();
        document.preview(dragged);
        best = std::min(best, clock.nsecsElapsed());
    }
    qInfo("following a drag of p = 16: %.1f us", static_cast<double>(best) / 1000);
    QVERIFY2(best < 1'000'000, qPrintable(QString::number(best)));
}

void InspectorTest::anyDesignIsShown_data()
{
    QTest::addColumn<Design>("design");
    QTest::newRow("empty") << emptyDesign(pipeline(PlacementKind::Linear, 1, 1, 1));
    QTest::newRow("64 devices") << libraryDesign("v-zb", 64, 64);
    QTest::newRow("interleaved") << libraryDesign("interleaved-1f1b", 4, 8);
    Design routes = emptyDesign(pipeline(PlacementKind::Linear, 2, 2, 4));
    routes.pipeline.kind = PlacementKind::List;
    routes.pipeline.routes = { { DeviceId { 0 }, DeviceId { 1 } }, { DeviceId { 1 }, DeviceId { 0 } } };
    routes.pipeline.rule = RouteRule::Alternate;
    QTest::newRow("two routes") << routes;
}

void InspectorTest::anyDesignIsShown()
{
    QFETCH(Design, design);
    document_->reset(design, {});
    QVERIFY(!panel_->grab().isNull());
    QCOMPARE(find<NumberField>("devices")->value(), design.pipeline.devices);
    QCOMPARE(find<ChoiceField>("route")->isVisible(), design.pipeline.routeCount() > 1);
    panel_->resize(200, 400);
    QVERIFY(!panel_->grab().isNull());
}

PIPELOOM_WINDOW_TEST_MAIN(InspectorTest)
#include "inspector_test.moc"
