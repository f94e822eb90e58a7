// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// "Use costs…": what the run's passes take beside what the design says, how well the simulated step with these costs meets the
// measured one, and what the difference is. Accepted, the costs are one undo step, made by the caller of edited().

#include "app/designer/edit/measured_costs_edit.h"

#include <QAbstractTableModel>
#include <QDialog>

namespace pipeloom::designer {

class RunSession;

/// Measured beside present, stage by kind.
class CostsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    CostsModel(MeasuredCosts costs, Pipeline pipeline, Design design, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    MeasuredCosts costs_;
    Pipeline pipeline_; ///< of all replicas and rounds
    Design design_;
    std::vector<PassKind> kinds_; ///< that were measured
};

class CostsDialog : public QDialog {
    Q_OBJECT
public:
    /// Of the session's last whole steps, against a design.
    CostsDialog(RunSession& session, const Design& design, QWidget* parent = nullptr);

    /// The design with the costs, or why it cannot have them.
    [[nodiscard]] const Edited& edited() const { return edited_; }
    /// Simulated with them, in ms; none: not known. For the line in the chart of step times.
    [[nodiscard]] std::optional<double> simulatedMs() const;

private:
    /// Makes the design anew, with memory or without.
    void make(bool withMemory);

    Design design_;
    RunCosts costs_;
    Pipeline ofRun_;
    std::optional<RunPlanned> planned_;
    Edited edited_;
};

} // namespace pipeloom::designer
