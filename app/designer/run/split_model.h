// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Where the time of each device goes, a row a device, as a list. Texts are made only for rows that are asked for.

#include "core/run/run_figures.h"

#include <QAbstractListModel>

#include <array>
#include <vector>

namespace pipeloom::designer {

/// Of one device in ms, in the order in which they are drawn; what is shown adds up to the step.
struct SplitRow {
    enum Part { Compute, Transfer, Waiting, Own };
    static constexpr int parts = 4;
    std::array<double, parts> ms {};
    double stepMs = 0;
    int decimals = 1;
};
[[nodiscard]] SplitRow splitRow(const TimeSplit& split);
/// `compute 48.9 · transfer 1.1 · waiting 13.0 · own 1.1`
[[nodiscard]] QString splitText(const SplitRow& row);

/// What to say when the rank loop's own time outweighs the idle time that a better schedule could win (CASES 23); empty: it does not.
[[nodiscard]] QString overheadText(const std::vector<TimeSplit>& split);

class SplitModel : public QAbstractListModel {
    Q_OBJECT
public:
    using QAbstractListModel::QAbstractListModel;

    void setSplit(std::vector<TimeSplit> split);
    [[nodiscard]] const std::vector<TimeSplit>& split() const { return split_; }
    /// What a bar of full width stands for: the longest step of a device.
    [[nodiscard]] Nanos scale() const { return scale_; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    [[nodiscard]] QString tip(const TimeSplit& split) const;

    std::vector<TimeSplit> split_;
    Nanos scale_ = 1;
};

} // namespace pipeloom::designer
