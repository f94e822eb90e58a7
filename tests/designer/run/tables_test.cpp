// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/drift_model.h"
#include "app/designer/run/drift_panel.h"
#include "app/designer/run/figure_table.h"
#include "app/designer/run/split_model.h"
#include "app/designer/run/time_split_panel.h"
#include "app/designer/style/segmented_bar.h"
#include "tests/designer/run/panel_run.h"
#include "tests/designer/window_test_main.h"

#include <QAbstractButton>
#include <QAbstractItemModelTester>
#include <QLabel>
#include <QListView>
#include <QSignalSpy>

#include <memory>
#include <numeric>
#include <set>

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;

class TablesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { failOnWarnings(); }

    void aSlowDeviceStandsOutInItsStages();
    void onlyKindsOfTheRunHaveColumns();
    void aFigureLeadsToItsPass();
    void driftFollowsTheRunStepByStep();
    void withoutAWholeStepThereIsNoDrift();
    void theTimeOfEachDeviceAddsUpToTheStep();
    void theSplitIsOfTheMediansOrOfTheStepShown();
    void overheadIsSaidOnlyWhereItDominates();
    void sixtyFourDevicesPaintOnlyWhatIsSeen();

private:
    static void show(QWidget& widget)
    {
        widget.resize(420, 330);
        widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&widget));
    }
    static QString text(const QAbstractItemModel& model, int row, int column)
    {
        return model.index(row, column).data().toString();
    }
};

void TablesTest::aSlowDeviceStandsOutInItsStages()
{
    RunSession session;
    DriftPanel panel(session);
    const QAbstractItemModelTester tester(&panel.model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    show(panel);
    RunRecipe recipe;
    recipe.steps = 25;
    recipe.slower = { 1, 1, 1.14, 1 };
    session.take(runEvents(recipe));
    DriftModel& model = panel.model();
    QTRY_COMPARE(model.rowCount(), 8);
    QCOMPARE(panel.note(), QString("measured / planned, median of 20 steps"));
    QCOMPARE(text(model, 2, 0), QString("2 dev 2"));
    QCOMPARE(text(model, 5, 0), QString("5 dev 2"));
    QCOMPARE(text(model, 7, 0), QString("7 dev 0"));
    for (int row = 0; row < 8; ++row)
        for (int column = 1; column <= 3; ++column) {
            const bool slow = row == 2 || row == 5;
            QCOMPARE(text(model, row, column), QString::fromUtf8(slow ? "1.14 ×" : "1.00 ×"));
            QCOMPARE(model.index(row, column).data(figureMarkRole).toInt(), slow ? 1 : 0);
        }
    QVERIFY(model.index(2, 1).data(Qt::AccessibleTextRole).toString().contains("slower"));
    const QString tip = model.index(2, 1).data(Qt::ToolTipRole).toString();
    QVERIFY2(tip.startsWith("F of stage 2") && tip.contains("planned 1.00 ms, measured 1.14 ms")
            && tip.contains("spread 0.0 %"),
        qPrintable(tip));
}

void TablesTest::onlyKindsOfTheRunHaveColumns()
{
    RunSession session;
    DriftPanel panel(session);
    show(panel);
    RunRecipe recipe;
    recipe.design = libraryDesign("1f1b");
    session.take(runEvents(recipe));
    QTRY_COMPARE(panel.model().rowCount(), 4);
    QCOMPARE(panel.model().columnCount(), 3);
    QCOMPARE(panel.model().headerData(1, Qt::Horizontal, Qt::DisplayRole).toString(), QString("F"));
    QCOMPARE(panel.model().headerData(2, Qt::Horizontal, Qt::DisplayRole).toString(), QString("BW"));
}

void TablesTest::aFigureLeadsToItsPass()
{
    RunSession session;
    DriftPanel panel(session);
    show(panel);
    session.take(runEvents({}));
    QTRY_COMPARE(panel.model().rowCount(), 8);
    auto* table = panel.findChild<FigureTable*>();
    QSignalSpy spy(&panel, &DriftPanel::passActivated);
    const QModelIndex index = panel.model().index(5, 3);
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(index).center());
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy[0][0].value<Pass>(), (Pass { StageId { 5 }, MicroBatch { 0 }, PassKind::W }));
    table->setFocus();
    QTest::keyClick(table, Qt::Key_Up);
    QTest::keyClick(table, Qt::Key_Return);
    QCOMPARE(spy.count(), 2);
    QCOMPARE(spy[1][0].value<Pass>(), (Pass { StageId { 4 }, MicroBatch { 0 }, PassKind::W }));
}

