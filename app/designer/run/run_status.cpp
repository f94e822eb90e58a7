// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/run_status.h"

#include "app/designer/run/run_medians.h"
#include "app/designer/run/run_session.h"
#include "app/designer/run/run_texts.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFileInfo>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <set>

namespace pipeloom::designer {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("RunStatus", text); }

/// `4 processes (gloo)`, `4 devices (local)`.
QString whoText(const RunLog& log)
{
    const RunBegan& began = *log.began();
    std::set<std::pair<std::string, std::int64_t>> processes;
    for (const std::optional<RankBegan>& rank : log.ranks())
        if (rank && rank->pid > 0)
            processes.emplace(rank->host, rank->pid);
    const bool inOne = processes.size() < 2;
    const std::int64_t number = inOne ? began.devices : std::ssize(processes);
    QString who = inOne ? countedText(number, tr("device"), tr("devices"))
                        : countedText(number, tr("process"), tr("processes"));
    if (!began.transport.empty())
        who += QString(" (%1)").arg(QString::fromStdString(began.transport));
    return who;
}

QString stepText(const RunSession& session)
{
    const RunLog& log = session.log();
    const std::int64_t last = log.began()->firstStep + log.began()->steps;
    const MeasuredStepPtr newest = log.newest();
    const std::int64_t step = newest ? newest->step : log.summaries().empty() ? -1 : log.summaries().back().step;
    if (log.ended() || log.failed()) {
        const std::string outcome = log.ended() ? log.ended()->outcome : std::string("failed");
        if (outcome == "finished")
            return tr("finished after %1").arg(countedText(log.began()->steps, tr("step"), tr("steps")));
        return step < 0 ? QString::fromStdString(outcome)
                        : tr("%1 at step %2").arg(QString::fromStdString(outcome)).arg(step);
    }
    if (step < 0)
        return log.began()->steps > 0
            ? tr("%1, none has begun").arg(countedText(log.began()->steps, tr("step"), tr("steps")))
            : tr("no step has begun");
    return log.began()->steps > 0 ? tr("step %1 of %2").arg(step).arg(last) : tr("step %1").arg(step);
}

} // namespace

std::optional<double> secondsLeft(const RunSession& session)
{
    const RunLog& log = session.log();
    if (!log.began() || log.began()->steps < 1 || log.ended() || log.failed() || log.summaries().empty())
        return std::nullopt;
    // From one beginning to the next, so that what lies between steps counts too.
    const std::vector<MeasuredStepPtr> whole = session.lastWhole();
    double stepSeconds = medianStepMs(log.summaries()).value_or(0) / 1000;
    if (whole.size() >= 3 && whole.front()->began() && whole.back()->began())
        stepSeconds = static_cast<double>(*whole.back()->began() - *whole.front()->began()) / 1e9
            / static_cast<double>(whole.back()->step - whole.front()->step);
    const std::int64_t last = log.began()->firstStep + log.began()->steps - 1;
    const std::int64_t left = std::max<std::int64_t>(last - log.summaries().back().step, 0);
    if (!std::isfinite(stepSeconds) || stepSeconds <= 0)
        return std::nullopt;
    return static_cast<double>(left) * stepSeconds / (session.isReplay() ? session.speed() : 1);
}

/// How long a run has told nothing that should have; 0: not so long that it is worth a word.
static double silentSeconds(const RunSession& session)
{
    const RunLog& log = session.log();
    const MeasuredStepPtr newest = log.newest();
    if (session.state() != RunSession::State::Running || session.isReplay() || !newest || !log.began()
        || log.began()->beganUnixNs <= 0)
        return 0;
    constexpr double perSecond = 1e9;
    const double told = static_cast<double>(log.began()->beganUnixNs + newest->latest()) / perSecond;
    const double silent = static_cast<double>(QDateTime::currentMSecsSinceEpoch()) / 1000 - told;
    const double usual = log.summaries().empty() ? 0 : log.summaries().back().stepMs / 1000;
    constexpr double leastSeconds = 15;
    return silent > std::max(leastSeconds, 5 * usual) ? silent : 0;
}

QString runSentence(const RunSession& session)
{
    if (session.state() == RunSession::State::Empty)
        return {};
    const RunLog& log = session.log();
    if (!log.began())
        return tr("waiting for %1").arg(QFileInfo(session.path()).fileName());
    QStringList parts { stepText(session), whoText(log) };
    if (log.began()->emulated)
        parts += tr("emulated");
    if (session.isReplay())
        parts += tr("replay, %1 ×").arg(session.speed());
    if (session.isPaused())
        parts += tr("paused");
    else if (const double silent = silentSeconds(session); silent > 0)
        parts += tr("nothing came for %1, and its end was not told").arg(durationText(silent));
    else if (const std::optional<double> left = secondsLeft(session))
        parts += tr("%1 left").arg(durationText(*left));
    return parts.join(" · ");
}

QString feedSentence(const RunSession& session)
{
    if (session.state() == RunSession::State::Empty)
        return {};
    const RunLog& log = session.log();
    QStringList parts { tr("events %1").arg(countText(log.events())) };
    // Passes are lost where their lines are: only if these were not counted do passes speak for them.
    const std::int64_t lost = log.faults().lostLines > 0 ? log.faults().lostLines : log.faults().lostPasses;
    parts += tr("%1 lost").arg(countText(lost));
    if (session.counts().garbled > 0)
        parts += tr("%1 garbled").arg(countText(session.counts().garbled));
    if (log.faults().late > 0)
        parts += tr("%1 late").arg(countText(log.faults().late));
    const RunSession::Behind behind = session.behind();
    if (session.isPaused())
        parts += behind.bytes > 0 ? tr("paused, %1 wait").arg(bytesText(behind.bytes)) : tr("paused");
    else if (behind.ms >= 1000)
        parts += tr("window %1 behind").arg(durationText(behind.ms / 1000));
    else if (session.state() == RunSession::State::Ended && behind.bytes == 0)
        parts += tr("all shown");
    else
        parts += tr("window current within %1 ms").arg(std::max(10 * std::ceil(behind.ms / 10), 10.0), 0, 'f', 0);
    return parts.join(" · ");
}

} // namespace pipeloom::designer
