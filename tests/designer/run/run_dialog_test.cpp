// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/recent_runs.h"
#include "app/designer/run/run_choices.h"
#include "app/designer/run/run_dialog.h"
#include "core/library/library.h"
#include "tests/designer/run/fake_run.h"
#include "tests/designer/window_test_main.h"

#include <QAbstractButton>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTreeWidget>

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;

namespace {

Design small() { return *findInLibrary("v-half")->make({}).design; }

void type(QWidget& dialog, const char* field, const QString& text)
{
    auto* line = dialog.findChild<QWidget*>(field);
    QTest::mouseClick(line, Qt::LeftButton, {}, line->rect().center());
    QTest::keyClick(line, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(line, text);
}

} // namespace

class RunDialogTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { failOnWarnings(); }
    void wordsSurviveAShell_data();
    void wordsSurviveAShell();
    void linesAreSplitAsAShellDoes();
    void settingsSurviveTheDisk();
    void anythingElseOnTheDiskIsTheDefault();
    void theTemplateIsFilled();
    void whatIsTypedBecomesTheCommandLine();
    void whatIsWrongIsSaidBelowItsField();
    void everyPageIsReachedByKey();
    void aDesignIsRunAsItWasLast();
    void aRunIsChosenFromTheList();
    void aFileIsChosenInstead();
};

void RunDialogTest::wordsSurviveAShell_data()
{
    QTest::addColumn<QString>("word");
    for (const char* word :
        { "plain", "with blank", "it's", "\"", "$HOME `id` \\", "*", "", "ä;b&c|d", "a\nb", "-x", "~", "#a" })
        QTest::newRow(word) << QString::fromUtf8(word);
}

void RunDialogTest::wordsSurviveAShell()
{
    QFETCH(const QString, word);
    QProcess shell;
    shell.start("sh", { "-c", "printf %s " + shellQuoted(word) });
    QVERIFY(shell.waitForFinished());
    QCOMPARE(QString::fromUtf8(shell.readAllStandardOutput()), word);
    bool ok = false;
    QCOMPARE(shellWords("a " + shellQuoted(word) + " b", ok), QStringList({ "a", word, "b" }));
    QVERIFY(ok);
}

void RunDialogTest::linesAreSplitAsAShellDoes()
{
    const QString line = R"(  --drill  'slow=5@1F2' "a \"b\" \c" d\ e f''g '' )";
    bool ok = false;
    QProcess shell;
    shell.start("sh", { "-c", "printf '%s\\n' " + line });
    QVERIFY(shell.waitForFinished());
    const QString printed = QString::fromUtf8(shell.readAllStandardOutput());
    QCOMPARE(shellWords(line, ok).join('\n') + '\n', printed);
    QVERIFY(ok);
    (void)shellWords("it's", ok);
    QVERIFY(!ok);
}

void RunDialogTest::settingsSurviveTheDisk()
{
    RunSettings run;
    run.program = "/opt/pipeloom";
    run.folder = "/data";
    run.where = RunSettings::Where::Starter;
    run.ranks = 8;
    run.transport = "nccl";
    run.device = "cuda";
    run.data = { "a b", "c" };
    run.steps = 1'000'000'000;
    run.timeoutSeconds = 2.5;
    run.checkpoint = "saved";
    run.resume = "before";
    run.replicas = 2;
    run.optimizer = "post-validation";
    run.onNan = "skip";
    run.queue = "pair";
    run.rehearsal = RunSettings::Rehearsal::Virtual;
    run.verify = true;
    run.more = "--drill x";
    run.environment = { "A=b" };
    run.starter = "srun {command}";
    run.eventsFolder = "/shared";
    run.keepRunning = true;
    QVERIFY(runSettings(toJson(run)) == run);
    QVERIFY(!(run == RunSettings()));
}

void RunDialogTest::anythingElseOnTheDiskIsTheDefault()
{
    QVERIFY(runSettings({}) == RunSettings());
    const QJsonObject bad { { "where", 7 }, { "ranks", -1 }, { "transport", "pigeon" }, { "device", 3 },
        { "steps", 1e30 }, { "timeout", "long" }, { "data", "no list" }, { "rehearsal", -2 }, { "replicas", 0 } };
    QVERIFY(runSettings(bad) == RunSettings());
}

