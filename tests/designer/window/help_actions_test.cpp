// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/command_palette.h"
#include "app/designer/window/help_actions.h"
#include "app/designer/window/key_sheet.h"
#include "app/designer/window/settings_dialog.h"
#include "app/designer/window/undo_panel.h"
#include "tests/designer/window_test_main.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QTemporaryDir>
#include <QUndoCommand>
#include <QUndoStack>
#include <QUndoView>

using namespace pipeloom::designer;

class HelpActionsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void keysOfTheWindowOpenPaletteAndKeySheet();
    void theKeySheetListsEveryActionAndGesture();
    void searchNarrowsTheSheetDown();
    void aLongSheetScrollsAndStaysInsideItsWidth();
    void theSheetIsSavedAsPdf();
    void theSettingsDialogSetsAndFollows();
    void undoListShowsNamesAndGoesThere();
};

void HelpActionsTest::keysOfTheWindowOpenPaletteAndKeySheet()
{
    QTemporaryDir folder;
    Settings settings(folder.filePath("s.ini"));
    QWidget window;
    window.resize(800, 600);
    ActionRegistry registry;
    HelpActions help(&window, registry, settings);
    window.addActions(registry.actions());
    QVERIFY(registry.duplicateShortcuts().isEmpty());
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QTest::keyClick(&window, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    QVERIFY(help.palette().isVisible());
    QTest::keyClick(help.palette().findChild<QLineEdit*>("paletteField"), Qt::Key_Escape);
    QTest::keyClick(&window, '?');
    auto* sheet = window.findChild<KeySheet*>();
    QVERIFY(sheet);
    QVERIFY(sheet->isVisible());
}

void HelpActionsTest::theKeySheetListsEveryActionAndGesture()
{
    QTemporaryDir folder;
    Settings settings(folder.filePath("s.ini"));
    QWidget window;
    ActionRegistry registry;
    HelpActions help(&window, registry, settings);
    registry.addGesture("Help", "Zoom at the cursor", "Ctrl+wheel");
    KeySheet sheet(registry, systemFileChooser());
    sheet.show();
    QStringList listed;
    for (const KeyGroup& group : sheet.page().groups())
        for (const ActionRegistry::KeyLine& line : group.lines)
            listed << line.text + '|' + line.keys;
    for (const QAction* action : registry.actions())
        QVERIFY2(listed.contains(plainText(*action) + '|' + keysText(*action)), qPrintable(action->text()));
    QVERIFY(listed.contains("Zoom at the cursor|Ctrl+wheel"));
    QVERIFY(registry.keyTable().contains("| Help | Zoom at the cursor | `Ctrl+wheel` |"));
    QCOMPARE(listed.size(), registry.actions().size() + 1);
}

void HelpActionsTest::searchNarrowsTheSheetDown()
{
    QTemporaryDir folder;
    Settings settings(folder.filePath("s.ini"));
    QWidget window;
    ActionRegistry registry;
    HelpActions help(&window, registry, settings);
    KeySheet sheet(registry, systemFileChooser());
    sheet.show();
    QTest::keyClicks(sheet.findChild<QLineEdit*>("keySheetField"), "shift+p");
    QCOMPARE(sheet.page().groups().size(), 1);
    QCOMPARE(sheet.page().groups().front().lines.size(), 1);
    QCOMPARE(sheet.page().groups().front().lines.front().text, QString("Commands"));
    QTest::keyClicks(sheet.findChild<QLineEdit*>("keySheetField"), "zzz");
    QVERIFY(sheet.page().groups().isEmpty());
}

void HelpActionsTest::aLongSheetScrollsAndStaysInsideItsWidth()
{
    QWidget window;
    ActionRegistry registry;
    for (int i = 0; i < 200; ++i) {
        auto* action = new QAction(QString("Command %1").arg(i), &window);
        action->setObjectName(QString("test.%1").arg(i));
        registry.add("Edit", action);
    }
    KeySheet sheet(registry, systemFileChooser());
    sheet.resize(700, 400);
    sheet.show();
    QVERIFY(QTest::qWaitForWindowExposed(&sheet));
    auto* scroll = sheet.findChild<QScrollArea*>("keySheetScroll");
    QVERIFY(scroll->verticalScrollBar()->isVisible());
    QCOMPARE(sheet.page().width(), scroll->viewport()->width());
    QVERIFY(sheet.page().height() > scroll->viewport()->height());
}

void HelpActionsTest::theSheetIsSavedAsPdf()
{
    QTemporaryDir folder;
    Settings settings(folder.filePath("s.ini"));
    QWidget window;
    ActionRegistry registry;
    HelpActions help(&window, registry, settings);
    const QString path = folder.filePath("keys.pdf");
    FileChooser chooser;
    chooser.toSave = [&](QWidget*, const FileQuestion&) { return path; };
    KeySheet sheet(registry, chooser);
    sheet.show();
    QTest::mouseClick(sheet.findChild<QPushButton*>("keySheetPdf"), Qt::LeftButton);
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY(file.readAll().startsWith("%PDF-"));
    QVERIFY(!sheet.writePdf(folder.filePath("no/folder.pdf")));
}

void HelpActionsTest::theSettingsDialogSetsAndFollows()
{
    QTemporaryDir folder;
    Settings settings(folder.filePath("s.ini"));
    SettingsDialog dialog(settings);
    dialog.show();
    auto* ghosts = dialog.findChild<QCheckBox*>(setting::showGhosts.key);
    QTest::mouseClick(ghosts, Qt::LeftButton, {}, { 8, ghosts->height() / 2 });
    QCOMPARE(settings.value(setting::showGhosts), false);
    auto* size = dialog.findChild<QSpinBox*>(setting::textPercent.key);
    size->selectAll();
    QTest::keyClicks(size, "150");
    QCOMPARE(settings.value(setting::textPercent), 100); // not before it is finished
    QTest::keyClick(size, Qt::Key_Return);
    QCOMPARE(settings.value(setting::textPercent), 150);
    settings.set(setting::theme, 2);
    QCOMPARE(dialog.findChild<QComboBox*>(setting::theme.key)->currentIndex(), 2);
    QTest::mouseClick(dialog.findChild<QPushButton*>("settingsDefaults"), Qt::LeftButton);
    QCOMPARE(settings.value(setting::textPercent), 100);
    QVERIFY(ghosts->isChecked());
}

void HelpActionsTest::undoListShowsNamesAndGoesThere()
{
    QUndoStack stack;
    stack.push(new QUndoCommand("Move 7W"));
    stack.setClean();
    stack.push(new QUndoCommand("Delete 2F"));
    UndoPanel panel(stack);
    panel.resize(240, 200);
    panel.show();
    auto* view = panel.findChild<QUndoView*>("undoView");
    QCOMPARE(view->model()->index(2, 0).data().toString(), QString("Delete 2F"));
    QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, view->visualRect(view->model()->index(1, 0)).center());
    QCOMPARE(stack.index(), 1);
    QVERIFY(stack.isClean());
}

PIPELOOM_WINDOW_TEST_MAIN(HelpActionsTest)
#include "help_actions_test.moc"
