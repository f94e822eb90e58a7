// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/log_model.h"

#include <QDateTime>

#include <algorithm>

namespace pipeloom::designer {

namespace {

LogLine lineOf(const RunNotice& notice, const RunLog& log)
{
    LogLine line;
    line.at = notice.at;
    line.level = notice.level;
    line.text = QString::fromStdString(notice.text);
    for (const DeviceId device : notice.devices) {
        const bool known = device.index() < log.ranks().size() && log.ranks()[device.index()];
        const std::int32_t rank = known ? log.ranks()[device.index()]->rank : device.value;
        if (std::find(line.ranks.begin(), line.ranks.end(), rank) == line.ranks.end())
            line.ranks.push_back(rank);
    }
    return line;
}

} // namespace

void LogModel::take(const RunLog& log, std::vector<LogLine> lines)
{
    if (log.began() && log.began()->beganUnixNs != beganUnixNs_) {
        beganUnixNs_ = log.began()->beganUnixNs;
        if (!lines_.empty())
            Q_EMIT dataChanged(index(0), index(rowCount() - 1));
    }
    std::vector<LogLine> more;
    const std::int64_t before = log.noticesBefore();
    for (std::int64_t at = std::max(read_, before); at < before + std::ssize(log.notices()); ++at)
        more.push_back(lineOf(log.notices()[static_cast<std::size_t>(at - before)], log));
    read_ = before + std::ssize(log.notices());
    more.insert(more.end(), std::make_move_iterator(lines.begin()), std::make_move_iterator(lines.end()));
    append(std::move(more));
}

void LogModel::append(std::vector<LogLine> lines)
{
    if (lines.size() > most)
        lines.erase(lines.begin(), lines.end() - static_cast<std::ptrdiff_t>(most));
    if (lines.empty())
        return;
    const int first = rowCount();
    beginInsertRows({}, first, first + static_cast<int>(lines.size()) - 1);
    for (LogLine& line : lines)
        lines_.push_back(std::move(line));
    endInsertRows();
    if (lines_.size() > most) {
        // More than need be: else every line that comes would take one off.
        const std::size_t off = std::min(lines_.size() - most + most / 20, lines_.size() - 1);
        beginRemoveRows({}, 0, static_cast<int>(off) - 1);
        lines_.erase(lines_.begin(), lines_.begin() + static_cast<std::ptrdiff_t>(off));
        endRemoveRows();
    }
}

void LogModel::clear()
{
    beginResetModel();
    lines_.clear();
    read_ = 0;
    beganUnixNs_ = 0;
    endResetModel();
}

QString LogModel::timeText(const LogLine& line) const
{
    const bool isTold = line.at >= 0 && beganUnixNs_ > 0;
    if (line.unixMs < 0 && !isTold)
        return line.at >= 0 ? QString("%1 s").arg("+" + QString::number(static_cast<double>(line.at) / 1e9, 'f', 1), 6)
                            : QString(8, ' ');
    const std::int64_t ms = line.unixMs >= 0 ? line.unixMs : (beganUnixNs_ + line.at) / 1'000'000;
    return QDateTime::fromMSecsSinceEpoch(ms).toString("HH:mm:ss");
}

int LogModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(lines_.size());
}

QVariant LogModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const LogLine& at = line(index.row());
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
        return timeText(at) + " " + at.text;
    case levelRole:
        return static_cast<int>(at.level);
    default:
        return {};
    }
}

LogFilter::LogFilter(LogModel& model, QObject* parent)
    : QSortFilterProxyModel(parent)
    , model_(model)
{
    setSourceModel(&model);
}

void LogFilter::setRank(std::int32_t rank)
{
    rank_ = rank;
    invalidateFilter();
}

void LogFilter::setText(const QString& text)
{
    text_ = text;
    invalidateFilter();
}

bool LogFilter::filterAcceptsRow(int row, const QModelIndex&) const
{
    const LogLine& line = model_.line(row);
    if (rank_ >= 0 && std::find(line.ranks.begin(), line.ranks.end(), rank_) == line.ranks.end())
        return false;
    return text_.isEmpty() || line.text.contains(text_, Qt::CaseInsensitive);
}

} // namespace pipeloom::designer
