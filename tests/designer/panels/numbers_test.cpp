// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/figures/live_figures.h"
#include "app/designer/panels/figure_headline.h"
#include "app/designer/panels/numbers_model.h"
#include "app/designer/panels/numbers_panel.h"
#include "app/designer/panels/numbers_table.h"
#include "app/designer/panels/quantity.h"
#include "tests/designer/panels/panel_designs.h"
#include "tests/designer/window_test_main.h"

#include <QAbstractItemModelTester>
#include <QAction>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QToolButton>

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;

class NumbersTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { failOnWarnings(); }

    void amountsAreWrittenAndReadBack_data();
    void amountsAreWrittenAndReadBack();
    void whatIsNoAmountIsRefused_data();
    void whatIsNoAmountIsRefused();
    void theMocksFiguresStandInTheTable();
    void theWorstDeviceComesFirst();
    void lifespansAreThoseOfTheBlockAndOfTheRealCosts();
    void everyStandingSaysWhoseFiguresTheseAre();
    void reorderingShowsBeforeAndAfter();
    void theSwitchIsReachedByKeyboardAndSaysWhichViewIsOn();
    void aRowSaysItsDevice();
    void theDefinitionFollowsTheArrowKeys();
    void anUpdateOfSixteenDevicesTakesNoTimeToSpeakOf();
    void anyDesignIsShownAtAnyWidth_data();
    void anyDesignIsShownAtAnyWidth();

private:
    static Figures planned(const Design& design)
    {
        Document document;
        document.reset(design, {});
        const LiveFigures live(document);
        return *live.figures();
    }
};

void NumbersTest::amountsAreWrittenAndReadBack_data()
{
    QTest::addColumn<qlonglong>("bytes");
    QTest::addColumn<QString>("shown");
    QTest::addColumn<QString>("exact");
    QTest::newRow("none") << 0LL << "0 B"
                          << "0";
    QTest::newRow("few") << 999LL << "999 B"
                         << "999";
    QTest::newRow("kilo") << 1500LL << "1.50 kB"
                          << "1.5 kB";
    QTest::newRow("odd") << 1234567LL << "1.23 MB"
                         << "1234.567 kB";
    QTest::newRow("giga") << 24000000000LL << "24.00 GB"
                          << "24 GB";
    QTest::newRow("negative") << -2500000LL << QString::fromUtf8("−2.50 MB") << QString::fromUtf8("−2.5 MB");
    QTest::newRow("every byte counts") << 1000000001LL << "1.00 GB"
                                       << "1000000.001 kB";
}

void NumbersTest::amountsAreWrittenAndReadBack()
{
    QFETCH(qlonglong, bytes);
    QFETCH(QString, shown);
    QFETCH(QString, exact);
    QCOMPARE(figureText(bytes, MemoryUnit::Byte), shown);
    QCOMPARE(exactAmountText(bytes, MemoryUnit::Byte), exact);
    QCOMPARE(amountOf(exact, MemoryUnit::Byte), std::optional<Bytes>(bytes));
}

void NumbersTest::whatIsNoAmountIsRefused_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("bytes");
    QTest::newRow("empty") << "" << true;
    QTest::newRow("word") << "much" << true;
    QTest::newRow("unit only") << "GB" << true;
    QTest::newRow("iB") << "5 iB" << true;
    QTest::newRow("beyond what a file holds") << "2000 PB" << true;
    QTest::newRow("fraction of an activation") << "1.5" << false;
    QTest::newRow("bytes where activations count") << "3 GB" << false;
}

void NumbersTest::whatIsNoAmountIsRefused()
{
    QFETCH(QString, text);
    QFETCH(bool, bytes);
    QVERIFY(!amountOf(text, bytes ? MemoryUnit::Byte : MemoryUnit::Activation));
}

void NumbersTest::theMocksFiguresStandInTheTable()
{
    NumbersModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setFigures(std::make_shared<const Figures>(planned(mockDesign())));
    QCOMPARE(model.rowCount(), 4);
    QCOMPARE(model.cells(0), QStringList({ "dev 0", "48", "11", "6", "6", "7" }));
    QCOMPARE(model.cells(1), QStringList({ "dev 1", "48", "11", "6", "7", "7" }));
    QCOMPARE(model.index(3).data().toString(), QString("dev 3, busy 48, idle 11, peak 6, bound 7, limit 7"));
    model.setView(NumbersView::Time);
    QCOMPARE(model.cells(0), QStringList({ "dev 0", "48", "11", "18.6 %", "59", "18.6 %" }));
    model.setFigures(std::make_shared<const Figures>());
    QCOMPARE(model.rowCount(), 0);
}

