// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/plan_view.h"

#include "app/designer/run/plan_text.h"
#include "app/designer/run/run_session.h"

#include <QEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

PlanView::PlanView(RunSession& session, QWidget* parent)
    : QWidget(parent)
    , session_(session)
    , scrollBar_(new QScrollBar(Qt::Vertical, this))
{
    installAccessibleRows();
    setObjectName("run.plan");
    setAccessibleName(tr("Plan and actual"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    scrollBar_->setObjectName("run.scroll");
    scrollBar_->setAccessibleName(tr("Devices shown"));
    scrollBar_->setFocusPolicy(Qt::NoFocus);
    scrollBar_->hide();
    connect(scrollBar_, &QScrollBar::valueChanged, this, &PlanView::invalidate);
    connect(&axis_, &TimeAxis::changed, this, &PlanView::invalidate);
    connect(&session_, &RunSession::shownChanged, this, &PlanView::takeSession);
    connect(&session_, &RunSession::changed, this, [this] {
        if (session_.reference() != taken_) // a plan may be known before the first step
            takeSession();
        else if (picture().isEmpty())
            update(); // what it says of an empty run may be another sentence
    });
    connect(&session_, &RunSession::liveChanged, this, [this] { tell({}); });
    connect(&session_, &RunSession::opened, this, [this] {
        select(std::nullopt);
        setRange(std::nullopt);
        overlays_.device.reset();
        axis_.setBounds(0, 1); // those of another run say nothing
        takeSession();
        axis_.fit();
    });
}

PlanView::~PlanView() = default;

void PlanView::invalidate()
{
    imageIsStale_ = true;
    update();
}

/// Made when it is next asked for: steps may come faster than they can be seen.
void PlanView::takeSession()
{
    isStale_ = true;
    invalidate();
    Q_EMIT pictureChanged();
    if (isVisible())
        layOut();
}

void PlanView::refresh() const
{
    if (!isStale_)
        return;
    isStale_ = false;
    taken_ = session_.reference();
    shown_ = RunPicture(session_.shown(), taken_);
    makeLabels();
}

void PlanView::makeLabels() const
{
    labels_.clear();
    const auto& ranks = session_.log().ranks();
    for (std::int32_t d = 0; d < shown_.devices(); ++d) {
        PlanLabel label { tr("dev %1").arg(d), {}, {} };
        if (const auto at = static_cast<std::size_t>(d); at < ranks.size() && ranks[at])
            label.process = tr("rank %1 · pid %2").arg(ranks[at]->rank).arg(ranks[at]->pid);
        const RunMemory& memory = shown_.memory(DeviceId { d });
        const std::optional<Bytes> now
            = shown_.now() ? shown_.measuredLevel(DeviceId { d }, *shown_.now()) : std::nullopt;
        const std::optional<Bytes> held = now ? now : memory.measuredPeak;
        const std::optional<Bytes> most = memory.limit ? memory.limit : memory.predictedPeak;
        if (held)
            label.memory = amountText(*held, most);
        else if (memory.predictedPeak)
            label.memory = tr("predicted %1").arg(amountText(*memory.predictedPeak, std::nullopt));
        labels_.push_back(label);
    }
}

const RunPicture& PlanView::picture() const
{
    refresh();
    return shown_;
}

void PlanView::setColours(RunColours colours)
{
    colours_ = colours;
    invalidate();
}

void PlanView::setRowHeight(std::optional<double> pixels)
{
    chosenHeight_ = pixels;
    layOut();
}

void PlanView::stepRowHeight(int steps)
{
    const double grown = rowHeight_ * std::pow(1.25, steps);
    const double whole = steps > 0 ? std::ceil(grown) : std::floor(grown);
    setRowHeight(std::clamp(whole, PlanScene::leastRow, PlanScene::mostRow));
}

void PlanView::layOut()
{
    constexpr int barWidth = 12;
    const RunPicture& shown = picture();
    const double available = height() - PlanScene::rulerHeight;
    rowHeight_ = chosenHeight_.value_or(fittingPlanRow(available, shown.devices()));
    labelWidth_ = planLabelWidth(labels_);
    const double hidden = std::max(0.0, shown.devices() * rowHeight_ - available);
    scrollBar_->setVisible(hidden > 0);
    scrollBar_->setRange(0, static_cast<int>(std::ceil(hidden)));
    scrollBar_->setPageStep(std::max(static_cast<int>(available), 1));
    scrollBar_->setSingleStep(std::max(static_cast<int>(rowHeight_), 8));
    scrollBar_->setGeometry(width() - barWidth, static_cast<int>(PlanScene::rulerHeight), barWidth,
        height() - static_cast<int>(PlanScene::rulerHeight));
    axis_.setWidth(scene().plotWidth());
    setBounds();
    if (const std::optional<TimeRange> kept = range())
        overlays_.range = planRange(shown, *kept);
    invalidate();
}

/// Steps differ a little in length. A scale that changed with each could not be looked at, so it gives way only to what would
/// not be seen, or be small.
void PlanView::setBounds()
{
    if (picture().isEmpty())
        return;
    const Ticks last = std::max<Ticks>(picture().last(), 1);
    constexpr double airs = 1.04;
    constexpr double smallest = 0.7;
    if (last > axis_.last() || static_cast<double>(last) < smallest * static_cast<double>(axis_.last()))
        axis_.setBounds(0, std::llround(static_cast<double>(last) * airs));
}

PlanScene PlanView::scene() const
{
    PlanScene scene;
    scene.picture = &picture();
    scene.labels = &labels_;
    scene.map = axis_.map();
    scene.rowHeight = rowHeight_;
    scene.labelWidth = labelWidth_;
    scene.width = width() - (scrollBar_->isHidden() ? 0 : scrollBar_->width());
    scene.height = height();
    scene.scroll = scrollBar_->value();
    scene.ratio = devicePixelRatioF();
    scene.colours = colours_ == RunColours::Lateness && !shown_.plan() ? RunColours::Kind : colours_;
    scene.memory = shown_.hasMemory();
    scene.theme = &themeOf(this);
    return scene;
}

void PlanView::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event);
    if (isStale_)
        layOut();
    QPainter painter(this);
    const PlanScene now = scene();
    if (now.picture->isEmpty()) {
        painter.fillRect(rect(), now.theme->panel);
        paintEmpty(painter);
        return;
    }
    if (imageIsStale_ || image_.devicePixelRatio() != now.ratio) {
        painter_.paint(image_, now);
        imageIsStale_ = false;
    }
    painter.drawImage(QPointF(0, 0), image_);
    if (now.width < width())
        painter.fillRect(QRectF(now.width, 0, width() - now.width, height()), now.theme->panel);
    overlays_.focused = hasFocus();
    const bool reads = !session_.shown() && session_.shownNumber() >= 0;
    overlays_.notice = reads ? tr("Reading step %1 from the file …").arg(session_.shownNumber())
        : session_.shown()   ? QString()
                             : tr("Waiting for the first step. This is the plan.");
    paintOverlays(painter, now, overlays_);
}

