// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/panels/edit_table.h"
#include "app/designer/panels/quantity.h"

#include <algorithm>

namespace pipeloom::designer {

EditTableModel::EditTableModel(Document& document, std::vector<EditColumn> columns,
    std::function<std::int32_t(const Design&)> rows, std::function<QString(const Design&, std::int32_t)> title,
    QObject* parent)
    : QAbstractTableModel(parent)
    , document_(document)
    , columns_(std::move(columns))
    , rows_(std::move(rows))
    , title_(std::move(title))
{
}

void EditTableModel::take(const Design& design)
{
    const std::int32_t count = rows_(design);
    std::vector<std::optional<std::int64_t>> values;
    std::vector<QString> titles;
    values.reserve(static_cast<std::size_t>(count) * columns_.size());
    for (std::int32_t row = 0; row < count; ++row) {
        titles.push_back(title_(design, row));
        for (const EditColumn& column : columns_)
            values.push_back(column.read(design, row));
    }
    const bool otherSize = count != count_;
    if (!otherSize && values == values_ && titles == titles_ && design.memory.unit == unit_)
        return;
    if (otherSize)
        beginResetModel();
    count_ = count;
    unit_ = design.memory.unit;
    values_ = std::move(values);
    titles_ = std::move(titles);
    if (otherSize) {
        endResetModel();
    } else {
        Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        Q_EMIT headerDataChanged(Qt::Vertical, 0, rowCount() - 1);
    }
}

QString EditTableModel::cellText(int row, int column, bool exact) const
{
    const auto at = static_cast<std::size_t>(column);
    const auto value = [&](std::int32_t of) { return values_[static_cast<std::size_t>(of) * columns_.size() + at]; };
    const EditColumn& shown = columns_[at];
    if (count_ == 0)
        return {};
    std::optional<std::int64_t> number = value(row == 0 ? 0 : row - 1);
    if (row == 0)
        for (std::int32_t other = 1; other < count_; ++other)
            if (value(other) != number)
                return exact ? QString() : QString(QChar(0x2026)); // they differ
    if (!number)
        return exact ? QString() : QString(noFigure);
    if (shown.holds == EditColumn::Holds::Whole)
        return wholeText(*number);
    return exact ? exactAmountText(*number, unit_) : figureText(number, unit_);
}

QString EditTableModel::editText(int row, int column) const { return cellText(row, column, true); }

EditTableModel::Parsed EditTableModel::parsed(const EditColumn& column, const QString& text) const
{
    const QString typed = text.trimmed();
    if (column.holds == EditColumn::Holds::AmountOrNone && (typed.isEmpty() || typed == noFigure || typed == "-"))
        return { true, std::nullopt, {} };
    const std::optional<std::int64_t> value
        = column.holds == EditColumn::Holds::Whole ? wholeOf(typed) : amountOf(typed, unit_);
    if (value)
        return { true, value, {} };
    const bool bytes = column.holds != EditColumn::Holds::Whole && unit_ == MemoryUnit::Byte;
    return { false, std::nullopt,
        (bytes ? tr("“%1” is no amount of memory; write it like 1.5 GB or 800 MB.") : tr("“%1” is no whole number."))
            .arg(typed) };
}

bool EditTableModel::setCells(int row, int column, const std::vector<QStringList>& texts, const QString& name)
{
    Design design = *document_.committed();
    std::string oneName;
    int set = 0;
    for (std::size_t i = 0; i < texts.size(); ++i)
        for (qsizetype j = 0; j < texts[i].size(); ++j) {
            const int r = row + static_cast<int>(i);
            const int c = column + static_cast<int>(j);
            if (r > count_ || c >= columnCount() || texts[i][j].isNull())
                continue;
            const EditColumn& to = columns_[static_cast<std::size_t>(c)];
            const Parsed parse = parsed(to, texts[i][j]);
            if (!parse.ok) {
                Q_EMIT told(parse.why);
                return false;
            }
            Edited edited = to.write(design, r == 0 ? std::nullopt : std::optional(r - 1), parse.value);
            if (!edited.ok()) {
                Q_EMIT told(QString::fromStdString(edited.refusal));
                return false;
            }
            design = std::move(*edited.design);
            oneName = edited.name;
            ++set;
        }
    if (set == 0)
        return false;
    Q_EMIT told({});
    document_.breakMerge();
    return document_.apply({ std::move(design), set == 1 ? oneName : name.toStdString(), {} });
}

int EditTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() || count_ == 0 ? 0 : count_ + 1;
}

int EditTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(columns_.size());
}

QVariant EditTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const EditColumn& column = columns_[static_cast<std::size_t>(index.column())];
    switch (role) {
    case Qt::DisplayRole:
        return cellText(index.row(), index.column(), false);
    case Qt::EditRole:
        return editText(index.row(), index.column());
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment(Qt::AlignRight | Qt::AlignVCenter));
    case Qt::AccessibleTextRole:
        return QString("%1, %2: %3")
            .arg(headerData(index.row(), Qt::Vertical, Qt::DisplayRole).toString(), column.name,
                cellText(index.row(), index.column(), false));
    case Qt::ToolTipRole:
        return column.name;
    default:
        return {};
    }
}

QVariant EditTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (section < 0)
        return {};
    const auto at = static_cast<std::size_t>(section);
    if (orientation == Qt::Horizontal && at < columns_.size()) {
        if (role == Qt::DisplayRole)
            return columns_[at].title;
        if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole)
            return columns_[at].name;
    }
    if (orientation == Qt::Vertical && role == Qt::DisplayRole && at <= titles_.size())
        return section == 0 ? tr("all") : titles_[at - 1];
    return {};
}

Qt::ItemFlags EditTableModel::flags(const QModelIndex& index) const
{
    return index.isValid() ? QAbstractTableModel::flags(index) | Qt::ItemIsEditable : Qt::NoItemFlags;
}

bool EditTableModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::EditRole || !checkIndex(index, CheckIndexOption::IndexIsValid))
        return false;
    const QString text = value.toString();
    if (text == editText(index.row(), index.column()))
        return false; // opened and left as it was
    QStringList row { text.isNull() ? QString("") : text };
    return setCells(index.row(), index.column(), { row }, {});
}

} // namespace pipeloom::designer
