// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The scrolling table of the numbers panel: a line of figures and a bar a row. Only visible rows are drawn.

#include <QListView>

namespace pipeloom::designer {

class NumbersModel;

class NumbersTable : public QListView {
    Q_OBJECT
public:
    explicit NumbersTable(NumbersModel& model, QWidget* parent = nullptr);
    ~NumbersTable() override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    class Header;
    class RowDelegate;
    void placeHeader();

    NumbersModel& model_;
    Header* header_;
    RowDelegate* delegate_;
};

} // namespace pipeloom::designer
