// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/file_actions.h"
#include "app/designer/window/message_bar.h"
#include "core/library/library.h"
#include "tests/designer/window_test_main.h"

#include <QDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTemporaryDir>

using namespace pipeloom;
using namespace pipeloom::designer;

namespace {

/// A window with file actions, in a folder of its own. The file dialog answers with `chosen`.
struct Shell {
    QTemporaryDir folder;
    Settings settings { folder.filePath("settings.ini") };
    Document document;
    QWidget window;
    ActionRegistry registry;
    FileActions files { document, &window, registry, settings };
    QString chosen;
    int asked = 0;

    Shell()
    {
        const auto answer = [this](QWidget*, const FileQuestion&) {
            ++asked;
            return chosen;
        };
        files.setChooser({ answer, answer });
    }
    QString path(const QString& name) const { return folder.filePath(name); }
    void trigger(const char* name) const { registry.find(name)->trigger(); }
    void rename(const std::string& name)
    {
        Design design = *document.committed();
        design.name = name;
        document.apply({ design, "Rename", {} });
    }
    QByteArray read(const QString& name) const
    {
        QFile file(path(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    void write(const QString& name, const QByteArray& text) const
    {
        QFile file(path(name));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
    }
    bool openAndWait(const QString& name)
    {
        QSignalSpy arrived(&files.loader(), &DesignLoader::finished);
        files.open(path(name));
        return arrived.wait(5000);
    }
};

/// Clicks a button of the modal question that comes next. `shown` becomes its text.
void answerNext(QMessageBox::StandardButton button, QString& shown)
{
    QTimer::singleShot(0, qApp, [button, &shown] {
        auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        QVERIFY(box);
        shown = box->text();
        QTest::mouseClick(box->button(button), Qt::LeftButton);
    });
}

Design vHalf() { return *findInLibrary("v-half")->make({}).design; }

} // namespace

class FileActionsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// The offscreen platform warns of every dialog.
    void init() { QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support)")); }
    void nothingIsAskedAboutACleanDocument();
    void cancelKeepsTheDocument();
    void discardGivesItUpUnsaved();
    void saveSavesFirst();
    void saveThatIsGivenUpKeepsTheDocument();
    void whatIsSavedIsTheCanonicalTextAndOpensAgain();
    void aBrokenFileIsToldAndTheDocumentLeftAlone();
    void aMissingFileIsTold();
    void aBrokenBlockIsSavedAndReopened();
    void aFileThatCannotBeWrittenIsTold();
    void revertGivesBackTheSavedState();
    void cancelledReadingChangesNothing();
    void newAsksForThePipelineAndMakesAnEmptyBlock();
    void disabledActionsSayWhy();
    void titleTellsNameAndDirt();
};

void FileActionsTest::nothingIsAskedAboutACleanDocument()
{
    Shell shell;
    QVERIFY(shell.files.maybeClose());
    QVERIFY(shell.files.take(vHalf()));
    QVERIFY(shell.files.maybeClose());
}

void FileActionsTest::cancelKeepsTheDocument()
{
    Shell shell;
    shell.files.take(vHalf());
    shell.rename("changed");
    QString shown;
    answerNext(QMessageBox::Cancel, shown);
    shell.files.close();
    QVERIFY(shown.contains("changed"));
    QVERIFY(shell.files.isOpen());
    QCOMPARE(shell.document.committed()->name, std::string("changed"));
}

void FileActionsTest::discardGivesItUpUnsaved()
{
    Shell shell;
    shell.files.take(vHalf());
    shell.rename("changed");
    QString shown;
    answerNext(QMessageBox::Discard, shown);
    shell.trigger("file.close");
    QVERIFY(!shown.isEmpty());
    QVERIFY(!shell.files.isOpen());
    QVERIFY(!shell.document.isDirty());
    QCOMPARE(shell.asked, 0);
}

void FileActionsTest::saveSavesFirst()
{
    Shell shell;
    shell.files.take(vHalf());
    shell.rename("kept");
    shell.chosen = shell.path("kept.pipeloom.json");
    const std::string text = writeDesign(*shell.document.committed());
    QString shown;
    answerNext(QMessageBox::Save, shown);
    QVERIFY(shell.files.maybeClose());
    QVERIFY(!shown.isEmpty());
    QCOMPARE(shell.read("kept.pipeloom.json"), QByteArray::fromStdString(text));
    QVERIFY(!shell.document.isDirty());
}

void FileActionsTest::saveThatIsGivenUpKeepsTheDocument()
{
    Shell shell;
    shell.files.take(vHalf());
    shell.rename("changed");
    QString shown;
    answerNext(QMessageBox::Save, shown); // and then no path is chosen
    QVERIFY(!shell.files.maybeClose());
    QCOMPARE(shell.asked, 1);
    QVERIFY(shell.document.isDirty());
}

void FileActionsTest::whatIsSavedIsTheCanonicalTextAndOpensAgain()
{
    Shell shell;
    shell.files.take(vHalf());
    shell.chosen = shell.path("v.pipeloom.json");
    shell.trigger("file.saveAs");
    QCOMPARE(shell.document.path(), shell.path("v.pipeloom.json"));
    const QByteArray text = shell.read("v.pipeloom.json");
    shell.files.close();
    QCOMPARE(shell.files.recent().paths(), QStringList { shell.path("v.pipeloom.json") });

    QSignalSpy opened(&shell.files, &FileActions::opened);
    QVERIFY(shell.openAndWait("v.pipeloom.json"));
    QCOMPARE(opened.count(), 1);
    QCOMPARE(QByteArray::fromStdString(writeDesign(*shell.document.committed())), text);
    QVERIFY(!shell.document.isDirty());
    QVERIFY(shell.files.bar()->isHidden());
}

void FileActionsTest::aBrokenFileIsToldAndTheDocumentLeftAlone()
{
    Shell shell;
    shell.files.take(vHalf());
    const DesignPtr before = shell.document.committed();
    shell.write("broken.pipeloom.json", "{\n  \"pipeloom\": 1,\n  \"pipeline\": [\n");
    QVERIFY(shell.openAndWait("broken.pipeloom.json"));
    QCOMPARE(shell.document.committed(), before);
    QVERIFY(!shell.files.bar()->isHidden());
    QVERIFY(shell.files.bar()->text().contains("broken.pipeloom.json cannot be opened"));
    QCOMPARE(shell.files.bar()->details().size(), 1);
    QVERIFY2(
        shell.files.bar()->details().front().startsWith("Line "), qPrintable(shell.files.bar()->details().front()));
    QVERIFY(shell.files.recent().paths().isEmpty());
}

void FileActionsTest::aMissingFileIsTold()
{
    Shell shell;
    QVERIFY(shell.openAndWait("none.pipeloom.json"));
    QVERIFY(!shell.files.isOpen());
    QVERIFY(!shell.files.bar()->isHidden());
    QCOMPARE(shell.files.bar()->details().size(), 1);
}

void FileActionsTest::aBrokenBlockIsSavedAndReopened()
{
    Shell shell;
    Design broken = vHalf();
    std::get<BuildingBlock>(broken.plan).passes.resize(5);
    shell.files.take(broken);
    shell.chosen = shell.path("half-drawn.pipeloom.json");
    QVERIFY(shell.files.saveAs());
    shell.files.close();
    QVERIFY(shell.openAndWait("half-drawn.pipeloom.json"));
    QCOMPARE(shell.document.committed()->block()->passes.size(), std::size_t { 5 });
}

void FileActionsTest::aFileThatCannotBeWrittenIsTold()
{
    Shell shell;
    shell.files.take(vHalf());
    shell.rename("lost?");
    shell.chosen = shell.path("no/such/folder/v.pipeloom.json");
    QVERIFY(!shell.files.saveAs());
    QVERIFY(shell.document.isDirty());
    QVERIFY(shell.files.bar()->text().contains("was not saved"));
    QCOMPARE(shell.files.bar()->details().size(), 1);
}

void FileActionsTest::revertGivesBackTheSavedState()
{
    Shell shell;
    shell.files.take(vHalf());
    shell.chosen = shell.path("v.pipeloom.json");
    shell.files.saveAs();
    const std::string saved = writeDesign(*shell.document.committed());
    shell.rename("changed");
    QSignalSpy arrived(&shell.files.loader(), &DesignLoader::finished);
    QString shown;
    QTimer::singleShot(0, qApp, [&shown] {
        auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        QVERIFY(box);
        shown = box->objectName();
        for (QAbstractButton* button : box->buttons())
            if (button->accessibleName() == "Revert")
                QTest::mouseClick(button, Qt::LeftButton);
    });
    shell.trigger("file.revert");
    QCOMPARE(shown, QString("revertQuestion"));
    QVERIFY(arrived.wait(5000));
    QCOMPARE(writeDesign(*shell.document.committed()), saved);
    QVERIFY(!shell.document.isDirty());
}

void FileActionsTest::cancelledReadingChangesNothing()
{
    Shell shell;
    shell.files.take(vHalf());
    const DesignPtr before = shell.document.committed();
    shell.write("v.pipeloom.json", QByteArray::fromStdString(writeDesign(*before)));
    QSignalSpy finished(&shell.files.loader(), &DesignLoader::finished);
    QSignalSpy cancelled(&shell.files.loader(), &DesignLoader::cancelled);
    shell.files.open(shell.path("v.pipeloom.json"));
    shell.files.loader().cancel();
    QCOMPARE(cancelled.count(), 1);
    QVERIFY(!finished.wait(200));
    QCOMPARE(shell.document.committed(), before);
}

void FileActionsTest::newAsksForThePipelineAndMakesAnEmptyBlock()
{
    Shell shell;
    bool shown = false;
    QTimer::singleShot(0, qApp, [&shown] {
        auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget());
        QVERIFY(dialog);
        QCOMPARE(dialog->objectName(), QString("newBlockDialog"));
        shown = true;
        dialog->findChild<QSpinBox*>("newDevices")->setValue(6);
        QTest::mouseClick(dialog->findChild<QPushButton*>("newCreate"), Qt::LeftButton);
    });
    shell.trigger("file.new");
    QVERIFY(shown);
    QVERIFY(shell.files.isOpen());
    const Design& design = *shell.document.committed();
    QCOMPARE(design.pipeline.devices, 6);
    QCOMPARE(design.pipeline.stages, 12);
    QCOMPARE(design.pipeline.kind, PlacementKind::V);
    QVERIFY(design.block()->passes.empty());
    QCOMPARE(design.block()->interval, Ticks { 6 });
    QVERIFY(!shell.document.isDirty());
}

void FileActionsTest::disabledActionsSayWhy()
{
    Shell shell;
    QVERIFY(!shell.registry.find("file.save")->isEnabled());
    QCOMPARE(shell.registry.find("file.save")->statusTip(), QString("No design is open."));
    shell.files.take(vHalf());
    QVERIFY(shell.registry.find("file.save")->isEnabled());
    QCOMPARE(shell.registry.find("file.revert")->statusTip(), QString("It was never saved."));
    QVERIFY(shell.registry.duplicateShortcuts().isEmpty());
}

void FileActionsTest::titleTellsNameAndDirt()
{
    Shell shell;
    QCOMPARE(shell.window.windowTitle(), QString("Pipeloom"));
    shell.files.take(vHalf());
    QVERIFY(!shell.window.isWindowModified());
    shell.rename("other");
    QVERIFY(shell.window.isWindowModified());
    QCOMPARE(shell.window.windowTitle(), QString("other[*] – Pipeloom"));
    shell.document.undoStack().undo();
    QVERIFY(!shell.window.isWindowModified());
}

PIPELOOM_WINDOW_TEST_MAIN(FileActionsTest)
#include "file_actions_test.moc"
