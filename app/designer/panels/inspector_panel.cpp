// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/panels/inspector_panel.h"

#include "app/designer/document/document.h"
#include "app/designer/panels/costs_section.h"
#include "app/designer/panels/memory_section.h"
#include "app/designer/panels/name_section.h"
#include "app/designer/panels/network_section.h"
#include "app/designer/panels/pipeline_section.h"
#include "app/designer/panels/reorder_section.h"
#include "app/designer/panels/what_if_section.h"

#include <QAction>
#include <QMenu>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

namespace pipeloom::designer {

InspectorPanel::InspectorPanel(Document& document, LiveFigures& live, QWidget* parent)
    : PanelFrame(tr("Inspector"), parent)
    , document_(document)
    , area_(new QScrollArea)
    , column_(nullptr)
    , chooser_(new QToolButton)
    , menu_(new QMenu(this))
{
    setObjectName("inspectorPanel");
    auto* page = new QWidget;
    page->setBackgroundRole(QPalette::Base);
    column_ = new QVBoxLayout(page);
    column_->setContentsMargins(6, 6, 6, 6);
    column_->setSpacing(2);
    area_->setObjectName("inspectorArea");
    area_->setFrameShape(QFrame::NoFrame);
    area_->setWidgetResizable(true);
    area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area_->setFocusPolicy(Qt::NoFocus);
    area_->setWidget(page);
    // Scrolling moves what is drawn; headers of tables leave parts of theirs beside the area unless all is drawn anew.
    connect(area_->verticalScrollBar(), &QScrollBar::valueChanged, this, [this] { window()->update(); });
    area_->setBackgroundRole(QPalette::Base);
    setContent(area_);

    chooser_->setObjectName("inspectorChooser");
    chooser_->setAutoRaise(true);
    connect(chooser_, &QToolButton::clicked, this,
        [this] { menu_->popup(chooser_->mapToGlobal(QPoint(0, chooser_->height()))); });
    chooser_->setFocusPolicy(Qt::StrongFocus);
    addHeaderWidget(chooser_);

    add(new PipelineSection(document), true);
    add(new CostsSection(document), true);
    add(new WhatIfSection(document, live), true);
    add(new MemorySection(document), false);
    add(new NetworkSection(document), false);
    add(new ReorderSection(document), false);
    add(new NameSection(document), false);
    column_->addStretch(1);

    connect(&document_, &Document::shownChanged, this, &InspectorPanel::follow);
    connect(area_->verticalScrollBar(), &QScrollBar::valueChanged, this, &InspectorPanel::nameShown);
    nameShown();
}

InspectorPanel::~InspectorPanel()
{
    document_.disconnect(this); // a cell that is still being edited is settled when the window closes
}

void InspectorPanel::add(Section* section, bool open)
{
    column_->addWidget(section);
    sections_.push_back(section);
    section->setOpen(open);
    auto* action = new QAction(tr("Inspector: %1").arg(section->title()), this);
    action->setObjectName(QString("inspect") + section->objectName().at(0).toUpper() + section->objectName().mid(1));
    connect(action, &QAction::triggered, this, [this, name = section->objectName()] { showSection(name); });
    actions_.push_back(action);
    connect(menu_->addAction(section->title()), &QAction::triggered, action, &QAction::trigger);
}

void InspectorPanel::showSection(const QString& name)
{
    for (Section* section : sections_) {
        if (section->objectName() != name)
            continue;
        section->setOpen(true);
        // Its place is known only when the layout has been done anew.
        QTimer::singleShot(0, section, [this, section] {
            area_->verticalScrollBar()->setValue(section->y() - column_->contentsMargins().top());
            section->focusFirst();
            nameShown();
        });
    }
}

void InspectorPanel::follow()
{
    for (Section* section : sections_)
        section->follow();
}

void InspectorPanel::nameShown()
{
    const int top = area_->verticalScrollBar()->value();
    QString name = sections_.front()->title();
    for (const Section* section : sections_)
        if (section->y() > 0 && section->y() <= top + column_->contentsMargins().top() + 1)
            name = section->title();
    // The short form: what stands before the first bracket.
    name = name.section(" (", 0, 0);
    chooser_->setText(name + " ▾");
    chooser_->setAccessibleName(tr("Go to a part of the inspector; shown: %1").arg(name));
}

} // namespace pipeloom::designer
