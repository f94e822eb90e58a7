// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/export/export_actions.h"
#include "app/designer/export/figure_view.h"
#include "app/designer/window/file_actions.h"
#include "app/designer/window/message_bar.h"
#include "core/library/library.h"
#include "tests/designer/window_test_main.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QTemporaryDir>

using namespace pipeloom;
using namespace pipeloom::designer;

namespace {

struct Shell {
    QTemporaryDir folder;
    Settings settings { folder.filePath("settings.ini") };
    Document document;
    LiveFigures figures { document };
    QWidget window;
    ActionRegistry registry;
    FileActions files { document, &window, registry, settings };
    ExportActions exports { figures, files, &window, registry };
    FileQuestion question;

    Shell()
    {
        files.setChooser({ {}, [this](QWidget*, const FileQuestion& asked) {
                              question = asked;
                              return folder.filePath("figure" + asked.suffix);
                          } });
    }
    void openVHalf() { files.take(*findInLibrary("v-half")->make({}).design); }
    void breakBlock()
    {
        Design design = *document.committed();
        std::get<BuildingBlock>(design.plan).passes.pop_back();
        document.apply({ design, "Delete", {} });
    }
};

template <class Widget> Widget& child(QWidget& dialog, const char* name)
{
    auto* found = dialog.findChild<Widget*>(name);
    if (!found)
        qFatal("no %s", name);
    return *found;
}

} // namespace

class ExportDialogTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theActionOpensTheDialogWhichWrites();
    void whatIsChosenIsShownAndRemembered();
    void aBrokenDesignSwitchesItOffWithTheReason();
    void theDialogFollowsTheDesign();
    void copyGivesAPictureAndAnSvg();
};

void ExportDialogTest::theActionOpensTheDialogWhichWrites()
{
    Shell shell;
    shell.openVHalf();
    bool shown = false;
    QTimer::singleShot(0, qApp, [&shown] {
        QWidget* dialog = QApplication::activeModalWidget();
        QVERIFY(dialog);
        QCOMPARE(dialog->objectName(), QString("exportDialog"));
        shown = true;
        QTest::mouseClick(&child<QPushButton>(*dialog, "exportWrite"), Qt::LeftButton);
    });
    shell.registry.find("file.export")->trigger();
    QVERIFY(shown);
    QCOMPARE(shell.question.suffix, QString(".pdf"));
    QFile file(shell.folder.filePath("figure.pdf"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().startsWith("%PDF-"));
    QVERIFY(shell.files.bar()->text().contains("figure.pdf"));
}

void ExportDialogTest::whatIsChosenIsShownAndRemembered()
{
    Shell shell;
    shell.openVHalf();
    ExportDialog dialog(shell.figures, shell.files.chooser(), "/x/v", {});
    dialog.show();
    child<QComboBox>(dialog, "exportPaper").setCurrentIndex(0);
    QCOMPARE(child<QDoubleSpinBox>(dialog, "exportWidth").value(), 84.0);
    QVERIFY(child<QLabel>(dialog, "exportFacts").text().startsWith("84 × "));
    child<QDoubleSpinBox>(dialog, "exportWidth").setValue(100);
    QCOMPARE(child<QComboBox>(dialog, "exportPaper").currentIndex(), 3);
    child<QComboBox>(dialog, "exportFormat").setCurrentIndex(2);
    QVERIFY(child<QSpinBox>(dialog, "exportDpi").isEnabled());
    const QImage colour = dialog.grab().toImage();
    QTest::mouseClick(&child<QCheckBox>(dialog, "exportPreviewGrey"), Qt::LeftButton, {}, { 8, 8 });
    QVERIFY(dialog.grab().toImage() != colour);
    QVERIFY(!dialog.choice().figure.greyscale); // a look, no choice
    const ExportDialog again(shell.figures, shell.files.chooser(), "/x/v", dialog.choice());
    QCOMPARE(again.choice().figure.width, pixelsOfMm(100));
    QCOMPARE(again.choice().format, FigureFormat::Png);
}

void ExportDialogTest::aBrokenDesignSwitchesItOffWithTheReason()
{
    Shell shell;
    QAction* action = shell.registry.find("file.export");
    QVERIFY(!action->isEnabled());
    shell.openVHalf();
    QVERIFY(action->isEnabled());
    shell.breakBlock();
    QVERIFY(!action->isEnabled());
    QVERIFY2(action->statusTip().contains("23 of 24 passes are placed"), qPrintable(action->statusTip()));
    QVERIFY(!shell.registry.find("edit.copyImage")->isEnabled());
    shell.document.undoStack().undo();
    QVERIFY(action->isEnabled());
    QVERIFY(shell.registry.find("edit.copySvg")->isEnabled());
}

void ExportDialogTest::theDialogFollowsTheDesign()
{
    Shell shell;
    shell.openVHalf();
    ExportDialog dialog(shell.figures, shell.files.chooser(), "/x/v", {});
    dialog.show();
    QVERIFY(child<QPushButton>(dialog, "exportWrite").isEnabled());
    shell.breakBlock();
    QVERIFY(!child<QPushButton>(dialog, "exportWrite").isEnabled());
    QVERIFY(child<QLabel>(dialog, "exportProblem").text().contains("23 of 24 passes are placed"));
}

void ExportDialogTest::copyGivesAPictureAndAnSvg()
{
    Shell shell;
    shell.openVHalf();
    shell.registry.find("edit.copyImage")->trigger();
    const QImage image = QGuiApplication::clipboard()->image();
    QCOMPARE(image.width(), qRound(2 * pixelsOfMm(174)));
    shell.registry.find("edit.copySvg")->trigger();
    QVERIFY(QGuiApplication::clipboard()->mimeData()->data("image/svg+xml").contains("<svg"));
    QVERIFY(shell.registry.duplicateShortcuts().isEmpty());
}

PIPELOOM_WINDOW_TEST_MAIN(ExportDialogTest)
#include "export_dialog_test.moc"
