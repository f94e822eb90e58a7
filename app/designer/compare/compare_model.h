// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The table of figures: a row a design, the best of each column marked, differences against the first design.

#include "app/designer/compare/compare_list.h"

#include <QAbstractTableModel>

namespace pipeloom::designer {

class CompareModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Name, StepTime, OwnSpan, IdleShare, OwnSpanBubble, Peak, Bound, Limit, columns };
    /// Second line of a cell, the difference against the first design; whether it is the best of its column, worse than the
    /// first, a limit that is exceeded.
    enum Role { DifferenceRole = Qt::UserRole, BestRole, WorseRole, BrokenRole };

    explicit CompareModel(CompareList& list, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// The number that stands in a cell, the smaller the better; none where there is none. Times in ticks of the first design.
    [[nodiscard]] std::optional<double> value(int row, int column) const;

private:
    void take(bool structure);
    [[nodiscard]] QString cellText(int row, int column) const;
    [[nodiscard]] QString difference(int row, int column) const;
    [[nodiscard]] bool isBest(int row, int column) const;

    CompareList& list_;
    int rows_ = 0;
    bool isOneBasis_ = true;
};

/// `79`, `79.3`, `10.33`: as many digits as tell something.
[[nodiscard]] QString comparedNumber(double value);

} // namespace pipeloom::designer
