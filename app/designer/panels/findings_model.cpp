// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/panels/findings_model.h"

#include <QStringList>

#include <algorithm>

namespace pipeloom::designer {

void FindingsModel::setFindings(const Findings& findings, DesignPtr design)
{
    const bool otherDesign = design != design_;
    design_ = std::move(design);
    if (otherDesign)
        remedies_.assign(remedies_.size(), {});
    if (findings == findings_) {
        if (otherDesign && !findings_.empty())
            Q_EMIT dataChanged(index(0), index(rowCount() - 1));
        return;
    }
    beginResetModel();
    findings_ = findings;
    counts_ = {};
    for (const Finding& finding : findings_)
        ++counts_[static_cast<std::size_t>(finding.severity)];
    remedies_.assign(std::min<std::size_t>(findings_.size(), mostListed), {});
    endResetModel();
}

const Finding* FindingsModel::finding(int row) const
{
    return row >= 0 && static_cast<std::size_t>(row) < remedies_.size() ? &findings_[static_cast<std::size_t>(row)]
                                                                        : nullptr;
}

const std::optional<Remedy>& FindingsModel::remedy(int row) const
{
    static const std::optional<Remedy> none;
    const Finding* found = finding(row);
    if (!found || !design_)
        return none;
    Sought& sought = remedies_[static_cast<std::size_t>(row)];
    if (!sought.done)
        sought = { true, remedyOf(*design_, *found) };
    return sought.remedy;
}

QString FindingsModel::countsText() const
{
    QStringList parts;
    const auto add = [&](Severity severity, const QString& one, const QString& many) {
        if (const int number = count(severity); number > 0)
            parts += number == 1 ? one : many.arg(number);
    };
    add(Severity::Error, tr("1 error"), tr("%1 errors"));
    add(Severity::Warning, tr("1 warning"), tr("%1 warnings"));
    add(Severity::Note, tr("1 note"), tr("%1 notes"));
    return parts.isEmpty() ? tr("nothing found") : parts.join(" · ");
}

QString FindingsModel::moreText() const
{
    const auto left = static_cast<qsizetype>(findings_.size() - remedies_.size());
    return left == 0 ? QString() : tr("and %1 more; pipeloom check lists all").arg(left);
}

int FindingsModel::rowCount(const QModelIndex& parent) const
{
    if (parent.isValid())
        return 0;
    return static_cast<int>(remedies_.size()) + (findings_.size() > remedies_.size() ? 1 : 0);
}

QVariant FindingsModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Finding* found = finding(index.row());
    if (role == Qt::DisplayRole)
        return found ? QString::fromStdString(text(*found)) : moreText();
    if (role == Qt::AccessibleTextRole) {
        QString spoken = found ? QString::fromStdString(text(*found)) : moreText();
        if (const std::optional<Remedy>& offered = remedy(index.row()))
            spoken += " " + tr("Ctrl+Enter: %1.").arg(QString::fromStdString(offered->text));
        return spoken;
    }
    return {};
}

} // namespace pipeloom::designer