void PlanView::paintEmpty(QPainter& painter) const
{
    QString title = tr("No run is open");
    QString hint
        = tr("Run the design, or open the events of a run: a file, or a folder with the files of its ranks. What "
             "happens is drawn over what was planned, while it happens or afterwards.");
    if (session_.shownNumber() >= 0 && !session_.shown()) {
        title = tr("Reading step %1 from the file …").arg(session_.shownNumber());
        hint.clear();
    } else if (session_.state() == RunSession::State::Waiting) {
        title = tr("Waiting for the first event");
        hint = session_.path().isEmpty() ? QString()
                                         : tr("Events are read from %1 as soon as they come.").arg(session_.path());
    } else if (session_.state() != RunSession::State::Empty) {
        title = session_.state() == RunSession::State::Ended ? tr("The run ended before its first step")
                                                             : tr("Waiting for the first step");
        hint = tr("The run has begun.");
        if (const auto& failed = session_.log().failed())
            hint = QString::fromStdString(failed->message);
    }
    const Theme& theme = themeOf(this);
    const QRectF area = QRectF(rect()).adjusted(24, 8, -24, -8);
    const double middle = area.center().y();
    painter.setFont(uiFont(15, QFont::DemiBold));
    painter.setPen(theme.text);
    painter.drawText(QRectF(area.left(), middle - 30, area.width(), 24), Qt::AlignCenter, title);
    painter.setFont(uiFont(13));
    painter.setPen(theme.muted);
    const double wide = std::min(area.width(), 520.0);
    painter.drawText(QRectF(area.center().x() - wide / 2, middle, wide, std::max(area.bottom() - middle, 20.0)),
        Qt::AlignHCenter | Qt::AlignTop | Qt::TextWordWrap, hint);
}

void PlanView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    layOut();
}

void PlanView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange)
        invalidate();
    QWidget::changeEvent(event);
}

void PlanView::leaveLive()
{
    if (session_.isLive() && session_.state() != RunSession::State::Empty)
        session_.setLive(false);
}

QString PlanView::standingText() const
{
    if (session_.state() == RunSession::State::Empty)
        return {};
    return session_.isLive() ? tr("Following the tail. Pan to leave, End to return.")
                             : tr("Step %1 stays. End follows the newest step again.").arg(session_.shownNumber());
}

} // namespace pipeloom::designer
