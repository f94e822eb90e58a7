// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/drop_target.h"
#include "app/designer/window/file_actions.h"
#include "app/designer/window/library_dialog.h"
#include "app/designer/window/message_bar.h"
#include "app/designer/window/picture_tile.h"
#include "app/designer/window/recovery_bar.h"
#include "app/designer/window/start_page.h"
#include "core/formats/design_file.h"
#include "tests/designer/window_test_main.h"

#include <QDir>
#include <QDragEnterEvent>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>

using namespace pipeloom;
using namespace pipeloom::designer;

namespace {

struct Shell {
    QTemporaryDir folder;
    Settings settings { folder.filePath("settings.ini") };
    Document document;
    QWidget window;
    ActionRegistry registry;
    FileActions files { document, &window, registry, settings };

    QString save(const QString& name, const Design& design) const
    {
        const QString path = folder.filePath(name);
        if (!saveText(path.toStdString(), writeDesign(design)).empty())
            qFatal("no file %s", qPrintable(name));
        return path;
    }
};

Design vHalf() { return *findInLibrary("v-half")->make({}).design; }

/// Enter, move, drop at the middle of a widget. Gives whether the drop was taken.
bool drop(QWidget& window, const QMimeData& data)
{
    const QPoint at = window.rect().center();
    QDragEnterEvent enter(at, Qt::CopyAction | Qt::MoveAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(&window, &enter);
    if (!enter.isAccepted())
        return false;
    QDragMoveEvent move(at, Qt::CopyAction | Qt::MoveAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(&window, &move);
    QDropEvent dropped(at, Qt::CopyAction | Qt::MoveAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(&window, &dropped);
    return dropped.isAccepted() && dropped.dropAction() == Qt::CopyAction;
}

} // namespace

class ShellTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void recentFilesAreTenNewestFirstAndMissingOnesGreyed();
    void aDesignDroppedIsGivenToBeOpened();
    void eventsDroppedAreARun();
    void aTableDroppedIsGivenAsText();
    void theOverlaySaysWhatADropWouldDo();
    void whatIsNeitherIsNotTaken();
    void theRecoveryBarRecovers();
    void theRecoveryBarDiscards();
    void theLibraryDialogShowsFiguresAndTellsWhatCannotBeMade();
    void theStartPageOpensRecentFiles();
    void tilesOfTheStartPageBegin();
};

void ShellTest::recentFilesAreTenNewestFirstAndMissingOnesGreyed()
{
    Shell shell;
    RecentFiles& recent = shell.files.recent();
    for (int i = 0; i < 12; ++i)
        recent.add(shell.folder.filePath(QString("%1.pipeloom.json").arg(i)));
    recent.add(shell.save("5.pipeloom.json", vHalf()));
    QCOMPARE(recent.paths().size(), 10);
    QCOMPARE(recent.paths().front(), shell.folder.filePath("5.pipeloom.json"));
    QCOMPARE(recent.paths().count(recent.paths().front()), 1);
    QMenu menu;
    recent.attach(menu);
    Q_EMIT menu.aboutToShow();
    QCOMPARE(menu.actions().size(), 12); // a line and Clear
    QVERIFY(menu.actions()[0]->isEnabled());
    QVERIFY(!menu.actions()[1]->isEnabled());
    QSignalSpy arrived(&shell.files.loader(), &DesignLoader::finished);
    menu.actions()[0]->trigger();
    QVERIFY(arrived.wait(5000));
    QVERIFY(shell.files.isOpen());
    menu.actions().back()->trigger();
    QVERIFY(recent.paths().isEmpty());
}

void ShellTest::aDesignDroppedIsGivenToBeOpened()
{
    Shell shell;
    DropTarget target(&shell.window);
    QSignalSpy dropped(&target, &DropTarget::designDropped);
    QMimeData data;
    data.setUrls({ QUrl::fromLocalFile("/somewhere/v half.pipeloom.json") });
    QVERIFY(drop(shell.window, data));
    QCOMPARE(dropped.count(), 0); // not while the other program waits
    QTRY_COMPARE(dropped.count(), 1);
    QCOMPARE(dropped.front().front().toString(), QString("/somewhere/v half.pipeloom.json"));
}

void ShellTest::eventsDroppedAreARun()
{
    Shell shell;
    DropTarget target(&shell.window);
    QSignalSpy run(&target, &DropTarget::runDropped);
    QMimeData data;
    data.setUrls({ QUrl::fromLocalFile("/somewhere/events.jsonl") });
    QVERIFY(drop(shell.window, data));
    QTRY_COMPARE(run.count(), 1);
    QCOMPARE(run[0][0].toString(), QString("/somewhere/events.jsonl"));
    data.setUrls({ QUrl::fromLocalFile(shell.folder.path()) });
    QCOMPARE(DropTarget::kindOf(data), DropTarget::Kind::Nothing); // a folder without events
    QFile file(shell.folder.filePath("events.jsonl"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(drop(shell.window, data));
    QTRY_COMPARE(run.count(), 2);
    QCOMPARE(run[1][0].toString(), shell.folder.path());
}

void ShellTest::aTableDroppedIsGivenAsText()
{
    Shell shell;
    DropTarget target(&shell.window);
    QSignalSpy dropped(&target, &DropTarget::costTableDropped);
    QMimeData text;
    text.setText("1\t2\t1\n1\t2\t1\n");
    QVERIFY(drop(shell.window, text));
    QTRY_COMPARE(dropped.count(), 1);
    QCOMPARE(dropped[0][0].toString(), QString("1\t2\t1\n1\t2\t1\n"));
    QFile file(shell.folder.filePath("costs.csv"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("F,B,W\n3,4,5\n");
    file.close();
    QMimeData csv;
    csv.setUrls({ QUrl::fromLocalFile(file.fileName()) });
    QVERIFY(drop(shell.window, csv));
    QTRY_COMPARE(dropped.count(), 2);
    QCOMPARE(dropped[1][0].toString(), QString("F,B,W\n3,4,5\n"));
    QSignalSpy refused(&target, &DropTarget::refused);
    csv.setUrls({ QUrl::fromLocalFile(shell.folder.filePath("none.csv")) });
    QVERIFY(drop(shell.window, csv));
    QTRY_COMPARE(refused.count(), 1);
}

void ShellTest::theOverlaySaysWhatADropWouldDo()
{
    Shell shell;
    shell.window.resize(600, 400);
    shell.window.show();
    DropTarget target(&shell.window);
    QMimeData data;
    data.setUrls({ QUrl::fromLocalFile("/x/v.pipeloom.json") });
    QDragEnterEvent enter({ 5, 5 }, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(&shell.window, &enter);
    auto* overlay = shell.window.findChild<QWidget*>("dropOverlay");
    QVERIFY(overlay && overlay->isVisible());
    QCOMPARE(overlay->accessibleName(), QString("Open v.pipeloom.json"));
    QCOMPARE(overlay->size(), shell.window.size());
    QDragLeaveEvent leave;
    QApplication::sendEvent(&shell.window, &leave);
    QTRY_VERIFY(!shell.window.findChild<QWidget*>("dropOverlay"));
}

void ShellTest::whatIsNeitherIsNotTaken()
{
    Shell shell;
    DropTarget target(&shell.window);
    QMimeData picture;
    picture.setUrls({ QUrl::fromLocalFile("/x/v.png") });
    QVERIFY(!drop(shell.window, picture));
    QMimeData several;
    several.setUrls({ QUrl::fromLocalFile("/x/a.pipeloom.json"), QUrl::fromLocalFile("/x/b.pipeloom.json") });
    QVERIFY(!drop(shell.window, several));
    QMimeData words;
    words.setText("a sentence, and nothing else");
    QVERIFY(!drop(shell.window, words));
}

void ShellTest::theRecoveryBarRecovers()
{
    Shell shell;
    const QString folder = shell.folder.filePath("recovery");
    Design design = vHalf();
    design.name = "before the crash";
    const LeftBehind left { folder + "/00-999999999.pipeloom.json", {}, "V-Half", QDateTime::currentDateTime() };
    QCOMPARE(writeRecovery(left, writeDesign(design), { 999'999'999, 1 }), QString());
    Autosave autosave(shell.document, folder);
    RecoveryBar bar(autosave, shell.files, &shell.window);
    QCOMPARE(bar.count(), 1);
    QVERIFY(!bar.isHidden());
    QTest::mouseClick(bar.findChild<QPushButton*>("recover0"), Qt::LeftButton);
    QCOMPARE(writeDesign(*shell.document.committed()), writeDesign(design));
    QVERIFY(shell.files.isOpen());
    QVERIFY(shell.document.isDirty());
    QCOMPARE(bar.count(), 0);
    QVERIFY(bar.isHidden());
}

void ShellTest::theRecoveryBarDiscards()
{
    Shell shell;
    const QString folder = shell.folder.filePath("recovery");
    for (const char* name : { "/00-999999999.pipeloom.json", "/01-999999998.pipeloom.json" }) {
        const LeftBehind left { folder + name, {}, "V-Half", QDateTime::currentDateTime() };
        QCOMPARE(writeRecovery(left, writeDesign(vHalf()), { 999'999'999, 1 }), QString());
    }
    Autosave autosave(shell.document, folder);
    RecoveryBar bar(autosave, shell.files, &shell.window);
    QCOMPARE(bar.count(), 2);
    QTest::mouseClick(bar.findChild<QPushButton*>("discard0"), Qt::LeftButton);
    QCOMPARE(bar.count(), 1);
    QCOMPARE(QDir(folder).entryList(QDir::Files).size(), 2);
    QVERIFY(!shell.files.isOpen());
}

void ShellTest::theLibraryDialogShowsFiguresAndTellsWhatCannotBeMade()
{
    LibraryDialog dialog;
    dialog.show();
    QCOMPARE(dialog.findChild<QListWidget*>("libraryList")->count(), static_cast<int>(library().size()));
    dialog.choose("v-half");
    auto* figures = dialog.findChild<QLabel*>("libraryFigures");
    auto* create = dialog.findChild<QPushButton*>("libraryCreate");
    QTRY_VERIFY2(figures->text().startsWith("53 ticks"), qPrintable(figures->text()));
    QVERIFY(create->isEnabled());
    QVERIFY(create->isDefault());
    dialog.findChild<QSpinBox*>("libraryDevices")->setValue(6);
    QCOMPARE(dialog.design()->pipeline.devices, 6);
    QTRY_VERIFY(!figures->text().startsWith("53 ticks"));
    dialog.findChild<QSpinBox*>("libraryChunks")->setValue(3); // a V has two
    QVERIFY(!dialog.design());
    QVERIFY(!create->isEnabled());
    QVERIFY(!dialog.findChild<QLabel*>("libraryProblem")->text().isEmpty());
}

void ShellTest::theStartPageOpensRecentFiles()
{
    Shell shell;
    shell.files.recent().add(shell.folder.filePath("gone.pipeloom.json"));
    shell.files.recent().add(shell.save("v-half.pipeloom.json", vHalf()));
    StartPage page(shell.files);
    page.resize(1200, 800);
    page.show();
    auto* tile = page.findChild<PictureTile*>("startRecent0");
    QVERIFY(tile);
    QCOMPARE(tile->text(), QString("v-half"));
    QVERIFY(!page.findChild<PictureTile*>("startRecent1")->isEnabled());
    QTRY_VERIFY(tile->hasPicture());
    QSignalSpy arrived(&shell.files.loader(), &DesignLoader::finished);
    QTest::mouseClick(tile, Qt::LeftButton);
    QVERIFY(arrived.wait(5000));
    QCOMPARE(shell.document.path(), shell.folder.filePath("v-half.pipeloom.json"));
}

void ShellTest::tilesOfTheStartPageBegin()
{
    Shell shell;
    int asked = 0;
    shell.files.setChooser({ [&](QWidget*, const FileQuestion&) {
                                ++asked;
                                return QString();
                            },
        {} });
    StartPage page(shell.files);
    page.resize(1200, 800);
    page.show();
    QTest::mouseClick(page.findChild<PictureTile*>("startOpen"), Qt::LeftButton);
    QCOMPARE(asked, 1);
    QString shown;
    QTimer::singleShot(0, qApp, [&shown] {
        auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
        QVERIFY(dialog);
        shown = dialog->objectName();
        dialog->accept();
    });
    page.findChild<PictureTile*>("startNew")->setFocus();
    QTest::keyClick(page.findChild<PictureTile*>("startNew"), Qt::Key_Space);
    QCOMPARE(shown, QString("newBlockDialog"));
    QVERIFY(shell.files.isOpen());
}

PIPELOOM_WINDOW_TEST_MAIN(ShellTest)
#include "shell_test.moc"
