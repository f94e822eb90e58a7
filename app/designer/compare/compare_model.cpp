// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/compare/compare_model.h"

#include "app/designer/export/quantities.h"
#include "app/designer/panels/quantity.h"

#include <QStringList>

#include <cmath>

namespace pipeloom::designer {

namespace {

/// Whole ticks cut into fractions and counted again do not come out even in floating point.
bool isSame(double a, double b) { return std::abs(a - b) <= 1e-9 * std::max({ std::abs(a), std::abs(b), 1.0 }); }

} // namespace

QString comparedNumber(double value)
{
    if (isSame(value, std::round(value)))
        return wholeText(std::llround(value));
    return QString::number(value, 'f', value >= 1000 ? 1 : 2);
}

CompareModel::CompareModel(CompareList& list, QObject* parent)
    : QAbstractTableModel(parent)
    , list_(list)
    , rows_(list.size())
{
    connect(&list_, &CompareList::structureChanged, this, [this] { take(true); });
    connect(&list_, &CompareList::figuresChanged, this, [this] { take(false); });
}

void CompareModel::take(bool structure)
{
    if (structure)
        beginResetModel();
    rows_ = list_.size();
    isOneBasis_ = list_.basis().isOne;
    if (structure)
        endResetModel();
    else if (rows_ > 0)
        Q_EMIT dataChanged(index(0, 0), index(rows_ - 1, columns - 1));
}

int CompareModel::rowCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : rows_; }

int CompareModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : int { columns }; }

std::optional<double> CompareModel::value(int row, int column) const
{
    const ComparedDesign& design = list_.designs()[static_cast<std::size_t>(row)];
    if (!design.compared)
        return std::nullopt;
    const ComparedFigures& figures = *design.compared;
    const double tickUs = list_.designs().front().design->costs.tickUs;
    switch (column) {
    case StepTime:
        return figures.stepUs / tickUs;
    case OwnSpan:
        return figures.ownSpanUs / tickUs;
    case IdleShare:
        return figures.idleShare;
    case OwnSpanBubble:
        return figures.ownSpanBubble;
    case Peak:
        return figures.peak;
    case Bound:
        return figures.bound;
    default:
        return std::nullopt;
    }
}

QString CompareModel::cellText(int row, int column) const
{
    const ComparedDesign& design = list_.designs()[static_cast<std::size_t>(row)];
    if (column == Name)
        return design.name;
    if (!design.figures)
        return column == StepTime ? tr("…") : QString();
    if (column == Limit) {
        if (!design.compared || !design.compared->limitKept)
            return noFigure;
        return *design.compared->limitKept ? tr("kept") : tr("exceeded");
    }
    const std::optional<double> number = value(row, column);
    if (!number)
        return noFigure;
    if (column == IdleShare || column == OwnSpanBubble)
        return shareText(*number);
    const bool memory = column == Peak || column == Bound;
    return memory && design.design->memory.unit == MemoryUnit::Byte
        ? figureText(static_cast<Bytes>(std::llround(*number)), MemoryUnit::Byte)
        : comparedNumber(*number);
}

QString CompareModel::difference(int row, int column) const
{
    const ComparedDesign& design = list_.designs()[static_cast<std::size_t>(row)];
    if (column == Name)
        return design.problem.isEmpty() ? design.source : design.problem;
    if (row == 0 || !isOneBasis_)
        return {};
    const std::optional<double> first = value(0, column);
    const std::optional<double> own = value(row, column);
    if (!first || !own)
        return {};
    const auto signedText = [](double number, const QString& unit) {
        const QString digits = QString::number(std::abs(number), 'f', 1);
        return digits == "0.0" ? tr("same") : QString(number < 0 ? QChar(0x2212) : QChar('+')) + digits + unit;
    };
    if (column == IdleShare || column == OwnSpanBubble)
        return signedText(100 * (*own - *first), tr(" points"));
    return isSame(*first, 0) ? QString() : signedText(100 * (*own / *first - 1), " %");
}

bool CompareModel::isBest(int row, int column) const
{
    const std::optional<double> own = value(row, column);
    if (!own || !isOneBasis_ || rows_ < 2)
        return false;
    bool others = false;
    for (int other = 0; other < rows_; ++other) {
        const std::optional<double> that = value(other, column);
        if (!that)
            continue;
        if (*that < *own && !isSame(*that, *own))
            return false;
        others |= !isSame(*that, *own);
    }
    return others; // where all are the same none is the best
}

QVariant CompareModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const int row = index.row();
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return cellText(row, column);
    case Qt::AccessibleTextRole: {
        QStringList parts { headerData(column, Qt::Horizontal, Qt::DisplayRole).toString() + " "
            + cellText(row, column) };
        if (const QString more = difference(row, column); !more.isEmpty())
            parts += more;
        if (isBest(row, column))
            parts += tr("best");
        return parts.join(", ");
    }
    case Qt::ToolTipRole: {
        const ComparedDesign& design = list_.designs()[static_cast<std::size_t>(row)];
        if ((column == StepTime || column == OwnSpan) && design.compared)
            return QString("%1 ms").arg(
                (column == StepTime ? design.compared->stepUs : design.compared->ownSpanUs) / 1000, 0, 'g', 6);
        return column == Name ? difference(row, column) : headerData(column, Qt::Horizontal, Qt::ToolTipRole);
    }
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment((column == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    case DifferenceRole:
        return difference(row, column);
    case BestRole:
        return isBest(row, column);
    case BrokenRole: {
        const std::optional<ComparedFigures>& figures = list_.designs()[static_cast<std::size_t>(row)].compared;
        return column == Limit && figures && !figures->limitKept.value_or(true);
    }
    case WorseRole: {
        const std::optional<double> own = value(row, column);
        const std::optional<double> first = value(0, column);
        return row > 0 && own && first && *own > *first && !isSame(*own, *first);
    }
    default:
        return {};
    }
}

QVariant CompareModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    const bool bytes = rows_ > 0 && list_.designs().front().design->memory.unit == MemoryUnit::Byte;
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment((section == Name ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    if (role == Qt::DisplayRole)
        switch (section) {
        case Name:
            return tr("design");
        case StepTime:
            return tr("step time, ticks");
        case OwnSpan:
            return tr("own span, ticks");
        case IdleShare:
            return tr("idle share");
        case OwnSpanBubble:
            return tr("own-span bubble");
        case Peak:
            return bytes ? tr("peak") : tr("peak, micro-batches");
        case Bound:
            return bytes ? tr("bound") : tr("bound, micro-batches");
        case Limit:
            return tr("limit");
        default:
            return {};
        }
    if (role == Qt::ToolTipRole)
        switch (section) {
        case StepTime:
        case OwnSpan:
            return tr("In ticks of the first design. Own span: the longest first start to last end of one device.");
        case IdleShare:
            return tr("idle share = 1 − busy / (devices × step time)");
        case OwnSpanBubble:
            return tr("own-span bubble = 1 − most busy / longest own span");
        case Peak:
        case Bound:
            return bytes
                ? tr("The highest of all devices")
                : tr("The highest of all devices, in micro-batches held of a device's whole share of the model: "
                     "so schedules with more and smaller stages compare");
        default:
            return {};
        }
    return {};
}

} // namespace pipeloom::designer
