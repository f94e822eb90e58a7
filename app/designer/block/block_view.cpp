// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/block/block_view.h"

#include "app/designer/block/block_links.h"
#include "app/designer/block/block_painter.h"
#include "core/block/block_index.h"
#include "core/block/intervals.h"

#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

BlockView::BlockView(Document& document, LiveFigures& figures, QWidget* parent)
    : QAbstractScrollArea(parent)
    , document_(document)
    , figures_(figures)
{
    installAccessibleRows();
    setObjectName(QStringLiteral("blockView"));
    setAccessibleName(tr("Building block"));
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    setMinimumSize(320, 60);
    connect(&document_, &Document::shownChanged, this, &BlockView::followDesign);
    connect(&document_, &Document::aboutToReset, this, [this] {
        cancelGesture();
        select({});
        fresh_ = true;
    });
    connect(&document_, &Document::wasReset, this, [this] { axis_.fit(); });
    connect(&document_, &Document::committedChanged, this, [this] {
        if (!gesture_ && block()) // what was said of a pass may be true no longer
            Q_EMIT statusText(selected_.size() == 1
                    ? sentenceOf(*block(), document_.shown()->pipeline, *selected_.begin())
                    : QString());
    });
    connect(&figures_, &LiveFigures::changed, viewport(), qOverload<>(&QWidget::update));
    connect(&axis_, &TimeAxis::changed, viewport(), qOverload<>(&QWidget::update));
    followDesign();
}

BlockView::~BlockView() = default;

double BlockView::scroll() const { return verticalScrollBar()->value(); }

void BlockView::followDesign()
{
    if (!block()) {
        verticalScrollBar()->setRange(0, 0);
        selected_.clear();
        viewport()->update();
        return;
    }
    tables_ = std::make_unique<BlockTables>(*block(), document_.shown()->pipeline);
    recallKeys();
    hover_ = {};
    const Ticks interval = std::max<Ticks>(block()->interval, 1);
    constexpr Ticks leastShown = 24;
    constexpr Ticks copiesShown = 2;
    // What is shown stays while there is room, so that the next click lands where it is aimed; then there is room for more.
    const Ticks end = tables_->end();
    const Ticks wanted = std::max(end + copiesShown * interval, leastShown);
    const bool roomy = axis_.last() >= end + interval && axis_.last() <= 2 * wanted;
    if (fresh_ || !roomy)
        axis_.setBounds(0, fresh_ ? wanted : std::max(wanted, end + end / 2));
    fresh_ = false;
    legal_ = legalIntervals(*block(), document_.shown()->pipeline, 1, axis_.last());
    followRoute();
    layOut();
}

/// The legs are those of the route that the selection is on.
void BlockView::followRoute()
{
    const Pipeline& pipeline = document_.shown()->pipeline;
    route_ = RouteId { selectedKeys_.empty() ? 0 : selectedKeys_.front().microBatch.value % pipeline.routeCount() };
    legs_ = legs(*block(), pipeline, route_);
    turns_ = turns(*block(), pipeline, route_);
}

void BlockView::layOut()
{
    if (!tables_ || !block())
        return;
    layout_ = layOutBlock(*document_.shown(), *tables_, viewport()->size(), rowScale_);
    axis_.setWidth(layout_.time.width());
    handles_ = layOutHandles(legs_, turns_, layout_);
    const auto over = static_cast<int>(std::ceil(layout_.contentHeight - layout_.time.height()));
    verticalScrollBar()->setRange(0, std::max(over, 0));
    verticalScrollBar()->setPageStep(static_cast<int>(layout_.time.height()));
    verticalScrollBar()->setSingleStep(24);
    viewport()->update();
}

BlockScene BlockView::scene() const
{
    BlockScene made;
    made.design = document_.shown().get();
    made.figures = figures_.figures().get();
    made.tables = tables_.get();
    made.layout = &layout_;
    made.theme = &themeOf(this);
    made.map = axis_.map();
    made.scroll = scroll();
    made.devicePixelRatio = devicePixelRatioF();
    made.ghosts = ghosts_;
    made.selected = &selected_;
    made.hover = hover_;
    made.marks = gesture_ ? &marks_ : nullptr;
    made.legal = &legal_;
    made.legs = &legs_;
    made.handles = &handles_;
    made.caret = caret_;
    return made;
}

