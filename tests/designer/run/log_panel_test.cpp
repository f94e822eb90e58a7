// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/log_panel.h"
#include "tests/designer/run/panel_run.h"
#include "tests/designer/window_test_main.h"

#include <QAbstractItemModelTester>
#include <QClipboard>
#include <QComboBox>
#include <QDateTime>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QScrollBar>

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;

class LogPanelTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { failOnWarnings(); }

    void everyStepHasItsLineWithTheTimeOfDay();
    void withoutATimeOfDaySecondsAreCounted();
    void whatProcessesWriteStandsBetween();
    void linesAreFoundByRankAndText();
    void itFollowsTheEndUnlessAPersonScrolledUp();
    void chosenLinesAreCopied();
    void theOldestLinesGoFirst();

private:
    static void show(QWidget& widget)
    {
        widget.resize(420, 300);
        widget.show();
        QVERIFY(QTest::qWaitForWindowExposed(&widget));
    }
    static QString text(const QAbstractItemModel& model, int row) { return model.index(row, 0).data().toString(); }
    static int find(const QAbstractItemModel& model, const QString& part)
    {
        for (int row = 0; row < model.rowCount(); ++row)
            if (text(model, row).contains(part))
                return row;
        return -1;
    }
};

void LogPanelTest::everyStepHasItsLineWithTheTimeOfDay()
{
    RunSession session;
    LogPanel panel(session);
    const QAbstractItemModelTester tester(&panel.model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    const QAbstractItemModelTester both(&panel.filter(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    show(panel);
    RunRecipe recipe;
    recipe.steps = 3;
    const QDateTime began(QDate(2026, 3, 4), QTime(14, 5, 12));
    recipe.beganUnixNs = began.toMSecsSinceEpoch() * 1'000'000;
    session.take(runEvents(recipe));
    QTRY_VERIFY(find(panel.model(), "step 2") >= 0);
    const int row = find(panel.model(), "step 2");
    QVERIFY2(text(panel.model(), row).startsWith("14:05:12 "), qPrintable(text(panel.model(), row)));
    QVERIFY2(
        text(panel.model(), row).contains(QString::number(lossAt(2), 'f', 2)), qPrintable(text(panel.model(), row)));
    QVERIFY(find(panel.model(), "step 1") < row);
}

void LogPanelTest::withoutATimeOfDaySecondsAreCounted()
{
    LogModel model;
    LogLine line;
    line.at = 12'340'000'000;
    QCOMPARE(model.timeText(line), QString(" +12.3 s"));
    line.at = -1;
    QCOMPARE(model.timeText(line), QString(8, ' '));
    line.unixMs = QDateTime(QDate(2026, 3, 4), QTime(14, 5, 12)).toMSecsSinceEpoch();
    QCOMPARE(model.timeText(line), QString("14:05:12"));
}

void LogPanelTest::whatProcessesWriteStandsBetween()
{
    RunSession session;
    LogPanel panel(session);
    show(panel);
    session.take(runEvents({}));
    QTRY_VERIFY(find(panel.model(), "step 2") >= 0);
    panel.addLine(2, "CUDA is not there", true);
    panel.addLine(-1, "4 ranks up", false);
    QTRY_VERIFY(find(panel.model(), "4 ranks up") >= 0);
    const int row = find(panel.model(), "CUDA");
    QVERIFY(text(panel.model(), row).endsWith("rank 2: CUDA is not there"));
    QCOMPARE(panel.model().line(row).level, RunNotice::Level::Warning);
    QVERIFY(row > find(panel.model(), "step 2"));
    QCOMPARE(find(panel.model(), "4 ranks up"), row + 1);
}

void LogPanelTest::linesAreFoundByRankAndText()
{
    RunSession session;
    LogPanel panel(session);
    const QAbstractItemModelTester both(&panel.filter(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    show(panel);
    session.take(runEvents({}));
    auto* ranks = panel.findChild<QComboBox*>("logRanks");
    QTRY_COMPARE(ranks->count(), 5);
    QCOMPARE(ranks->itemText(3), QString("rank 2"));
    panel.addLine(2, "Ready", false);
    panel.addLine(1, "ready too", false);
    QTRY_VERIFY(find(panel.model(), "ready too") >= 0);
    ranks->setFocus();
    ranks->setCurrentIndex(3);
    for (int row = 0; row < panel.filter().rowCount(); ++row)
        QVERIFY2(text(panel.filter(), row).contains('2'), qPrintable(text(panel.filter(), row)));
    QVERIFY(find(panel.filter(), "Ready") >= 0);
    QVERIFY(find(panel.filter(), "ready too") < 0);
    ranks->setCurrentIndex(0);
    auto* search = panel.findChild<QLineEdit*>("logSearch");
    search->setFocus();
    QTest::keyClicks(search, "READY");
    QCOMPARE(panel.filter().rowCount(), 2);
    panel.addLine(3, "not this", false); // what comes is filtered too
    panel.addLine(3, "ready, all of us", false);
    QTRY_COMPARE(panel.filter().rowCount(), 3);
    search->clear();
    QCOMPARE(panel.filter().rowCount(), panel.model().rowCount());
}

void LogPanelTest::itFollowsTheEndUnlessAPersonScrolledUp()
{
    RunSession session;
    LogPanel panel(session);
    show(panel);
    for (int line = 0; line < 200; ++line)
        panel.addLine(0, QString("line %1").arg(line), false);
    QTRY_COMPARE(panel.model().rowCount(), 200);
    auto* list = panel.findChild<QListView*>("logList");
    QScrollBar* bar = list->verticalScrollBar();
    QTRY_COMPARE(bar->value(), bar->maximum());
    QVERIFY(bar->maximum() > 0);
    panel.addLine(0, "line 200", false);
    QTRY_COMPARE(panel.model().rowCount(), 201);
    QTRY_COMPARE(bar->value(), bar->maximum());
    wheel(list->viewport(), QPoint(20, 20), 1200);
    const int up = bar->value();
    QVERIFY(up < bar->maximum());
    panel.addLine(0, "line 201", false);
    QTRY_COMPARE(panel.model().rowCount(), 202);
    QCOMPARE(bar->value(), up);
}

void LogPanelTest::chosenLinesAreCopied()
{
    RunSession session;
    LogPanel panel(session);
    show(panel);
    for (int line = 0; line < 5; ++line)
        panel.addLine(-1, QString("line %1").arg(line), false);
    QTRY_COMPARE(panel.model().rowCount(), 5);
    auto* list = panel.findChild<QListView*>("logList");
    list->setFocus();
    list->setCurrentIndex(panel.filter().index(1, 0));
    QTest::keyClick(list, Qt::Key_Down, Qt::ShiftModifier);
    QTest::keyClick(list, Qt::Key_C, Qt::ControlModifier);
    QCOMPARE(QGuiApplication::clipboard()->text(), text(panel.model(), 1) + "\n" + text(panel.model(), 2));
}

void LogPanelTest::theOldestLinesGoFirst()
{
    LogModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    const RunLog log;
    const auto lines = [](int from, int number) {
        std::vector<LogLine> made(static_cast<std::size_t>(number));
        for (int line = 0; line < number; ++line)
            made[static_cast<std::size_t>(line)].text = QString("line %1").arg(from + line);
        return made;
    };
    model.take(log, lines(0, 9000));
    model.take(log, lines(9000, 2000));
    QVERIFY(model.rowCount() <= static_cast<int>(LogModel::most));
    QVERIFY(model.rowCount() > 9000);
    QCOMPARE(model.line(model.rowCount() - 1).text, QString("line 10999"));
    QCOMPARE(model.line(0).text, QString("line %1").arg(11'000 - model.rowCount()));
    model.take(log, lines(11'000, 50'000));
    QCOMPARE(model.line(model.rowCount() - 1).text, QString("line 60999"));
}

PIPELOOM_WINDOW_TEST_MAIN(LogPanelTest)
#include "log_panel_test.moc"
