// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a painted timeline tells screen readers: a table with a row for each device and a cell for each pass. Cells are made
// when they are asked for, so a timeline of a million passes costs nothing until then.

#include <QRect>
#include <QString>

class QWidget;

namespace pipeloom::designer {

/// A place in the table; row -1: none.
struct AccessiblePlace {
    int row = -1;
    int column = -1;

    friend bool operator==(const AccessiblePlace&, const AccessiblePlace&) = default;
};

/// A widget that paints a timeline derives from this too. Rows may have different numbers of cells.
class AccessibleRows {
public:
    virtual ~AccessibleRows() = default;

    [[nodiscard]] virtual int accessibleRowCount() const = 0;
    [[nodiscard]] virtual int accessibleCellCount(int row) const = 0;
    /// `device 1, 48 passes, peak 6`
    [[nodiscard]] virtual QString accessibleRowName(int row) const = 0;
    /// One sentence on the pass.
    [[nodiscard]] virtual QString accessibleCellName(AccessiblePlace place) const = 0;
    /// In the widget's coordinates; empty if it is not seen.
    [[nodiscard]] virtual QRect accessibleCellRect(AccessiblePlace place) const = 0;
    [[nodiscard]] virtual AccessiblePlace accessibleCellAt(QPoint at) const = 0;
    [[nodiscard]] virtual bool isAccessibleCellSelected(AccessiblePlace place) const = 0;
    /// The cell that the keyboard is at.
    [[nodiscard]] virtual AccessiblePlace accessibleCurrent() const = 0;
    /// Selects the cell alone and brings it into view.
    virtual void selectAccessibleCell(AccessiblePlace place) = 0;
};

/// Widgets that are AccessibleRows are seen as tables from now on. To be called before such a widget is asked for its
/// accessible interface, as in its constructor; further calls do nothing.
void installAccessibleRows();

/// Tells screen readers that the current cell is another one. The widget must be AccessibleRows.
void tellCurrentCell(QWidget* widget);

} // namespace pipeloom::designer
