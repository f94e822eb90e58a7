// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Two runs beside each other as tables: passes by stage and kind, and the time of each device.

#include "core/run/run_figures.h"
#include "core/run/run_plan.h"

#include <QAbstractTableModel>

#include <vector>

namespace pipeloom::designer {

/// Time there over time here, stage by kind.
class PassDiffModel : public QAbstractTableModel {
    Q_OBJECT
public:
    /// From here on a figure is marked.
    static constexpr double marked = 0.05;

    using QAbstractTableModel::QAbstractTableModel;

    void setRatios(ByKindAndStage<double> ratios, RunPlanPtr plan);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    ByKindAndStage<double> ratios_;
    RunPlanPtr plan_;
    std::vector<PassKind> kinds_;
};

/// Per device compute, transfer, waiting and own time in ms: `48.9 → 50.1`, here and there.
class DeviceDiffModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    /// Of as many devices as both have.
    void setSplits(std::vector<TimeSplit> here, std::vector<TimeSplit> there);
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    std::vector<TimeSplit> here_;
    std::vector<TimeSplit> there_;
};

} // namespace pipeloom::designer
