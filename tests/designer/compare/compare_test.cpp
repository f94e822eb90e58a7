// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/compare/compare_model.h"
#include "app/designer/compare/compare_page.h"
#include "app/designer/compare/compare_scatter.h"
#include "app/designer/compare/compare_strips.h"
#include "core/formats/design_file.h"
#include "tests/designer/panels/panel_designs.h"
#include "tests/designer/window_test_main.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>

#include <cmath>

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;

class CompareTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { failOnWarnings(); }

    void case19InterleavedAgainstZeroBubble();
    void case29ActivationFactorsOfInterleaving();
    void fractionsOfATickMakeTicksShorter();
    void bytesAndLimitsAreCarriedOver();
    void aLimitIsKeptOrExceeded();
    void theBasisIsStatedAndWhatDiffersIsNamed();
    void nothingIsCalledBetterOnDifferentBases();
    void theBestIsMarkedAndDifferencesAreAgainstTheFirst();
    void whatCannotBeMadeSaysWhy();
    void theLiveDesignFollowsTheDocument();
    void designsAreAddedMovedAndTakenAway();
    void aFileIsAddedAndABrokenOneIsTold();
    void aBrokenBlockHasNoFiguresButAReason();
    void theTimelinesStandOnOneAxis();
    void theWheelZoomsAtTheCursor();
    void thePageStartsEmptyAndShowsItsProgress();
    void everythingHasANameAndBothThemesAreDrawn();

private:
    static void waitFor(CompareList& list) { QTRY_COMPARE_WITH_TIMEOUT(list.pending(), 0, 20000); }
    /// 1F1B for p devices and m micro-batches, F = B = W = 1 for a device's share.
    static void reset(Document& document, std::int32_t p, std::int32_t m)
    {
        document.reset(libraryDesign("1f1b", p, m), {});
    }
};

void CompareTest::case19InterleavedAgainstZeroBubble()
{
    Document document;
    reset(document, 8, 24);
    CompareList list(document);
    CompareModel model(list);
    QCOMPARE(list.addFromLibrary("1f1b"), QString());
    QCOMPARE(list.addFromLibrary("interleaved-1f1b", 3), QString());
    QCOMPARE(list.addFromLibrary("zb-h2"), QString());
    waitFor(list);
    const auto shown = [&](int row) {
        QStringList cells;
        for (const int column : { CompareModel::StepTime, CompareModel::OwnSpan, CompareModel::Peak })
            cells += model.index(row, column).data().toString();
        return cells;
    };
    QCOMPARE(shown(0).first(), QString("93"));
    QCOMPARE(shown(0).last(), QString("8"));
    QCOMPARE(shown(1).first(), QString("79"));
    QCOMPARE(shown(1).last(), QString("10.33")); // 31 chunks, three of them a micro-batch
    QCOMPARE(shown(2), QStringList({ "79", "72", "15" }));
    // 31 chunks were counted, not divided beforehand.
    Bytes chunks = 0;
    for (const DeviceMetrics& device : list.designs()[1].figures->plan.metrics.devices)
        chunks = std::max(chunks, device.peak);
    QCOMPARE(chunks, Bytes { 31 });
    QVERIFY(list.basis().isOne);
    QCOMPARE(model.index(0, CompareModel::Limit).data().toString(), QString(QChar(0x2013)));
    // Memory order: 1F1B, interleaved (1.29 times), ZB-H2 (1.88 times).
    QCOMPARE(model.index(1, CompareModel::Peak).data(CompareModel::DifferenceRole).toString(), QString("+29.2 %"));
    QCOMPARE(model.index(2, CompareModel::Peak).data(CompareModel::DifferenceRole).toString(), QString("+87.5 %"));
}

void CompareTest::case29ActivationFactorsOfInterleaving()
{
    Document document;
    reset(document, 8, 16);
    CompareList list(document);
    QCOMPARE(list.addFromLibrary("1f1b"), QString());
    for (const int chunks : { 2, 3, 4 })
        QCOMPARE(list.addFromLibrary("interleaved-1f1b", chunks), QString());
    waitFor(list);
    const double whole = list.designs()[0].compared->peak;
    for (const int chunks : { 2, 3, 4 }) {
        const double factor = list.designs()[static_cast<std::size_t>(chunks - 1)].compared->peak / whole;
        QVERIFY(std::abs(factor - (1 + 7.0 / (8 * chunks))) < 1e-9); // 1 + (p - 1) / (p v)
    }
    // m = 20 is no multiple of 8: the library says what is, instead of comparing something else.
    reset(document, 8, 20);
    QVERIFY(list.addFromLibrary("interleaved-1f1b", 2).contains("Take 16 micro-batches"));
}

