// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/schedule/search_bar.h"

#include "app/designer/schedule/pass_search.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

#include <algorithm>

namespace pipeloom::designer {

SearchBar::SearchBar(QWidget* parent)
    : QWidget(parent)
    , line_(new QLineEdit(this))
    , count_(new QLabel(this))
{
    line_->setObjectName("schedule.searchLine");
    line_->setAccessibleName(tr("Search passes"));
    line_->setPlaceholderText(tr("F3 @dev2   7B3   mb:7 kind:W dur>2"));
    line_->setClearButtonEnabled(true);
    line_->setMaximumWidth(320);
    count_->setObjectName("schedule.searchCount");
    auto* shut = new QToolButton(this);
    shut->setObjectName("schedule.searchClose");
    shut->setAccessibleName(tr("Close the search"));
    shut->setText(QString(QChar(0x00D7)));
    shut->setAutoRaise(true);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 4, 6, 4);
    layout->addWidget(line_, 2);
    layout->addWidget(count_, 3);
    layout->addWidget(shut);
    line_->installEventFilter(this);
    connect(line_, &QLineEdit::textChanged, this, &SearchBar::search);
    connect(shut, &QToolButton::clicked, this, &SearchBar::close);
    hide();
}

void SearchBar::setData(ScheduleDataPtr schedule)
{
    data_ = std::move(schedule);
    if (isVisible())
        search();
}

void SearchBar::open()
{
    show();
    line_->setFocus(Qt::ShortcutFocusReason);
    line_->selectAll();
    search();
}

void SearchBar::close()
{
    hide();
    hits_.clear();
    at_ = -1;
    Q_EMIT hitsChanged();
    Q_EMIT closed();
}

PassIndex SearchBar::current() const { return at_ >= 0 ? hits_[static_cast<std::size_t>(at_)] : -1; }

void SearchBar::search()
{
    hits_.clear();
    at_ = -1;
    const ParsedQuery parsed = parsePassQuery(line_->text().toStdString());
    if (parsed.query && data_)
        hits_ = findPasses(data_->timeline(), *parsed.query);
    tell(QString::fromStdString(parsed.problem));
    Q_EMIT hitsChanged();
}

void SearchBar::tell(const QString& problem)
{
    const bool empty = line_->text().trimmed().isEmpty();
    if (empty)
        count_->clear();
    else if (!problem.isEmpty())
        count_->setText(problem);
    else if (hits_.empty())
        count_->setText(tr("No pass is like that."));
    else if (at_ < 0)
        count_->setText(tr("%1 passes, Enter goes through them").arg(hits_.size()));
    else
        count_->setText(tr("%1 of %2").arg(at_ + 1).arg(hits_.size()));
}

void SearchBar::step(int by)
{
    if (hits_.empty())
        return;
    const auto count = static_cast<std::ptrdiff_t>(hits_.size());
    at_ = at_ < 0 ? (by > 0 ? 0 : count - 1) : (at_ + by + count) % count;
    tell();
    Q_EMIT hitsChanged();
    Q_EMIT wentTo(current());
}

bool SearchBar::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == line_ && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            step(key->modifiers() & Qt::ShiftModifier ? -1 : 1);
            return true;
        }
        if (key->key() == Qt::Key_Escape) {
            close();
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

} // namespace pipeloom::designer
