// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/panels/section.h"

#include "app/designer/panels/fields.h"
#include "app/designer/style/theme.h"

#include <QApplication>
#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QToolButton>

namespace pipeloom::designer {

Section::Section(Document& document, const QString& title, const QString& name, QWidget* parent)
    : QWidget(parent)
    , document_(document)
    , heading_(new QToolButton)
    , body_(new QWidget)
    , top_(new QHBoxLayout)
    , grid_(new QGridLayout(body_))
{
    setObjectName(name);
    heading_->setObjectName(name + "Heading");
    heading_->setAutoRaise(true);
    heading_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    heading_->setFocusPolicy(Qt::StrongFocus);
    connect(heading_, &QToolButton::clicked, this, [this] { setOpen(!isOpen()); });
    top_->setContentsMargins(0, 0, 8, 0);
    top_->addWidget(heading_);
    top_->addStretch(1);
    grid_->setContentsMargins(6, 2, 6, 8);
    grid_->setHorizontalSpacing(10);
    grid_->setVerticalSpacing(6);
    grid_->setColumnStretch(1, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addLayout(top_);
    column->addWidget(body_);
    setTitle(title);
    restyle();
    setOpen(false);
}

void Section::setTitle(const QString& title)
{
    title_ = title;
    heading_->setText(title);
    heading_->setAccessibleName(title);
}

void Section::setOpen(bool open)
{
    open_ = open;
    heading_->setAccessibleDescription(open ? tr("unfolded") : tr("folded"));
    heading_->setArrowType(open ? Qt::DownArrow : Qt::RightArrow);
    body_->setVisible(open);
    if (open)
        take(*document_.shown());
}

void Section::follow()
{
    if (isOpen())
        take(*document_.shown());
}

void Section::focusFirst()
{
    heading_->setFocus(Qt::ShortcutFocusReason);
    focusNextChild();
}

void Section::addBesideHeading(QWidget* widget) { top_->addWidget(widget); }

Remark* Section::addRemark()
{
    auto* remark = new Remark(Remark::Tone::Error);
    remark->setWordWrap(true);
    remark->hide();
    grid_->addWidget(remark, rows_++, 0, 1, 2);
    return remark;
}

Remark* Section::addRow(const QString& label, QWidget* field)
{
    auto* name = new Remark(Remark::Tone::Quiet, label);
    name->setBuddy(field);
    name->setMinimumWidth(100);
    field->setAccessibleName(label);
    grid_->addWidget(name, rows_, 0);
    grid_->addWidget(field, rows_++, 1);
    return addRemark();
}

Remark* Section::addWide(QWidget* widget)
{
    grid_->addWidget(widget, rows_++, 0, 1, 2);
    return addRemark();
}

void Section::showRow(QWidget* field, bool shown)
{
    field->setVisible(shown);
    for (auto* label : body_->findChildren<QLabel*>(Qt::FindDirectChildrenOnly))
        if (label->buddy() == field)
            label->setVisible(shown);
}

bool Section::step(Edited edited, Remark* remark, const QString& mergeKey)
{
    if (!edited.ok()) {
        remark->say(QString::fromStdString(edited.refusal));
        return false;
    }
    remark->say({});
    return document_.apply(std::move(edited), mergeKey);
}

void Section::bind(NumberField* field, Remark* remark, const std::function<Edited(int)>& edit)
{
    connect(field, &NumberField::settled, this,
        [=, this](int value, bool stepped) { step(edit(value), remark, stepped ? field->objectName() : QString()); });
    connect(field, &NumberField::released, this, [this] { document_.breakMerge(); });
    connect(field, &NumberField::dropped, remark, [remark] { remark->say({}); });
}

void Section::bind(TextField* field, Remark* remark, const std::function<Edited(const QString&)>& edit)
{
    connect(field, &TextField::settled, this, [=, this](const QString& text) {
        if (step(edit(text), remark))
            field->reset(); // written as ours, be it the same value as before
    });
    connect(field, &TextField::dropped, remark, [remark] { remark->say({}); });
}

void Section::bind(ChoiceField* field, Remark* remark, const std::function<Edited(int)>& edit)
{
    connect(field, &QComboBox::activated, this, [=, this](int index) {
        if (!step(edit(index), remark))
            take(*document_.shown());
    });
}

void Section::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::ApplicationFontChange)
        restyle();
}

void Section::restyle() { heading_->setFont(uiFont(12 * QApplication::font().pixelSize() / 13, QFont::DemiBold)); }

} // namespace pipeloom::designer
