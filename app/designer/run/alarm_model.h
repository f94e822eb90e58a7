// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a person should look at, the newest first: failures, standstills and faults of the file stand above the rest as long as
// they hold, then what the log noted, in reverse order.

#include "core/formats/event_lines.h"
#include "core/run/run_figures.h"
#include "core/run/run_log.h"

#include <QAbstractListModel>
#include <QString>

#include <deque>
#include <optional>
#include <vector>

namespace pipeloom::designer {

struct Alarm {
    RunNotice::Level level = RunNotice::Level::Warning;
    std::int64_t step = -1; ///< -1: of none
    std::vector<DeviceId> devices;
    std::optional<Pass> pass;
    bool isStraggler = false; ///< can be planned for
    QString head;             ///< `step 112`, `now`, `the file`
    QString text;
    QString advice; ///< may be empty

    /// There is a step, a device or a pass to go to.
    [[nodiscard]] bool canShow() const { return step >= 0 || !devices.empty(); }
    friend bool operator==(const Alarm&, const Alarm&) = default;
};

/// The alarm of a notice; none: it is no alarm, but a line for the log.
[[nodiscard]] std::optional<Alarm> alarmOf(const RunNotice& notice);
[[nodiscard]] Alarm alarmOf(const RunFailed& failed, std::int64_t step, const std::vector<HeldUp>& held);
[[nodiscard]] Alarm alarmOf(const std::vector<HeldUp>& held, std::int64_t step);
/// What did not come as it should; none: all did.
[[nodiscard]] std::optional<Alarm> alarmOf(const RunFaults& faults, const EventCounts& counts);

class AlarmModel : public QAbstractListModel {
    Q_OBJECT
public:
    /// Of the log's notices; the oldest go first.
    static constexpr std::size_t most = 200;

    using QAbstractListModel::QAbstractListModel;

    /// What holds now, most urgent first; and the notices that came since the last time.
    void take(std::vector<Alarm> standing, const RunLog& log);
    void clear();
    [[nodiscard]] const Alarm* alarm(int row) const; ///< null: no such row

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    /// Display: the whole alarm as one line.
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    void setStanding(std::vector<Alarm> standing);

    std::vector<Alarm> standing_;
    std::deque<Alarm> noted_; ///< newest first
    std::int64_t read_ = 0;   ///< of all notices that ever were
};

} // namespace pipeloom::designer
