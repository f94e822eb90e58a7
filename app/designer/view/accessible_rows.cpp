// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/view/accessible_rows.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QCoreApplication>
#include <QWidget>

#include <algorithm>
#include <map>

namespace pipeloom::designer {

namespace {

class Table;

class Cell final : public QAccessibleInterface, public QAccessibleTableCellInterface {
public:
    Cell(Table& table, AccessiblePlace place)
        : table_(table)
        , place_(place)
    {
    }

    bool isValid() const override;
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    QAccessibleInterface* parent() const override;
    QAccessibleInterface* child(int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QString text(QAccessible::Text what) const override;
    void setText(QAccessible::Text, const QString&) override { }
    QRect rect() const override;
    QAccessible::Role role() const override { return QAccessible::Cell; }
    QAccessible::State state() const override;
    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::TableCellInterface ? static_cast<QAccessibleTableCellInterface*>(this) : nullptr;
    }

    bool isSelected() const override;
    QList<QAccessibleInterface*> columnHeaderCells() const override { return {}; }
    QList<QAccessibleInterface*> rowHeaderCells() const override { return {}; }
    int columnIndex() const override { return place_.column; }
    int rowIndex() const override { return place_.row; }
    int columnExtent() const override { return 1; }
    int rowExtent() const override { return 1; }
    QAccessibleInterface* table() const override { return parent(); }

private:
    Table& table_;
    AccessiblePlace place_;
};

class Table final : public QAccessibleWidget, public QAccessibleTableInterface {
public:
    Table(QWidget* widget, AccessibleRows& rows)
        : QAccessibleWidget(widget, QAccessible::Table)
        , rows_(rows)
    {
    }
    ~Table() override { forgetCells(); }

    const AccessibleRows& rows() const { return rows_; }
    QWidget* widget() const { return QAccessibleWidget::widget(); }
    bool has(AccessiblePlace place) const
    {
        return place.row >= 0 && place.row < rows_.accessibleRowCount() && place.column >= 0
            && place.column < rows_.accessibleCellCount(place.row);
    }
    QAccessibleInterface* at(AccessiblePlace place) const
    {
        if (!has(place))
            return nullptr;
        const auto found = cells_.find({ place.row, place.column });
        if (found != cells_.end())
            return QAccessible::accessibleInterface(found->second);
        constexpr std::size_t most = 4096; // readers hold none of them for long
        if (cells_.size() > most)
            forgetCells();
        auto* cell = new Cell(const_cast<Table&>(*this), place);
        cells_[{ place.row, place.column }] = QAccessible::registerAccessibleInterface(cell);
        return cell;
    }

    void* interface_cast(QAccessible::InterfaceType type) override
    {
        if (type == QAccessible::TableInterface)
            return static_cast<QAccessibleTableInterface*>(this);
        return QAccessibleWidget::interface_cast(type);
    }

    // The cells of row 0 are the first children, then those of row 1, ...
    int childCount() const override
    {
        int count = 0;
        for (int row = 0; row < rows_.accessibleRowCount(); ++row)
            count += rows_.accessibleCellCount(row);
        return count;
    }
    QAccessibleInterface* child(int index) const override
    {
        for (int row = 0; row < rows_.accessibleRowCount() && index >= 0; ++row) {
            const int cells = rows_.accessibleCellCount(row);
            if (index < cells)
                return at({ row, index });
            index -= cells;
        }
        return nullptr;
    }
    int indexOfChild(const QAccessibleInterface* child) const override
    {
        for (const auto& [place, id] : cells_)
            if (QAccessible::accessibleInterface(id) == child)
                return indexOf({ place.first, place.second });
        return -1;
    }
    int indexOf(AccessiblePlace place) const
    {
        int index = place.column;
        for (int row = 0; row < place.row; ++row)
            index += rows_.accessibleCellCount(row);
        return index;
    }
    QAccessibleInterface* childAt(int x, int y) const override
    {
        return at(rows_.accessibleCellAt(widget()->mapFromGlobal(QPoint(x, y))));
    }
    QAccessibleInterface* focusChild() const override { return at(rows_.accessibleCurrent()); }

