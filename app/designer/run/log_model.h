// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The lines of the log panel: what the run noted, and what its processes wrote, in the order in which they came.

#include "core/run/run_log.h"

#include <QAbstractListModel>
#include <QSortFilterProxyModel>
#include <QString>

#include <deque>
#include <vector>

namespace pipeloom::designer {

struct LogLine {
    Nanos at = -1;            ///< since the run began; -1: not known
    std::int64_t unixMs = -1; ///< when a process wrote it; -1: by `at`
    std::vector<std::int32_t> ranks;
    RunNotice::Level level = RunNotice::Level::Info;
    QString text;
};

class LogModel : public QAbstractListModel {
    Q_OBJECT
public:
    /// The oldest go first beyond it, some at a time.
    static constexpr std::size_t most = 10'000;
    static constexpr int levelRole = Qt::UserRole;

    using QAbstractListModel::QAbstractListModel;

    /// The notices that came since the last time, and behind them these lines.
    void take(const RunLog& log, std::vector<LogLine> lines);
    void clear();
    [[nodiscard]] const LogLine& line(int row) const { return lines_[static_cast<std::size_t>(row)]; }
    /// `14:05:12` where the time of day is known, else `+12.3 s` since the run began; blanks if neither is.
    [[nodiscard]] QString timeText(const LogLine& line) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    /// Display: time and text.
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    void append(std::vector<LogLine> lines);

    std::deque<LogLine> lines_;
    std::int64_t read_ = 0; ///< of all notices that ever were
    std::int64_t beganUnixNs_ = 0;
};

/// Lines of one rank, lines with a text in them.
class LogFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit LogFilter(LogModel& model, QObject* parent = nullptr);

    /// -1: of all.
    void setRank(std::int32_t rank);
    /// Upper and lower case are the same. Empty: all.
    void setText(const QString& text);

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    LogModel& model_;
    std::int32_t rank_ = -1;
    QString text_;
};

} // namespace pipeloom::designer
