// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/panels/findings_panel.h"

#include "app/designer/figures/live_figures.h"
#include "app/designer/panels/findings_list.h"
#include "app/designer/panels/findings_model.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QStackedWidget>
#include <QStringList>

namespace pipeloom::designer {

FindingsPanel::FindingsPanel(Document&, LiveFigures& live, QWidget* parent)
    : PanelFrame(tr("Findings"), parent)
    , live_(live)
    , model_(new FindingsModel(this))
    , list_(new FindingsList(*model_))
    , empty_(new QLabel(tr("Nothing found: the design can be run as it is.")))
    , pages_(new QStackedWidget)
{
    setObjectName("findingsPanel");
    empty_->setMargin(12);
    empty_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    empty_->setForegroundRole(QPalette::PlaceholderText);
    pages_->addWidget(list_);
    pages_->addWidget(empty_);
    setContent(pages_);
    makeActions();
    connect(list_, &FindingsList::rowActivated, this, &FindingsPanel::goTo);
    connect(list_, &FindingsList::linkActivated, this, &FindingsPanel::mend);
    connect(&live_, &LiveFigures::changed, this, &FindingsPanel::take);
    take();
}

void FindingsPanel::makeActions()
{
    const auto add = [this](const QString& text, const QString& name, auto&& slot) {
        auto* action = new QAction(text, this);
        action->setObjectName(name);
        actions_.push_back(action);
        list_->addAction(action);
        connect(action, &QAction::triggered, this, slot);
        return action;
    };
    add(tr("Go to the place"), "findingGo", [this] { goTo(list_->currentIndex().row()); });
    QAction* mendAction = add(tr("Mend"), "findingMend", [this] { mend(list_->currentIndex().row()); });
    add(tr("Copy the finding"), "findingCopy", [this] { copy(false); });
    add(tr("Copy all findings"), "findingCopyAll", [this] { copy(true); });
    list_->setContextMenuPolicy(Qt::ActionsContextMenu);

    const auto enable = [this, mendAction] {
        const int row = list_->currentIndex().row();
        const std::optional<Remedy>& remedy = model_->remedy(row);
        const bool some = model_->finding(row) != nullptr;
        actions_[0]->setEnabled(some && !model_->finding(row)->where.empty());
        mendAction->setEnabled(remedy.has_value());
        mendAction->setText(remedy ? QString::fromStdString(remedy->text) : tr("Mend"));
        actions_[2]->setEnabled(some);
        actions_[3]->setEnabled(model_->rowCount() > 0);
    };
    connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this, enable);
    connect(model_, &QAbstractItemModel::modelReset, this, enable);
    connect(model_, &QAbstractItemModel::dataChanged, this, enable);
    enable();
}

void FindingsPanel::take()
{
    const Figures& figures = *live_.figures();
    const int row = list_->currentIndex().row();
    const Finding before = model_->finding(row) ? *model_->finding(row) : Finding {};
    model_->setFindings(figures.findings, figures.design);
    if (!list_->currentIndex().isValid() && !before.rule.empty())
        for (int i = 0; i < model_->rowCount(); ++i)
            if (const Finding* finding = model_->finding(i); finding && finding->rule == before.rule) {
                list_->selectionModel()->setCurrentIndex(model_->index(i), QItemSelectionModel::NoUpdate);
                break;
            }
    setNote(model_->countsText());
    pages_->setCurrentWidget(model_->rowCount() > 0 ? static_cast<QWidget*>(list_) : empty_);
}

void FindingsPanel::goTo(int row)
{
    const Finding* finding = model_->finding(row);
    if (!finding || finding->where.empty())
        return;
    nextPlace_ = row == lastRow_ ? (nextPlace_ + 1) % finding->where.size() : 0;
    lastRow_ = row;
    Q_EMIT placeActivated(*finding, finding->where[nextPlace_ % finding->where.size()]);
}

void FindingsPanel::mend(int row)
{
    if (model_->remedy(row))
        Q_EMIT remedyRequested(Finding(*model_->finding(row))); // a copy: the step gives other findings
}

void FindingsPanel::copy(bool all)
{
    QStringList lines;
    for (int row = 0; row < model_->rowCount(); ++row)
        if (all || row == list_->currentIndex().row())
            lines += model_->index(row).data().toString();
    QGuiApplication::clipboard()->setText(lines.join('\n'));
}

} // namespace pipeloom::designer