void CompareTest::fractionsOfATickMakeTicksShorter()
{
    Design like = libraryDesign("1f1b", 4, 8);
    like.costs.tickUs = 900;
    const LibraryDesign made = libraryLike(*findInLibrary("interleaved-1f1b"), 3, like);
    QVERIFY(made.design);
    QCOMPARE(made.design->costs.tickUs, 300.0);
    QCOMPARE(made.design->costs.ticks.of(PassKind::F, StageId { 5 }), Ticks { 1 });
    QCOMPARE(made.design->costs.ticks.of(PassKind::BW, StageId { 5 }), Ticks { 2 });
    // Six ticks of a share can be cut in three as they are.
    for (auto& ofKind : like.costs.ticks.values)
        for (Ticks& ticks : ofKind)
            ticks *= 6;
    const LibraryDesign whole = libraryLike(*findInLibrary("interleaved-1f1b"), 3, like);
    QCOMPARE(whole.design->costs.tickUs, 900.0);
    QCOMPARE(whole.design->costs.ticks.of(PassKind::F, StageId { 0 }), Ticks { 2 });
}

void CompareTest::bytesAndLimitsAreCarriedOver()
{
    Design like = libraryDesign("1f1b", 4, 8);
    like.memory.limit.assign(4, Bytes { 4 });
    const LibraryDesign chunked = libraryLike(*findInLibrary("v-half"), 0, like);
    QCOMPARE(chunked.design->memory.limit[0], std::optional<Bytes>(8)); // four micro-batches of two chunks each

    like.memory.unit = MemoryUnit::Byte;
    for (auto& ofKind : like.memory.change.values)
        for (Bytes& bytes : ofKind)
            bytes *= 1000;
    like.memory.fixed.assign(4, Bytes { 500 });
    const LibraryDesign bytes = libraryLike(*findInLibrary("v-half"), 0, like);
    QCOMPARE(bytes.design->memory.unit, MemoryUnit::Byte);
    QCOMPARE(bytes.design->memory.change.of(PassKind::F, StageId { 7 }), Bytes { 500 });
    QCOMPARE(bytes.design->memory.change.of(PassKind::W, StageId { 7 }), Bytes { -500 });
    QCOMPARE(bytes.design->memory.limit[0], std::optional<Bytes>(4));
    QCOMPARE(bytes.design->memory.fixed[3], Bytes { 500 });
}

void CompareTest::aLimitIsKeptOrExceeded()
{
    Document document;
    Design like = libraryDesign("1f1b", 4, 8);
    like.memory.limit.assign(4, Bytes { 4 });
    document.reset(like, {});
    CompareList list(document);
    CompareModel model(list);
    list.addFromLibrary("1f1b");  // holds 4
    list.addFromLibrary("gpipe"); // holds 8
    waitFor(list);
    QCOMPARE(model.index(0, CompareModel::Limit).data().toString(), QString("kept"));
    QCOMPARE(model.index(1, CompareModel::Limit).data().toString(), QString("exceeded"));
    QVERIFY(!model.index(0, CompareModel::Limit).data(CompareModel::BrokenRole).toBool());
    QVERIFY(model.index(1, CompareModel::Limit).data(CompareModel::BrokenRole).toBool());
}

void CompareTest::theBasisIsStatedAndWhatDiffersIsNamed()
{
    const auto of = [](Design design) { return std::make_shared<const Design>(std::move(design)); };
    const DesignPtr first = of(libraryDesign("1f1b", 4, 8));
    const DesignPtr chunked = of(*libraryLike(*findInLibrary("v-half"), 0, *first).design);
    const Basis one = basisOf({ first, chunked });
    QVERIFY(one.isOne);
    QCOMPARE(QString::fromStdString(one.sentence),
        QString(
            "Equal devices and equal model: 4 devices · 8 micro-batches · work of a micro-batch F 4 ms, B 4 ms, W 4 "
            "ms, BW 8 ms · memory in micro-batches held."));
    const Basis other = basisOf({ first, of(libraryDesign("1f1b", 8, 8)) });
    QVERIFY(!other.isOne);
    const QString said = QString::fromStdString(other.sentence);
    QVERIFY(said.contains("devices (4, 8)"));
    QVERIFY(said.contains("work of a micro-batch (F 4 ms"));
    QVERIFY(!said.contains("micro-batches ("));
    QVERIFY(basisOf({}).isOne);
}

