// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/style/segmented_bar.h"

#include "app/designer/style/theme.h"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QFontMetrics>
#include <QHBoxLayout>
#include <QPainter>

namespace pipeloom::designer {

namespace {

class Segment : public QAbstractButton {
public:
    Segment(const QString& text, QWidget* parent)
        : QAbstractButton(parent)
    {
        setText(text);
        setAccessibleName(text);
        setCheckable(true);
        setFocusPolicy(Qt::TabFocus);
        setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    }
    QSize sizeHint() const override
    {
        return { QFontMetrics(uiFont(12, QFont::DemiBold)).horizontalAdvance(text()) + 28, 26 };
    }
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent*) override
    {
        const Theme& theme = themeOf(this);
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QRectF frame = QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5);
        QColor text = isEnabled() ? theme.text : theme.muted;
        if (isChecked() || hasFocus() || (underMouse() && isEnabled())) {
            painter.setPen(isChecked() || hasFocus() ? QPen(theme.accent, hasFocus() ? 2 : 1) : QPen(Qt::NoPen));
            painter.setBrush(isChecked() ? theme.accentSoft : theme.header);
            painter.drawRoundedRect(frame, 4, 4);
        }
        if (isChecked())
            text = theme.accent;
        if (!isEnabled())
            text.setAlphaF(0.55F);
        painter.setFont(uiFont(12, isChecked() ? QFont::DemiBold : QFont::Normal));
        painter.setPen(text);
        painter.drawText(rect(), Qt::AlignCenter, this->text());
    }
};

} // namespace

SegmentedBar::SegmentedBar(const QStringList& choices, QWidget* parent)
    : QWidget(parent)
    , group_(new QButtonGroup(this))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    for (int i = 0; i < choices.size(); ++i) {
        auto* segment = new Segment(choices[i], this);
        group_->addButton(segment, i);
        layout->addWidget(segment);
    }
    connect(group_, &QButtonGroup::idClicked, this, &SegmentedBar::chosen);
}

void SegmentedBar::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event);
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme.border);
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
}

void SegmentedBar::setCurrent(int index)
{
    if (QAbstractButton* at = group_->button(index))
        at->setChecked(true);
}

int SegmentedBar::current() const { return group_->checkedId(); }

QAbstractButton* SegmentedBar::button(int index) const { return group_->button(index); }

} // namespace pipeloom::designer
