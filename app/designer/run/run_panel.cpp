// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/run_panel.h"

#include "app/designer/run/run_session.h"

#include <QEvent>
#include <QLabel>
#include <QStackedWidget>

namespace pipeloom::designer {

RunPanel::RunPanel(RunSession& session, const QString& title, int atMost, QWidget* parent)
    : PanelFrame(title, parent)
    , session_(session)
    , interval_(1000 / atMost)
    , pages_(new QStackedWidget)
    , empty_(new QLabel)
{
    empty_->setObjectName("runPanelEmpty");
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setWordWrap(true);
    empty_->setMargin(14);
    empty_->setForegroundRole(QPalette::PlaceholderText);
    pages_->addWidget(empty_);
    setContent(pages_);
    soon_.setSingleShot(true);
    connect(&soon_, &QTimer::timeout, this, &RunPanel::touch);
    connect(&session_, &RunSession::changed, this, &RunPanel::touch);
    connect(&session_, &RunSession::shownChanged, this, &RunPanel::touch);
    connect(&session_, &RunSession::opened, this, [this] {
        forget();
        since_.invalidate();
        touch();
    });
}

void RunPanel::setBody(QWidget* body)
{
    body_ = body;
    pages_->addWidget(body);
}

void RunPanel::showBody() { pages_->setCurrentWidget(body_); }

void RunPanel::showEmpty(const QString& sentence)
{
    if (empty_->text() != sentence)
        empty_->setText(sentence);
    pages_->setCurrentWidget(empty_);
}

void RunPanel::touch()
{
    stale_ = true;
    if (!isVisible())
        return;
    if (since_.isValid() && since_.elapsed() < interval_) {
        if (!soon_.isActive())
            soon_.start(static_cast<int>(interval_ - since_.elapsed()));
        return;
    }
    stale_ = false;
    take();
    since_.start();
}

int RunPanel::scaled(int pixels) const
{
    const int size = font().pixelSize();
    return size > 0 ? pixels * size / 13 : pixels;
}

void RunPanel::showEvent(QShowEvent* event)
{
    PanelFrame::showEvent(event);
    if (stale_) {
        since_.invalidate();
        touch();
    }
}

void RunPanel::changeEvent(QEvent* event)
{
    PanelFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        touch();
}

} // namespace pipeloom::designer
