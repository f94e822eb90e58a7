// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// The window as a whole: what its parts tell each other, and a person's first minutes with it.
#include "app/designer/window/design_page.h"
#include "app/designer/window/main_window.h"
#include "core/block/block_index.h"
#include "core/formats/design_file.h"
#include "core/library/library.h"
#include "tests/designer/window_test_main.h"

#include <QAccessible>
#include <QLineEdit>
#include <QMenuBar>
#include <QTemporaryDir>

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;

class MainWindowTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void everyActionIsInTheRegistryAndAMenu();
    void noKeyRunsTwoThings();
    void everyControlHasAName();
    void drawBreakUnderstandMendAndSaveAsAPersonWould();
    void runAndExportAreOffWhileTheBlockIsBroken();
    void aWindowWithNothingOpenStartsOnTheStartPage();
    void f6GoesRoundTheParts();
    void whatIsSwitchedIsSwitchedTheNextTime();
    void aSlashSearchesFromTheBlock();
    void undoInAFieldWithNothingToUndoIsTheDesigns();
    void aBlockThatComesBackHasRoom();

private:
    static Design vHalf(std::int32_t devices, std::int32_t microBatches)
    {
        LibraryRequest request;
        request.devices = devices;
        request.microBatches = microBatches;
        return *findInLibrary("v-half")->make(request).design;
    }
};

void MainWindowTest::init()
{
    failOnWarnings();
    QSettings().clear();
}

void MainWindowTest::everyActionIsInTheRegistryAndAMenu()
{
    MainWindow window;
    QList<QAction*> inMenus;
    std::function<void(QMenu*)> walk = [&](QMenu* menu) {
        for (QAction* action : menu->actions()) {
            inMenus << action;
            if (action->menu())
                walk(action->menu());
        }
    };
    for (QAction* top : window.menuBar()->actions())
        walk(top->menu());
    for (QAction* action : window.registry().actions())
        QVERIFY2(inMenus.contains(action), qPrintable(action->objectName()));
    // And nothing with a key of its own is outside the registry.
    for (QAction* action : window.findChildren<QAction*>()) {
        if (action->shortcut().isEmpty())
            continue;
        QVERIFY2(window.registry().actions().contains(action),
            qPrintable(action->objectName() + " " + action->text() + " " + action->shortcut().toString()));
    }
}

void MainWindowTest::noKeyRunsTwoThings()
{
    MainWindow window;
    const QStringList twice = window.registry().duplicateShortcuts();
    QVERIFY2(twice.isEmpty(), qPrintable(twice.join(QLatin1Char('\n'))));
}

void MainWindowTest::everyControlHasAName()
{
    MainWindow window;
    window.files().take(vHalf(4, 8));
    window.show();
    QStringList nameless;
    for (QWidget* widget : window.findChildren<QWidget*>()) {
        const bool control = widget->focusPolicy() & Qt::TabFocus;
        if (!control || widget->objectName().startsWith("qt_") || !widget->isVisibleTo(&window))
            continue;
        QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(widget);
        if (accessible && accessible->text(QAccessible::Name).isEmpty())
            nameless << QString("%1 %2").arg(widget->metaObject()->className(), widget->objectName());
    }
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join('\n')));
}

void MainWindowTest::drawBreakUnderstandMendAndSaveAsAPersonWould()
{
    MainWindow window;
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    QVERIFY(window.files().take(vHalf(4, 8)));
    BlockView& view = window.designPage().block().view();
    QTRY_COMPARE(window.figures().figures()->standing, Standing::Whole);
    const std::string whole = writeDesign(*window.document().committed());

    // Break it: 7W to tick 18.
    const BuildingBlock& block = *window.document().committed()->block();
    std::int32_t w7 = -1;
    for (std::size_t i = 0; i < block.passes.size(); ++i)
        if (blockText(block.passes[i].slot, block) == "7W")
            w7 = static_cast<std::int32_t>(i);
    const QPoint from = view.rectOf(w7).center().toPoint();
    drag(view.viewport(), from, from + QPoint(static_cast<int>(2 * view.axis().map().pixelsPerTick), 0));
    QCOMPARE(window.figures().figures()->standing, Standing::OfItsOrder);

    // Understand it: the finding says so, and how to mend it.
    const Findings& findings = window.figures().figures()->findings;
    QVERIFY(!findings.empty());
    QCOMPARE(findings.front().rule, std::string("block/collision"));
    Q_EMIT window.designPage().findings().placeActivated(findings.front(), findings.front().where.front());
    QCOMPARE(view.selected().size(), std::size_t { 1 });

    // Mend it by the link, and the design is what it was.
    Q_EMIT window.designPage().findings().remedyRequested(Finding(findings.front()));
    QCOMPARE(window.figures().figures()->standing, Standing::Whole);
    QCOMPARE(writeDesign(*window.document().committed()), whole);

    // Save, reopen.
    QTemporaryDir folder;
    const QString path = folder.filePath("mine.pipeloom.json");
    QVERIFY(!hasErrors(window.document().save(path)));
    QVERIFY(!window.isWindowModified());
    window.open(path);
    QTRY_COMPARE(window.document().path(), path);
    QCOMPARE(writeDesign(*window.document().committed()), whole);
}