void CompareTest::nothingIsCalledBetterOnDifferentBases()
{
    Document document;
    reset(document, 4, 8);
    CompareList list(document);
    CompareModel model(list);
    list.add(libraryDesign("1f1b", 4, 8), "four", {});
    list.add(libraryDesign("1f1b", 4, 16), "more", {});
    waitFor(list);
    for (int row = 0; row < 2; ++row)
        for (int column = CompareModel::StepTime; column < CompareModel::columns; ++column) {
            QVERIFY(!model.index(row, column).data(CompareModel::BestRole).toBool());
            QVERIFY(model.index(row, column).data(CompareModel::DifferenceRole).toString().isEmpty());
        }
}

void CompareTest::theBestIsMarkedAndDifferencesAreAgainstTheFirst()
{
    Document document;
    reset(document, 4, 8);
    CompareList list(document);
    CompareModel model(list);
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    list.addFromLibrary("1f1b");  // 33 ticks
    list.addFromLibrary("zb-h1"); // (p - 1)(F + B - W) less idle: 27
    waitFor(list);
    QCOMPARE(model.index(0, CompareModel::StepTime).data().toString(), QString("33"));
    QCOMPARE(model.index(1, CompareModel::StepTime).data().toString(), QString("27"));
    QVERIFY(model.index(1, CompareModel::StepTime).data(CompareModel::BestRole).toBool());
    QVERIFY(!model.index(0, CompareModel::StepTime).data(CompareModel::BestRole).toBool());
    QCOMPARE(model.index(1, CompareModel::StepTime).data(CompareModel::DifferenceRole).toString(),
        QString::fromUtf8("−18.2 %"));
    QVERIFY(model.index(1, CompareModel::StepTime).data(Qt::AccessibleTextRole).toString().endsWith(", best"));
    QCOMPARE(model.index(1, CompareModel::Peak).data(CompareModel::DifferenceRole).toString(), QString("same"));
    QVERIFY(!model.index(1, CompareModel::Peak).data(CompareModel::BestRole).toBool()); // both hold four
    list.move(1, -1);
    QCOMPARE(model.index(1, CompareModel::StepTime).data(CompareModel::DifferenceRole).toString(), QString("+22.2 %"));
}

void CompareTest::whatCannotBeMadeSaysWhy()
{
    Document document;
    reset(document, 4, 6);
    ComparePage page(document);
    QSignalSpy spy(&page, &ComparePage::statusText);
    page.findChild<QAction*>("compareAdd-interleaved-1f1b-2")->trigger();
    QCOMPARE(spy.count(), 1);
    QVERIFY(spy[0][0].toString().contains("no multiple of 4"));
    QCOMPARE(page.list().size(), 0);
}

void CompareTest::theLiveDesignFollowsTheDocument()
{
    Document document;
    reset(document, 4, 8);
    CompareList list(document);
    list.addFromLibrary("gpipe");
    list.addLive();
    list.addLive(); // once is enough
    QCOMPARE(list.size(), 2);
    QVERIFY(list.designs()[0].isLive);
    QCOMPARE(list.designs()[0].name, QString("1F1B (this)"));
    waitFor(list);
    QCOMPARE(list.designs()[0].compared->stepUs, 33000.0);
    for (const Ticks ticks : { 2, 3, 4 }) {
        Design slower = *document.committed();
        slower.costs.ticks.values[index(PassKind::F)].assign(4, ticks);
        document.apply({ slower, "Slower", {} });
    }
    // (m + p - 1)(F + BW) with F = 4: only the last state counts, whatever was under way.
    QTRY_COMPARE(list.designs()[0].compared->stepUs, 66000.0);
    QVERIFY(!list.basis().isOne);
}

