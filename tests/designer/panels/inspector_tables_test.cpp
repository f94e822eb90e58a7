// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/design_file.h"
#include "tests/designer/panels/inspector_fixture.h"

#include <QAbstractItemModelTester>
#include <QClipboard>

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;

class InspectorTablesTest : public InspectorFixture {
    Q_OBJECT
private Q_SLOTS:
    void init() { open(); }
    void cleanup() { close(); }

    void aLimitTypedForAllDevicesIsOneStep();
    void aCellIsEditedInPlace();
    void badCellsAreToldAndChangeNothing();
    void aTableFromASpreadsheetIsPastedAsOneStep();
    void cellsAreCopiedAndFilledDown();
    void bytesAreWrittenWithTheirUnit();
    void theNetworkAndReorderingAreSet();
};

void InspectorTablesTest::aLimitTypedForAllDevicesIsOneStep()
{
    auto* table = find<EditTableView>("memoryTable");
    editCell(table, 0, 2, "9");
    QCOMPARE(steps(), 1);
    QCOMPARE(document_->committed()->memory.limit, std::vector<std::optional<Bytes>>(4, 9));
    editCell(table, 2, 2, "5");
    QCOMPARE(document_->committed()->memory.limit[1], std::optional<Bytes>(5));
    QCOMPARE(table->model()->index(0, 2).data().toString(), QString(QChar(0x2026))); // they differ now
    editCell(table, 2, 2, "");
    QVERIFY(!document_->committed()->memory.limit[1]);
    QCOMPARE(steps(), 3);
    document_->undoStack().setIndex(0);
    QCOMPARE(writeDesign(*document_->committed()), writeDesign(mockDesign()));
}

void InspectorTablesTest::aCellIsEditedInPlace()
{
    auto* table = find<EditTableView>("costsTable");
    const QAbstractItemModelTester tester(table->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
    editCell(table, 3, 0, "4"); // F of stage 2
    QCOMPARE(document_->committed()->costs.ticks.of(PassKind::F, StageId { 2 }), Ticks { 4 });
    editCell(table, 3, 0, "4");
    QCOMPARE(steps(), 1);
    editCell(table, 8, 6, "-2"); // W of stage 7 frees two
    QCOMPARE(document_->committed()->memory.change.of(PassKind::W, StageId { 7 }), Bytes { -2 });
    QCOMPARE(table->model()->index(8, 6).data().toString(), QString::fromUtf8("−2"));
    Design wider = mockDesign();
    wider.pipeline = pipeline(PlacementKind::V, 4, 12, 8);
    document_->reset(emptyDesign(wider.pipeline), {});
    QCOMPARE(table->model()->rowCount(), 13);
}

void InspectorTablesTest::badCellsAreToldAndChangeNothing()
{
    auto* table = find<EditTableView>("costsTable");
    editCell(table, 1, 1, "long");
    QCOMPARE(steps(), 0);
    QCOMPARE(remarks(), QStringList(QString::fromUtf8("“long” is no whole number.")));
    editCell(table, 1, 1, "-3");
    QCOMPARE(steps(), 0);
    QCOMPARE(remarks().size(), 1);
    editCell(table, 1, 1, "3");
    QCOMPARE(steps(), 1);
    QVERIFY(remarks().isEmpty());
}

void InspectorTablesTest::aTableFromASpreadsheetIsPastedAsOneStep()
{
    auto* table = find<EditTableView>("costsTable");
    QString text;
    for (int stage = 0; stage < 8; ++stage)
        text += QString("%1\t%2\t%3\r\n").arg(10 + stage).arg(20 + stage).arg(30 + stage);
    QApplication::clipboard()->setText(text);
    table->setFocus();
    table->setCurrentIndex(table->model()->index(1, 0));
    QTest::keyClick(table, Qt::Key_V, Qt::ControlModifier);
    QCOMPARE(steps(), 1);
    QCOMPARE(document_->committed()->costs.ticks.of(PassKind::F, StageId { 0 }), Ticks { 10 });
    QCOMPARE(document_->committed()->costs.ticks.of(PassKind::W, StageId { 7 }), Ticks { 37 });
    QCOMPARE(table->model()->index(8, 1).data().toString(), QString("27"));
    document_->undoStack().undo();
    QCOMPARE(writeDesign(*document_->committed()), writeDesign(mockDesign()));

    QApplication::clipboard()->setText("1\t2\n3\tmany\n");
    QTest::keyClick(table, Qt::Key_V, Qt::ControlModifier);
    QCOMPARE(document_->undoStack().index(), 0);
    QCOMPARE(remarks().size(), 1);
    QVERIFY(remarks()[0].contains("many"));
}

void InspectorTablesTest::cellsAreCopiedAndFilledDown()
{
    auto* table = find<EditTableView>("costsTable");
    editCell(table, 1, 0, "5");
    editCell(table, 1, 1, "6");
    table->setFocus();
    table->selectionModel()->select(
        QItemSelection(table->model()->index(1, 0), table->model()->index(4, 1)), QItemSelectionModel::ClearAndSelect);
    QTest::keyClick(table, Qt::Key_D, Qt::ControlModifier);
    QCOMPARE(steps(), 3);
    QCOMPARE(document_->committed()->costs.ticks.of(PassKind::F, StageId { 3 }), Ticks { 5 });
    QCOMPARE(document_->committed()->costs.ticks.of(PassKind::B, StageId { 3 }), Ticks { 6 });
    QCOMPARE(document_->committed()->costs.ticks.of(PassKind::F, StageId { 4 }), Ticks { 1 });
    table->selectionModel()->select(
        QItemSelection(table->model()->index(4, 5), table->model()->index(5, 6)), QItemSelectionModel::ClearAndSelect);
    QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QApplication::clipboard()->text(), QString("0\t-1\n0\t-1"));
}

