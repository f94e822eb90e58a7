// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/action_registry.h"
#include "tests/designer/window_test_main.h"

#include <QMenu>
#include <QMenuBar>

using namespace pipeloom::designer;

class ActionRegistryTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void menusComeInTheUsualOrderAndHoldWhatWasEntered();
    void aSecondActionOfTheSameNameIsRefused();
    void windowKeysMustBeFreeEverywhere();
    void twoWidgetsMayUseTheSameKeyUnlessOneIsInsideTheOther();
    void everyActionIsInTheTableOfKeys();
    void keysStandInTooltipsUnlessTheseSayMore();
    void aReasonDisablesAndIsTold();
    void deletedActionsAreGone();

private:
    static QAction* make(QObject* parent, const char* name, const char* text, const char* key = "",
        Qt::ShortcutContext context = Qt::WindowShortcut)
    {
        auto* action = new QAction(text, parent);
        action->setObjectName(name);
        action->setShortcut(QKeySequence(key));
        action->setShortcutContext(context);
        return action;
    }
};

void ActionRegistryTest::menusComeInTheUsualOrderAndHoldWhatWasEntered()
{
    ActionRegistry registry;
    registry.add("Help", make(&registry, "about", "About"));
    registry.add("Tools", make(&registry, "tool", "Tool"));
    registry.add("&Edit", make(&registry, "undo", "Undo"));
    registry.addSeparator("Edit");
    QMenu recent("Recent");
    recent.menuAction()->setObjectName("recent");
    registry.add("File", recent.menuAction());
    registry.add("Edit", make(&registry, "cut", "Cut"));
    QCOMPARE(registry.menus(), QStringList({ "File", "Edit", "Tools", "Help" }));
    QMenuBar bar;
    registry.fill(bar);
    QCOMPARE(bar.actions().size(), 4);
    const QList<QAction*> edit = bar.findChild<QMenu*>("menuEdit")->actions();
    QCOMPARE(edit.size(), 3);
    QVERIFY(edit[1]->isSeparator());
    QCOMPARE(edit[2], registry.find("cut"));
    QCOMPARE(registry.actions().size(), 4); // a submenu cannot be run
}

void ActionRegistryTest::aSecondActionOfTheSameNameIsRefused()
{
    ActionRegistry registry;
    QAction* first = make(&registry, "same", "First");
    registry.add("File", first);
    QTest::ignoreMessage(QtWarningMsg, "The action 'Second' needs an objectName of its own.");
    registry.add("File", make(&registry, "same", "Second"));
    QCOMPARE(registry.actions(), QList<QAction*> { first });
}

void ActionRegistryTest::windowKeysMustBeFreeEverywhere()
{
    ActionRegistry registry;
    QWidget editor;
    registry.add("File", make(&registry, "open", "Open", "Ctrl+O"));
    registry.add("Block", make(&editor, "tool", "Tool", "F", Qt::WidgetShortcut));
    QVERIFY(registry.duplicateShortcuts().isEmpty());
    registry.add("View", make(&registry, "fit", "Fit", "F"));
    QCOMPARE(registry.duplicateShortcuts(), QStringList { "F is the key of fit and of tool." });
    registry.add("View", make(&registry, "other", "Other", "Ctrl+O"));
    QCOMPARE(registry.duplicateShortcuts().size(), 2);
}

void ActionRegistryTest::twoWidgetsMayUseTheSameKeyUnlessOneIsInsideTheOther()
{
    QWidget window;
    auto* editor = new QWidget(&window);
    auto* timeline = new QWidget(&window);
    auto* inner = new QWidget(timeline);
    ActionRegistry registry;
    registry.add("Block", make(editor, "tool", "Tool", "F", Qt::WidgetShortcut));
    registry.add("Schedule", make(timeline, "focus", "Focus", "F", Qt::WidgetWithChildrenShortcut));
    QVERIFY(registry.duplicateShortcuts().isEmpty());
    registry.add("Schedule", make(inner, "inner", "Inner", "F", Qt::WidgetShortcut));
    QCOMPARE(registry.duplicateShortcuts(), QStringList { "F is the key of focus and of inner." });
}

void ActionRegistryTest::everyActionIsInTheTableOfKeys()
{
    ActionRegistry registry;
    QAction* undo = make(&registry, "undo", "&Undo");
    undo->setShortcuts({ QKeySequence("Ctrl+Z"), QKeySequence("Alt+Backspace") });
    registry.add("Edit", undo);
    registry.add("Edit", make(&registry, "prefer", "Settings…"));
    QCOMPARE(registry.keyTable(),
        QString("| menu | command | keys |\n|---|---|---|\n| Edit | Undo | `Ctrl+Z`, `Alt+Backspace` |\n"
                "| Edit | Settings |  |\n"));
}

void ActionRegistryTest::keysStandInTooltipsUnlessTheseSayMore()
{
    ActionRegistry registry;
    QAction* plain = make(&registry, "plain", "&Save…", "Ctrl+S");
    QAction* told = make(&registry, "told", "Check", "F7");
    told->setToolTip("Looks for faults");
    registry.add("File", { plain, told });
    QCOMPARE(plain->toolTip(), QString("Save  (Ctrl+S)"));
    QCOMPARE(told->toolTip(), QString("Looks for faults"));
}

void ActionRegistryTest::aReasonDisablesAndIsTold()
{
    QAction action("Export");
    action.setStatusTip("A figure for a paper");
    enable(action, "The block is broken.");
    QVERIFY(!action.isEnabled());
    QCOMPARE(action.statusTip(), QString("The block is broken."));
    enable(action, "It is still broken.");
    QCOMPARE(action.statusTip(), QString("It is still broken."));
    enable(action, {});
    QVERIFY(action.isEnabled());
    QCOMPARE(action.statusTip(), QString("A figure for a paper"));
}

void ActionRegistryTest::deletedActionsAreGone()
{
    ActionRegistry registry;
    auto parent = std::make_unique<QObject>();
    registry.add("File", make(parent.get(), "short", "Short-lived"));
    QCOMPARE(registry.actions().size(), 1);
    parent.reset();
    QVERIFY(registry.actions().isEmpty());
    QVERIFY(registry.menus().isEmpty());
}

PIPELOOM_WINDOW_TEST_MAIN(ActionRegistryTest)
#include "action_registry_test.moc"