    QAccessibleInterface* caption() const override { return nullptr; }
    QAccessibleInterface* summary() const override { return nullptr; }
    QAccessibleInterface* cellAt(int row, int column) const override { return at({ row, column }); }
    int columnCount() const override
    {
        int most = 0;
        for (int row = 0; row < rows_.accessibleRowCount(); ++row)
            most = std::max(most, rows_.accessibleCellCount(row));
        return most;
    }
    int rowCount() const override { return rows_.accessibleRowCount(); }
    QString columnDescription(int column) const override
    {
        return QCoreApplication::translate("pipeloom::designer::AccessibleRows", "pass %1").arg(column + 1);
    }
    QString rowDescription(int row) const override
    {
        return row >= 0 && row < rowCount() ? rows_.accessibleRowName(row) : QString();
    }
    int selectedCellCount() const override { return static_cast<int>(selectedCells().size()); }
    int selectedColumnCount() const override { return 0; }
    int selectedRowCount() const override { return 0; }
    QList<QAccessibleInterface*> selectedCells() const override
    {
        // The current one stands for a selection that may be of a million.
        const AccessiblePlace current = rows_.accessibleCurrent();
        return has(current) ? QList<QAccessibleInterface*> { at(current) } : QList<QAccessibleInterface*>();
    }
    QList<int> selectedColumns() const override { return {}; }
    QList<int> selectedRows() const override { return {}; }
    bool isColumnSelected(int) const override { return false; }
    bool isRowSelected(int) const override { return false; }
    bool selectRow(int row) override
    {
        if (!has({ row, 0 }))
            return false;
        rows_.selectAccessibleCell({ row, 0 });
        return true;
    }
    bool selectColumn(int) override { return false; }
    bool unselectRow(int) override { return false; }
    bool unselectColumn(int) override { return false; }
    void modelChange(QAccessibleTableModelChangeEvent*) override { forgetCells(); }

private:
    void forgetCells() const
    {
        for (const auto& [place, id] : cells_)
            QAccessible::deleteAccessibleInterface(id);
        cells_.clear();
    }

    AccessibleRows& rows_;
    mutable std::map<std::pair<int, int>, QAccessible::Id> cells_;
};

bool Cell::isValid() const { return table_.isValid() && table_.has(place_); }

QAccessibleInterface* Cell::parent() const { return &table_; }

QString Cell::text(QAccessible::Text what) const
{
    return what == QAccessible::Name && isValid() ? table_.rows().accessibleCellName(place_) : QString();
}

QRect Cell::rect() const
{
    if (!isValid())
        return {};
    const QRect rect = table_.rows().accessibleCellRect(place_);
    return rect.isEmpty() ? QRect() : QRect(table_.widget()->mapToGlobal(rect.topLeft()), rect.size());
}

bool Cell::isSelected() const { return isValid() && table_.rows().isAccessibleCellSelected(place_); }

QAccessible::State Cell::state() const
{
    QAccessible::State state;
    state.selectable = true;
    state.focusable = true;
    state.selected = isSelected();
    state.focused = isValid() && table_.widget()->hasFocus() && table_.rows().accessibleCurrent() == place_;
    state.invisible = isValid() && table_.rows().accessibleCellRect(place_).isEmpty();
    state.invalid = !isValid();
    return state;
}

QAccessibleInterface* makeTable(const QString&, QObject* object)
{
    auto* widget = qobject_cast<QWidget*>(object);
    auto* rows = dynamic_cast<AccessibleRows*>(object);
    return widget && rows ? new Table(widget, *rows) : nullptr;
}

} // namespace

void installAccessibleRows()
{
    // Qt keeps a factory once only.
    QAccessible::installFactory(makeTable);
}

void tellCurrentCell(QWidget* widget)
{
    if (!QAccessible::isActive())
        return;
    const auto* rows = dynamic_cast<AccessibleRows*>(widget);
    auto* table = dynamic_cast<Table*>(QAccessible::queryAccessibleInterface(widget));
    if (!rows || !table || !table->has(rows->accessibleCurrent()))
        return;
    QAccessibleEvent focus(widget, QAccessible::Focus);
    focus.setChild(table->indexOf(rows->accessibleCurrent()));
    QAccessible::updateAccessibility(&focus);
}

} // namespace pipeloom::designer
