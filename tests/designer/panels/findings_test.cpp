// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/figures/live_figures.h"
#include "app/designer/panels/findings_list.h"
#include "app/designer/panels/findings_model.h"
#include "app/designer/panels/findings_panel.h"
#include "core/block/building_block.h"
#include "core/formats/design_file.h"
#include "tests/designer/panels/panel_designs.h"
#include "tests/designer/window_test_main.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QClipboard>
#include <QSignalSpy>

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;

class FindingsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { failOnWarnings(); }

    void theListReadsAsTheCommandLineDoes();
    void aClickGoesToThePlaceAndTheNextOneToTheOther();
    void theLinkMendsACollisionAsOneStep();
    void everyRemedyTakesItsFindingAway_data();
    void everyRemedyTakesItsFindingAway();
    void anEmptyBlockIsPlacedToItsEndByRemedies();
    void aFindingThatIsGoneHasNoRemedy();
    void aLimitHasNoRemedy();
    void manyFindingsAreCountedButNotAllListed();
    void hundredsOfCollisionsAreDrawnAnewAtEveryMove();
    void theKeyboardGoesMendsAndCopies();
    void longSentencesBreakInNarrowPanels();

private:
    /// What the window does with a remedy that is asked for.
    static void wire(const FindingsPanel& panel, Document& document)
    {
        connect(&panel, &FindingsPanel::remedyRequested, &document, [&document](const Finding& finding) {
            if (std::optional<Remedy> remedy = remedyOf(*document.committed(), finding))
                document.apply(std::move(remedy->edited));
        });
    }
};

void FindingsTest::theListReadsAsTheCommandLineDoes()
{
    FindingsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto design = std::make_shared<const Design>(collidingDesign());
    const Findings findings = check(*design->block(), design->pipeline);
    model.setFindings(findings, design);
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.index(0).data().toString(), QString::fromStdString(text(findings[0])));
    QVERIFY(model.index(0).data(Qt::AccessibleTextRole).toString().endsWith("Ctrl+Enter: Move 7W to 16."));
    QCOMPARE(model.countsText(), QString("1 error"));
    model.setFindings({}, design);
    QCOMPARE(model.rowCount(), 0);
    QCOMPARE(model.countsText(), QString("nothing found"));
}

void FindingsTest::aClickGoesToThePlaceAndTheNextOneToTheOther()
{
    Document document;
    document.reset(collidingDesign(), {});
    LiveFigures live(document);
    FindingsPanel panel(document, live);
    wire(panel, document);
    panel.resize(1200, 120);
    panel.show();
    QCOMPARE(panel.note(), QString("1 error"));
    QSignalSpy spy(&panel, &FindingsPanel::placeActivated);
    auto* list = panel.findChild<FindingsList*>();
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, QPoint(300, 12));
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy[0][0].value<Finding>().rule, std::string("block/collision"));
    QCOMPARE(spy[0][1].value<Place>().pass, std::string("7W"));
    QCOMPARE(spy[0][1].value<Place>().device, std::optional(DeviceId { 0 }));
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, QPoint(300, 12));
    QCOMPARE(spy[1][1].value<Place>().pass, std::string("0F"));
    QCOMPARE(document.undoStack().count(), 0);
}

void FindingsTest::theLinkMendsACollisionAsOneStep()
{
    Document document;
    document.reset(mockDesign(), {});
    document.apply({ collidingDesign(), "Move 7W", {} });
    LiveFigures live(document);
    FindingsPanel panel(document, live);
    wire(panel, document);
    panel.resize(1200, 120);
    panel.show();
    auto* list = panel.findChild<FindingsList*>();
    const QRect link = list->linkRect(0);
    QVERIFY(!link.isEmpty());
    QSignalSpy spy(&panel, &FindingsPanel::placeActivated);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, link.center());
    QCOMPARE(spy.count(), 0);
    QCOMPARE(document.undoStack().count(), 2);
    QCOMPARE(document.undoStack().undoText(), QString("Move 7W to 16"));
    QCOMPARE(writeDesign(*document.committed()), writeDesign(mockDesign()));
    QCOMPARE(panel.note(), QString("nothing found"));
    QVERIFY(!list->isVisible());
    document.undoStack().undo();
    QCOMPARE(panel.note(), QString("1 error"));
}

