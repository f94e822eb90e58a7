// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/command_palette.h"
#include "tests/designer/window_test_main.h"

#include <QAbstractItemModelTester>
#include <QLineEdit>
#include <QListView>

using namespace pipeloom::designer;

class CommandPaletteTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init();
    void cleanup() { window_.reset(); }
    void lettersInOrderMatchAndStartsOfWordsWin();
    void typingFindsAndEnterRuns();
    void arrowsGoRoundAndAClickRuns();
    void whatIsDisabledComesLastSaysWhyAndDoesNotRun();
    void escClosesAndGivesBackTheFocus();
    void everyActionIsThereAndTheModelIsSound();

private:
    QAction* enter(const char* menu, const char* name, const QString& text, const char* key = "")
    {
        auto* action = new QAction(text, window_.get());
        action->setObjectName(name);
        action->setShortcut(QKeySequence(key));
        connect(action, &QAction::triggered, this, [this, name] { ran_ << name; });
        registry_->add(menu, action);
        return action;
    }
    QStringList found() const
    {
        QStringList names;
        for (int row = 0; row < palette_->model().rowCount(); ++row)
            names << palette_->model().line(row).action->objectName();
        return names;
    }
    QWidget* field() const { return palette_->findChild<QLineEdit*>("paletteField"); }

    std::unique_ptr<QWidget> window_;
    ActionRegistry* registry_ = nullptr;
    CommandPalette* palette_ = nullptr;
    QStringList ran_;
};

void CommandPaletteTest::init()
{
    ran_.clear();
    window_ = std::make_unique<QWidget>();
    window_->resize(900, 600);
    registry_ = new ActionRegistry(window_.get());
    enter("File", "file.save", "&Save", "Ctrl+S");
    enter("File", "file.saveAs", "Save &As…", "Ctrl+Shift+S");
    enter("Block", "mirror", "Mirror Block");
    enter("View", "fit", "Fit All", "0");
    palette_ = new CommandPalette(*registry_, window_.get());
    window_->show();
    QVERIFY(QTest::qWaitForWindowActive(window_.get()));
}

void CommandPaletteTest::lettersInOrderMatchAndStartsOfWordsWin()
{
    QVERIFY(!fuzzyMatch("xs", "Save As"));
    QVERIFY(!fuzzyMatch("sas", "Save"));
    QCOMPARE(fuzzyMatch("sa", "Save As")->positions, QList<int>({ 0, 1 }));
    QCOMPARE(fuzzyMatch("s as", "Save As")->positions, QList<int>({ 0, 5, 6 }));
    QVERIFY(fuzzyMatch("fa", "Fit All")->score > fuzzyMatch("fa", "Offset Aim")->score);
    QCOMPARE(fuzzyMatch("", "Anything")->score, 0);
}

void CommandPaletteTest::typingFindsAndEnterRuns()
{
    palette_->open();
    QVERIFY(palette_->isVisible());
    QTRY_COMPARE(QApplication::focusWidget(), field());
    QTest::keyClicks(field(), "mirb");
    QCOMPARE(found(), QStringList { "mirror" });
    QTest::keyClick(field(), Qt::Key_Return);
    QCOMPARE(ran_, QStringList { "mirror" });
    QVERIFY(!palette_->isVisible());
}

void CommandPaletteTest::arrowsGoRoundAndAClickRuns()
{
    palette_->open();
    QTest::keyClick(field(), Qt::Key_Up); // from the first to the last
    QTest::keyClick(field(), Qt::Key_Return);
    QCOMPARE(ran_, QStringList { "mirror" });
    palette_->open();
    auto* list = palette_->findChild<QListView*>("paletteList");
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualRect(palette_->model().index(1)).center());
    QCOMPARE(ran_, QStringList({ "mirror", "file.saveAs" }));
}

void CommandPaletteTest::whatIsDisabledComesLastSaysWhyAndDoesNotRun()
{
    enable(*registry_->find("file.save"), "Nothing has changed.");
    palette_->open();
    QTest::keyClicks(field(), "save");
    QCOMPARE(found(), QStringList({ "file.saveAs", "file.save" }));
    QTest::keyClick(field(), Qt::Key_Down);
    QTest::keyClick(field(), Qt::Key_Return);
    QVERIFY(ran_.isEmpty());
    QVERIFY(palette_->isVisible());
}

void CommandPaletteTest::escClosesAndGivesBackTheFocus()
{
    QLineEdit before(window_.get());
    before.show();
    before.setFocus();
    QTRY_COMPARE(QApplication::focusWidget(), &before);
    palette_->open();
    QTRY_COMPARE(QApplication::focusWidget(), field());
    QTest::keyClick(field(), Qt::Key_Escape);
    QVERIFY(!palette_->isVisible());
    QCOMPARE(QApplication::focusWidget(), &before);
    QVERIFY(ran_.isEmpty());
}

void CommandPaletteTest::everyActionIsThereAndTheModelIsSound()
{
    PaletteModel model(*registry_);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.search({});
    QCOMPARE(model.rowCount(), registry_->actions().size());
    model.search("nothing of that kind");
    QCOMPARE(model.rowCount(), 0);
    model.search("save");
    QCOMPARE(model.index(0).data(Qt::AccessibleTextRole).toString(), QString("File: Save, Ctrl+S"));
}

PIPELOOM_WINDOW_TEST_MAIN(CommandPaletteTest)
#include "command_palette_test.moc"