void CompareTest::designsAreAddedMovedAndTakenAway()
{
    Document document;
    reset(document, 4, 8);
    ComparePage page(document);
    page.resize(1400, 800);
    page.show();
    QVERIFY(!page.findChild<QAction*>("compareRemove")->isEnabled());
    QTest::mouseClick(page.findChild<QPushButton*>("compareStart"), Qt::LeftButton);
    QVERIFY(page.list().size() > static_cast<int>(library().size()) - 1);
    waitFor(page.list());
    const int all = page.list().size();
    QCOMPARE(page.list().addWholeLibrary(), 0); // all are there
    auto* table = page.findChild<QTableView*>("compareTable");
    table->selectRow(1);
    const QString second = page.list().designs()[1].name;
    page.findChild<QAction*>("compareDown")->trigger();
    QCOMPARE(page.list().designs()[2].name, second);
    QCOMPARE(table->currentIndex().row(), 2);
    page.findChild<QAction*>("compareUp")->trigger();
    QCOMPARE(page.list().designs()[1].name, second);
    page.findChild<QAction*>("compareRemove")->trigger();
    QCOMPARE(page.list().size(), all - 1);
    QVERIFY(page.list().designs()[1].name != second);
    page.findChild<QAction*>("compareClear")->trigger();
    QCOMPARE(page.list().size(), 0);
    QVERIFY(page.findChild<QPushButton*>("compareStart")->isVisible());
}

void CompareTest::aFileIsAddedAndABrokenOneIsTold()
{
    const QTemporaryDir folder;
    const QString good = folder.filePath("good.pipeloom.json");
    const QString bad = folder.filePath("bad.pipeloom.json");
    QVERIFY(saveText(good.toStdString(), writeDesign(mockDesign())).empty());
    QVERIFY(saveText(bad.toStdString(), "{ \"pipeloom\": 1, ").empty());
    Document document;
    reset(document, 4, 8);
    QString next = good;
    ComparePage page(document, { [&](QWidget*, const FileQuestion&) { return next; }, {} });
    QSignalSpy spy(&page, &ComparePage::statusText);
    page.findChild<QAction*>("compareAddFile")->trigger();
    QCOMPARE(page.list().size(), 1);
    QCOMPARE(page.list().designs()[0].source, good);
    next = bad;
    page.findChild<QAction*>("compareAddFile")->trigger();
    next.clear(); // the person thought better of it
    page.findChild<QAction*>("compareAddFile")->trigger();
    QCOMPARE(page.list().size(), 1);
    QCOMPARE(spy.count(), 1);
    QVERIFY(!spy[0][0].toString().isEmpty());
}

void CompareTest::aBrokenBlockHasNoFiguresButAReason()
{
    Document document;
    reset(document, 4, 8);
    CompareList list(document);
    CompareModel model(list);
    list.add(mockDesign(), "whole", "library");
    list.add(collidingDesign(), "broken", "file");
    list.add(unfinishedDesign(), "half", "file");
    waitFor(list);
    for (const int row : { 1, 2 }) {
        QVERIFY(!list.designs()[static_cast<std::size_t>(row)].compared);
        QCOMPARE(model.index(row, CompareModel::StepTime).data().toString(), QString(QChar(0x2013)));
    }
    QVERIFY(
        model.index(1, CompareModel::Name).data(CompareModel::DifferenceRole).toString().contains("7W at 18 meets 0F"));
    QVERIFY(list.designs()[2].problem.contains("next 7W"));
}

void CompareTest::theTimelinesStandOnOneAxis()
{
    Document document;
    reset(document, 8, 24);
    ComparePage page(document);
    page.resize(1400, 900);
    page.show();
    page.list().addFromLibrary("1f1b");
    page.list().addFromLibrary("interleaved-1f1b", 3); // counts in thirds of a tick
    page.list().addFromLibrary("zb-h2");
    waitFor(page.list());
    auto* strips = page.findChild<CompareStrips*>();
    QCOMPARE(page.axis().last(), Ticks { 93 });
    const auto endOf = [&](int design) {
        return strips->xOf(
            design, page.list().designs()[static_cast<std::size_t>(design)].figures->plan.metrics.lastEnd);
    };
    QVERIFY(std::abs(endOf(1) - endOf(2)) < 1e-6); // both take 79
    QVERIFY(endOf(0) > endOf(1) + 50);
    // What is drawn ends there too: colour before, the panel's after.
    QTest::qWait(20);
    const QImage image = strips->viewport()->grab().toImage();
    const QColor panel = themeOf(strips).panel;
    const QRect rows = strips->rowsRect(1);
    // The last pass of all is on device 0, where the gradient of the first stage comes in.
    const int y = rows.top() + 3;
    QVERIFY(image.pixelColor(static_cast<int>(endOf(1)) - 3, y) != panel);
    QCOMPARE(image.pixelColor(static_cast<int>(endOf(1)) + 4, y), panel);
    QCOMPARE(page.findChild<CompareScatter*>()->points().size(), std::size_t { 3 });
    QCOMPARE(page.findChild<CompareScatter*>()->points()[2], QPointF(79, 15));
}

