// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/schedule/schedule_view.h"

#include "app/designer/schedule/pass_text.h"

#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

ScheduleView::ScheduleView(TimeAxis& axis, QWidget* parent)
    : QWidget(parent)
    , axis_(axis)
    , scrollBar_(new QScrollBar(Qt::Vertical, this))
{
    installAccessibleRows();
    setObjectName("schedule.view");
    setAccessibleName(tr("Schedule timeline"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    scrollBar_->setObjectName("schedule.scroll");
    scrollBar_->setAccessibleName(tr("Devices shown"));
    scrollBar_->setFocusPolicy(Qt::NoFocus);
    scrollBar_->hide();
    connect(scrollBar_, &QScrollBar::valueChanged, this, &ScheduleView::invalidate);
    connect(&axis_, &TimeAxis::changed, this, &ScheduleView::invalidate);
}

ScheduleView::~ScheduleView() = default;

void ScheduleView::invalidate()
{
    pictureIsStale_ = true;
    update();
}

void ScheduleView::setData(ScheduleDataPtr schedule)
{
    data_ = std::move(schedule);
    if (data_ && data_->isEmpty())
        data_.reset();
    hoveredMicroBatch_ = -1;
    overlays_.hits.clear();
    overlays_.currentHit = -1;
    labelWidth_ = data_ ? labelWidthFor(*data_) : 70;
    layOut();
    if (data_)
        axis_.setBounds(data_->metrics().firstStart, data_->metrics().lastEnd);
    followSelection();
    findCriticalPath();
    setRange(range_);
    invalidate();
}

void ScheduleView::setEmptyText(const QString& title, const QString& hint)
{
    emptyTitle_ = title;
    emptyHint_ = hint;
    if (!data_)
        update();
}

void ScheduleView::setFade(double fade)
{
    if (fade == fade_)
        return;
    fade_ = fade;
    invalidate();
}

void ScheduleView::setEndBefore(std::optional<Ticks> end)
{
    overlays_.endBefore = end;
    update();
}

void ScheduleView::setColourMode(ColourMode mode)
{
    colours_ = mode;
    invalidate();
}

void ScheduleView::setMemoryShown(bool shown)
{
    memory_ = shown;
    layOut();
}

void ScheduleView::setCriticalPathShown(bool shown)
{
    critical_ = shown;
    findCriticalPath();
    update();
}

void ScheduleView::findCriticalPath()
{
    overlays_.criticalPath.clear();
    if (critical_ && data_)
        overlays_.criticalPath = criticalPath(data_->timeline(), data_->pipeline());
}

void ScheduleView::setRowHeight(std::optional<double> pixels)
{
    rowHeight_ = pixels;
    layOut();
}

void ScheduleView::stepRowHeight(int steps)
{
    const double grown = layout_.rowHeight * std::pow(1.25, steps);
    const double whole = steps > 0 ? std::ceil(grown) : std::floor(grown);
    setRowHeight(std::clamp(whole, RowLayout::leastHeight, RowLayout::mostHeight));
}

void ScheduleView::setDropRefused(bool refused)
{
    overlays_.dropIsRefused = refused;
    update();
}

void ScheduleView::layOut()
{
    constexpr int barWidth = 12;
    const double available = height() - TimelineScene::rulerHeight;
    layout_.rows = data_ ? data_->devices() : 0;
    layout_.memory = memory_;
    layout_.transfers = data_ && data_->hasTransfers();
    layout_.rowHeight = rowHeight_.value_or(fittingRowHeight(available, layout_.rows));
    const double hidden = std::max(0.0, layout_.contentHeight() - available);
    scrollBar_->setVisible(hidden > 0);
    scrollBar_->setRange(0, static_cast<int>(std::ceil(hidden)));
    scrollBar_->setPageStep(std::max(static_cast<int>(available), 1));
    scrollBar_->setSingleStep(std::max(static_cast<int>(layout_.rowHeight), 8));
    scrollBar_->setGeometry(width() - barWidth, static_cast<int>(TimelineScene::rulerHeight), barWidth,
        height() - static_cast<int>(TimelineScene::rulerHeight));
    axis_.setWidth(scene().plotWidth());
    Q_EMIT viewportChanged();
    invalidate();
}

TimelineScene ScheduleView::scene() const
{
    TimelineScene scene;
    scene.data = data_.get();
    scene.map = axis_.map();
    scene.layout = layout_;
    scene.labelWidth = labelWidth_;
    scene.width = width() - (scrollBar_->isHidden() ? 0 : scrollBar_->width());
    scene.height = height();
    scene.scroll = scrollBar_->value();
    scene.ratio = devicePixelRatioF();
    scene.colours = colours_;
    scene.only = hoveredMicroBatch_;
    scene.fade = fade_;
    scene.theme = &themeOf(this);
    return scene;
}

void ScheduleView::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event);
    QPainter painter(this);
    const TimelineScene now = scene();
    if (!data_) {
        painter.fillRect(rect(), now.theme->panel);
        paintEmpty(painter);
        return;
    }
    if (pictureIsStale_ || picture_.devicePixelRatio() != now.ratio) {
        painter_.paint(picture_, now);
        pictureIsStale_ = false;
    }
    painter.drawImage(QPointF(0, 0), picture_);
    if (now.width < width())
        painter.fillRect(QRectF(now.width, 0, width() - now.width, height()), now.theme->panel);
    overlays_.focused = hasFocus();
    paintOverlays(painter, now, overlays_);
}

