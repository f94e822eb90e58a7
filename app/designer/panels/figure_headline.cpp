// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/panels/figure_headline.h"

#include "app/designer/export/quantities.h"
#include "app/designer/panels/device_rows.h"
#include "app/designer/panels/quantity.h"
#include "app/designer/style/theme.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QStringList>
#include <QToolTip>

#include <array>

namespace pipeloom::designer {

namespace {
constexpr int margin = 12;
constexpr int valueHeight = 30;
constexpr int captionHeight = 16;
constexpr int lineHeight = 24;
} // namespace

FigureHeadline::FigureHeadline(QWidget* parent)
    : QWidget(parent)
{
    setObjectName("figureHeadline");
    setFocusPolicy(Qt::TabFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setFigures(std::make_shared<const Figures>());
}

void FigureHeadline::setFigures(FiguresPtr figures)
{
    figures_ = std::move(figures);
    const Plan& plan = figures_->plan;
    const bool some = plan.simulated();
    const Metrics& metrics = plan.metrics;
    const double tickUs = figures_->planned ? figures_->planned->costs.tickUs : 1000;

    Figure& step = shown_[0];
    step.value = some ? wholeText(metrics.makespan()) : QString(noFigure);
    const bool changed = some && plan.form == Form::Reordered && figures_->squeezedTicks > 0
        && figures_->squeezedTicks != metrics.makespan();
    step.before = changed ? wholeText(figures_->squeezedTicks) : QString();
    step.caption = tr("step time, ticks");
    step.definition = some ? tr("step time = last end − first start; %1").arg(timeText(metrics.makespan(), tickUs))
                           : tr("step time = last end − first start");
    step.details = !some ? QString()
        : changed        ? tr("%1 reordered, %2 squeezed")
                        .arg(timeText(metrics.makespan(), tickUs), timeText(figures_->squeezedTicks, tickUs))
                  : timeText(metrics.makespan(), tickUs);

    Figure& idle = shown_[1];
    idle.value = some ? shareText(metrics.idleShare()) : QString(noFigure);
    idle.caption = tr("idle share");
    idle.definition = tr("idle share = 1 − busy / (devices × step time)");
    const double ideal = idealTicks(metrics);
    idle.details = some && ideal > 0 ? tr("Idle against ideal work: (%1 − %2) / %2 = %3")
                                           .arg(wholeText(metrics.makespan()), QString::number(ideal, 'g', 6),
                                               shareText((static_cast<double>(metrics.makespan()) - ideal) / ideal))
                                     : QString();

    Figure& own = shown_[2];
    own.value = some ? shareText(metrics.ownSpanBubble()) : QString(noFigure);
    own.caption = tr("own-span bubble");
    own.definition = tr("own-span bubble = 1 − most busy / longest own span");
    own.details = some
        ? tr("The longest own span, first start to last end of one device, is %1.").arg(ticksText(metrics.ownSpan))
        : QString();

    QStringList spoken;
    for (const Figure& figure : shown_)
        spoken += figure.caption + " " + figure.value;
    setAccessibleName(tr("Figures of the step"));
    setAccessibleDescription(spoken.join("; "));
    updateLine();
    update();
}

void FigureHeadline::updateLine()
{
    switch (figures_->standing) {
    case Standing::OfItsOrder:
        line_ = tr("does not repeat yet: figures of its order");
        break;
    case Standing::Earlier:
        line_ = tr("earlier figures: %1").arg(QString::fromStdString(figures_->reason));
        break;
    case Standing::None:
        line_ = QString::fromStdString(figures_->reason);
        break;
    case Standing::Whole:
        line_ = figures_->pending ? tr("squeezed; the reordered form is on its way") : shown_[chosen_].definition;
        break;
    }
}

QSize FigureHeadline::sizeHint() const
{
    const int pixels = font().pixelSize() > 0 ? font().pixelSize() : 13;
    return { 340, (8 + valueHeight + captionHeight + lineHeight) * pixels / 13 };
}

QFont FigureHeadline::textFont(int pixels, QFont::Weight weight) const
{
    return uiFont(pixels * (font().pixelSize() > 0 ? font().pixelSize() : 13) / 13, weight);
}

// The first holds two numbers where reordering made a difference.
QRect FigureHeadline::column(std::size_t at) const
{
    constexpr std::array<int, 4> edges { 0, 40, 66, 100 }; // per cent
    const int room = width() - 2 * margin;
    const int left = margin + room * edges[at] / 100;
    return { left, 0, margin + room * edges[at + 1] / 100 - left, height() };
}

bool FigureHeadline::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        for (std::size_t at = 0; at < shown_.size(); ++at)
            if (column(at).contains(help->pos())) {
                const Figure& figure = shown_[at];
                QToolTip::showText(help->globalPos(),
                    figure.details.isEmpty() ? figure.definition : figure.definition + "\n" + figure.details, this);
                return true;
            }
        QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

void FigureHeadline::choose(std::size_t at)
{
    chosen_ = at;
    updateLine();
    update();
}

void FigureHeadline::keyPressEvent(QKeyEvent* event)
{
    const std::size_t last = shown_.size() - 1;
    if (event->key() == Qt::Key_Right)
        choose(std::min(chosen_ + 1, last));
    else if (event->key() == Qt::Key_Left)
        choose(chosen_ == 0 ? 0 : chosen_ - 1);
    else
        QWidget::keyPressEvent(event);
}

void FigureHeadline::mousePressEvent(QMouseEvent* event)
{
    for (std::size_t at = 0; at < shown_.size(); ++at)
        if (column(at).contains(event->position().toPoint()))
            choose(at);
}

void FigureHeadline::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    update();
}

void FigureHeadline::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    update();
}