void NumbersTest::theWorstDeviceComesFirst()
{
    // 1F1B on 4 devices holds 4, 3, 2, 1: least room is on device 0 without a limit, on device 2 where the limit is 2.
    Design design = libraryDesign("1f1b");
    std::vector<std::int32_t> order;
    const auto devices = [&](NumbersView view) {
        order.clear();
        for (const DeviceRow& row : deviceRows(planned(design), view))
            order.push_back(row.device);
        return order;
    };
    QCOMPARE(devices(NumbersView::Memory), std::vector<std::int32_t>({ 0, 1, 2, 3 }));
    design.memory.limit = { 6, {}, 2, 3 };
    QCOMPARE(devices(NumbersView::Memory), std::vector<std::int32_t>({ 2, 0, 3, 1 }));
    design.costs.ticks.values[index(PassKind::F)][3] = 3;
    QCOMPARE(devices(NumbersView::Time), std::vector<std::int32_t>({ 0, 1, 2, 3 }));
    design.costs.ticks.values[index(PassKind::F)][0] = 4;
    QCOMPARE(devices(NumbersView::Time), std::vector<std::int32_t>({ 1, 2, 3, 0 }));
}

void NumbersTest::lifespansAreThoseOfTheBlockAndOfTheRealCosts()
{
    // FORMAT.md's V-Half block: 0F at 0, 0W ends at 27; T = 6, so five copies are alive at once.
    const std::vector<LifespanRow> rows = lifespanRows(planned(mockDesign()));
    QCOMPARE(rows.size(), std::size_t { 8 });
    QCOMPARE(rows[0].stage, 0);
    QCOMPARE(rows[1].stage, 7); // device 0 holds stages 0 and 7
    QCOMPARE(rows[0].inBlock, std::optional<Ticks>(27));
    QCOMPARE(rows[0].holds, std::optional<std::int64_t>(5));
    QCOMPARE(rows[1].inBlock, std::optional<Ticks>(6));
    QCOMPARE(rows[1].holds, std::optional<std::int64_t>(1));

    // Real: with every pass ten times as long the same schedule lives ten times as long, the block as before.
    Design slower = mockDesign();
    for (auto& ofKind : slower.costs.ticks.values)
        for (Ticks& ticks : ofKind)
            ticks *= 10;
    const std::vector<LifespanRow> real = lifespanRows(planned(slower));
    QCOMPARE(real[0].inBlock, rows[0].inBlock);
    QVERIFY(rows[0].longest.has_value());
    QCOMPARE(*real[0].longest, 10 * *rows[0].longest);

    const std::vector<LifespanRow> half = lifespanRows(planned(unfinishedDesign()));
    QVERIFY(!half[1].inBlock && !half[1].holds && !half[1].longest);
    QCOMPARE(half[0].inBlock, std::optional<Ticks>(27));
}

void NumbersTest::everyStandingSaysWhoseFiguresTheseAre()
{
    Document document;
    LiveFigures live(document);
    NumbersPanel panel(live);
    panel.resize(365, 300);
    panel.show();
    const auto* headline = panel.findChild<FigureHeadline*>();
    const auto* table = panel.findChild<NumbersTable*>();
    QCOMPARE(live.figures()->standing, Standing::None);
    QVERIFY(!table->isVisible());
    QVERIFY(headline->line().contains("next 0F"));
    document.apply({ mockDesign(), "Whole", {} });
    QVERIFY(table->isVisible());
    QVERIFY(headline->line().startsWith("idle share = "));
    QVERIFY(headline->accessibleDescription().contains("step time, ticks 59"));
    document.apply({ collidingDesign(), "Collide", {} });
    QCOMPARE(headline->line(), QString("does not repeat yet: figures of its order"));
    document.apply({ unfinishedDesign(), "Take out", {} });
    QCOMPARE(headline->line(), QString("earlier figures: 23 of 24 passes are placed; next 7W."));
    QVERIFY(table->isVisible());
    panel.grab();
    document.reset(emptyDesign(pipeline(PlacementKind::Linear, 4, 4, 8)), {});
    QVERIFY(!table->isVisible());
    panel.grab();
}

