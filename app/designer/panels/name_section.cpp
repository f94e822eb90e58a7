// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/panels/name_section.h"

#include "app/designer/edit/pipeline_edits.h"
#include "app/designer/panels/fields.h"

#include <QKeyEvent>
#include <QPlainTextEdit>

namespace pipeloom::designer {

NameSection::NameSection(Document& document, QWidget* parent)
    : Section(document, tr("Name and notes"), "nameSection", parent)
    , name_(new TextField("designName"))
    , notes_(new QPlainTextEdit)
{
    bind(name_, addRow(tr("Name"), name_),
        [this](const QString& text) { return setName(committed(), text.toStdString()); });
    notes_->setObjectName("designNotes");
    notes_->setTabChangesFocus(true);
    notes_->setFixedHeight(96);
    notes_->setPlaceholderText(tr("What this design is for"));
    notes_->installEventFilter(this);
    remark_ = addRow(tr("Notes"), notes_);
}

bool NameSection::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == notes_ && event->type() == QEvent::FocusOut && notes_->toPlainText() != known_)
        step(setNotes(committed(), notes_->toPlainText().toStdString()), remark_);
    if (watched == notes_ && event->type() == QEvent::KeyPress
        && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape && notes_->toPlainText() != known_) {
        notes_->setPlainText(known_);
        remark_->say({});
        return true;
    }
    return Section::eventFilter(watched, event);
}

void NameSection::take(const Design& design)
{
    name_->setValue(QString::fromStdString(design.name));
    const QString notes = QString::fromStdString(design.notes);
    if (notes == known_)
        return;
    known_ = notes;
    if (notes_->toPlainText() != notes)
        notes_->setPlainText(notes);
}

} // namespace pipeloom::designer
