// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the run and its processes say, line by line; follows the end unless a person has scrolled up.

#include "app/designer/run/log_model.h"
#include "app/designer/run/run_panel.h"

#include <vector>

class QAction;
class QComboBox;
class QLineEdit;
class QListView;

namespace pipeloom::designer {

class LogPanel : public RunPanel {
    Q_OBJECT
public:
    explicit LogPanel(RunSession& session, QWidget* parent = nullptr);

    /// A line that a process wrote, shown with the time at which it came. `rank`: -1: not known, or the launcher's.
    void addLine(int rank, const QString& text, bool isError);
    [[nodiscard]] LogModel& model() { return *model_; }
    /// Copy: of the lines that are selected.
    [[nodiscard]] QList<QAction*> menuActions() const { return { copy_ }; }
    [[nodiscard]] LogFilter& filter() { return *filter_; }

protected:
    void take() override;
    void forget() override;

private:
    void fillRanks();
    void copy();

    LogModel* model_;
    LogFilter* filter_;
    QListView* list_;
    QComboBox* ranks_;
    QLineEdit* search_;
    QAction* copy_;
    bool follows_ = true;          ///< the end
    std::vector<LogLine> waiting_; ///< lines of processes that are not in the model yet
};

} // namespace pipeloom::designer