void RunDialogTest::theTemplateIsFilled()
{
    RunSettings run;
    run.program = "pipeloom";
    run.design = "my design.json";
    run.folder = "/a {command} b";
    run.where = RunSettings::Where::Starter;
    run.starter = "srun -n 4 -D {dir} {command}";
    QCOMPARE(commandLine(run, "e"), QString("srun -n 4 -D '/a {command} b' pipeloom run 'my design.json' --events e"));
    // What ssh is told is read by a shell once more.
    run.folder = "/a";
    run.program = "printf";
    run.starter = "ssh node7 {command}";
    const QString line = commandLine(run, "e");
    QProcess shell;
    shell.start("sh", { "-c", "ssh() { shift; printf '%s' \"$*\"; }; " + line });
    QVERIFY(shell.waitForFinished());
    QCOMPARE(
        QString::fromUtf8(shell.readAllStandardOutput()), QString("cd /a && printf run 'my design.json' --events e"));
}

void RunDialogTest::whatIsTypedBecomesTheCommandLine()
{
    Settings settings(FakeRun().path("none.ini"));
    RunSettings proposed = proposedRun(settings, small(), {});
    proposed.program = "/opt/pipeloom";
    FileChooser chooser;
    const FakeRun fake;
    chooser.toOpen = [&](QWidget*, const FileQuestion&) { return fake.path("a run"); };
    RunDialog dialog(
        proposed, small(), chooser, nullptr, [](QWidget*, const FileQuestion&) { return QString("/saved"); });
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    auto* start = dialog.findChild<QPushButton*>("runStart");
    QVERIFY(!start->isEnabled()); // it has no text to train on
    QTest::mouseClick(dialog.findChild<QPushButton*>("runAddData"), Qt::LeftButton);
    QVERIFY(start->isEnabled());
    type(dialog, "runSteps", "7");
    QTest::mouseClick(dialog.findChild<QPushButton*>("runChooseCheckpoint"), Qt::LeftButton);
    QTest::mouseClick(dialog.findChild<QAbstractButton*>("runPage1"), Qt::LeftButton);
    auto* where = dialog.findChild<QComboBox*>("runWhere");
    where->setFocus();
    QTest::keyClick(where, Qt::Key_Down);
    type(dialog, "runReplicas", "2");
    const RunSettings run = dialog.settings();
    QCOMPARE(run.ranks, 8);
    QCOMPARE(run.data, QStringList(fake.path("a run")));
    auto* command = dialog.findChild<QLineEdit*>("runCommandLine");
    QCOMPARE(command->text(),
        "/opt/pipeloom run design.pipeloom.json --ranks 8 --steps 7 --replicas 2 --checkpoint /saved --events events "
        "--data '"
            + fake.path("a run") + "'");
    QTest::mouseClick(dialog.findChild<QPushButton*>("runCopy"), Qt::LeftButton);
    QCOMPARE(QApplication::clipboard()->text(), command->text());
    QSignalSpy accepted(&dialog, &QDialog::accepted);
    QTest::keyClick(command, Qt::Key_Return);
    QCOMPARE(accepted.size(), 1);
}

void RunDialogTest::whatIsWrongIsSaidBelowItsField()
{
    RunSettings proposed;
    proposed.program = "/opt/pipeloom";
    proposed.rehearsal = RunSettings::Rehearsal::Real;
    RunDialog dialog(proposed, small(), {}, nullptr);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    auto* start = dialog.findChild<QPushButton*>("runStart");
    auto* summary = dialog.findChild<QLabel*>("runSummary");
    QVERIFY(start->isEnabled());
    QVERIFY(!summary->isVisible());
    QTest::mouseClick(dialog.findChild<QAbstractButton*>("runPage2"), Qt::LeftButton);
    type(dialog, "runEnvironment", "A=b 7=c");
    QVERIFY(dialog.findChild<QLabel*>("wrong-environment")->isVisible());
    QVERIFY(!start->isEnabled());
    QVERIFY2(summary->text().startsWith("More: "), qPrintable(summary->text()));
    type(dialog, "runEnvironment", "A=b");
    QVERIFY(!dialog.findChild<QLabel*>("wrong-environment")->isVisible());
    QVERIFY(start->isEnabled());
    QTest::mouseClick(dialog.findChild<QAbstractButton*>("runPage1"), Qt::LeftButton);
    type(dialog, "runStarter", "srun -n 4");
    QCOMPARE(dialog.findChild<QLabel*>("wrong-starter")->text(), QString("The template must hold {command}."));
    type(dialog, "runStarter", " ");
    auto* rehearsal = dialog.findChild<QComboBox*>("runRehearsal");
    QTest::mouseClick(dialog.findChild<QAbstractButton*>("runPage0"), Qt::LeftButton);
    rehearsal->setFocus();
    QTest::keyClick(rehearsal, Qt::Key_Home);
    QVERIFY(dialog.findChild<QLabel*>("wrong-data")->isVisible());
    type(dialog, "runData", "/no/such/file");
    QCOMPARE(dialog.findChild<QLabel*>("wrong-data")->text(), QString("/no/such/file is no file."));
}

