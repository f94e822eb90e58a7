// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/export/figure_view.h"

#include "app/designer/export/quantities.h"

namespace pipeloom::designer {

FigureView::FigureView(QWidget* parent)
    : QWidget(parent)
{
    setObjectName("figureView");
    setAccessibleName(tr("Preview"));
}

void FigureView::show(FiguresPtr figures)
{
    figures_ = std::move(figures);
    asked_.reset();
    picture_ = {};
    setAccessibleDescription(figuresLine(*figures_));
    update();
}

void FigureView::show(FiguresPtr figures, const FigureOptions& options)
{
    show(std::move(figures));
    asked_ = options;
}

void FigureView::clear()
{
    figures_.reset();
    picture_ = {};
    setAccessibleDescription({});
    update();
}

void FigureView::draw()
{
    FigureOptions options;
    if (asked_)
        options = *asked_;
    options.everyPass = false;
    const double margin = asked_ ? 12 : 1;
    const QSizeF room(width() - 2 * margin, height() - 2 * margin);
    if (!asked_) {
        options.width = room.width();
        options.dark = themeOf(this).dark;
        options.legend = false;
        options.caption = false;
        // As much text as there is room for: a block and a schedule of few devices fill the picture.
        for (options.textPixels = 16;
             options.textPixels > 6 && figureSize(*figures_, options).height() > room.height();)
            options.textPixels -= 1;
    }
    const QSizeF size = figureSize(*figures_, options);
    const double scale = std::min({ 1.0, room.width() / size.width(), asked_ ? room.height() / size.height() : 1.0 });
    picture_ = QPixmap((size * scale * devicePixelRatioF()).toSize().expandedTo({ 1, 1 }));
    picture_.setDevicePixelRatio(devicePixelRatioF());
    picture_.fill(themeOf(this).panel);
    QPainter painter(&picture_);
    painter.scale(scale, scale);
    paintFigure(painter, *figures_, options);
}

void FigureView::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event);
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.fillRect(rect(), asked_ ? theme.window : theme.panel);
    if (figures_ && hasFigure(*figures_, asked_ ? asked_->what : FigureOptions::What::Both)) {
        if (picture_.isNull())
            draw();
        const QSizeF size = picture_.deviceIndependentSize();
        const double x = std::floor((width() - size.width()) / 2);
        painter.drawPixmap(QPointF(x, asked_ ? std::floor((height() - size.height()) / 2) : 1), picture_);
    }
    painter.setPen(theme.border);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void FigureView::resizeEvent(QResizeEvent* event)
{
    picture_ = {};
    QWidget::resizeEvent(event);
}

void FigureView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange)
        picture_ = {};
    QWidget::changeEvent(event);
}

} // namespace pipeloom::designer
