// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/panels/numbers_panel.h"

#include "app/designer/figures/live_figures.h"
#include "app/designer/panels/figure_headline.h"
#include "app/designer/panels/numbers_model.h"
#include "app/designer/panels/numbers_table.h"

#include <QAction>
#include <QActionGroup>
#include <QLabel>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace pipeloom::designer {

NumbersPanel::NumbersPanel(LiveFigures& live, QWidget* parent)
    : PanelFrame(tr("Numbers"), parent)
    , live_(live)
    , model_(new NumbersModel(this))
    , headline_(new FigureHeadline)
    , table_(new NumbersTable(*model_))
    , empty_(new QLabel)
    , pages_(new QStackedWidget)
{
    setObjectName("numbersPanel");
    empty_->setWordWrap(true);
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setForegroundRole(QPalette::PlaceholderText);
    empty_->setMargin(16);
    pages_->addWidget(table_);
    pages_->addWidget(empty_);

    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 6);
    column->setSpacing(0);
    column->addWidget(headline_);
    column->addWidget(pages_, 1);
    setContent(content);
    makeActions();

    const auto activate = [this](const QModelIndex& index) {
        Q_EMIT deviceActivated(DeviceId { index.data(NumbersModel::DeviceRole).toInt() });
    };
    connect(table_, &QListView::clicked, this, activate);
    connect(table_, &QListView::activated, this, activate);
    connect(&live_, &LiveFigures::changed, this, &NumbersPanel::take);
    take();
}

void NumbersPanel::makeActions()
{
    auto* group = new QActionGroup(this);
    const auto add = [&](const QString& text, const QString& inMenus, const QString& name, NumbersView view) {
        auto* action = new QAction(inMenus, this);
        action->setIconText(text);
        action->setObjectName(name);
        action->setCheckable(true);
        action->setChecked(view == model_->view());
        action->setData(static_cast<int>(view));
        group->addAction(action);
        actions_.push_back(action);
        auto* button = new QToolButton;
        button->setObjectName(name + "Button");
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        button->setAccessibleName(text);
        addHeaderWidget(button);
        connect(action, &QAction::triggered, this, [this, view] { setView(view); });
    };
    add(tr("Time"), tr("Numbers: time"), "numbersTime", NumbersView::Time);
    add(tr("Memory"), tr("Numbers: memory"), "numbersMemory", NumbersView::Memory);
    add(tr("Lifespans"), tr("Numbers: lifespans"), "numbersLifespans", NumbersView::Lifespans);
}

NumbersView NumbersPanel::view() const { return model_->view(); }

void NumbersPanel::setView(NumbersView view)
{
    model_->setView(view);
    for (QAction* action : actions_)
        action->setChecked(action->data().toInt() == static_cast<int>(view));
    take();
}

void NumbersPanel::take()
{
    const FiguresPtr& figures = live_.figures();
    headline_->setFigures(figures);
    model_->setFigures(figures);
    const bool some = model_->rowCount() > 0;
    if (!some)
        empty_->setText(figures->design && figures->design->block() && figures->design->block()->passes.empty()
                ? tr("The block is empty. Once every pass is placed, its figures stand here.")
                : tr("There are no figures yet. The findings say why."));
    pages_->setCurrentWidget(some ? static_cast<QWidget*>(table_) : empty_);
}

} // namespace pipeloom::designer
