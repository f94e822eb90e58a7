// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/schedule/schedule_header.h"

#include "app/designer/style/segmented_bar.h"
#include "app/designer/style/theme.h"

#include <QAbstractButton>
#include <QAction>
#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QToolButton>

namespace pipeloom::designer {

ScheduleHeader::ScheduleHeader(QWidget* parent)
    : QWidget(parent)
    , forms_(new SegmentedBar({ tr("Raw"), tr("Squeezed"), tr("Reordered") }, this))
    , colours_(new QToolButton(this))
    , toggles_(new QWidget(this))
    , figures_(new QLabel(this))
{
    auto* title = new QLabel(tr("Schedule"), this);
    title->setFont(uiFont(13, QFont::DemiBold));
    forms_->setObjectName("schedule.forms");
    forms_->setAccessibleName(tr("Form of the schedule"));
    const QStringList tips { tr("The block repeated as it is drawn"),
        tr("The same order, every pass as early as it can start"),
        tr("Passes before their turn where that fills idle time, within the memory limit") };
    for (int i = 0; i < tips.size(); ++i) {
        forms_->button(i)->setToolTip(tips[i]);
        forms_->button(i)->setObjectName(QStringLiteral("schedule.form%1").arg(i));
    }
    colours_->setObjectName("schedule.colours");
    colours_->setAccessibleName(tr("Colours"));
    colours_->setAutoRaise(true);
    colours_->setFocusPolicy(Qt::TabFocus);
    auto* toggleLayout = new QHBoxLayout(toggles_);
    toggleLayout->setContentsMargins(0, 0, 0, 0);
    toggleLayout->setSpacing(14);
    figures_->setObjectName("schedule.figures");
    figures_->setAccessibleName(tr("Figures of the schedule"));
    figures_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    figures_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    figures_->installEventFilter(this);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 3, 12, 4);
    layout->setSpacing(12);
    layout->addWidget(title);
    layout->addSpacing(6);
    layout->addWidget(forms_);
    layout->addWidget(colours_);
    layout->addWidget(toggles_);
    layout->addWidget(figures_, 1);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ScheduleHeader::setColourActions(const QList<QAction*>& actions)
{
    auto* menu = new QMenu(colours_);
    menu->setObjectName("schedule.colourMenu");
    menu->addActions(actions);
    // Not the button's own menu: its arrow would lie over the text.
    connect(colours_, &QToolButton::clicked, menu,
        [this, menu] { menu->popup(colours_->mapToGlobal(QPoint(0, colours_->height()))); });
}

void ScheduleHeader::setColourText(const QString& mode) { colours_->setText(tr("Colour: %1 ▾").arg(mode)); }

void ScheduleHeader::addToggle(QAction* action, const QString& text)
{
    auto* box = new QCheckBox(text, toggles_);
    box->setObjectName(action->objectName() + ".box");
    box->setAccessibleName(action->text());
    box->setToolTip(action->toolTip());
    box->setChecked(action->isChecked());
    box->setEnabled(action->isEnabled());
    connect(box, &QCheckBox::clicked, action, &QAction::trigger);
    connect(action, &QAction::changed, box, [box, action] {
        box->setChecked(action->isChecked());
        box->setEnabled(action->isEnabled());
        box->setToolTip(action->toolTip());
    });
    toggles_->layout()->addWidget(box);
}

void ScheduleHeader::addButton(QAction* action)
{
    auto* button = new QToolButton(toggles_);
    button->setObjectName(action->objectName() + ".button");
    button->setDefaultAction(action);
    button->setAccessibleName(action->text());
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    button->setVisible(action->isVisible());
    connect(action, &QAction::changed, button, [button, action] { button->setVisible(action->isVisible()); });
    toggles_->layout()->addWidget(button);
}

void ScheduleHeader::setFigures(const QString& text, const QString& tip, bool isWarning)
{
    text_ = text;
    figures_->setToolTip(tip);
    QPalette palette = figures_->palette();
    palette.setColor(QPalette::WindowText, isWarning ? themeOf(this).warning : themeOf(this).muted);
    figures_->setPalette(palette);
    elide();
}

QString ScheduleHeader::figures() const { return text_; }

void ScheduleHeader::elide()
{
    figures_->setText(figures_->fontMetrics().elidedText(text_, Qt::ElideRight, figures_->width()));
}

bool ScheduleHeader::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == figures_ && event->type() == QEvent::Resize)
        elide();
    return QWidget::eventFilter(watched, event);
}

void ScheduleHeader::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event);
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.fillRect(rect(), theme.header);
    painter.fillRect(QRect(0, height() - 1, width(), 1), theme.border);
}

} // namespace pipeloom::designer
