// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/message_bar.h"

#include "app/designer/style/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

namespace pipeloom::designer {

QStringList lines(const Findings& findings)
{
    QStringList all;
    for (const Finding& finding : findings) {
        QString line = QString::fromStdString(finding.message);
        if (!finding.where.empty() && finding.where.front().row) {
            static const QRegularExpression own(QStringLiteral("^Row \\d+, column \\d+: ")); // some say it themselves
            line.remove(own);
            const Place& place = finding.where.front();
            line.prepend(place.column ? MessageBar::tr("Line %1, column %2: ").arg(*place.row).arg(*place.column)
                                      : MessageBar::tr("Line %1: ").arg(*place.row));
        }
        if (!finding.remedy.empty())
            line += ' ' + QString::fromStdString(finding.remedy);
        all << line;
    }
    return all;
}

MessageBar::MessageBar(QWidget* parent)
    : QWidget(parent)
    , text_(new QLabel)
    , list_(new QLabel)
    , scroll_(new QScrollArea)
{
    setObjectName("messageBar");
    setAccessibleName(tr("Message"));
    text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    text_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // a long text must not widen the window
    text_->setObjectName("messageText");
    list_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    list_->setWordWrap(true);
    list_->setObjectName("messageDetails");
    scroll_->setWidget(list_);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);
    scroll_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll_->viewport()->setAutoFillBackground(false);
    list_->setAutoFillBackground(false);
    scroll_->setFocusPolicy(Qt::TabFocus);
    scroll_->setObjectName("messageScroll");
    scroll_->setAccessibleName(tr("Details of the message"));

    auto* close = new QToolButton;
    close->setText(QString(QChar(0x00D7)));
    close->setAutoRaise(true);
    close->setObjectName("messageClose");
    close->setAccessibleName(tr("Close the message"));
    close->setToolTip(tr("Close the message"));
    connect(close, &QToolButton::clicked, this, [this] {
        dismiss();
        Q_EMIT dismissed();
    });

    row_ = new QHBoxLayout;
    row_->setSpacing(8);
    row_->addWidget(text_, 1);
    row_->addWidget(close);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(34, 7, 10, 8);
    column->setSpacing(4);
    column->addLayout(row_);
    column->addWidget(scroll_);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    hide();
}

QString MessageBar::text() const { return text_->text(); }

void MessageBar::tell(Tone tone, const QString& text, const QStringList& details)
{
    qDeleteAll(buttons_);
    buttons_.clear();
    tone_ = tone;
    details_ = details;
    text_->setText(text);
    text_->setToolTip(text);
    QStringList shown;
    for (const QString& line : details)
        shown << "<p style='margin:0 0 3px 0'>" + line.toHtmlEscaped() + "</p>";
    list_->setText(shown.join(QString()));
    scroll_->setVisible(!details.isEmpty());
    fitDetails();
    colour();
    show();
    update();
}

void MessageBar::fitDetails()
{
    // Room for five lines, then it scrolls.
    const int most = 5 * (fontMetrics().lineSpacing() + 3);
    const int wanted = list_->heightForWidth(std::max(width() - 60, 100));
    scroll_->setFixedHeight(std::min(std::max(wanted, 0), most));
}

void MessageBar::resizeEvent(QResizeEvent* event)
{
    fitDetails();
    QWidget::resizeEvent(event);
}

QPushButton* MessageBar::addButton(const QString& text, const QString& objectName)
{
    auto* button = new QPushButton(text);
    button->setObjectName(objectName);
    button->setAccessibleName(text);
    row_->insertWidget(row_->count() - 1, button);
    buttons_ << button;
    return button;
}

void MessageBar::dismiss()
{
    hide();
    details_.clear();
}

void MessageBar::colour()
{
    QPalette palette = list_->palette();
    palette.setColor(QPalette::WindowText, themeOf(this).muted);
    list_->setPalette(palette);
}

void MessageBar::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange && list_->palette().color(QPalette::WindowText) != themeOf(this).muted)
        colour();
    QWidget::changeEvent(event);
}

void MessageBar::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event);
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.fillRect(rect(),
        tone_ == Tone::Error      ? theme.errorSoft
            : tone_ == Tone::Note ? theme.accentSoft
                                  : theme.panel);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.border);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(tone_ == Tone::Error ? theme.error : tone_ == Tone::Note ? theme.note : theme.warning);
    const double middle = row_->geometry().center().y() + 0.5;
    if (tone_ == Tone::Warning)
        painter.drawPolygon(QPolygonF({ { 14, middle + 5 }, { 26, middle + 5 }, { 20, middle - 6 } }));
    else
        painter.drawEllipse(QPointF(20, middle), 5, 5);
}

} // namespace pipeloom::designer
