// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The runs that windows have started, to take one up again, or a file of events from elsewhere.

#include "app/designer/run/run_folder.h"
#include "app/designer/window/file_chooser.h"

#include <QDialog>

class QPushButton;
class QTreeWidget;

namespace pipeloom::designer {

/// `still running`, `finished`, `stopped`, `failed (exit code 3)`, `not known how it ended`.
[[nodiscard]] QString outcome(const RunRecord& record);

class RecentRunsDialog : public QDialog {
    Q_OBJECT
public:
    /// Shows the runs of a folder, newest first; runsFolder() as a rule.
    RecentRunsDialog(const QString& runs, FileChooser chooser, QWidget* parent = nullptr);

    /// What was chosen: the folder of a run, to be attached to; or else a file of events. Empty: nothing.
    [[nodiscard]] QString runFolder() const { return folder_; }
    [[nodiscard]] QString eventFile() const { return file_; }

private:
    void take();
    void openFile();

    std::vector<RunRecord> records_;
    FileChooser chooser_;
    QTreeWidget* list_;
    QPushButton* open_;
    QString folder_;
    QString file_;
};

} // namespace pipeloom::designer
