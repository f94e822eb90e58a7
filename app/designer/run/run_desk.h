// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the Run menu does: starts, stops and finds runs, opens their events, holds them against plans and other runs, and takes
// what they measured back into the design. Owns the Run layout's session, process and page.

#include "app/designer/document/document.h"
#include "app/designer/figures/live_figures.h"
#include "app/designer/run/run_process.h"
#include "app/designer/run/run_session.h"
#include "app/designer/window/file_chooser.h"
#include "core/run/run_plan.h"

#include <QList>
#include <QObject>

class QAction;

namespace pipeloom::designer {

class FileActions;
class RunDiff;
class RunPage;
class Settings;

class RunDesk : public QObject {
    Q_OBJECT
public:
    RunDesk(Document& document, LiveFigures& figures, FileActions& files, Settings& settings, QWidget* window);
    ~RunDesk() override;

    [[nodiscard]] RunSession& session() { return *session_; }
    [[nodiscard]] RunProcess& process() { return *process_; }
    /// Belongs to whoever puts it into a layout.
    [[nodiscard]] RunPage& page() { return *page_; }
    /// For the Run menu; the first starts a run.
    [[nodiscard]] const QList<QAction*>& menuActions() const { return actions_; }
    /// For the tool row while the Run layout is shown; a new widget.
    [[nodiscard]] QWidget* makeTools();

    /// Shows the events of a file or folder, from the beginning on and as they come; `speed` > 0: as a replay.
    void open(const QString& path, double speed = 0);
    /// Shows a step of it, as soon as that is known of.
    void showStep(std::int64_t step);
    /// What was asked to be shown is not there yet.
    [[nodiscard]] bool isBusy() const;
    /// Asks for the settings and starts the design that is open.
    void ask();
    /// Starts it with these settings; what keeps it from starting is told in the bar. False then.
    bool start(const RunSettings& settings);
    /// True if the window may close: no run of its own is under way, or it was decided what becomes of it.
    [[nodiscard]] bool maybeClose();
    /// Whether the design that is open can be run.
    void setRunnable(const QString& whyNot);

Q_SIGNALS:
    void shown();       ///< the Run layout is to be shown
    void designShown(); ///< the Design layout is
    void statusText(const QString& text);
    void feedText(const QString& text); ///< for the status bar while the Run layout is shown

private:
    QAction* add(
        const char* name, const QString& text, const QKeySequence& key, const QString& help, void (RunDesk::*run)());
    void addActions();
    void connectPage();
    void follow();
    void stop();
    void stopNow();
    void chooseEvents();
    void attach();
    void replayAgain();
    void compareWithRun();
    void useCosts();
    void closeRun();
    void holdAgainstDesign();
    void planFor(DeviceId device, double slower);
    void tellEnd(int code, const QString& sentence);
    [[nodiscard]] QString askForEvents(const QString& title);
    /// The folder of a file of events if that holds others of the same run, else the file.
    [[nodiscard]] static QString wholeOf(const QString& path);

    Document& document_;
    LiveFigures& figures_;
    FileActions& files_;
    Settings& settings_;
    QWidget* window_;
    RunSession* session_;
    RunProcess* process_;
    RunDiff* diff_ = nullptr;
    RunPage* page_;
    QList<QAction*> actions_;
    QAction* start_ = nullptr;
    QAction* stop_ = nullptr;
    QAction* stopNow_ = nullptr;
    QAction* replay_ = nullptr;
    QAction* compare_ = nullptr;
    QAction* costs_ = nullptr;
    QAction* close_ = nullptr;
    QString whyNotRunnable_;
    std::optional<std::int64_t> wanted_; ///< step that is to be shown
};

} // namespace pipeloom::designer
