// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The table of figures as it looks: the figure, below it the difference against the first design, the best in bold.

#include <QColor>
#include <QTableView>

namespace pipeloom::designer {

class CompareModel;

/// The colour that stands for the design in that row wherever it is shown; they repeat after sixteen.
[[nodiscard]] QColor compareColour(int row);

class CompareTable : public QTableView {
    Q_OBJECT
public:
    explicit CompareTable(CompareModel& model, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    class CellDelegate;
    void fit();
};

} // namespace pipeloom::designer