void NumbersTest::reorderingShowsBeforeAndAfter()
{
    Document document;
    document.reset(libraryDesign("v-half"), {});
    LiveFigures live(document);
    QTRY_VERIFY(!live.isBusy() && !live.figures()->pending);
    NumbersPanel panel(live);
    const auto* headline = panel.findChild<FigureHeadline*>();
    QVERIFY(headline->accessibleDescription().contains("step time, ticks 53"));
    QCOMPARE(live.figures()->squeezedTicks, Ticks { 59 });
    panel.resize(365, 300);
    const QImage reordered = panel.grab().toImage();
    document.reset(mockDesign(), {});
    QVERIFY(reordered != panel.grab().toImage());
}

void NumbersTest::theSwitchIsReachedByKeyboardAndSaysWhichViewIsOn()
{
    Document document;
    document.reset(mockDesign(), {});
    LiveFigures live(document);
    NumbersPanel panel(live);
    panel.show();
    QCOMPARE(panel.menuActions().size(), 3);
    auto* button = panel.findChild<QToolButton*>("numbersTimeButton");
    QVERIFY(button && !button->isChecked());
    QVERIFY(button->focusPolicy() & Qt::TabFocus);
    button->setFocus();
    QTest::keyClick(button, Qt::Key_Space);
    QCOMPARE(panel.view(), NumbersView::Time);
    QVERIFY(button->isChecked());
    panel.setView(NumbersView::Lifespans);
    QVERIFY(!button->isChecked());
    QVERIFY(panel.findChild<QAction*>("numbersLifespans")->isChecked());
}

void NumbersTest::aRowSaysItsDevice()
{
    Document document;
    Design design = libraryDesign("1f1b");
    design.memory.limit = { {}, {}, 2, {} };
    document.reset(design, {});
    LiveFigures live(document);
    NumbersPanel panel(live);
    panel.resize(365, 300);
    panel.show();
    QSignalSpy spy(&panel, &NumbersPanel::deviceActivated);
    auto* table = panel.findChild<NumbersTable*>();
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, QPoint(30, 10));
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy[0][0].value<DeviceId>(), DeviceId { 2 }); // the only one with a limit stands first
}

void NumbersTest::theDefinitionFollowsTheArrowKeys()
{
    Document document;
    document.reset(mockDesign(), {});
    LiveFigures live(document);
    NumbersPanel panel(live);
    auto* headline = panel.findChild<FigureHeadline*>();
    QVERIFY(headline->focusPolicy() & Qt::TabFocus);
    QTest::keyClick(headline, Qt::Key_Right);
    QVERIFY(headline->line().startsWith("own-span bubble = "));
    QTest::keyClick(headline, Qt::Key_Left);
    QTest::keyClick(headline, Qt::Key_Left);
    QCOMPARE(headline->line(), QString::fromUtf8("step time = last end − first start; 59 ms"));
}

void NumbersTest::anUpdateOfSixteenDevicesTakesNoTimeToSpeakOf()
{
    const auto figures = std::make_shared<const Figures>(planned(libraryDesign("zb-h1", 16, 128)));
    NumbersModel model;
    for (const NumbersView view : { NumbersView::Time, NumbersView::Memory, NumbersView::Lifespans }) {
        model.setView(view);
        qint64 best = std::numeric_limits<qint64>::max();
        for (int i = 0; i < 20; ++i) {
            QElapsedTimer clock;
            clock.start();
            model.setFigures(figures);
            best = std::min(best, clock.nsecsElapsed());
        }
        QCOMPARE(model.rowCount(), 16);
        qInfo("an update of p = 16, m = 128: %.1f us", static_cast<double>(best) / 1000);
        QVERIFY2(best < 1'000'000, qPrintable(QString::number(best)));
    }
}

void NumbersTest::anyDesignIsShownAtAnyWidth_data()
{
    QTest::addColumn<int>("devices");
    QTest::addColumn<int>("width");
    for (const int devices : { 1, 4, 64 })
        for (const int width : { 120, 365, 900 })
            QTest::addRow("%d devices, %d px", devices, width) << devices << width;
}

void NumbersTest::anyDesignIsShownAtAnyWidth()
{
    QFETCH(int, devices);
    QFETCH(int, width);
    Document document;
    Design design = libraryDesign("1f1b", devices, devices);
    design.memory.unit = MemoryUnit::Byte;
    document.reset(design, {});
    LiveFigures live(document);
    NumbersPanel panel(live);
    panel.resize(width, 300);
    for (const NumbersView view : { NumbersView::Time, NumbersView::Memory, NumbersView::Lifespans }) {
        panel.setView(view);
        QVERIFY(!panel.grab().isNull());
    }
    QCOMPARE(panel.findChild<NumbersModel*>()->rowCount(), devices);
}

PIPELOOM_WINDOW_TEST_MAIN(NumbersTest)
#include "numbers_test.moc"