void RunDialogTest::everyPageIsReachedByKey()
{
    RunDialog dialog({}, small(), {}, nullptr);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    dialog.activateWindow();
    QTRY_VERIFY(dialog.isActiveWindow());
    dialog.findChild<QAbstractButton*>("runPage0")->setFocus();
    QSet<QString> reached;
    for (int page = 0; page < 3; ++page) {
        for (int i = 0; i < 40; ++i) {
            reached.insert(QApplication::focusWidget()->objectName());
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        }
        auto* tab = dialog.findChild<QAbstractButton*>(QStringLiteral("runPage%1").arg(page));
        tab->setFocus();
        QTest::keyClick(tab, Qt::Key_Right);
    }
    for (const char* name :
        { "runSteps", "runData", "runChooseResume", "runWhere", "runReplicas", "runStarter", "runEventsFolder",
            "runEnvironment", "runTimeout", "runMore", "runKeepRunning", "runCommandLine", "runCopy", "cancel" })
        QVERIFY2(reached.contains(name), name);
}

void RunDialogTest::aDesignIsRunAsItWasLast()
{
    const FakeRun fake;
    Settings settings(fake.path("settings.ini"));
    RunSettings run = proposedRun(settings, small(), "/x/a.json");
    QCOMPARE(run.ranks, 4);
    QCOMPARE(run.folder, QString("/x"));
    run.steps = 77;
    run.data = { fake.path("a run") };
    rememberRun(settings, "/x/a.json", run);
    QCOMPARE(proposedRun(settings, small(), "/x/a.json").steps, 77);
    const RunSettings other = proposedRun(settings, small(), "/x/b.json");
    QVERIFY(other.steps != 77);
    QCOMPARE(other.data, run.data);
    for (int i = 0; i < 30; ++i)
        rememberRun(settings, QStringLiteral("/x/%1.json").arg(i), run);
    QVERIFY(proposedRun(settings, small(), "/x/a.json").steps != 77);
    QCOMPARE(proposedRun(settings, small(), "/x/29.json").steps, 77);
    settings.set(setting::lastRuns, "no json");
    QVERIFY(proposedRun(settings, small(), "/x/29.json").steps != 77);
}

void RunDialogTest::aRunIsChosenFromTheList()
{
    const FakeRun fake;
    for (int i = 0; i < 3; ++i) {
        RunRecord record;
        record.at = QDateTime::currentDateTime().addSecs(i);
        record.name = QString("run %1").arg(i);
        record.folder = makeRunFolder(fake.runs(), record.name, record.at);
        QVERIFY(writeRecord(record));
        QFile exit(record.folder + "/exit");
        QVERIFY(i == 2 || (exit.open(QIODevice::WriteOnly) && exit.write(i == 0 ? "0\n" : "3\n") > 0));
    }
    RecentRunsDialog dialog(fake.runs(), {});
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    auto* list = dialog.findChild<QTreeWidget*>("recentRunsList");
    QCOMPARE(list->topLevelItemCount(), 3);
    QCOMPARE(list->topLevelItem(0)->text(1), QString("run 2"));
    QCOMPARE(list->topLevelItem(0)->text(2), QString("not known how it ended"));
    QCOMPARE(list->topLevelItem(1)->text(2), QString("failed (exit code 3)"));
    QCOMPARE(list->topLevelItem(2)->text(2), QString("finished"));
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Down);
    QTest::mouseClick(dialog.findChild<QPushButton*>("recentRunsOpen"), Qt::LeftButton);
    QCOMPARE(readRecord(dialog.runFolder())->name, QString("run 1"));
    QVERIFY(dialog.eventFile().isEmpty());
}

void RunDialogTest::aFileIsChosenInstead()
{
    FileChooser chooser;
    chooser.toOpen = [](QWidget*, const FileQuestion&) { return QString("/some/events.jsonl"); };
    RecentRunsDialog dialog(FakeRun().runs(), chooser);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    QVERIFY(!dialog.findChild<QPushButton*>("recentRunsOpen")->isEnabled());
    QTest::mouseClick(dialog.findChild<QPushButton*>("recentRunsFile"), Qt::LeftButton);
    QCOMPARE(dialog.eventFile(), QString("/some/events.jsonl"));
    QVERIFY(dialog.runFolder().isEmpty());
    QCOMPARE(dialog.result(), static_cast<int>(QDialog::Accepted));
}

PIPELOOM_WINDOW_TEST_MAIN(RunDialogTest)
#include "run_dialog_test.moc"
