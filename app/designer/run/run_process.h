// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A run as a process of its own: started by this window, or found again. Whatever becomes of the window, the run ends with it or
// goes on, as was chosen (run_supervisor.h), and none of its processes is left behind.

#include "app/designer/run/run_folder.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

namespace pipeloom::designer {

class RunProcess : public QObject {
    Q_OBJECT
public:
    enum class State : std::uint8_t {
        Idle,     ///< nothing was started
        Starting, ///< its process is being made
        Running,
        Stopping, ///< it was asked to end
        Ended,
    };
    explicit RunProcess(QObject* parent = nullptr);
    /// In another place than runsFolder().
    explicit RunProcess(const QString& runs, QObject* parent = nullptr);
    /// A run that was started here and shall not go on ends within some seconds, by itself; this does not wait for it.
    ~RunProcess() override;

    /// Starts `design`, the text of a design file, under its name; settings.design is not used. An empty text, or why it could
    /// not be started: then nothing runs. Only while none runs.
    [[nodiscard]] QString start(const RunSettings& settings, const QByteArray& design, const QString& name);
    /// Takes over what stands in the folder of a run. An empty text, or why it cannot be.
    [[nodiscard]] QString attach(const QString& folder);
    /// After the step under way, with a checkpoint if it writes some. Who has not ended within the grace is stopped at once.
    void stop();
    /// At once: a second interrupt, and after five seconds SIGKILL to all of its processes.
    void stopNow();
    /// Whether it goes on when the window is gone. Only for a run that was started here.
    void setKeepRunning(bool keep);

    [[nodiscard]] State state() const { return state_; }
    [[nodiscard]] bool isUnderWay() const { return state_ != State::Idle && state_ != State::Ended; }
    /// It was started here and not found.
    [[nodiscard]] bool isOwn() const { return isOwn_; }
    /// What it was started with, where it stands. Of the last run.
    [[nodiscard]] const RunRecord& record() const { return record_; }
    /// The folder that it writes its events to.
    [[nodiscard]] QString events() const { return record_.events; }
    /// What became of it, in a sentence: `The run has finished.`
    [[nodiscard]] QString sentence() const { return sentence_; }
    /// 0: fine; 128 + number: by a signal; -1: not known, or not ended.
    [[nodiscard]] int exitCode() const { return exitCode_; }

    /// 120 seconds, if not set.
    void setGrace(int ms) { graceMs_ = ms; }

Q_SIGNALS:
    void stateChanged();
    /// A line that it wrote; rank -1: the launcher, or the only process.
    void logLine(int rank, const QString& text, bool isError);
    void ended(int exitCode, const QString& sentence);

private:
    struct Tail {
        QString path;
        qint64 at = 0;
        QByteArray rest; ///< a line whose end has not come
        bool isError = false;
    };
    [[nodiscard]] QString prepare(const RunSettings& settings, const QByteArray& design, const QString& name);
    [[nodiscard]] QString spawn();
    void begin(State state);
    void look();
    void insist();
    void end(int code);
    void to(State state);
    /// Gives lines that have come; `all`: also one without an end.
    void read(Tail& tail, bool all);
    [[nodiscard]] QString ending(int code) const;
    [[nodiscard]] QString firstError() const;
    void letGo();

    QString runs_;
    RunRecord record_;
    State state_ = State::Idle;
    bool isOwn_ = false;
    QString sentence_;
    int exitCode_ = -1;
    int line_ = -1; ///< to the supervisor: it ends the run when this is closed
    Tail output_;
    Tail errors_;
    QTimer clock_;
    int graceMs_;

    enum class Asked : std::uint8_t { No, Gracefully, AtOnce };
    Asked asked_ = Asked::No;
    int interrupts_ = 0; ///< that were sent
    bool wasKilled_ = false;
    QElapsedTimer sinceAsked_;
};

} // namespace pipeloom::designer
