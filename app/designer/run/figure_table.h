// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A small table of figures: names at the left, numbers right-aligned, stripes, and marks on those that stand out.

#include <QTableView>

namespace pipeloom::designer {

/// What a model says of a cell beside its text: 1: worse than it should be (a triangle upwards, the warning's colour), -1: better
/// (a triangle downwards), 0 or nothing: neither.
inline constexpr int figureMarkRole = Qt::UserRole + 40;

class FigureTable : public QTableView {
    Q_OBJECT
public:
    FigureTable(
        const QString& objectName, const QString& accessibleName, QAbstractItemModel& model, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void fit();
};

} // namespace pipeloom::designer
