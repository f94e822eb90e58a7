// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/recent_runs.h"

#include "app/designer/window/form.h"

#include <QHeaderView>
#include <QLocale>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace pipeloom::designer {

QString outcome(const RunRecord& record)
{
    constexpr int interrupted = 130;
    const auto code = exitCode(record);
    if (!code)
        return isRunning(record) ? QObject::tr("still running") : QObject::tr("not known how it ended");
    if (*code == 0)
        return QObject::tr("finished");
    return *code == interrupted ? QObject::tr("stopped") : QObject::tr("failed (exit code %1)").arg(*code);
}

RecentRunsDialog::RecentRunsDialog(const QString& runs, FileChooser chooser, QWidget* parent)
    : QDialog(parent)
    , records_(runRecords(runs))
    , chooser_(std::move(chooser))
    , list_(new QTreeWidget)
{
    setObjectName("recentRuns");
    setWindowTitle(tr("Open Run"));
    list_->setObjectName("recentRunsList");
    list_->setAccessibleName(tr("Runs"));
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->setHeaderLabels({ tr("Begun"), tr("Design"), tr("Outcome") });
    for (const RunRecord& record : records_) {
        const QString at = QLocale().toString(record.at, QLocale::ShortFormat);
        auto* item = new QTreeWidgetItem(list_, { at, record.name, outcome(record) });
        item->setToolTip(1, record.folder);
    }
    list_->header()->setStretchLastSection(true);
    list_->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    list_->setColumnWidth(1, scaled(*this, 200));

    auto* file = new QPushButton(tr("Open &File…"));
    file->setObjectName("recentRunsFile");
    file->setAccessibleName(tr("Open a file of events"));
    file->setAutoDefault(false);
    connect(file, &QPushButton::clicked, this, &RecentRunsDialog::openFile);
    const DialogButtons buttons = dialogButtons(*this, tr("&Open"), "recentRunsOpen");
    open_ = buttons.accept;
    buttons.row->insertWidget(0, file);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 18, 20, 16);
    column->setSpacing(12);
    column->addWidget(heading(tr("Runs of this program")));
    if (records_.empty())
        column->addWidget(
            quietText(tr("None yet. A file or folder of events that another run wrote can be opened all the same.")));
    column->addWidget(list_, 1);
    column->addLayout(buttons.row);
    resize(scaled(*this, 560), scaled(*this, 380));

    list_->setVisible(!records_.empty());
    connect(list_, &QTreeWidget::itemActivated, this, &QDialog::accept);
    connect(this, &QDialog::accepted, this, &RecentRunsDialog::take);
    const auto enable = [this] { open_->setEnabled(list_->currentItem() != nullptr); };
    connect(list_, &QTreeWidget::currentItemChanged, this, enable);
    if (list_->topLevelItemCount() > 0)
        list_->setCurrentItem(list_->topLevelItem(0));
    enable();
}

void RecentRunsDialog::take()
{
    const int row = list_->indexOfTopLevelItem(list_->currentItem());
    if (file_.isEmpty() && row >= 0)
        folder_ = records_[static_cast<std::size_t>(row)].folder;
}

void RecentRunsDialog::openFile()
{
    const QString chosen
        = chooser_.toOpen(this, { tr("Open Events"), {}, tr("Events of a run (*.jsonl);;All files (*)"), {} });
    if (chosen.isEmpty())
        return;
    file_ = chosen;
    accept();
}

} // namespace pipeloom::designer
