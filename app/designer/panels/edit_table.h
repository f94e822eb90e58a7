// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Tables of numbers of a design, a row a stage, a device or a boundary, the first row for all of them. Cells are edited in
// place; blocks of cells are copied, pasted and filled down. Every one of these is one undo step.

#include "app/designer/document/document.h"

#include <QAbstractTableModel>
#include <QTableView>

#include <functional>
#include <optional>
#include <vector>

namespace pipeloom::designer {

/// A column: how a cell is read off a design and what edit sets it. `row` none: all rows.
struct EditColumn {
    QString title;
    QString name; ///< in full, for screen readers and tooltips
    enum class Holds { Whole, Amount, AmountOrNone } holds = Holds::Whole;
    std::function<std::optional<std::int64_t>(const Design&, std::int32_t row)> read;
    std::function<Edited(const Design&, std::optional<std::int32_t> row, std::optional<std::int64_t> value)> write;
};

class EditTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    EditTableModel(Document& document, std::vector<EditColumn> columns, std::function<std::int32_t(const Design&)> rows,
        std::function<QString(const Design&, std::int32_t row)> title, QObject* parent = nullptr);

    void take(const Design& design);
    /// Sets cells, `texts[i][j]` at (row + i, column + j), as one step. Cells beyond the table are left out. If one is refused
    /// nothing is set. Row 0 is that for all.
    bool setCells(int row, int column, const std::vector<QStringList>& texts, const QString& name);
    /// The text of a cell as it is copied and edited.
    [[nodiscard]] QString editText(int row, int column) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

Q_SIGNALS:
    void told(const QString& sentence); ///< why a cell was not set; empty: it was

private:
    struct Parsed {
        bool ok = false;
        std::optional<std::int64_t> value;
        QString why;
    };
    [[nodiscard]] Parsed parsed(const EditColumn& column, const QString& text) const;
    [[nodiscard]] QString cellText(int row, int column, bool exact) const;

    Document& document_;
    std::vector<EditColumn> columns_;
    std::function<std::int32_t(const Design&)> rows_;
    std::function<QString(const Design&, std::int32_t)> title_;
    std::int32_t count_ = 0;
    MemoryUnit unit_ = MemoryUnit::Activation;
    std::vector<std::optional<std::int64_t>> values_; ///< row by row, without the first
    std::vector<QString> titles_;
};

/// As high as its rows, at most `mostRows` of them; beyond that it scrolls.
class EditTableView : public QTableView {
    Q_OBJECT
public:
    EditTableView(EditTableModel& model, const QString& name, QWidget* parent = nullptr);

    void copy() const;
    /// Pastes text from a spreadsheet at the current cell. `pasteHook`, if set, takes it instead.
    void paste();
    /// The first chosen row of each column into the chosen rows below it.
    void fillDown();
    std::function<bool(const QString& text, int row, int column)> pasteHook;
    /// Columns as wide as what stands in them, with what is left shared out; as high as its rows.
    void fit();
    bool eventFilter(QObject* watched, QEvent* event) override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    EditTableModel& model_;
    QWidget* corner_ = nullptr;
};

} // namespace pipeloom::designer
