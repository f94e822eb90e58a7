// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/alarm_model.h"

#include "app/designer/run/run_texts.h"

#include <QStringList>

#include <algorithm>

namespace pipeloom::designer {

namespace {

QString stepHead(std::int64_t step) { return AlarmModel::tr("step %1").arg(step); }

QString levelText(RunNotice::Level level)
{
    switch (level) {
    case RunNotice::Level::Error:
        return AlarmModel::tr("error");
    case RunNotice::Level::Warning:
        return AlarmModel::tr("warning");
    case RunNotice::Level::Good:
    case RunNotice::Level::Info:
        break;
    }
    return AlarmModel::tr("note");
}

void addHeld(Alarm& alarm, const std::vector<HeldUp>& held)
{
    for (const HeldUp& each : held) {
        if (std::find(alarm.devices.begin(), alarm.devices.end(), each.device) == alarm.devices.end())
            alarm.devices.push_back(each.device);
        if (!alarm.pass)
            alarm.pass = each.pass;
    }
}

QString heldText(const std::vector<HeldUp>& held)
{
    QStringList sentences;
    for (const HeldUp& each : held)
        sentences += QString::fromStdString(text(each));
    QString joined = sentences.join("; ");
    if (!joined.isEmpty())
        joined[0] = joined[0].toUpper();
    return joined.isEmpty() ? joined : joined + ".";
}

} // namespace

std::optional<Alarm> alarmOf(const RunNotice& notice)
{
    if (notice.level == RunNotice::Level::Info)
        return std::nullopt;
    Alarm alarm;
    alarm.level = notice.level;
    alarm.step = notice.step;
    alarm.devices = notice.devices;
    alarm.pass = notice.pass;
    alarm.isStraggler = notice.kind == RunNotice::Kind::Straggler && !notice.devices.empty();
    alarm.head = notice.step >= 0 ? stepHead(notice.step) : AlarmModel::tr("the run");
    alarm.text = QString::fromStdString(notice.text);
    alarm.advice = QString::fromStdString(notice.advice);
    if (alarm.advice.isEmpty() && notice.level == RunNotice::Level::Good)
        alarm.advice = AlarmModel::tr("Nothing to do.");
    return alarm;
}

Alarm alarmOf(const RunFailed& failed, std::int64_t step, const std::vector<HeldUp>& held)
{
    Alarm alarm;
    alarm.level = RunNotice::Level::Error;
    alarm.step = step;
    alarm.devices = failed.devices;
    alarm.head = step >= 0 ? AlarmModel::tr("failed at step %1").arg(step) : AlarmModel::tr("failed");
    alarm.text = QString::fromStdString(failed.message);
    addHeld(alarm, held);
    QStringList advice { heldText(held), QString::fromStdString(failed.remedy) };
    advice.removeAll(QString());
    alarm.advice = advice.join(" ");
    return alarm;
}

Alarm alarmOf(const std::vector<HeldUp>& held, std::int64_t step)
{
    Alarm alarm;
    alarm.level = RunNotice::Level::Error;
    alarm.step = step;
    alarm.head = step >= 0 ? AlarmModel::tr("step %1 stands still").arg(step) : AlarmModel::tr("stands still");
    addHeld(alarm, held);
    alarm.text = heldText(held);
    return alarm;
}

std::optional<Alarm> alarmOf(const RunFaults& faults, const EventCounts& counts)
{
    QStringList parts;
    const auto add = [&](std::int64_t number, const QString& one, const QString& many) {
        if (number > 0)
            parts += number == 1 ? one : many.arg(countText(number));
    };
    const auto say = [](const char* text) { return AlarmModel::tr(text); };
    add(counts.garbled, say("1 line cannot be read"), say("%1 lines cannot be read"));
    add(faults.lostLines, say("1 line is lost"), say("%1 lines are lost"));
    add(faults.lostPasses, say("1 pass was never told"), say("%1 passes were never told"));
    add(faults.late, say("1 event came too late"), say("%1 events came too late"));
    add(faults.strange, say("1 event does not fit the run"), say("%1 events do not fit the run"));
    add(counts.cut, say("the last line is cut off"), say("%1 files end in a line that is cut off"));
    add(counts.unknown, say("1 event is of a later version"), say("%1 events are of a later version"));
    if (parts.isEmpty())
        return std::nullopt;
    Alarm alarm;
    alarm.head = AlarmModel::tr("the events");
    QString joined = parts.join(", ");
    joined[0] = joined[0].toUpper();
    alarm.text = joined + ".";
    alarm.advice = counts.firstGarbled.empty()
        ? AlarmModel::tr("All else is shown as it came.")
        : AlarmModel::tr("The first that cannot be read: %1").arg(QString::fromStdString(counts.firstGarbled));
    return alarm;
}

void AlarmModel::setStanding(std::vector<Alarm> standing)
{
    const std::size_t common = std::min(standing.size(), standing_.size());
    for (std::size_t row = 0; row < common; ++row) {
        if (standing[row] == standing_[row])
            continue;
        standing_[row] = std::move(standing[row]);
        const QModelIndex at = index(static_cast<int>(row));
        Q_EMIT dataChanged(at, at);
    }
    if (standing.size() > common) {
        beginInsertRows({}, static_cast<int>(common), static_cast<int>(standing.size()) - 1);
        standing_.insert(standing_.end(),
            std::make_move_iterator(standing.begin() + static_cast<std::ptrdiff_t>(common)),
            std::make_move_iterator(standing.end()));
        endInsertRows();
    } else if (standing_.size() > common) {
        beginRemoveRows({}, static_cast<int>(common), static_cast<int>(standing_.size()) - 1);
        standing_.resize(common);
        endRemoveRows();
    }
}

void AlarmModel::take(std::vector<Alarm> standing, const RunLog& log)
{
    setStanding(std::move(standing));
    std::vector<Alarm> more;
    const std::int64_t before = log.noticesBefore();
    for (std::int64_t at = std::max(read_, before); at < before + std::ssize(log.notices()); ++at) {
        const RunNotice& notice = log.notices()[static_cast<std::size_t>(at - before)];
        // What ended the run stands above.
        const bool isTheEnd = notice.kind == RunNotice::Kind::Failed || notice.kind == RunNotice::Kind::Ended;
        if (!isTheEnd || !log.failed())
            if (std::optional<Alarm> alarm = alarmOf(notice))
                more.push_back(std::move(*alarm));
    }
    read_ = before + std::ssize(log.notices());
    if (more.size() > most)
        more.erase(more.begin(), more.end() - static_cast<std::ptrdiff_t>(most));
    if (!more.empty()) {
        const int first = static_cast<int>(standing_.size());
        beginInsertRows({}, first, first + static_cast<int>(more.size()) - 1);
        for (Alarm& alarm : more)
            noted_.push_front(std::move(alarm));
        endInsertRows();
    }
    if (noted_.size() > most) {
        beginRemoveRows({}, static_cast<int>(standing_.size() + most), rowCount() - 1);
        noted_.resize(most);
        endRemoveRows();
    }
}

void AlarmModel::clear()
{
    beginResetModel();
    standing_.clear();
    noted_.clear();
    read_ = 0;
    endResetModel();
}

const Alarm* AlarmModel::alarm(int row) const
{
    if (row < 0 || row >= rowCount())
        return nullptr;
    const auto at = static_cast<std::size_t>(row);
    return at < standing_.size() ? &standing_[at] : &noted_[at - standing_.size()];
}

int AlarmModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(standing_.size() + noted_.size());
}

QVariant AlarmModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Alarm& alarm = *this->alarm(index.row());
    if (role != Qt::DisplayRole && role != Qt::AccessibleTextRole)
        return {};
    QString line = tr("%1, %2: %3").arg(levelText(alarm.level), alarm.head, alarm.text);
    if (!alarm.advice.isEmpty())
        line += " " + alarm.advice;
    if (role == Qt::AccessibleTextRole && alarm.canShow())
        line += " " + (alarm.isStraggler ? tr("Enter shows it, Ctrl+Enter plans for it.") : tr("Enter shows it."));
    return line;
}

} // namespace pipeloom::designer