void ScheduleView::paintEmpty(QPainter& painter) const
{
    const Theme& theme = themeOf(this);
    const QRectF area = QRectF(rect()).adjusted(24, 8, -24, -8);
    const double middle = area.center().y();
    painter.setFont(uiFont(15, QFont::DemiBold));
    painter.setPen(theme.text);
    painter.drawText(QRectF(area.left(), middle - 30, area.width(), 24), Qt::AlignCenter, emptyTitle_);
    painter.setFont(uiFont(13));
    painter.setPen(theme.muted);
    painter.drawText(QRectF(area.left(), middle, area.width(), std::max(area.bottom() - middle, 20.0)),
        Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, emptyHint_);
}

void ScheduleView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layOut();
}

void ScheduleView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange)
        invalidate();
    QWidget::changeEvent(event);
}

void ScheduleView::select(std::vector<Pass> passes)
{
    if (passes == selection_)
        return;
    selection_ = std::move(passes);
    along_ = 0;
    followSelection();
    if (const PassIndex pass = primary(); pass >= 0)
        Q_EMIT statusText(passSentence(*data_, pass));
    tellCurrentCell(this);
    Q_EMIT selectionChanged();
}

/// Passes keep their names when figures change; where they stand is looked up anew.
void ScheduleView::followSelection()
{
    overlays_.selected.clear();
    if (data_)
        for (const Pass& pass : selection_)
            if (const PassIndex at = data_->find(pass); at >= 0)
                overlays_.selected.push_back(at);
    overlays_.moving = data_ && movedPass_ ? data_->find(*movedPass_) : -1;
    update();
}

PassIndex ScheduleView::primary() const { return overlays_.selected.empty() ? -1 : overlays_.selected.back(); }

void ScheduleView::reveal(PassIndex pass)
{
    const TimedPass& timed = data_->at(pass);
    const double width = scene().plotWidth();
    const double margin = std::min(40.0, width / 4);
    const double left = axis_.map().xOf(timed.start);
    const double right = axis_.map().xOf(timed.end);
    if (left < margin)
        axis_.panBy(left - margin);
    else if (right > width - margin)
        axis_.panBy(std::min(right - width + margin, left - margin));
    const double top = data_->deviceOf(pass).value * layout_.rowHeight;
    const double seen = height() - TimelineScene::rulerHeight;
    if (top < scrollBar_->value())
        scrollBar_->setValue(static_cast<int>(top));
    else if (top + layout_.rowHeight > scrollBar_->value() + seen)
        scrollBar_->setValue(static_cast<int>(std::ceil(top + layout_.rowHeight - seen)));
}

void ScheduleView::setRange(std::optional<TimeRange> range)
{
    if (range && range->to <= range->from)
        range.reset();
    range_ = range;
    overlays_.range.reset();
    if (range_ && data_) {
        overlays_.range = pipeloom::designer::rangeFigures(*data_, *range_);
        Q_EMIT statusText(rangeSentence(*data_, *overlays_.range));
    }
    update();
    Q_EMIT rangeChanged();
}

void ScheduleView::setHits(std::vector<PassIndex> hits, PassIndex current)
{
    overlays_.hits = std::move(hits);
    overlays_.currentHit = current;
    update();
}

} // namespace pipeloom::designer