void MainWindowTest::runAndExportAreOffWhileTheBlockIsBroken()
{
    MainWindow window;
    window.files().take(vHalf(4, 8));
    QAction* run = window.registry().find("run.start");
    QAction* exporting = window.registry().find("file.export");
    QVERIFY(run && exporting);
    QVERIFY(run->isEnabled() && exporting->isEnabled());
    Design broken = *window.document().committed();
    std::get<BuildingBlock>(broken.plan).passes[3].start += 2;
    window.document().apply({ broken, "Break", {} });
    QVERIFY(!run->isEnabled() && !exporting->isEnabled());
    window.document().undoStack().undo();
    QVERIFY(run->isEnabled() && exporting->isEnabled());
}

void MainWindowTest::aWindowWithNothingOpenStartsOnTheStartPage()
{
    MainWindow window;
    window.show();
    QVERIFY(!window.files().isOpen());
    QVERIFY(!window.designPage().isVisible());
    window.files().take(vHalf(4, 8));
    QVERIFY(window.designPage().isVisible());
}

void MainWindowTest::f6GoesRoundTheParts()
{
    MainWindow window;
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    window.files().take(vHalf(4, 8));
    QSet<QWidget*> parts;
    for (int i = 0; i < 5; ++i) {
        QTest::keyClick(&window, Qt::Key_F6);
        QVERIFY(QApplication::focusWidget());
        parts.insert(QApplication::focusWidget());
    }
    QCOMPARE(parts.size(), 5);
}

void MainWindowTest::whatIsSwitchedIsSwitchedTheNextTime()
{
    {
        MainWindow window;
        window.registry().find("schedule.memory")->setChecked(false);
        window.registry().find("block.view.ghosts")->setChecked(false);
        window.registry().find("schedule.colourStage")->trigger();
    }
    MainWindow window;
    QVERIFY(!window.registry().find("schedule.memory")->isChecked());
    QVERIFY(!window.registry().find("block.view.ghosts")->isChecked());
    QVERIFY(window.registry().find("schedule.colourStage")->isChecked());
}

void MainWindowTest::aSlashSearchesFromTheBlock()
{
    MainWindow window;
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    window.files().take(vHalf(4, 8));
    QTest::keyClick(&window.designPage().block().view(), Qt::Key_Slash);
    QWidget* focus = QApplication::focusWidget();
    QVERIFY(focus && window.designPage().schedule().isAncestorOf(focus));
    QVERIFY(qobject_cast<QLineEdit*>(focus));
}

void MainWindowTest::undoInAFieldWithNothingToUndoIsTheDesigns()
{
    MainWindow window;
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    window.files().take(vHalf(4, 8));
    Design renamed = *window.document().committed();
    renamed.name = "Another";
    window.document().apply({ renamed, "Rename", {} });
    auto* field = window.findChild<QWidget*>("microBatches");
    QVERIFY(field);
    field->setFocus();
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Z, Qt::ControlModifier);
    QVERIFY(!window.document().isDirty());
}

void MainWindowTest::aBlockThatComesBackHasRoom()
{
    MainWindow window;
    window.show();
    QVERIFY(QTest::qWaitForWindowActive(&window));
    const ReadDesign read = loadDesign(PIPELOOM_SOURCE_DIR "/resources/designs/chimera.pipeloom.json");
    QVERIFY(read.design.has_value());
    window.files().take(*read.design);
    QVERIFY(window.designPage().block().height() < 120);
    window.document().apply({ vHalf(4, 8), "Start from V-Half", {} });
    QTRY_VERIFY(window.designPage().block().height() > 200);
}

PIPELOOM_WINDOW_TEST_MAIN(MainWindowTest)
#include "main_window_test.moc"
