// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The window: it only puts parts together and passes on what one tells another.

#include "app/designer/document/autosave.h"
#include "app/designer/document/document.h"
#include "app/designer/figures/live_figures.h"
#include "app/designer/window/action_registry.h"
#include "app/designer/window/file_actions.h"
#include "app/designer/window/settings.h"

#include <QMainWindow>

class QStackedWidget;

namespace pipeloom::designer {

class ComparePage;
class DesignPage;
class ExportActions;
class HelpActions;
class RunDesk;
class StartPage;
class StatusLine;

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    enum class Layout { Design, Compare, Run };

    /// `theme`: instead of that of the settings.
    explicit MainWindow(std::optional<ThemeChoice> theme = std::nullopt);
    ~MainWindow() override;

    /// Opens a file as the File menu does; what is wrong with it is told in the bar.
    void open(const QString& path) { files_->open(path); }
    /// Shows the events of a run, a file or a folder; `replaySpeed` > 0: as a replay.
    void openRun(const QString& path, double replaySpeed = 0);
    void setLayout(Layout layout);
    /// The Compare layout with this design and some published ones beside it.
    void showCompareExample();
    /// A file is read, or figures are made.
    [[nodiscard]] bool isBusy() const;

    [[nodiscard]] Document& document() { return document_; }
    [[nodiscard]] LiveFigures& figures() { return figures_; }
    [[nodiscard]] ActionRegistry& registry() { return registry_; }
    [[nodiscard]] FileActions& files() { return *files_; }
    [[nodiscard]] DesignPage& designPage() { return *design_; }
    [[nodiscard]] RunDesk& runs() { return *runs_; }
    [[nodiscard]] Settings& settings() { return settings_; }

protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QAction* add(const QString& menu, const char* id, const QString& text, const QKeySequence& key, const QString& help,
        const std::function<void()>& run);
    void addEditActions();
    void addLayoutActions();
    void addWindowActions();
    void makeToolBar();
    void connectParts();
    void showPage();
    void checkNow();
    void applySettings();
    void keepSettings();
    void updateTitle();
    void updateWhole();
    void say(const QString& text);

    std::optional<ThemeChoice> theme_;
    Settings settings_;
    ActionRegistry registry_;
    Document document_;
    LiveFigures figures_;
    FileActions* files_ = nullptr;
    HelpActions* help_ = nullptr;
    Autosave* autosave_ = nullptr;
    ExportActions* exports_ = nullptr;
    StartPage* start_ = nullptr;
    ComparePage* compare_ = nullptr;
    DesignPage* design_ = nullptr;
    RunDesk* runs_ = nullptr;
    QStackedWidget* pages_ = nullptr;
    QWidget* toolBar_ = nullptr;
    QStackedWidget* tools_ = nullptr; ///< of the layout shown
    StatusLine* status_ = nullptr;
    QAction* designLayout_ = nullptr;
    QAction* compareLayout_ = nullptr;
    QAction* runLayout_ = nullptr;
    Layout layout_ = Layout::Design;
};

} // namespace pipeloom::designer