void FindingsTest::everyRemedyTakesItsFindingAway_data()
{
    QTest::addColumn<QString>("rule");
    QTest::addColumn<QString>("text");
    QTest::addColumn<Design>("design");

    QTest::newRow("collision") << "block/collision"
                               << "Move 7W to 16" << collidingDesign();

    // F, a gap, B and W of three ticks in five: W fits nowhere, only another interval helps.
    Design full = emptyDesign(pipeline(PlacementKind::Linear, 1, 1, 1));
    auto& fullBlock = std::get<BuildingBlock>(full.plan);
    const auto slot = [](PassKind kind) { return Slot { { StageId { 0 }, MicroBatch { 0 }, kind }, {} }; };
    fullBlock.interval = 5;
    fullBlock.durations.values[index(PassKind::W)] = { 3 };
    fullBlock.passes = { { DeviceId { 0 }, slot(PassKind::F), 0 }, { DeviceId { 0 }, slot(PassKind::B), 2 },
        { DeviceId { 0 }, slot(PassKind::W), 3 } };
    QTest::newRow("no room within the interval") << "block/collision"
                                                 << "Interval 6" << full;

    Design tight = mockDesign();
    std::get<BuildingBlock>(tight.plan).interval = 5;
    QTest::newRow("interval") << "block/interval"
                              << "Interval 6" << tight;

    Design early = mockDesign();
    passOf(early, PassKind::F, 7).start = 5;
    QTest::newRow("early") << "block/early"
                           << "Move 7F to 11" << early;

    Design misplaced = mockDesign();
    passOf(misplaced, PassKind::W, 7).device = DeviceId { 2 };
    QTest::newRow("misplaced") << "block/misplaced"
                               << "Move 7W to device 0" << misplaced;

    Design doubled = mockDesign();
    auto& passes = std::get<BuildingBlock>(doubled.plan).passes;
    passes.push_back(passOf(doubled, PassKind::F, 3));
    passes.back().start = 30;
    QTest::newRow("doubled") << "block/doubled"
                             << "Delete 3F" << doubled;

    Design unknown = mockDesign();
    std::get<BuildingBlock>(unknown.plan)
        .passes.push_back({ DeviceId { 1 }, { { StageId { 9 }, MicroBatch { 0 }, PassKind::F }, {} }, 40 });
    QTest::newRow("unknown") << "block/unknown"
                             << "Delete 9F" << unknown;

    QTest::newRow("missing") << "block/missing"
                             << "Place 7W at 16" << unfinishedDesign();

    Design few = mockDesign();
    few.pipeline.microBatches = 2;
    QTest::newRow("few micro-batches") << "pipeline/few-micro-batches"
                                       << "Take 4 micro-batches" << few;
}

void FindingsTest::everyRemedyTakesItsFindingAway()
{
    QFETCH(QString, rule);
    QFETCH(QString, text);
    QFETCH(Design, design);
    const auto findingOf = [&](const Findings& findings) -> std::optional<Finding> {
        for (const Finding& finding : findings)
            if (QString::fromStdString(finding.rule) == rule)
                return finding;
        return std::nullopt;
    };
    const std::optional<Finding> finding = findingOf(plan(design).findings);
    QVERIFY(finding.has_value());
    const std::optional<Remedy> remedy = remedyOf(design, *finding);
    QVERIFY(mayHaveRemedy(*finding));
    QVERIFY(remedy && remedy->edited.ok());
    QCOMPARE(QString::fromStdString(remedy->text), text);
    QCOMPARE(QString::fromStdString(remedy->edited.name), text);
    QVERIFY(!findingOf(plan(*remedy->edited.design).findings));
}

void FindingsTest::anEmptyBlockIsPlacedToItsEndByRemedies()
{
    Document document;
    Design design = emptyDesign(pipeline(PlacementKind::V, 4, 8, 8));
    std::get<BuildingBlock>(design.plan).interval = 6;
    document.reset(design, {});
    for (int passes = 0; passes < 24; ++passes) {
        const Findings findings = check(*document.committed()->block(), document.committed()->pipeline);
        QVERIFY(!findings.empty());
        QCOMPARE(findings[0].rule, std::string("block/missing"));
        std::optional<Remedy> remedy = remedyOf(*document.committed(), findings[0]);
        QVERIFY(remedy);
        document.apply(std::move(remedy->edited));
    }
    QCOMPARE(document.undoStack().count(), 24);
    QVERIFY(!hasErrors(check(*document.committed()->block(), document.committed()->pipeline)));
}

