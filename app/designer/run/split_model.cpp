// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/split_model.h"

#include "app/designer/run/run_texts.h"

#include <QStringList>

#include <algorithm>

namespace pipeloom::designer {

namespace {

double msOf(Nanos time) { return static_cast<double>(std::max<Nanos>(time, 0)) / 1e6; }

} // namespace

SplitRow splitRow(const TimeSplit& split)
{
    SplitRow row;
    row.decimals = decimalsFor(msOf(split.step));
    const std::array<double, SplitRow::parts> parts { msOf(split.compute), msOf(split.transfer), msOf(split.waiting),
        msOf(split.own) };
    const std::vector<double> rounded = roundedToAddUp(parts, row.decimals);
    std::copy_n(rounded.begin(), SplitRow::parts, row.ms.begin());
    row.stepMs = rounded.back();
    return row;
}

QString splitText(const SplitRow& row)
{
    const QStringList names { SplitModel::tr("compute"), SplitModel::tr("transfer"), SplitModel::tr("waiting"),
        SplitModel::tr("own") };
    QStringList parts;
    for (int part = 0; part < SplitRow::parts; ++part)
        parts += names[part] + " " + QString::number(row.ms[static_cast<std::size_t>(part)], 'f', row.decimals);
    return parts.join(" · ");
}

QString overheadText(const std::vector<TimeSplit>& split)
{
    double between = 0;
    double idle = 0;
    double step = 0;
    for (const TimeSplit& device : split) {
        between += msOf(device.between);
        idle += msOf(device.own) + msOf(device.transfer) + msOf(device.waiting);
        step += msOf(device.step);
    }
    if (step <= 0 || between <= idle / 2 || between < 0.05 * step)
        return {};
    const auto devices = static_cast<double>(split.size());
    return SplitModel::tr("Overhead of single passes dominates: %1 of %2 ms without compute lie between passes whose "
                          "inputs are there. Fewer and "
                          "larger micro-batches help more than a smaller bubble.")
        .arg(msText(between / devices), msText(idle / devices));
}

void SplitModel::setSplit(std::vector<TimeSplit> split)
{
    const bool same = split.size() == split_.size();
    if (!same)
        beginResetModel();
    split_ = std::move(split);
    scale_ = 1;
    for (const TimeSplit& device : split_)
        scale_ = std::max(scale_, device.step);
    if (!same)
        endResetModel();
    else if (!split_.empty())
        Q_EMIT dataChanged(index(0), index(rowCount() - 1));
}

int SplitModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(split_.size());
}

QString SplitModel::tip(const TimeSplit& split) const
{
    const double step = std::max(msOf(split.step), 1e-9);
    const auto line = [&](const QString& name, Nanos time, const QString& meaning) {
        return tr("%1 %2 ms, %3 %: %4")
            .arg(name, msText(msOf(time)))
            .arg(100 * msOf(time) / step, 0, 'f', 1)
            .arg(meaning);
    };
    QStringList lines { line(tr("compute"), split.compute, tr("in passes")),
        line(tr("transfer"), split.transfer, tr("the next pass's input was on its way")),
        line(tr("waiting"), split.waiting, tr("the next pass's input was not sent yet; at the end: for other devices")),
        line(tr("own"), split.own, tr("inputs were there: between passes, batches, sums, the optimizer")) };
    if (split.peak >= 0)
        lines += tr("memory at its highest: %1").arg(bytesText(split.peak));
    return lines.join('\n');
}

QVariant SplitModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const TimeSplit& split = split_[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return splitText(splitRow(split));
    case Qt::AccessibleTextRole: {
        const SplitRow row = splitRow(split);
        return tr("dev %1: %2 of %3 ms")
            .arg(index.row())
            .arg(splitText(row).replace(" · ", ", "))
            .arg(row.stepMs, 0, 'f', row.decimals);
    }
    case Qt::ToolTipRole:
        return tip(split);
    default:
        return {};
    }
}

} // namespace pipeloom::designer
