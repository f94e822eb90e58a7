// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the File menu does: new, open, save, close, and that nothing is lost on the way.

#include "app/designer/document/autosave.h"
#include "app/designer/document/design_loader.h"
#include "app/designer/document/document.h"
#include "app/designer/window/action_registry.h"
#include "app/designer/window/file_chooser.h"
#include "app/designer/window/recent_files.h"
#include "app/designer/window/settings.h"

#include <QMenu>
#include <QTimer>

namespace pipeloom::designer {

class MessageBar;

class FileActions : public QObject {
    Q_OBJECT
public:
    /// Enters its actions into the registry. The window is the parent of dialogs, gets the title, and is closed by Quit.
    FileActions(Document& document, QWidget* window, ActionRegistry& registry, Settings& settings);
    ~FileActions() override;

    void setChooser(FileChooser chooser) { chooser_ = std::move(chooser); }
    [[nodiscard]] const FileChooser& chooser() const { return chooser_; }

    /// True if the document may be given up: it is clean, or was saved, or its changes are not wanted. Asks if need be.
    [[nodiscard]] bool maybeClose();
    /// Reads the file on a worker thread, after maybeClose. What is wrong with it is told in the bar.
    void open(const QString& path);
    /// Asks for a file, then opens it.
    void chooseAndOpen();
    /// Takes over a design that no file has, after maybeClose. False if that was refused.
    bool take(Design design);
    /// Takes over what a crash left, after maybeClose. False if that was refused or it cannot be read, which the bar tells.
    bool recover(Autosave& autosave, const LeftBehind& left);
    void newBlock();
    void newFromLibrary();
    /// False if it was not saved, which the bar tells.
    bool save();
    bool saveAs();
    void revert();
    /// Gives the document up; the start page is to be shown.
    void close();

    /// Where a file of this design would go: beside it, with its name, without a suffix.
    [[nodiscard]] QString proposedPath() const;
    /// Why no figure can be exported now; empty if it can.
    void setExportProblem(const QString& problem);
    /// False on the start page.
    [[nodiscard]] bool isOpen() const { return isOpen_; }
    /// The bar at the top of the window, hidden unless something is to be told; for the window's layout.
    [[nodiscard]] MessageBar* bar() const { return bar_; }
    [[nodiscard]] RecentFiles& recent() { return recent_; }
    [[nodiscard]] DesignLoader& loader() { return loader_; }

Q_SIGNALS:
    void opened(); ///< another document is there: new, read or recovered
    void closed(); ///< none is
    void saved();
    void exportRequested();

private:
    QAction* action(const char* name, const QString& text, const QKeySequence& key, void (FileActions::*slot)());
    void enterActions(ActionRegistry& registry);
    void arrived(const QString& path, ReadDesign& read);
    void tellReading();
    bool saveTo(const QString& path);
    [[nodiscard]] QString folder() const;
    void setOpen(bool open);
    void updateState();
    void quit();

    Document& document_;
    QWidget* window_;
    FileChooser chooser_;
    DesignLoader loader_;
    RecentFiles recent_;
    MessageBar* bar_;
    QMenu recentMenu_;
    QTimer slow_;       ///< a file that takes longer is told of
    DesignPtr givenUp_; ///< what maybeClose agreed to lose while a file is read
    QString exportProblem_;
    bool isOpen_ = false;
    QAction* saveAction_ = nullptr;
    QAction* saveAsAction_ = nullptr;
    QAction* revertAction_ = nullptr;
    QAction* closeAction_ = nullptr;
    QAction* exportAction_ = nullptr;
};

} // namespace pipeloom::designer
