// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/run_desk.h"

#include "app/designer/run/costs_dialog.h"
#include "app/designer/run/recent_runs.h"
#include "app/designer/run/run_choices.h"
#include "app/designer/run/run_dialog.h"
#include "app/designer/run/run_page.h"
#include "app/designer/run/run_question.h"
#include "app/designer/run/run_status.h"
#include "app/designer/window/action_registry.h"
#include "app/designer/window/file_actions.h"
#include "app/designer/window/message_bar.h"
#include "core/formats/design_file.h"

#include <QAction>
#include <QDir>
#include <QFileInfo>

#include <cmath>
#include <utility>

namespace pipeloom::designer {

RunDesk::RunDesk(Document& document, LiveFigures& figures, FileActions& files, Settings& settings, QWidget* window)
    : QObject(window)
    , document_(document)
    , figures_(figures)
    , files_(files)
    , settings_(settings)
    , window_(window)
    , session_(new RunSession(this))
    , process_(new RunProcess(this))
    , page_(new RunPage(*session_))
{
    addActions();
    connectPage();
    connect(process_, &RunProcess::stateChanged, this, &RunDesk::follow);
    connect(process_, &RunProcess::ended, this, &RunDesk::tellEnd);
    connect(process_, &RunProcess::logLine, &page_->log(), &LogPanel::addLine);
    connect(session_, &RunSession::changed, this, &RunDesk::follow);
    connect(session_, &RunSession::opened, this, &RunDesk::follow);
    connect(session_, &RunSession::problem, this, &RunDesk::statusText);
    follow();
}

RunDesk::~RunDesk()
{
    delete page_;
    delete process_;
    delete session_;
}

QAction* RunDesk::add(
    const char* name, const QString& text, const QKeySequence& key, const QString& help, void (RunDesk::*run)())
{
    auto* action = new QAction(text, this);
    action->setObjectName(QLatin1String(name));
    action->setShortcut(key);
    action->setStatusTip(help);
    connect(action, &QAction::triggered, this, run);
    window_->addAction(action);
    actions_ << action;
    return action;
}

void RunDesk::addActions()
{
    start_ = add("run.start", tr("Run…"), Qt::Key_F5, tr("Trains with this schedule, and shows it while it runs"),
        &RunDesk::ask);
    stop_ = add("run.stop", tr("Stop"), QKeySequence(tr("Shift+F5")),
        tr("Ends the run after the step under way, with a checkpoint if it writes some"), &RunDesk::stop);
    stopNow_ = add("run.stopNow", tr("Stop at Once"), QKeySequence(tr("Ctrl+Shift+F5")),
        tr("Ends the run wherever it is"), &RunDesk::stopNow);
    add("run.openEvents", tr("Open Events…"), QKeySequence(tr("Ctrl+Shift+O")),
        tr("Shows a run by its events, while it goes on or afterwards"), &RunDesk::chooseEvents);
    add("run.attach", tr("Attach…"), {}, tr("Runs that were started from here, under way or ended"), &RunDesk::attach);
    replay_ = add("run.replay", tr("Replay"), {}, tr("Shows the run again as it happened"), &RunDesk::replayAgain);
    compare_ = add("run.compare", tr("Compare with Another Run…"), {},
        tr("Puts the events of another run beside this one"), &RunDesk::compareWithRun);
    costs_ = add(
        "run.useCosts", tr("Use Costs…"), {}, tr("Takes what passes really cost into the design"), &RunDesk::useCosts);
    close_
        = add("run.close", tr("Close Run"), {}, tr("Shows no run; one that is under way goes on"), &RunDesk::closeRun);
}

void RunDesk::connectPage()
{
    AlarmsPanel& alarms = page_->alarms();
    connect(&alarms, &AlarmsPanel::planFor, this, &RunDesk::planFor);
    connect(page_, &RunPage::statusText, this, &RunDesk::statusText);
    connect(page_, &RunPage::designPlanRequested, this, &RunDesk::holdAgainstDesign);
    connect(page_, &RunPage::otherRunRequested, this, &RunDesk::compareWithRun);
}

void RunDesk::follow()
{
    const bool isOpen = session_->state() != RunSession::State::Empty;
    const bool mayStop = process_->isUnderWay();
    enable(*start_, mayStop ? tr("A run is under way: stop it first") : whyNotRunnable_);
    const QString nothing = tr("No run of this window is under way");
    enable(*stop_, mayStop && process_->state() != RunProcess::State::Stopping ? QString() : nothing);
    enable(*stopNow_, mayStop ? QString() : nothing);
    const QString none = tr("No run is shown");
    for (QAction* action : { compare_, close_ })
        enable(*action, isOpen ? QString() : none);
    enable(*replay_,
        !isOpen || session_->path().isEmpty()               ? none
            : session_->state() != RunSession::State::Ended ? tr("The run goes on")
                                                            : QString());
    enable(*costs_,
        session_->lastWhole(1).empty() ? tr("No step has ended yet")
            : !files_.isOpen()         ? tr("No design is open that could take them")
                                       : QString());
    if (wanted_ && session_->state() == RunSession::State::Ended && *wanted_ > session_->steps().second) {
        Q_EMIT statusText(tr("The run has no step %1").arg(*wanted_));
        wanted_.reset();
    }
    if (wanted_ && *wanted_ <= session_->steps().second)
        session_->showStep(*std::exchange(wanted_, std::nullopt));
    Q_EMIT feedText(feedSentence(*session_));
}

void RunDesk::setRunnable(const QString& whyNot)
{
    whyNotRunnable_ = whyNot;
    follow();
}

void RunDesk::open(const QString& path, double speed)
{
    wanted_.reset();
    if (speed > 0)
        session_->replay(path, speed);
    else
        session_->follow(path);
    Q_EMIT shown();
}

void RunDesk::showStep(std::int64_t step)
{
    wanted_ = step;
    follow();
}

bool RunDesk::isBusy() const
{
    const RunSession::State state = session_->state();
    const bool isComing = state == RunSession::State::Waiting || session_->behind().bytes > 0;
    return state != RunSession::State::Empty
        && (isComing || wanted_ || (session_->shownNumber() >= 0 && !session_->shown()));
}

void RunDesk::ask()
{
    const QString path = document_.path();
    RunDialog dialog(
        proposedRun(settings_, *document_.committed(), path), *document_.committed(), files_.chooser(), window_);
    if (dialog.exec() != QDialog::Accepted)
        return;
    rememberRun(settings_, path, dialog.settings());
    start(dialog.settings());
}

bool RunDesk::start(const RunSettings& settings)
{
    const QString name = document_.title();
    const QString trouble
        = process_->start(settings, QByteArray::fromStdString(writeDesign(*document_.committed())), name);
    if (!trouble.isEmpty()) {
        files_.bar()->tell(MessageBar::Tone::Error, trouble);
        return false;
    }
    files_.bar()->dismiss();
    open(process_->events());
    Q_EMIT statusText(tr("%1 runs; what it writes is kept in %2").arg(name, process_->record().folder));
    return true;
}

void RunDesk::stop()
{
    process_->stop();
    Q_EMIT statusText(tr("The run ends after the step under way; “Stop at Once” does not wait for it"));
}

void RunDesk::stopNow() { process_->stopNow(); }

QString RunDesk::askForEvents(const QString& title)
{
    FileQuestion question;
    question.title = title;
    question.start = QFileInfo(session_->path()).absolutePath();
    question.filter = tr("Events (*.jsonl);;All files (*)");
    const QString path = files_.chooser().toOpen(window_, question);
    return path.isEmpty() ? path : wholeOf(path);
}

QString RunDesk::wholeOf(const QString& path)
{
    // In a folder of events each rank has a file of its own; they belong together.
    const QDir folder = QFileInfo(path).dir();
    const bool isOneOfSeveral = QFileInfo(path).fileName().startsWith(QLatin1String("events"))
        && !folder.entryList({ QStringLiteral("events-rank-*.jsonl") }).isEmpty();
    return isOneOfSeveral ? folder.path() : path;
}

void RunDesk::chooseEvents()
{
    if (const QString path = askForEvents(tr("Open the events of a run")); !path.isEmpty())
        open(path);
}

void RunDesk::attach()
{
    RecentRunsDialog dialog(runsFolder(), files_.chooser(), window_);
    if (dialog.exec() != QDialog::Accepted)
        return;
    if (!dialog.eventFile().isEmpty()) {
        open(wholeOf(dialog.eventFile()));
        return;
    }
    const std::optional<RunRecord> run = readRecord(dialog.runFolder());
    if (!run)
        return;
    if (!process_->isUnderWay())
        if (const QString trouble = process_->attach(run->folder); !trouble.isEmpty())
            files_.bar()->tell(MessageBar::Tone::Warning, trouble);
    open(run->events);
}

void RunDesk::replayAgain()
{
    const QString path = session_->path();
    open(path, 1);
}

void RunDesk::compareWithRun()
{
    if (const QString path = askForEvents(tr("Compare with the events of another run")); !path.isEmpty())
        page_->diff().open(path);
}

void RunDesk::useCosts()
{
    CostsDialog dialog(*session_, *document_.committed(), window_);
    if (dialog.exec() != QDialog::Accepted)
        return;
    page_->stepTime().setSimulated(dialog.simulatedMs());
    if (document_.apply(dialog.edited()))
        Q_EMIT statusText(tr("The design has the measured costs; undo brings the old ones back"));
}

void RunDesk::closeRun() { session_->close(); }

void RunDesk::holdAgainstDesign()
{
    const RunLog& log = session_->log();
    if (!files_.isOpen() || !log.began()) {
        Q_EMIT statusText(tr("No design is open that the run could be held against"));
        return;
    }
    MadeRunPlan made = runPlan(*log.began(), log.planned() ? &*log.planned() : nullptr, *document_.committed());
    if (made.plan)
        session_->setReference(std::move(made.plan));
    else
        Q_EMIT statusText(QString::fromStdString(made.findings.front().message));
}

void RunDesk::planFor(DeviceId device, double slower)
{
    const Design& design = *document_.committed();
    if (!files_.isOpen() || device.value >= design.pipeline.devices) {
        Q_EMIT statusText(tr("The design that is open has no device %1").arg(device.value));
        return;
    }
    WhatIf whatIf = figures_.whatIf();
    whatIf.devicePercent.resize(static_cast<std::size_t>(design.pipeline.devices));
    constexpr int most = 400;
    whatIf.devicePercent[device.index()] = std::min(most, static_cast<int>(std::lround(slower * 100)));
    figures_.setWhatIf(whatIf);
    Q_EMIT designShown();
    Q_EMIT statusText(
        tr("What if device %1 stays %2 % slower: reorder for it, move stages away from it, or apply its costs")
            .arg(device.value)
            .arg(whatIf.devicePercent[device.index()]));
}

void RunDesk::tellEnd(int code, const QString& sentence)
{
    Q_EMIT statusText(sentence);
    if (code != 0)
        files_.bar()->tell(code == 130 ? MessageBar::Tone::Note : MessageBar::Tone::Error, sentence);
}

bool RunDesk::maybeClose()
{
    if (!process_->isUnderWay() || !process_->isOwn())
        return true;
    switch (askAboutRun(window_, process_->record().name, process_->record().settings.keepRunning)) {
    case RunAnswer::Stop:
        process_->setKeepRunning(false);
        process_->stop();
        return true;
    case RunAnswer::Leave:
        process_->setKeepRunning(true);
        return true;
    default:
        return false;
    }
}

} // namespace pipeloom::designer