void TablesTest::driftFollowsTheRunStepByStep()
{
    RunSession session;
    DriftPanel panel(session);
    const QAbstractItemModelTester tester(&panel.model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    show(panel);
    RunRecipe recipe;
    recipe.steps = 1;
    session.take(runEvents(recipe));
    QTRY_COMPARE(panel.note(), QString("measured / planned, of one step"));
    recipe.slower = { 1, 1.5, 1, 1 };
    const Plan slow = slowPlan(recipe);
    for (std::int64_t step = 1; step < 4; ++step)
        session.take(stepEvents(recipe, slow, step, step * 100'000'000, 2));
    QTRY_COMPARE(panel.note(), QString("measured / planned, median of 4 steps"));
    QCOMPARE(text(panel.model(), 1, 1), QString::fromUtf8("1.50 ×"));
}

void TablesTest::withoutAWholeStepThereIsNoDrift()
{
    RunSession session;
    DriftPanel panel(session);
    show(panel);
    session.take(openingEvents({}));
    const auto* said = panel.findChild<QLabel*>("runPanelEmpty");
    QTRY_COMPARE(said->text(), QString("Drift stands here once the first step has ended."));
    QCOMPARE(panel.model().rowCount(), 0);
}

void TablesTest::theTimeOfEachDeviceAddsUpToTheStep()
{
    RunSession session;
    TimeSplitPanel panel(session);
    const QAbstractItemModelTester tester(&panel.model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    show(panel);
    RunRecipe recipe;
    recipe.steps = 22;
    session.take(runEvents(recipe));
    QTRY_COMPARE(panel.model().rowCount(), 4);
    QCOMPARE(panel.note(), QString("per device, ms, of 20 steps"));
    for (int device = 0; device < 4; ++device) {
        const TimeSplit& split = panel.model().split()[static_cast<std::size_t>(device)];
        const SplitRow row = splitRow(split);
        QVERIFY(std::abs(std::accumulate(row.ms.begin(), row.ms.end(), 0.0) - row.stepMs) < 1e-9);
        // 8 micro-batches of 2 stages, three passes of a millisecond each.
        QCOMPARE(row.ms[SplitRow::Compute], 48.0);
        const QString said = text(panel.model(), device, 0);
        QVERIFY2(said.startsWith("compute 48.0 ") && said.contains("waiting "), qPrintable(said));
        const QString tip = panel.model().index(device).data(Qt::ToolTipRole).toString();
        QVERIFY2(tip.contains("memory at its highest: 400.0 MB"), qPrintable(tip));
    }
}

void TablesTest::theSplitIsOfTheMediansOrOfTheStepShown()
{
    RunSession session;
    TimeSplitPanel panel(session);
    show(panel);
    RunRecipe recipe;
    recipe.steps = 5;
    session.take(runEvents(recipe));
    const Plan slow = slowPlan(recipe);
    session.take(stepEvents(recipe, slow, 5, 900'000'000, 2, 3)); // one step that took three times as long
    session.showStep(5);
    QTRY_COMPARE(panel.note(), QString("per device, ms, of 6 steps"));
    QCOMPARE(splitRow(panel.model().split()[0]).ms[SplitRow::Compute], 48.0);
    QTest::mouseClick(panel.findChild<SegmentedBar*>("timeSplitOf")->button(1), Qt::LeftButton);
    QCOMPARE(panel.note(), QString("step 5, ms"));
    QCOMPARE(splitRow(panel.model().split()[0]).ms[SplitRow::Compute], 144.0);
}

void TablesTest::overheadIsSaidOnlyWhereItDominates()
{
    TimeSplit split;
    split.step = 60'000'000;
    split.compute = 40'000'000;
    split.waiting = 14'000'000;
    split.own = split.between = 6'000'000;
    QCOMPARE(overheadText({ split, split }), QString());
    split.waiting = 6'000'000;
    split.own = split.between = 14'000'000;
    const QString said = overheadText({ split, split });
    QVERIFY2(said.contains("14.0 of 20.0 ms"), qPrintable(said));
    // The optimizer's step is no overhead of passes.
    split.between = 2'000'000;
    QCOMPARE(overheadText({ split, split }), QString());
    // Next to nothing is no reason to speak, whatever it is a part of.
    split.compute = 59'000'000;
    split.waiting = 0;
    split.own = split.between = 1'000'000;
    QCOMPARE(overheadText({ split }), QString());
}

void TablesTest::sixtyFourDevicesPaintOnlyWhatIsSeen()
{
    /// Counts for how many rows a text is asked for.
    class Counting : public SplitModel {
    public:
        [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override
        {
            if (role == Qt::DisplayRole)
                rows.insert(index.row());
            return SplitModel::data(index, role);
        }
        mutable std::set<int> rows;
    };
    Counting model;
    TimeSplit split;
    split.step = split.compute = 60'000'000;
    model.setSplit(std::vector<TimeSplit>(64, split));
    RunSession session;
    TimeSplitPanel panel(session);
    auto* list = panel.findChild<QListView*>("timeSplitList");
    panel.model().setSplit(model.split());
    list->setModel(&model);
    list->setParent(nullptr);
    const std::unique_ptr<QListView> alone(list);
    show(*list);
    model.rows.clear();
    const QImage image = list->grab().toImage();
    QVERIFY(!image.isNull());
    QVERIFY(model.rows.size() >= 3 && model.rows.size() < 10);
    list->scrollToBottom();
    model.rows.clear();
    list->grab();
    QVERIFY(model.rows.contains(63) && !model.rows.contains(0));
}

PIPELOOM_WINDOW_TEST_MAIN(TablesTest)
#include "tables_test.moc"