void FindingsTest::aFindingThatIsGoneHasNoRemedy()
{
    const Design broken = collidingDesign();
    Findings findings = check(*broken.block(), broken.pipeline);
    QVERIFY(remedyOf(broken, findings[0]));
    findings[0].where[0].pass = "9W";
    QVERIFY(!remedyOf(broken, findings[0]));
    findings[0].where.clear();
    QVERIFY(!remedyOf(broken, findings[0]));
    Design explicitSchedule = broken;
    explicitSchedule.plan = Schedule {};
    QVERIFY(!remedyOf(explicitSchedule, check(*broken.block(), broken.pipeline)[0]));
}

void FindingsTest::aLimitHasNoRemedy()
{
    Design design = mockDesign();
    design.memory.limit.assign(4, Bytes { 5 });
    const Findings findings = plan(design).findings;
    QVERIFY(!findings.empty());
    QCOMPARE(findings[0].rule, std::string("memory/limit"));
    QVERIFY(!remedyOf(design, findings[0]));
}

void FindingsTest::manyFindingsAreCountedButNotAllListed()
{
    FindingsModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    Finding one;
    one.rule = "memory/leak";
    one.message = "Something leaks.";
    model.setFindings(Findings(1000, one), std::make_shared<const Design>());
    QCOMPARE(model.rowCount(), FindingsModel::mostListed + 1);
    QCOMPARE(model.countsText(), QString("1000 errors"));
    QCOMPARE(model.moreText(), QString("and 800 more; pipeloom check lists all"));
    QVERIFY(!model.finding(FindingsModel::mostListed));
}

void FindingsTest::hundredsOfCollisionsAreDrawnAnewAtEveryMove()
{
    Design broken = libraryDesign("v-half", 64, 64);
    std::get<BuildingBlock>(broken.plan).interval = 5; // six ticks of work on every device
    const auto design = std::make_shared<const Design>(broken);
    Findings findings = check(*design->block(), design->pipeline);
    QVERIFY(findings.size() > 100);
    FindingsModel model;
    FindingsList list(model);
    list.resize(1200, 120);
    list.show();
    QVERIFY(QTest::qWaitForWindowExposed(&list));
    const QImage empty = list.viewport()->grab().toImage();
    for (int i = 0; i < 10; ++i) {
        findings.front().message += '!'; // another state of the drag
        model.setFindings(findings, design);
        QVERIFY(list.visualRect(model.index(0)).height() > 20); // laid out now, not when there is time
        const QImage drawn = list.viewport()->grab().toImage();
        QVERIFY(drawn != empty);
    }
}

void FindingsTest::theKeyboardGoesMendsAndCopies()
{
    Document document;
    document.reset(collidingDesign(), {});
    LiveFigures live(document);
    FindingsPanel panel(document, live);
    wire(panel, document);
    panel.resize(1200, 120);
    panel.show();
    auto* list = panel.findChild<FindingsList*>();
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Down);
    QSignalSpy spy(&panel, &FindingsPanel::placeActivated);
    QTest::keyClick(list, Qt::Key_Return);
    QCOMPARE(spy.count(), 1);
    auto* copy = panel.findChild<QAction*>("findingCopy");
    QVERIFY(copy->isEnabled());
    copy->trigger();
    QVERIFY(QGuiApplication::clipboard()->text().startsWith("error block/collision  Device 0: 7W at 18 meets 0F at 0"));
    QCOMPARE(panel.findChild<QAction*>("findingMend")->text(), QString("Move 7W to 16"));
    QTest::keyClick(list, Qt::Key_Return, Qt::ControlModifier);
    QCOMPARE(document.undoStack().count(), 1);
    QVERIFY(!copy->isEnabled());
}

void FindingsTest::longSentencesBreakInNarrowPanels()
{
    Document document;
    document.reset(collidingDesign(), {});
    LiveFigures live(document);
    FindingsPanel panel(document, live);
    panel.resize(1200, 200);
    panel.show();
    auto* list = panel.findChild<FindingsList*>();
    const int wide = list->visualRect(list->model()->index(0, 0)).height();
    panel.resize(420, 200);
    QTRY_VERIFY(list->visualRect(list->model()->index(0, 0)).height() > wide + 20);
}

PIPELOOM_WINDOW_TEST_MAIN(FindingsTest)
#include "findings_test.moc"
