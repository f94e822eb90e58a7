// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/schedule/schedule_panel.h"

#include "app/designer/edit/schedule_edits.h"
#include "app/designer/schedule/pass_text.h"
#include "app/designer/schedule/schedule_csv.h"
#include "app/designer/schedule/schedule_header.h"
#include "app/designer/schedule/schedule_minimap.h"
#include "app/designer/schedule/search_bar.h"
#include "app/designer/style/segmented_bar.h"
#include "app/designer/style/theme.h"

#include <QAbstractButton>
#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLocale>
#include <QPainter>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>

namespace pipeloom::designer {

namespace {
constexpr double fadeOfItsOrder = 0.45;
constexpr double fadeEarlier = 0.65;
} // namespace

SchedulePanel::SchedulePanel(Document& document, LiveFigures& figures, QWidget* parent)
    : QWidget(parent)
    , document_(document)
    , live_(figures)
    , header_(new ScheduleHeader(this))
    , search_(new SearchBar(this))
    , view_(new ScheduleView(axis_, this))
    , minimap_(new ScheduleMinimap(axis_, this))
{
    setObjectName("schedule");
    setAccessibleName(tr("Schedule"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 1, 1, 1);
    layout->setSpacing(0);
    layout->addWidget(header_);
    layout->addWidget(search_);
    layout->addWidget(view_, 1);
    layout->addWidget(minimap_);
    createActions();
    setColourMode(ColourMode::Kind);
    connectViews();
    refresh();
}

void SchedulePanel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = themeOf(this);
    painter.fillRect(rect(), theme.border);
    painter.fillRect(rect().adjusted(1, 1, -1, -1), theme.panel);
}

SchedulePanel::~SchedulePanel() = default;

void SchedulePanel::connectViews()
{
    connect(&live_, &LiveFigures::changed, this, &SchedulePanel::refresh);
    connect(&document_, &Document::shownChanged, this, &SchedulePanel::followGesture);
    connect(&document_, &Document::wasReset, this, [this] {
        view_->select({});
        view_->setRange(std::nullopt);
        axis_.fit();
    });
    connect(&header_->forms(), &SegmentedBar::chosen, this, [this](int index) {
        live_.setForm(static_cast<Form>(index));
        tellWhatIsShown();
    });
    connect(view_, &ScheduleView::statusText, this, &SchedulePanel::statusText);
    connect(view_, &ScheduleView::selectionChanged, this, [this] {
        Q_EMIT selectionChanged();
        if (!view_->selection().empty())
            Q_EMIT passSelected(view_->selection().back());
    });
    connect(view_, &ScheduleView::viewportChanged, this, [this] {
        const TimelineScene scene = view_->scene();
        minimap_->setPlot(scene.labelWidth, scene.plotWidth());
    });
    connect(view_, &ScheduleView::moveBegun, this, [this] { moveBase_ = *document_.committed(); });
    connect(view_, &ScheduleView::moveTo, this, &SchedulePanel::previewMove);
    connect(view_, &ScheduleView::moveEnded, this, &SchedulePanel::endMove);
    connect(search_, &SearchBar::hitsChanged, this, [this] {
        view_->setHits(search_->hits(), search_->current());
        minimap_->setHits(search_->hits(), search_->current());
    });
    connect(search_, &SearchBar::wentTo, this, [this](int pass) { showPass(view_->schedule()->at(pass).pass); });
    connect(search_, &SearchBar::closed, view_, qOverload<>(&QWidget::setFocus));
}

void SchedulePanel::refresh()
{
    followGesture();
    const FiguresPtr& figures = live_.figures();
    if (figures != shown_) {
        // Results of the same plan that differ only in what is said of them need no new tables.
        shown_ = figures;
        const auto schedule = std::make_shared<const ScheduleData>(figures);
        view_->setData(schedule);
        minimap_->setData(schedule);
        search_->setData(view_->schedule());
    }
    const double fade = figures->standing == Standing::OfItsOrder ? fadeOfItsOrder
        : figures->standing == Standing::Earlier                  ? fadeEarlier
                                                                  : 0;
    view_->setFade(fade);
    minimap_->setFade(fade);
    tellWhatIsShown();
}

/// A gesture holds the scale of time; where the step ended before it stays to be seen.
void SchedulePanel::followGesture()
{
    const bool held = document_.isPreviewing();
    if (held == gestureHeld_)
        return;
    gestureHeld_ = held;
    if (held) {
        axis_.hold(true);
        view_->setEndBefore(
            view_->schedule() ? std::optional(view_->schedule()->metrics().lastEnd) : std::optional<Ticks>());
        return;
    }
    axis_.hold(false);
    view_->setEndBefore(std::nullopt);
    if (axis_.isFitted())
        axis_.fit();
    else
        axis_.panBy(0);
}

void SchedulePanel::tellWhatIsShown()
{
    const Figures& figures = *live_.figures();
    const Design& design = *document_.shown();
    const bool isExplicit = design.schedule() != nullptr;
    const Form asked
        = isExplicit ? Form::Squeezed : live_.form().value_or(design.reorder ? Form::Reordered : Form::Squeezed);
    SegmentedBar& forms = header_->forms();
    forms.setCurrent(static_cast<int>(asked));
    for (const Form form : { Form::Raw, Form::Reordered })
        forms.button(static_cast<int>(form))->setEnabled(!isExplicit);
    QAction* edit = action("schedule.editOrder");
    if (!isExplicit && edit->isChecked()) {
        edit->setChecked(false);
        view_->setOrderEditable(false);
    }
    edit->setEnabled(isExplicit || (figures.standing == Standing::Whole && !figures.pending));
    action("schedule.backToBlock")->setVisible(hasFormerBlock(design));
    setEmptyText();
    const bool broken = figures.standing == Standing::OfItsOrder || figures.standing == Standing::Earlier;
    const QString text = scheduleSummary(figures, asked, live_.isBusy());
    const QString reason = QString::fromStdString(figures.reason);
    header_->setFigures(text, reason.isEmpty() ? text : reason, broken);
}

void SchedulePanel::setEmptyText()
{
    const Figures& figures = *live_.figures();
    if (!figures.design || (live_.isBusy() && figures.standing == Standing::None && figures.reason.empty())) {
        view_->setEmptyText(tr("Working out the schedule…"), {});
        return;
    }
    const BuildingBlock* block = figures.design->block();
    if (block && block->passes.empty()) {
        view_->setEmptyText(tr("No schedule yet"),
            tr("Draw the passes of one micro-batch in the block above, or take a published one with Start from. "
               "Repeated and squeezed, it appears here."));
        return;
    }
    view_->setEmptyText(tr("No schedule yet"), QString::fromStdString(figures.reason));
}

QAction* SchedulePanel::action(const char* name) const { return findChild<QAction*>(name, Qt::FindDirectChildrenOnly); }

void SchedulePanel::setColourMode(ColourMode mode)
{
    view_->setColourMode(mode);
    header_->setColourText(mode == ColourMode::Kind ? tr("kind")
            : mode == ColourMode::MicroBatch        ? tr("micro-batch")
                                                    : tr("stage"));
}

void SchedulePanel::showPass(const Pass& pass)
{
    const PassIndex at = view_->schedule() ? view_->schedule()->find(pass) : -1;
    if (at < 0)
        return;
    view_->select({ pass });
    view_->reveal(at);
}

QString SchedulePanel::csv() const
{
    if (!view_->schedule())
        return {};
    if (view_->rangeFigures())
        return rangeCsv(*view_->rangeFigures());
    return passesCsv(*view_->schedule(), view_->overlays().selected);
}

void SchedulePanel::copyCsv()
{
    const QString text = csv();
    if (text.isEmpty())
        return;
    QGuiApplication::clipboard()->setText(text);
    Q_EMIT statusText(tr("Copied %1 lines").arg(text.count('\n')));
}

void SchedulePanel::setOrderEdited(bool edited)
{
    if (edited && document_.shown()->block()) {
        const Figures& figures = *live_.figures();
        if (figures.standing != Standing::Whole || figures.pending
            || !document_.apply(toExplicit(*document_.committed(), figures.plan.schedule))) {
            action("schedule.editOrder")->setChecked(false);
            return;
        }
    }
    view_->setOrderEditable(edited);
    tellWhatIsShown();
}

void SchedulePanel::goBackToBlock()
{
    if (document_.apply(backToBlock(*document_.committed())))
        tellWhatIsShown();
}

/// The selected pass changes places with the one before it in its device's order, or behind it; what can be dragged can be done
/// by key.
void SchedulePanel::moveSelected(int by)
{
    const Schedule* schedule = document_.committed()->schedule();
    const auto& selection = view_->selection();
    if (!schedule || !view_->isOrderEditable() || selection.size() != 1) {
        Q_EMIT statusText(tr("Switch on Edit order and select one pass"));
        return;
    }
    for (std::int32_t d = 0; d < schedule->devices(); ++d) {
        const auto row = schedule->row(DeviceId { d });
        const auto found = std::find_if(row.begin(), row.end(),
            [&](const Slot& slot) { return slot.first == selection.front() || slot.second == selection.front(); });
        if (found == row.end())
            continue;
        const auto from = static_cast<std::int32_t>(found - row.begin());
        const std::int32_t to = from + by;
        if (to < 0 || to >= static_cast<std::int32_t>(row.size()))
            Q_EMIT statusText(tr("It is the device's %1 pass").arg(by < 0 ? tr("first") : tr("last")));
        else
            document_.apply(moveSlot(*document_.committed(), DeviceId { d }, from, to),
                QStringLiteral("move ") + QString::fromStdString(text(selection.front())));
        return;
    }
}

void SchedulePanel::previewMove(int device, int from, int to)
{
    if (!moveBase_)
        return;
    moveRefusal_.clear();
    if (from == to) {
        document_.cancelPreview();
        view_->setDropRefused(false);
        return;
    }
    Edited moved = moveSlot(*moveBase_, DeviceId { device }, from, to);
    view_->setDropRefused(!moved.ok());
    if (!moved.ok()) {
        moveRefusal_ = QString::fromStdString(moved.refusal);
        document_.cancelPreview();
        Q_EMIT statusText(moveRefusal_);
        QToolTip::showText(QCursor::pos(), moveRefusal_, view_); // where the eyes are
        return;
    }
    moveName_ = QString::fromStdString(moved.name);
    document_.preview(std::move(*moved.design));
}

void SchedulePanel::endMove(bool keep)
{
    moveBase_.reset();
    view_->setDropRefused(false);
    if (keep && document_.isPreviewing())
        document_.commitPreview(moveName_);
    else
        document_.cancelPreview();
    if (keep && !moveRefusal_.isEmpty())
        Q_EMIT document_.refused(moveRefusal_);
    moveRefusal_.clear();
}

} // namespace pipeloom::designer
