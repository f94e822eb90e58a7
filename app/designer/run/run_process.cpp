// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/run_process.h"

#include "app/designer/run/spawn_supervisor.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QSysInfo>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

namespace pipeloom::designer {

namespace {

constexpr int lookEveryMs = 50;
constexpr int graceByDefaultMs = 120'000;
constexpr int againMs = 500; ///< between two interrupts: closer ones may be taken for one
constexpr int killMs = 5'000;
constexpr int giveUpMs = 10'000;
constexpr int signalBase = 128;
constexpr int interruptedCode = 130; ///< of pipeloom

/// Supervisors of runs that this program has let go, whose ends must be taken some time.
std::vector<pid_t>& letGoBefore()
{
    static std::vector<pid_t> pids;
    return pids;
}

void takeEnds()
{
    std::erase_if(letGoBefore(), [](pid_t pid) { return ::waitpid(pid, nullptr, WNOHANG) != 0; });
}

bool write(const QString& path, const QByteArray& text)
{
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
}

} // namespace

RunProcess::RunProcess(QObject* parent)
    : RunProcess(runsFolder(), parent)
{
}

RunProcess::RunProcess(const QString& runs, QObject* parent)
    : QObject(parent)
    , runs_(runs)
    , graceMs_(graceByDefaultMs)
{
    clock_.setInterval(lookEveryMs);
    connect(&clock_, &QTimer::timeout, this, &RunProcess::look);
}

RunProcess::~RunProcess() { letGo(); }

void RunProcess::letGo()
{
    clock_.stop();
    if (line_ >= 0)
        ::close(line_); // the supervisor sees it, and does as it was told
    line_ = -1;
    if (isOwn_ && record_.supervisor > 0)
        letGoBefore().push_back(record_.supervisor);
    isOwn_ = false;
    takeEnds();
}

QString RunProcess::start(const RunSettings& settings, const QByteArray& design, const QString& name)
{
    if (isUnderWay())
        return tr("A run is under way.");
    letGo();
    record_ = {};
    removeOldRuns(runs_, 19); // with this one there are 20
    QString trouble = prepare(settings, design, name);
    if (trouble.isEmpty())
        trouble = spawn();
    if (!trouble.isEmpty()) {
        if (!record_.folder.isEmpty())
            QDir(record_.folder).removeRecursively();
        record_ = {};
        to(State::Idle);
        return trouble;
    }
    isOwn_ = true;
    begin(State::Starting);
    return {};
}

/// Makes its folder.
QString RunProcess::prepare(const RunSettings& settings, const QByteArray& design, const QString& name)
{
    record_.settings = settings;
    if (record_.settings.program.isEmpty())
        record_.settings.program = findProgram();
    if (record_.settings.program.isEmpty() && settings.starter.trimmed().isEmpty())
        return tr("There is no pipeloom beside this program or in PATH, which is what trains.");
    record_.name = name;
    record_.at = QDateTime::currentDateTime();
    record_.host = QSysInfo::machineHostName();
    record_.folder = makeRunFolder(runs_, name, record_.at);
    if (record_.folder.isEmpty())
        return tr("%1 cannot be written to.").arg(runs_);
    // Other machines see what is in the folder that was named, and perhaps no other.
    QString shared = record_.folder;
    if (!settings.eventsFolder.isEmpty())
        shared = QDir(settings.eventsFolder).absoluteFilePath(QDir(record_.folder).dirName());
    record_.events = shared + QStringLiteral("/events");
    record_.settings.design = shared + QStringLiteral("/design.pipeloom.json");
    if (!QDir().mkpath(record_.events) || !write(record_.settings.design, design))
        return tr("%1 cannot be written to.").arg(shared);
    if (record_.settings.folder.isEmpty())
        record_.settings.folder = QDir::homePath();
    return {};
}

QString RunProcess::spawn()
{
    const RunSettings& settings = record_.settings;
    const bool isTemplate = !settings.starter.trimmed().isEmpty();
    SupervisorPlan plan;
    plan.folder = record_.folder;
    plan.workingFolder = settings.folder;
    plan.keepRunning = settings.keepRunning;
    plan.interruptsGroup = isTemplate;
    if (isTemplate)
        plan.command = { "sh", "-c", commandLine(settings, record_.events) };
    else
        plan.command = QStringList(settings.program) + runArguments(settings, record_.events);
    if (!isTemplate)
        plan.environment = settings.environment;
    const SpawnedSupervisor spawned = spawnSupervisor(plan);
    if (spawned.pid <= 0)
        return tr("The run could not be started: %1.").arg(spawned.trouble);
    line_ = spawned.line;
    record_.supervisor = spawned.pid;
    if (const auto state = processState(spawned.pid))
        record_.supervisorStarted = state->started;
    if (writeRecord(record_))
        return {};
    ::close(std::exchange(line_, -1));
    killProcesses(record_);
    ::kill(spawned.pid, SIGKILL);
    ::waitpid(spawned.pid, nullptr, 0);
    return tr("%1 cannot be written to.").arg(record_.folder);
}

QString RunProcess::attach(const QString& folder)
{
    if (isUnderWay())
        return tr("A run is under way.");
    auto record = readRecord(folder);
    if (!record)
        return tr("%1 holds no run.").arg(folder);
    letGo();
    record_ = std::move(*record);
    begin(State::Running);
    look();
    return {};
}

void RunProcess::begin(State state)
{
    sentence_.clear();
    exitCode_ = -1;
    asked_ = Asked::No;
    interrupts_ = 0;
    wasKilled_ = false;
    output_ = { record_.folder + QStringLiteral("/output.txt"), 0, {}, false };
    errors_ = { record_.folder + QStringLiteral("/errors.txt"), 0, {}, true };
    clock_.start();
    to(state);
}

void RunProcess::to(State state)
{
    if (std::exchange(state_, state) != state)
        Q_EMIT stateChanged();
}

void RunProcess::stop()
{
    if (!isUnderWay() || asked_ != Asked::No)
        return;
    asked_ = Asked::Gracefully;
    sinceAsked_.start();
    sentence_ = tr("The run ends after the step under way.");
    to(State::Stopping);
    insist();
}

void RunProcess::stopNow()
{
    if (!isUnderWay() || asked_ == Asked::AtOnce)
        return;
    asked_ = Asked::AtOnce;
    // One more than it has had: that is what ends it at once.
    interrupts_ = std::min(interrupts_, 1);
    sinceAsked_.start();
    sentence_ = tr("The run is being ended at once.");
    to(State::Stopping);
    insist();
}

/// Says it again, and louder.
void RunProcess::insist()
{
    const qint64 ms = sinceAsked_.elapsed();
    if (asked_ == Asked::Gracefully) {
        if (interrupts_ == 0 && interrupt(record_)) // before that its process is still being made
            ++interrupts_;
        if (ms > graceMs_)
            stopNow();
        return;
    }
    if (interrupts_ < 2 && (interrupts_ == 0 || ms >= againMs) && interrupt(record_))
        ++interrupts_;
    if (ms >= killMs) {
        wasKilled_ = wasKilled_ || killProcesses(record_) > 0;
        if (ms >= giveUpMs && isRunning(record_))
            ::kill(record_.supervisor, SIGKILL);
    }
}

void RunProcess::setKeepRunning(bool keep)
{
    if (!isOwn_ || line_ < 0)
        return;
    record_.settings.keepRunning = keep;
    tellSupervisor(line_, keep);
    (void)writeRecord(record_);
}

void RunProcess::look()
{
    read(output_, false);
    read(errors_, false);
    if (const auto code = designer::exitCode(record_)) {
        end(*code);
        return;
    }
    if (!isRunning(record_)) {
        // Its last act is to write the code: it may have done so meanwhile.
        if (const auto code = designer::exitCode(record_)) {
            end(*code);
            return;
        }
        // Nobody else can have this session while its leader's end was not taken.
        if (isOwn_)
            for (const pid_t pid : processesOfSession(record_.supervisor, record_.supervisor))
                ::kill(pid, SIGKILL);
        end(-1);
        return;
    }
    if (state_ == State::Starting && programOf(record_))
        to(State::Running);
    if (asked_ != Asked::No)
        insist();
}

void RunProcess::end(int code)
{
    clock_.stop();
    read(output_, true);
    read(errors_, true);
    exitCode_ = code;
    sentence_ = ending(code);
    if (line_ >= 0)
        ::close(std::exchange(line_, -1));
    to(State::Ended);
    Q_EMIT ended(code, sentence_);
}

void RunProcess::read(Tail& tail, bool all)
{
    QFile file(tail.path);
    constexpr qint64 atOnce = 65536;
    constexpr qint64 atLast = 4 << 20;
    constexpr qsizetype longest = 4096;
    if (!file.open(QIODevice::ReadOnly) || !file.seek(tail.at))
        return;
    const QByteArray more = file.read(all ? atLast : atOnce);
    tail.at += more.size();
    tail.rest += more;
    if (all && !tail.rest.isEmpty() && !tail.rest.endsWith('\n'))
        tail.rest += '\n';
    static const QRegularExpression ofRank(QStringLiteral("\\A\\[rank (\\d+)\\] "));
    qsizetype from = 0;
    for (qsizetype end = 0; (end = tail.rest.indexOf('\n', from)) >= 0; from = end + 1) {
        QString line = QString::fromUtf8(tail.rest.mid(from, std::min(end - from, longest)));
        const QRegularExpressionMatch rank = ofRank.match(line);
        Q_EMIT logLine(rank.hasMatch() ? rank.captured(1).toInt() : -1, line.mid(rank.capturedLength()), tail.isError);
    }
    tail.rest.remove(0, from);
    if (tail.rest.size() > atOnce) // no lines at all
        tail.rest.truncate(longest);
}

QString RunProcess::ending(int code) const
{
    if (wasKilled_)
        return tr("The run did not end when it was asked twice, so it was killed.");
    if (code == 0)
        return tr("The run has finished.");
    if (code < 0)
        return tr("What looked after the run was killed: how it ended is not known.");
    if (code == interruptedCode || (asked_ != Asked::No && code > signalBase))
        return asked_ == Asked::AtOnce ? tr("The run was ended at once.")
            : record_.settings.checkpoint.isEmpty()
            ? tr("The run was stopped.")
            : tr("The run was stopped, and can go on from %1.").arg(record_.settings.checkpoint);
    const QString error = firstError();
    if (code > signalBase)
        return tr("The run was killed by signal %1 (%2).")
            .arg(code - signalBase)
            .arg(QString::fromLocal8Bit(strsignal(code - signalBase)));
    return error.isEmpty() ? tr("The run failed with exit code %1.").arg(code)
                           : tr("The run failed with exit code %1: %2").arg(code).arg(error);
}

/// The first sentence of what it complained of.
QString RunProcess::firstError() const
{
    QFile file(errors_.path);
    constexpr qint64 enough = 65536;
    if (!file.open(QIODevice::ReadOnly))
        return {};
    file.seek(std::max<qint64>(0, file.size() - enough));
    const QStringList lines = QString::fromUtf8(file.read(enough)).split('\n', Qt::SkipEmptyParts);
    // As pipeloom tells findings: the rule, and below it a sentence, deeper.
    static const QRegularExpression rule(QStringLiteral("\\A  [a-z]+/[a-z-]+\\z"));
    for (qsizetype i = 0; i + 1 < lines.size(); ++i)
        if (rule.match(lines[i]).hasMatch())
            return lines[i + 1].trimmed();
    return lines.isEmpty() ? QString() : lines.back().trimmed();
}

} // namespace pipeloom::designer
