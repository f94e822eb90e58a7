// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The findings as a list, in the order of the command line. Remedies are sought only for rows that are looked at.

#include "app/designer/figures/figures.h"
#include "app/designer/panels/remedies.h"

#include <QAbstractListModel>

#include <vector>

namespace pipeloom::designer {

class FindingsModel : public QAbstractListModel {
    Q_OBJECT
public:
    /// More are counted, but not listed.
    static constexpr int mostListed = 200;

    using QAbstractListModel::QAbstractListModel;

    void setFindings(const Findings& findings, DesignPtr design);
    /// None for the last row of a list that was cut.
    [[nodiscard]] const Finding* finding(int row) const;
    /// For the design that the findings are of.
    [[nodiscard]] const std::optional<Remedy>& remedy(int row) const;
    [[nodiscard]] int count(Severity severity) const { return counts_[static_cast<std::size_t>(severity)]; }
    /// `1 error · 2 warnings`; `nothing found`.
    [[nodiscard]] QString countsText() const;
    /// What is said of the rows that are not listed.
    [[nodiscard]] QString moreText() const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    /// Display: the whole finding as the command line writes it in one line.
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;

private:
    struct Sought {
        bool done = false;
        std::optional<Remedy> remedy;
    };

    Findings findings_;
    DesignPtr design_;
    mutable std::vector<Sought> remedies_;
    std::array<int, 3> counts_ {};
};

} // namespace pipeloom::designer