void BlockView::paintEvent(QPaintEvent*)
{
    QPainter painter(viewport());
    const Theme& theme = themeOf(this);
    if (!block() || !tables_) {
        painter.fillRect(viewport()->rect(), theme.panel);
        painter.setPen(theme.muted);
        painter.setFont(uiFont(13));
        painter.drawText(viewport()->rect().adjusted(20, 10, -20, -10), Qt::AlignCenter | Qt::TextWordWrap,
            tr("This design is an explicit schedule: the order itself, no block. It is edited below, with \"Edit "
               "order\"."));
        return;
    }
    paintBlock(painter, scene());
    if (block()->passes.empty() && !gesture_) {
        painter.setPen(theme.muted);
        painter.setFont(uiFont(13));
        painter.drawText(layout_.time.toRect().adjusted(20, 0, -20, 0), Qt::AlignCenter | Qt::TextWordWrap,
            tr("An empty block. Press F and click where the first forward pass starts; B and W place the others.\nOr "
               "take a "
               "published schedule from \"Start from\"."));
    }
    if (hasFocus()) {
        painter.setPen(theme.accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
    }
}

void BlockView::resizeEvent(QResizeEvent*) { layOut(); }

void BlockView::scrollContentsBy(int, int) { viewport()->update(); }

void BlockView::setTool(BlockTool tool)
{
    if (tool == tool_)
        return;
    tool_ = tool;
    caret_.reset();
    viewport()->setCursor(tool == BlockTool::Select ? Qt::ArrowCursor
            : tool == BlockTool::Interval           ? Qt::SizeHorCursor
                                                    : Qt::CrossCursor);
    switch (tool) {
    case BlockTool::Select:
        Q_EMIT statusText({});
        break;
    case BlockTool::Interval:
        Q_EMIT statusText(tr("Drag to set T, the interval after which the block repeats"));
        break;
    default:
        Q_EMIT statusText(
            tr("Click where the pass starts · arrows and Enter place it by key · V goes back to selecting"));
    }
    Q_EMIT toolChanged(tool);
    viewport()->update();
}

void BlockView::setGhosts(bool shown)
{
    ghosts_ = shown;
    viewport()->update();
}

void BlockView::select(std::set<std::int32_t> passes)
{
    if (passes == selected_)
        return;
    selected_ = std::move(passes);
    rememberKeys();
    document_.breakMerge();
    if (block() && document_.shown()->pipeline.routeCount() > 1) {
        followRoute();
        layOut();
    }
    viewport()->update();
    if (selected_.size() == 1)
        Q_EMIT statusText(sentenceOf(*block(), document_.shown()->pipeline, *selected_.begin()));
    else
        Q_EMIT statusText(selected_.empty() ? QString() : tr("%1 passes selected").arg(selected_.size()));
    if (!selected_.empty())
        tellCurrentCell(this);
    Q_EMIT selectionChanged();
}

void BlockView::fit()
{
    fresh_ = true;
    followDesign();
    axis_.fit();
}

void BlockView::selectDevice(DeviceId device)
{
    if (!block() || device.index() >= layout_.rows.size())
        return;
    const auto& row = tables_->row(device);
    select({ row.begin(), row.end() });
    const BlockRow& shown = layout_.rows[device.index()];
    const double top = scroll();
    if (shown.top < top || shown.top + shown.height > top + layout_.time.height())
        verticalScrollBar()->setValue(static_cast<int>(shown.top));
}

void BlockView::rememberKeys()
{
    selectedKeys_.clear();
    for (const std::int32_t pass : selected_)
        selectedKeys_.push_back(block()->passes[static_cast<std::size_t>(pass)].slot.first);
}

void BlockView::recallKeys()
{
    std::set<std::int32_t> found;
    for (std::size_t i = 0; i < block()->passes.size(); ++i)
        if (std::find(selectedKeys_.begin(), selectedKeys_.end(), block()->passes[i].slot.first) != selectedKeys_.end())
            found.insert(static_cast<std::int32_t>(i));
    if (found == selected_)
        return;
    selected_ = std::move(found);
    Q_EMIT selectionChanged();
}

bool BlockView::selectByName(const QString& name, std::optional<DeviceId> device)
{
    if (!block())
        return false;
    for (std::size_t i = 0; i < block()->passes.size(); ++i) {
        const BlockPass& placed = block()->passes[i];
        const bool named = QString::fromStdString(blockText(placed.slot, *block())) == name
            || QString::fromStdString(blockText(placed.slot.first, *block())) == name;
        if (!named || (device && placed.device != *device))
            continue;
        select({ static_cast<std::int32_t>(i) });
        const QRectF box = rectOf(static_cast<std::int32_t>(i));
        if (box.left() < layout_.time.left() || box.right() > layout_.time.right())
            axis_.panBy(box.center().x() - layout_.time.center().x());
        if (box.top() < layout_.time.top() || box.bottom() > layout_.time.bottom())
            verticalScrollBar()->setValue(static_cast<int>(scroll() + box.center().y() - layout_.time.center().y()));
        return true;
    }
    return false;
}

QRectF BlockView::rectOf(std::int32_t pass) const { return scene().boxOf(pass); }

QPointF BlockView::pointOf(DeviceId device, double ticks) const
{
    const BlockRow& row = layout_.rows[device.index()];
    return { layout_.time.left() + axis_.map().xOf(ticks), layout_.viewY(row.bandTop + row.bandHeight / 2, scroll()) };
}

QPointF BlockView::intervalHandle() const
{
    return { layout_.time.left() + axis_.map().xOf(block()->interval), BlockLayout::rulerHeight - 10 };
}

std::optional<std::int32_t> BlockView::passAt(QPointF at) const
{
    if (!block() || !layout_.time.adjusted(-1, 0, 1, 0).contains(at))
        return std::nullopt;
    const auto device = layout_.deviceAt(at.y(), scroll());
    if (!device)
        return std::nullopt;
    // What is drawn last is hit first; what is narrower than the pointer is hit a pixel beside it too.
    const BlockScene drawn = scene();
    const auto& row = tables_->row(*device);
    for (const double reach : { 0.0, 1.0 })
        for (auto i = row.rbegin(); i != row.rend(); ++i)
            if (drawn.boxOf(*i).adjusted(-reach, 0, reach, 0).contains(at))
                return *i;
    return std::nullopt;
}

BlockHover BlockView::hoverAt(QPointF at) const
{
    if (!block())
        return {};
    for (const OffsetHandle& handle : handles_)
        if (handle.rect.contains(at))
            return { handle.part, handle.index };
    constexpr double reach = 6;
    if (at.y() < BlockLayout::rulerHeight && std::abs(at.x() - intervalHandle().x()) <= reach)
        return { BlockHover::Part::Interval, 0 };
    if (at.x() < BlockLayout::labelWidth && layout_.deviceAt(at.y(), scroll()) && at.y() < layout_.time.bottom())
        return { BlockHover::Part::Label, layout_.deviceAt(at.y(), scroll())->value };
    if (const auto pass = passAt(at))
        return { BlockHover::Part::Pass, *pass };
    return { layout_.time.contains(at) ? BlockHover::Part::Empty : BlockHover::Part::Nothing, -1 };
}

Pointer BlockView::pointerAt(QPointF at, Qt::KeyboardModifiers modifiers) const
{
    Pointer pointer;
    pointer.ticks = axis_.map().timeAt(at.x() - layout_.time.left());
    pointer.device = layout_.deviceAt(at.y(), scroll());
    const auto from = layout_.deviceAt(pressedAt_.y(), scroll());
    const double height = from ? layout_.rows[from->index()].height : 1;
    pointer.rowsAway = (at.y() - pressedAt_.y()) / height;
    pointer.pixelsPerTick = axis_.map().pixelsPerTick;
    pointer.shift = modifiers & Qt::ShiftModifier;
    pointer.alt = modifiers & Qt::AltModifier;
    return pointer;
}

} // namespace pipeloom::designer
