// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/status_line.h"

#include "app/designer/document/document.h"
#include "app/designer/figures/live_figures.h"

#include <QStatusBar>

namespace pipeloom::designer {

StatusLine::StatusLine(QStatusBar& bar, Document& document, LiveFigures& figures, QObject* parent)
    : QObject(parent)
    , document_(document)
    , figures_(figures)
    , said_(new QLabel)
    , saved_(new QLabel)
    , planning_(new QToolButton)
{
    said_->setObjectName(QStringLiteral("statusText"));
    said_->setTextFormat(Qt::PlainText);
    said_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    saved_->setObjectName(QStringLiteral("savedText"));
    saved_->setTextFormat(Qt::PlainText);
    auto* keys = new QLabel(tr("Ctrl+Shift+P for commands · ? for keys"));
    for (QLabel* label : { said_, saved_, keys }) {
        label->setForegroundRole(QPalette::PlaceholderText);
        label->setContentsMargins(10, 0, 4, 0);
        label->setIndent(0);
    }
    planning_->setObjectName(QStringLiteral("cancelPlanning"));
    planning_->setText(tr("Planning… · Cancel"));
    planning_->setAccessibleName(tr("Cancel planning"));
    planning_->setToolTip(tr("The schedule and its figures are being made; cancelled, the earlier ones stay"));
    planning_->setAutoRaise(true);
    planning_->hide();
    connect(planning_, &QToolButton::clicked, &figures_, &LiveFigures::cancel);
    bar.setSizeGripEnabled(false);
    bar.addWidget(said_, 1);
    bar.addPermanentWidget(planning_);
    bar.addPermanentWidget(saved_);
    bar.addPermanentWidget(keys);

    constexpr int noticeMs = 400;
    busyFor_.setSingleShot(true);
    busyFor_.setInterval(noticeMs);
    connect(&busyFor_, &QTimer::timeout, this, [this] {
        planning_->show();
        figures_.markEarlier();
    });
    connect(&figures_, &LiveFigures::changed, this, &StatusLine::updateBusy);
    constexpr int savedEveryMs = 5000;
    clock_.setInterval(savedEveryMs);
    connect(&clock_, &QTimer::timeout, this, &StatusLine::updateSaved);
    clock_.start();
    connect(&document_, &Document::stateChanged, this, &StatusLine::updateSaved);
}

void StatusLine::say(const QString& text) { said_->setText(text); }

void StatusLine::setRunText(const QString& text)
{
    runText_ = text;
    updateSaved();
}

void StatusLine::setOpen(bool open)
{
    isOpen_ = open;
    updateSaved();
}

void StatusLine::markSaved()
{
    sinceSaved_.start();
    updateSaved();
}

void StatusLine::updateBusy()
{
    if (!figures_.isBusy()) {
        busyFor_.stop();
        planning_->hide();
    } else if (!busyFor_.isActive() && planning_->isHidden()) {
        busyFor_.start();
    }
}

void StatusLine::updateSaved()
{
    if (!runText_.isEmpty())
        saved_->setText(runText_);
    else if (!isOpen_)
        saved_->clear();
    else if (document_.isDirty())
        saved_->setText(tr("not saved"));
    else if (!sinceSaved_.isValid())
        saved_->setText(document_.path().isEmpty() ? QString() : tr("as saved"));
    else if (const qint64 seconds = sinceSaved_.elapsed() / 1000; seconds < 60)
        saved_->setText(tr("saved %1 s ago").arg(seconds));
    else
        saved_->setText(tr("saved %1 min ago").arg(seconds / 60));
}

} // namespace pipeloom::designer
