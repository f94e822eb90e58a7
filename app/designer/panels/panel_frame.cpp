// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/panels/panel_frame.h"

#include "app/designer/style/theme.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>

namespace pipeloom::designer {

PanelFrame::PanelFrame(const QString& title, QWidget* parent)
    : QWidget(parent)
    , header_(new QWidget(this))
    , title_(new QLabel(header_))
    , note_(new QLabel(header_))
{
    header_->setFixedHeight(panelHeaderHeight);
    title_->setObjectName("panelTitle");
    note_->setObjectName("panelNote");
    note_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    note_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    note_->installEventFilter(this);

    auto* bar = new QHBoxLayout(header_);
    bar->setContentsMargins(12, 0, 8, 0);
    bar->setSpacing(10);
    bar->addWidget(title_);
    left_ = new QHBoxLayout;
    left_->setSpacing(6);
    bar->addLayout(left_);
    bar->addWidget(note_, 1);
    right_ = new QHBoxLayout;
    right_->setSpacing(6);
    bar->addLayout(right_);

    column_ = new QVBoxLayout(this);
    column_->setContentsMargins(1, 1, 1, 1);
    column_->setSpacing(0);
    column_->addWidget(header_);
    setTitle(title);
    restyle();
}

void PanelFrame::setTitle(const QString& title)
{
    title_->setText(title);
    setAccessibleName(title);
}

void PanelFrame::setNote(const QString& note)
{
    if (note == noteText_)
        return;
    noteText_ = note;
    elideNote();
}

void PanelFrame::addHeaderWidget(QWidget* widget, Side side)
{
    (side == Side::Right ? right_ : left_)->addWidget(widget, 0, Qt::AlignVCenter);
}

void PanelFrame::setContent(QWidget* content)
{
    delete content_;
    content_ = content;
    if (content)
        column_->addWidget(content, 1);
}

QSize PanelFrame::minimumSizeHint() const
{
    // Not what the title bar would like: a narrow panel shortens its note instead of pushing its neighbours away.
    const QSize wanted = content_ ? content_->minimumSizeHint().expandedTo(content_->minimumSize()) : QSize(80, 0);
    return { std::max(wanted.width(), 80) + 2, std::max(wanted.height(), 0) + panelHeaderHeight + 2 };
}

void PanelFrame::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.border);
    painter.fillRect(rect().adjusted(1, 1, -1, -1), theme.panel);
    const int line = header_->geometry().bottom();
    painter.fillRect(1, 1, width() - 2, line - 1, theme.header);
    painter.fillRect(1, line, width() - 2, 1, theme.border);
}

void PanelFrame::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        restyle();
    QWidget::changeEvent(event);
}

void PanelFrame::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    elideNote();
}

bool PanelFrame::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == note_ && event->type() == QEvent::Resize)
        elideNote();
    return QWidget::eventFilter(watched, event);
}

void PanelFrame::restyle()
{
    const int pixels = font().pixelSize() > 0 ? font().pixelSize() : 13;
    header_->setFixedHeight(panelHeaderHeight * pixels / 13);
    title_->setFont(uiFont(pixels, QFont::DemiBold));
    note_->setFont(uiFont(pixels - 1));
    QPalette muted = note_->palette();
    if (muted.color(QPalette::WindowText) != themeOf(this).muted) {
        muted.setColor(QPalette::WindowText, themeOf(this).muted);
        note_->setPalette(muted);
    }
    elideNote();
    update();
}

void PanelFrame::elideNote()
{
    const QString shown = note_->fontMetrics().elidedText(noteText_, Qt::ElideRight, note_->width());
    if (shown != note_->text())
        note_->setText(shown);
    note_->setToolTip(shown == noteText_ ? QString() : noteText_);
    note_->setAccessibleName(noteText_);
}

} // namespace pipeloom::designer
