// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Measured over planned, stage by kind, as a table. Rows are stages; of the kinds only those that the run has.

#include "core/run/run_figures.h"

#include <QAbstractTableModel>

#include <vector>

namespace pipeloom::designer {

class DriftModel : public QAbstractTableModel {
    Q_OBJECT
public:
    /// From here on a pass is marked, against the median of all: 8 %.
    static constexpr double marked = 0.08;

    using QAbstractTableModel::QAbstractTableModel;

    /// `plan` is what the drift was taken against; none: the table is empty.
    void setDrift(Drift drift, RunPlanPtr plan);
    [[nodiscard]] const Drift& drift() const { return drift_; }
    [[nodiscard]] PassKind kindOf(int column) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    [[nodiscard]] double ratio(const QModelIndex& index) const;
    [[nodiscard]] int mark(const QModelIndex& index) const;
    [[nodiscard]] QString tip(const QModelIndex& index) const;

    Drift drift_;
    RunPlanPtr plan_;
    std::vector<PassKind> kinds_; ///< of the columns behind the first
};

/// `2 dev 2`; of a stage on several devices `2 dev 2, 5`.
[[nodiscard]] QString stageText(const Pipeline& pipeline, StageId stage);
/// Kinds of which any stage has a figure, in the order F, B, W, BW.
[[nodiscard]] std::vector<PassKind> kindsWith(const ByKindAndStage<double>& figures);

} // namespace pipeloom::designer
