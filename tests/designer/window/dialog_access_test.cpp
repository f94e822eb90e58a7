// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/export/export_dialog.h"
#include "app/designer/window/command_palette.h"
#include "app/designer/window/file_actions.h"
#include "app/designer/window/help_actions.h"
#include "app/designer/window/key_sheet.h"
#include "app/designer/window/library_dialog.h"
#include "app/designer/window/message_bar.h"
#include "app/designer/window/new_block_dialog.h"
#include "app/designer/window/recovery_bar.h"
#include "app/designer/window/settings_dialog.h"
#include "app/designer/window/start_page.h"
#include "app/designer/window/undo_panel.h"
#include "core/formats/design_file.h"
#include "tests/designer/window_test_main.h"

#include <QAbstractButton>
#include <QLabel>
#include <QSpinBox>
#include <QTemporaryDir>

using namespace pipeloom;
using namespace pipeloom::designer;

namespace {

QTemporaryDir& folder()
{
    static QTemporaryDir made;
    return made;
}

/// What the parts need that are made here, kept as long as they.
struct Shell {
    Settings settings { folder().filePath("settings.ini") };
    Document document;
    LiveFigures figures { document };
    QWidget window;
    ActionRegistry registry;
    FileActions files { document, &window, registry, settings };
    Autosave autosave { document, folder().filePath("recovery") };
    HelpActions help { &window, registry, settings };
};

using Part = std::function<QWidget*(Shell&)>;

/// Fields inside of fields, scroll bars and the like are named by what they are in.
bool isOwnControl(const QWidget& widget)
{
    const QString name = widget.objectName();
    return widget.focusPolicy() != Qt::NoFocus && !name.startsWith("qt_") && !qobject_cast<const QLabel*>(&widget);
}

} // namespace

class DialogAccessTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyControlHasANameForScreenReadersAndForTests_data() { parts(); }
    void everyControlHasANameForScreenReadersAndForTests();
    void textIsNotCutAtOneAndAHalfTimesTheSize_data() { parts(); }
    void textIsNotCutAtOneAndAHalfTimesTheSize();

private:
    static void parts();
};

void DialogAccessTest::parts()
{
    QTest::addColumn<Part>("part");
    QTest::newRow("new block") << Part([](Shell&) { return new NewBlockDialog; });
    QTest::newRow("library") << Part([](Shell&) { return new LibraryDialog; });
    QTest::newRow("export") << Part([](Shell& shell) {
        shell.files.take(*findInLibrary("v-half")->make({}).design);
        return new ExportDialog(shell.figures, {}, "x", {});
    });
    QTest::newRow("settings") << Part([](Shell& shell) { return new SettingsDialog(shell.settings); });
    QTest::newRow("keys") << Part([](Shell& shell) { return new KeySheet(shell.registry, {}); });
    QTest::newRow("palette") << Part([](Shell& shell) {
        auto* palette = new CommandPalette(shell.registry, &shell.window);
        palette->open();
        return palette;
    });
    QTest::newRow("start page") << Part([](Shell& shell) {
        shell.files.recent().add(folder().filePath("a.pipeloom.json"));
        return new StartPage(shell.files);
    });
    QTest::newRow("undo list") << Part([](Shell& shell) { return new UndoPanel(shell.document.undoStack()); });
    QTest::newRow("message") << Part([](Shell&) {
        auto* bar = new MessageBar;
        bar->tell(MessageBar::Tone::Note, "Something happened.", { "This.", "And that." });
        bar->addButton("Cancel", "cancelIt");
        return bar;
    });
    QTest::newRow("recovery") << Part([](Shell& shell) {
        const LeftBehind left { shell.autosave.folder() + "/0-999999999.pipeloom.json", {}, "V",
            QDateTime::currentDateTime() };
        if (!writeRecovery(left, writeDesign(*shell.document.committed()), { 999'999'999, 1 }).isEmpty())
            qFatal("no recovery file");
        return new RecoveryBar(shell.autosave, shell.files);
    });
}

void DialogAccessTest::everyControlHasANameForScreenReadersAndForTests()
{
    QFETCH(Part, part);
    Shell shell;
    const std::unique_ptr<QWidget> widget(part(shell));
    widget->show();
    int controls = 0;
    QStringList objectNames;
    for (QWidget* child : widget->findChildren<QWidget*>()) {
        if (!isOwnControl(*child) || !child->isVisibleTo(widget.get()))
            continue;
        ++controls;
        QVERIFY2(
            !child->objectName().isEmpty(), qPrintable(child->accessibleName() + child->metaObject()->className()));
        QVERIFY2(!child->accessibleName().isEmpty(), qPrintable(child->objectName()));
        QVERIFY2(!child->accessibleName().contains('&'), qPrintable(child->accessibleName()));
        QVERIFY2(!objectNames.contains(child->objectName()), qPrintable(child->objectName()));
        objectNames << child->objectName();
    }
    QVERIFY(controls > 0);
}

void DialogAccessTest::textIsNotCutAtOneAndAHalfTimesTheSize()
{
    QFETCH(Part, part);
    applyTheme(*qApp, ThemeChoice::Light, 150);
    {
        Shell shell;
        const std::unique_ptr<QWidget> widget(part(shell));
        widget->show();
        widget->window()->show();
        QVERIFY(QTest::qWaitForWindowExposed(widget->window()));
        QCoreApplication::processEvents(); // layouts that were asked for meanwhile
        for (QWidget* child : widget->findChildren<QWidget*>()) {
            const bool isText = qobject_cast<QAbstractButton*>(child) || qobject_cast<QSpinBox*>(child)
                || (qobject_cast<QLabel*>(child) && !child->property("wordWrap").toBool());
            if (!isText || !child->isVisibleTo(widget.get())
                || child->sizePolicy().horizontalPolicy() == QSizePolicy::Ignored)
                continue;
            const QSize needed = child->minimumSizeHint();
            QVERIFY2(child->width() >= needed.width() && child->height() >= needed.height(),
                qPrintable(child->objectName() + child->property("text").toString()));
        }
    }
    applyTheme(*qApp, ThemeChoice::Light);
}

PIPELOOM_WINDOW_TEST_MAIN(DialogAccessTest)
#include "dialog_access_test.moc"