void FigureHeadline::paintEvent(QPaintEvent*)
{
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    const bool whole = figures_->standing == Standing::Whole;
    const bool dimmed = figures_->standing == Standing::Earlier;
    const auto scaled = [this](int pixels) { return pixels * sizeHint().height() / (8 + 30 + 16 + 24); };
    const QFont large = textFont(22, QFont::DemiBold);
    const QFont small = textFont(11);
    for (std::size_t at = 0; at < shown_.size(); ++at) {
        const QRect room = column(at);
        int x = room.left();
        painter.setOpacity(dimmed ? 0.65 : 1);
        if (!shown_[at].before.isEmpty()) {
            const QString before = shown_[at].before + " → ";
            painter.setFont(textFont(13));
            const int wide = painter.fontMetrics().horizontalAdvance(before);
            if (wide + QFontMetrics(large).horizontalAdvance(shown_[at].value) <= room.width()) {
                painter.setPen(theme.muted);
                painter.drawText(QRect(x, scaled(8), wide, scaled(valueHeight) - scaled(2)),
                    Qt::AlignVCenter | Qt::AlignLeft, before);
                x += wide;
            }
        }
        painter.setPen(whole ? theme.text : theme.muted);
        painter.setFont(large);
        painter.drawText(QRect(x, scaled(6), room.right() - x + 1, scaled(valueHeight)),
            Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, shown_[at].value);
        painter.setOpacity(1);
        painter.setPen(theme.muted);
        painter.setFont(small);
        const QRect caption(room.left(), scaled(6 + valueHeight), room.width() - 4, scaled(captionHeight));
        painter.drawText(caption, Qt::AlignVCenter | Qt::AlignLeft,
            painter.fontMetrics().elidedText(shown_[at].caption, Qt::ElideRight, caption.width()));
        if (hasFocus() && at == chosen_) {
            painter.setPen(theme.accent);
            painter.drawRect(room.adjusted(-5, scaled(6), -8, -scaled(lineHeight) - 1));
        }
    }
    painter.setFont(small);
    painter.setPen(whole ? theme.muted : theme.warning);
    const QRect line(margin, height() - scaled(lineHeight), width() - 2 * margin, scaled(lineHeight));
    painter.drawText(
        line, Qt::AlignVCenter | Qt::AlignLeft, painter.fontMetrics().elidedText(line_, Qt::ElideRight, line.width()));
}

} // namespace pipeloom::designer
