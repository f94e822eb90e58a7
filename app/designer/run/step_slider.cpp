// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/step_slider.h"

#include "app/designer/style/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

namespace {

constexpr double margin = 8;

QColor colourOf(StepSlider::Mark::Kind kind, const Theme& theme)
{
    switch (kind) {
    case StepSlider::Mark::Kind::Alarm:
        return theme.warning;
    case StepSlider::Mark::Kind::Rollback:
        return theme.error;
    default:
        return theme.good;
    }
}

} // namespace

StepSlider::StepSlider(QWidget* parent)
    : QWidget(parent)
{
    setObjectName("run.stepSlider");
    setAccessibleName(tr("Steps"));
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void StepSlider::setSteps(std::int64_t first, std::int64_t newest, std::int64_t last)
{
    last = std::max(last, newest);
    if (first == first_ && newest == newest_ && last == last_)
        return;
    first_ = first;
    newest_ = newest;
    last_ = last;
    update();
}

void StepSlider::setCurrent(std::int64_t step)
{
    if (step == current_)
        return;
    current_ = step;
    setAccessibleDescription(step < 0 ? tr("no step is shown") : tr("step %1 of %2 is shown").arg(step).arg(last_));
    update();
}

void StepSlider::setMarks(std::vector<Mark> marks)
{
    marks_ = std::move(marks);
    update();
}

double StepSlider::xOf(std::int64_t step) const
{
    const double length = width() - 2 * margin;
    const auto steps = static_cast<double>(std::max<std::int64_t>(last_ - first_, 1));
    return margin + static_cast<double>(step - first_) / steps * length;
}

std::int64_t StepSlider::stepAt(double x) const
{
    const double length = std::max(width() - 2 * margin, 1.0);
    const auto steps = static_cast<double>(std::max<std::int64_t>(last_ - first_, 1));
    return std::clamp(first_ + std::int64_t { std::llround((x - margin) / length * steps) }, first_, newest_);
}

QString StepSlider::textAt(double x) const
{
    // The marks under the mouse, at most a few of them, else the step.
    constexpr double reach = 4;
    constexpr qsizetype most = 4;
    QStringList lines;
    for (const Mark& mark : marks_)
        if (std::abs(xOf(mark.step) - x) <= reach && lines.size() < most)
            lines << mark.text;
    return lines.isEmpty() ? tr("Step %1").arg(stepAt(x)) : lines.join(QLatin1Char('\n'));
}

bool StepSlider::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip && !isEmpty()) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), textAt(help->pos().x()), this);
        return true;
    }
    return QWidget::event(event);
}

void StepSlider::choose(std::int64_t step)
{
    if (!isEmpty())
        Q_EMIT stepChosen(std::clamp(step, first_, newest_));
}

void StepSlider::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        choose(stepAt(event->position().x()));
}

void StepSlider::mouseMoveEvent(QMouseEvent* event)
{
    if ((event->buttons() & Qt::LeftButton) && stepAt(event->position().x()) != current_)
        choose(stepAt(event->position().x()));
}

void StepSlider::wheelEvent(QWheelEvent* event)
{
    event->accept();
    choose(current_ + (event->angleDelta().y() > 0 ? -1 : 1));
}

void StepSlider::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Down:
        choose(current_ - 1);
        return;
    case Qt::Key_Right:
    case Qt::Key_Up:
        choose(current_ + 1);
        return;
    case Qt::Key_Home:
        choose(first_);
        return;
    default:
        QWidget::keyPressEvent(event);
    }
}

void StepSlider::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void StepSlider::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

void StepSlider::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event);
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const double middle = height() / 2.0;
    const auto bar = [&](double from, double to, const QColor& colour) {
        painter.setBrush(colour);
        painter.drawRoundedRect(QRectF(from, middle - 2, std::max(to - from, 0.0), 4), 2, 2);
    };
    bar(margin, width() - margin, theme.gridStrong);
    if (isEmpty())
        return;
    bar(margin, xOf(newest_), theme.muted);
    for (const Mark& mark : marks_) {
        const double x = xOf(mark.step);
        painter.setBrush(colourOf(mark.kind, theme));
        // Told apart by place and form too: what is good below, what is not above.
        if (mark.kind == Mark::Kind::Checkpoint) {
            painter.drawRect(QRectF(x - 1, middle + 4, 2, 6));
        } else if (mark.kind == Mark::Kind::Alarm) {
            painter.drawEllipse(QPointF(x, middle - 7), 2.5, 2.5);
        } else {
            const QPointF points[3] { { x - 3.5, middle - 10 }, { x + 3.5, middle - 10 }, { x, middle - 4 } };
            painter.drawPolygon(points, 3);
        }
    }
    if (current_ >= 0) {
        const QPointF at(xOf(std::clamp(current_, first_, last_)), middle);
        painter.setBrush(theme.panel);
        painter.drawEllipse(at, 7, 7);
        painter.setBrush(theme.accent);
        painter.drawEllipse(at, 5.5, 5.5);
    }
    if (hasFocus()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.accent, 1));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    }
}

} // namespace pipeloom::designer
