// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The rows of the numbers panel as a list: a row is a device, or a stage for lifespans. Texts are made only for rows that
// are asked for, so that an update costs nothing per row out of sight.

#include "app/designer/panels/device_rows.h"

#include <QAbstractListModel>

namespace pipeloom::designer {

class NumbersModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { DeviceRole = Qt::UserRole, CellsRole };

    using QAbstractListModel::QAbstractListModel;

    void setFigures(FiguresPtr figures);
    void setView(NumbersView view);
    [[nodiscard]] NumbersView view() const { return view_; }
    [[nodiscard]] const Figures& figures() const { return *figures_; }
    [[nodiscard]] const std::vector<DeviceRow>& devices() const { return devices_; }
    [[nodiscard]] const std::vector<LifespanRow>& lifespans() const { return lifespans_; }
    /// What a bar of full width stands for: ticks or the design's memory unit.
    [[nodiscard]] std::int64_t scale() const { return scale_; }

    /// Titles of the columns.
    [[nodiscard]] QStringList titles() const;
    /// The row's texts, one a column.
    [[nodiscard]] QStringList cells(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    /// Display: the row as one sentence, for screen readers and copying.
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    void make();
    [[nodiscard]] int size() const;
    [[nodiscard]] QString sentence(int row) const;

    FiguresPtr figures_ = std::make_shared<const Figures>();
    NumbersView view_ = NumbersView::Memory;
    std::vector<DeviceRow> devices_;
    std::vector<LifespanRow> lifespans_;
    std::int64_t scale_ = 1;
};

} // namespace pipeloom::designer