void InspectorTablesTest::bytesAreWrittenWithTheirUnit()
{
    auto* unit = find<ChoiceField>("memoryUnit");
    unit->setFocus();
    QTest::keyClick(unit, Qt::Key_Down);
    QCOMPARE(document_->committed()->memory.unit, MemoryUnit::Byte);
    auto* table = find<EditTableView>("memoryTable");
    editCell(table, 0, 2, "80 GB");
    QCOMPARE(document_->committed()->memory.limit[3], std::optional<Bytes>(80'000'000'000));
    QCOMPARE(table->model()->index(1, 2).data().toString(), QString("80.00 GB"));
    editCell(table, 1, 0, "24 GiB");
    QCOMPARE(document_->committed()->memory.fixed[0], Bytes { 24 } << 30);
    editCell(table, 1, 0, "a lot");
    QCOMPARE(
        remarks(), QStringList(QString::fromUtf8("“a lot” is no amount of memory; write it like 1.5 GB or 800 MB.")));
}

void InspectorTablesTest::theNetworkAndReorderingAreSet()
{
    const auto choose = [this](const char* name, Qt::Key key) {
        auto* field = find<ChoiceField>(name);
        field->setFocus();
        QTest::keyClick(field, key);
    };
    choose("queue", Qt::Key_Down);
    QCOMPARE(document_->committed()->network.queue, QueueModel::Pair);
    editCell(find<EditTableView>("transferTable"), 0, 0, "2");
    QCOMPARE(document_->committed()->network.transfer, std::vector<Ticks>(7, 2));
    choose("transferWay", Qt::Key_Down);
    QVERIFY(document_->committed()->network.bytesPerTick > 0);
    QVERIFY(!find<EditTableView>("transferTable")->isVisible());
    type(find<TextField>("latency"), "3");
    QCOMPARE(document_->committed()->network.latency, Ticks { 3 });
    editCell(find<EditTableView>("messageTable"), 0, 0, "5 MB");
    choose("reorderRule", Qt::Key_Down);
    QVERIFY(document_->committed()->reorder.has_value());
    choose("reorderAim", Qt::Key_Down);
    QCOMPARE(document_->committed()->reorder->aim, ReorderAim::OwnSpan);
    choose("reorderRule", Qt::Key_Down);
    QCOMPARE(document_->committed()->reorder->rule, ReorderRule::Weights);
    QCOMPARE(document_->committed()->reorder->aim, ReorderAim::OwnSpan);
}

PIPELOOM_WINDOW_TEST_MAIN(InspectorTablesTest)
#include "inspector_tables_test.moc"
