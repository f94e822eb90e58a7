// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/recovery_bar.h"

#include "app/designer/style/theme.h"
#include "app/designer/window/file_actions.h"
#include "app/designer/window/message_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

namespace pipeloom::designer {

RecoveryBar::RecoveryBar(Autosave& autosave, FileActions& files, QWidget* parent)
    : QWidget(parent)
    , autosave_(autosave)
    , files_(files)
    , rows_(new QVBoxLayout(this))
{
    setObjectName("recoveryBar");
    setAccessibleName(tr("Unsaved work from before"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    rows_->setContentsMargins(34, 6, 10, 7);
    rows_->setSpacing(4);
    connect(&autosave_, &Autosave::failed, this, [this](const QString& why) {
        files_.bar()->tell(MessageBar::Tone::Warning, tr("Changes cannot be kept for the case of a crash."),
            { why, tr("Save often until that is mended.") });
    });
    look();
}

void RecoveryBar::look()
{
    while (QLayoutItem* item = rows_->takeAt(0)) {
        if (item->widget())
            item->widget()->deleteLater(); // a click on one of its buttons may have led here
        delete item;
    }
    count_ = 0;
    for (const LeftBehind& left : autosave_.leftBehind())
        rows_->addWidget(rowOf(left, count_++));
    setVisible(count_ > 0);
}

QWidget* RecoveryBar::rowOf(const LeftBehind& left, int at)
{
    auto* row = new QWidget;
    auto* line = new QHBoxLayout(row);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(8);
    const QString when = QLocale().toString(left.when, QLocale::ShortFormat);
    auto* text
        = new QLabel(tr("<b>%1</b> has changes of %2 that were not saved.").arg(left.title.toHtmlEscaped(), when));
    text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // a long name must not widen the window
    text->setToolTip(left.path.isEmpty() ? tr("It was never saved.") : left.path);
    auto* recover = new QPushButton(tr("Recover"));
    recover->setObjectName(QString("recover%1").arg(at));
    recover->setAccessibleName(tr("Recover %1").arg(left.title));
    auto* discard = new QPushButton(tr("Discard"));
    discard->setObjectName(QString("discard%1").arg(at));
    discard->setAccessibleName(tr("Discard the changes to %1").arg(left.title));
    line->addWidget(text, 1);
    line->addWidget(recover);
    line->addWidget(discard);
    connect(recover, &QPushButton::clicked, this, [this, left] {
        if (files_.recover(autosave_, left))
            look();
    });
    connect(discard, &QPushButton::clicked, this, [this, left] {
        removeRecovery(left.file);
        look();
    });
    return row;
}

void RecoveryBar::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event);
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.accentSoft);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.border);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.note);
    for (int i = 0; i < rows_->count(); ++i)
        painter.drawEllipse(QPointF(20, rows_->itemAt(i)->geometry().center().y() + 0.5), 5, 5);
}

} // namespace pipeloom::designer
