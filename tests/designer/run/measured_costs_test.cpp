// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/document/document.h"
#include "app/designer/run/costs_dialog.h"
#include "tests/designer/run/panel_run.h"
#include "tests/designer/window_test_main.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QPushButton>
#include <QTableView>

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;

class MeasuredCostsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { failOnWarnings(); }

    void measuredCostsAreOneStepThatUndoes();
    void theSimulatedStepMeetsTheMeasuredOne();
    void anotherPipelineIsRefusedWithTheReason();
    void kindsThatTheRunLacksFollowFromTheOthers();
    void theDialogShowsMeasuredBesideNow();
    void withoutAStepThereIsNothingToUse();

private:
    static RunCosts costsOf(const RunSession& session) { return runCosts(session.lastWhole(), *session.log().plan()); }
};

void MeasuredCostsTest::measuredCostsAreOneStepThatUndoes()
{
    RunSession session;
    RunRecipe recipe;
    recipe.steps = 5;
    recipe.slower = { 1, 1, 1.25, 1 };
    session.take(runEvents(recipe));
    Document document;
    document.reset(recipe.design, {});
    const Design before = *document.committed();
    QVERIFY(document.apply(useMeasuredCosts(before, costsOf(session), recipe.design.pipeline)));
    QCOMPARE(document.undoStack().count(), 1);
    QCOMPARE(document.undoStack().text(0), QString("Costs measured in 5 steps"));
    const Design& after = *document.committed();
    const auto usOf = [&after](PassKind kind, std::int32_t stage) {
        return static_cast<double>(after.costs.ticks.of(kind, StageId { stage })) * after.costs.tickUs;
    };
    for (const PassKind kind : { PassKind::F, PassKind::B, PassKind::W }) {
        QVERIFY(std::abs(usOf(kind, 0) - 1000) < 6);
        QVERIFY(std::abs(usOf(kind, 2) - 1250) < 6);
        QVERIFY(std::abs(usOf(kind, 5) - 1250) < 6);
    }
    QVERIFY(std::abs(usOf(PassKind::BW, 2) - 2500) < 12);
    const Design changed = after;
    document.undoStack().undo();
    QCOMPARE(*document.committed(), before);
    document.undoStack().redo();
    QCOMPARE(*document.committed(), changed);
}

void MeasuredCostsTest::theSimulatedStepMeetsTheMeasuredOne()
{
    RunSession session;
    RunRecipe recipe;
    recipe.steps = 5;
    recipe.slower = { 1, 1, 1.25, 1 };
    session.take(runEvents(recipe));
    const RunCosts costs = costsOf(session);
    QVERIFY(costs.explained);
    QVERIFY(costs.explained->measured > 59);
    QVERIFY(std::abs(costs.explained->simulated / costs.explained->measured - 1) < 0.01);
}

void MeasuredCostsTest::anotherPipelineIsRefusedWithTheReason()
{
    RunSession session;
    session.take(runEvents({}));
    const Pipeline ofRun = mockDesign().pipeline;
    const Edited other = useMeasuredCosts(libraryDesign("1f1b", 8), costsOf(session), ofRun);
    QVERIFY(!other.ok());
    QCOMPARE(other.refusal, std::string("The run was on 4 devices, the design has 8."));
    QVERIFY(!useMeasuredCosts(libraryDesign("1f1b"), costsOf(session), ofRun).ok());
    // More micro-batches cost the same each.
    QVERIFY(useMeasuredCosts(libraryDesign("v-half", 4, 24), costsOf(session), ofRun).ok());
}

void MeasuredCostsTest::kindsThatTheRunLacksFollowFromTheOthers()
{
    RunSession session;
    RunRecipe recipe;
    recipe.design = libraryDesign("1f1b"); // BW only
    for (Ticks& ticks : recipe.design.costs.ticks.values[index(PassKind::BW)])
        ticks = 2;
    session.take(runEvents(recipe));
    const Edited edited = useMeasuredCosts(recipe.design, costsOf(session), recipe.design.pipeline);
    QVERIFY2(edited.ok(), edited.refusal.c_str());
    const Costs& costs = edited.design->costs;
    const StageId stage { 1 };
    QCOMPARE(
        costs.ticks.of(PassKind::B, stage) + costs.ticks.of(PassKind::W, stage), costs.ticks.of(PassKind::BW, stage));
    QVERIFY(std::abs(static_cast<double>(costs.ticks.of(PassKind::BW, stage)) * costs.tickUs - 2000) < 12);
}

void MeasuredCostsTest::theDialogShowsMeasuredBesideNow()
{
    RunSession session;
    RunRecipe recipe;
    recipe.slower = { 1, 1, 1.25, 1 };
    session.take(runEvents(recipe));
    CostsDialog dialog(session, recipe.design);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    auto* model = dialog.findChild<QTableView*>("costsTable")->model();
    const QAbstractItemModelTester tester(model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    QCOMPARE(model->rowCount(), 8);
    QCOMPARE(model->columnCount(), 7);
    QCOMPARE(model->index(2, 1).data().toString(), QString("1.25 (0 %)"));
    QCOMPARE(model->index(2, 2).data().toString(), QString("1.00"));
    QVERIFY(dialog.findChild<QLabel*>("costsExplanation")->text().contains("with the measured costs"));
    QVERIFY(dialog.simulatedMs());
    QTest::mouseClick(dialog.findChild<QPushButton*>("costsUse"), Qt::LeftButton);
    QCOMPARE(dialog.result(), static_cast<int>(QDialog::Accepted));
    QVERIFY(dialog.edited().ok());
    CostsDialog other(session, libraryDesign("1f1b", 8));
    QVERIFY(!other.findChild<QPushButton*>("costsUse")->isEnabled());
    QVERIFY(other.findChild<QLabel*>("costsRefusal")->text().contains("4 devices"));
}

void MeasuredCostsTest::withoutAStepThereIsNothingToUse()
{
    RunSession session;
    session.take(openingEvents({}));
    const CostsDialog dialog(session, mockDesign());
    QVERIFY(!dialog.edited().ok());
    QVERIFY(!dialog.simulatedMs());
    QVERIFY(!useMeasuredCosts(mockDesign(), {}, mockDesign().pipeline).ok());
}

PIPELOOM_WINDOW_TEST_MAIN(MeasuredCostsTest)
#include "measured_costs_test.moc"