void CompareTest::theWheelZoomsAtTheCursor()
{
    Document document;
    reset(document, 4, 8);
    ComparePage page(document);
    page.resize(1400, 900);
    page.show();
    page.list().addLive();
    waitFor(page.list());
    auto* strips = page.findChild<CompareStrips*>();
    const double before = page.axis().map().timeAt(300);
    const double scale = page.axis().map().pixelsPerTick;
    wheel(strips->viewport(),
        QPoint(static_cast<int>(strips->xOf(0, 0) - page.axis().map().xOf(Ticks { 0 })) + 300, 100), 240,
        Qt::ControlModifier);
    QVERIFY(page.axis().map().pixelsPerTick > scale * 1.2);
    QVERIFY(std::abs(page.axis().map().timeAt(300) - before) * page.axis().map().pixelsPerTick < 1);
    strips->setFocus();
    QTest::keyClick(strips, Qt::Key_0);
    QCOMPARE(page.axis().map().pixelsPerTick, scale);
}

void CompareTest::thePageStartsEmptyAndShowsItsProgress()
{
    Document document;
    document.reset(libraryDesign("v-half", 32, 128), {});
    ComparePage page(document);
    page.resize(1400, 900);
    page.show();
    auto* progress = page.findChild<QProgressBar*>("compareProgress");
    QVERIFY(!progress->isVisible());
    QVERIFY(page.findChild<QLabel*>("compareBasis")->text().isEmpty());
    page.list().addWholeLibrary();
    QVERIFY(progress->isVisible()); // the window goes on while figures are made
    QVERIFY(!page.grab().isNull());
    waitFor(page.list());
    QVERIFY(!progress->isVisible());
    QVERIFY(page.findChild<QLabel*>("compareBasis")->text().startsWith("Equal devices and equal model: 32 devices"));
    QCOMPARE(page.menuActions().size(), 8 - 1 + 3 + 7);
}

void CompareTest::everythingHasANameAndBothThemesAreDrawn()
{
    Document document;
    reset(document, 4, 8);
    ComparePage page(document);
    page.resize(1400, 900);
    page.show();
    page.list().addLive();
    page.list().addFromLibrary("zb-h1");
    waitFor(page.list());
    for (const QWidget* widget : page.findChildren<QWidget*>())
        if ((widget->focusPolicy() & Qt::TabFocus) && widget->isVisible() && !widget->objectName().startsWith("qt_"))
            QVERIFY2(!widget->accessibleName().isEmpty(),
                qPrintable(
                    QString("%1 in %2")
                        .arg(widget->metaObject()->className(), widget->parentWidget()->metaObject()->className())));
    const QImage light = page.grab().toImage();
    applyTheme(*qApp, ThemeChoice::Dark);
    QCoreApplication::processEvents();
    const QImage dark = page.grab().toImage();
    applyTheme(*qApp, ThemeChoice::Light);
    QCoreApplication::processEvents();
    // The chart, the strips and the table have followed, there and back.
    for (const char* name : { "compareScatter", "compareStrips", "compareTable" }) {
        const auto* part = page.findChild<QAbstractScrollArea*>(name);
        const QPoint corner = part->mapTo(&page, QPoint(part->viewport()->width() - 3, part->height() - 4));
        QCOMPARE(dark.pixelColor(corner), darkTheme().panel);
        QCOMPARE(light.pixelColor(corner), lightTheme().panel);
        QCOMPARE(page.grab().toImage().pixelColor(corner), lightTheme().panel);
    }
}

PIPELOOM_WINDOW_TEST_MAIN(CompareTest)
#include "compare_test.moc"
