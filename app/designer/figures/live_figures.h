// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Keeps the figures of the document up to date without ever holding up the window: small designs at once, within a frame;
// large ones on a worker thread, where the newest request wins and stale results are dropped.

#include "app/designer/figures/figures.h"

#include <QObject>
#include <QThreadPool>

#include <cstdint>
#include <stop_token>

namespace pipeloom::designer {

class LiveFigures : public QObject {
    Q_OBJECT
public:
    explicit LiveFigures(Document& document, QObject* parent = nullptr);
    ~LiveFigures() override;

    /// Never null.
    [[nodiscard]] const FiguresPtr& figures() const { return figures_; }
    /// The form shown; none: reordered if the design has reorder rules, else squeezed.
    void setForm(std::optional<Form> form);
    [[nodiscard]] std::optional<Form> form() const { return form_; }
    void setWhatIf(const WhatIf& whatIf);
    [[nodiscard]] const WhatIf& whatIf() const { return whatIf_; }
    /// Work is under way on the worker thread.
    [[nodiscard]] bool isBusy() const { return running_; }
    /// The figures shown are of an earlier design and should look so: for work that takes a while.
    void markEarlier();
    /// Gives up what the worker is making; the figures there are stay, as those of an earlier design.
    void cancel();
    /// What one call may take on this thread, in microseconds; for tests and for measuring.
    void setBudgetUs(std::int64_t us) { budgetUs_ = us; }

Q_SIGNALS:
    void changed();

private:
    void update();
    void startJob();
    void show(Figures figures);
    [[nodiscard]] static Figures make(const DesignPtr& design, std::optional<Form> form, std::stop_token stop = {});

    Document& document_;
    QThreadPool pool_; ///< one thread
    FiguresPtr figures_;
    DesignPtr wanted_; ///< the design asked for last, what-if applied
    std::optional<Form> form_;
    WhatIf whatIf_;
    std::stop_source stop_;        ///< of the job that runs
    std::uint64_t generation_ = 0; ///< of the newest request
    bool running_ = false;
    bool needsJob_ = false; ///< the newest request is one for the worker
    std::int64_t budgetUs_ = 9000;
    double squeezedNsPerPass_ = 250; ///< measured as it goes
    double reorderedNsPerPass_ = 700;
};

} // namespace pipeloom::designer
