// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/time_split_panel.h"

#include "app/designer/panels/remark.h"
#include "app/designer/run/run_medians.h"
#include "app/designer/run/run_session.h"
#include "app/designer/run/split_model.h"
#include "app/designer/style/segmented_bar.h"
#include "app/designer/style/theme.h"

#include <QAbstractButton>
#include <QApplication>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <array>
#include <cmath>

namespace pipeloom::designer {

namespace {

constexpr int margin = 14;

int scaledUi(int pixels) { return pixels * QApplication::font().pixelSize() / 13; }

} // namespace

class TimeSplitPanel::RowDelegate : public QStyledItemDelegate {
public:
    RowDelegate(const SplitModel& model, QObject* parent)
        : QStyledItemDelegate(parent)
        , model_(model)
    {
    }

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override
    {
        return { 100, scaledUi(62) };
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = themeOf(option.palette);
        painter->save();
        const QRect inner = option.rect.adjusted(margin, scaledUi(6), -margin, 0);
        if (option.state & QStyle::State_Selected)
            painter->fillRect(option.rect, theme.accentSoft);
        painter->setFont(uiFont(scaledUi(12)));
        painter->setPen(theme.text);
        painter->drawText(QRect(inner.left(), inner.top(), inner.width(), scaledUi(18)),
            Qt::AlignVCenter | Qt::AlignLeft, tr("dev %1").arg(index.row()));
        drawBar(*painter, QRect(inner.left(), inner.top() + scaledUi(19), inner.width(), scaledUi(14)),
            model_.split()[static_cast<std::size_t>(index.row())], theme);
        painter->setFont(uiFont(scaledUi(11)));
        painter->setPen(theme.muted);
        painter->drawText(QRect(inner.left(), inner.top() + scaledUi(34), inner.width(), scaledUi(18)),
            Qt::AlignVCenter | Qt::AlignLeft,
            painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, inner.width()));
        if (option.state & QStyle::State_HasFocus) {
            painter->setPen(theme.accent);
            painter->drawRect(option.rect.adjusted(2, 0, -3, -1));
        }
        painter->restore();
    }

private:
    void drawBar(QPainter& painter, const QRect& bar, const TimeSplit& split, const Theme& theme) const
    {
        painter.fillRect(bar, theme.idle);
        const std::array<Nanos, SplitRow::parts> parts { split.compute, split.transfer, split.waiting, split.own };
        QColor grey = theme.muted;
        grey.setAlphaF(0.55F);
        const std::array<QColor, SplitRow::parts> colours { theme.forward.fill, theme.backward.fill, grey,
            theme.lifespan };
        Nanos before = 0;
        for (std::size_t part = 0; part < parts.size(); ++part) {
            const auto x = [&](Nanos time) {
                return bar.left()
                    + static_cast<int>(
                        std::lround(static_cast<double>(time) / static_cast<double>(model_.scale()) * bar.width()));
            };
            const int from = x(before);
            before += std::max<Nanos>(parts[part], 0);
            painter.fillRect(QRect(from, bar.top(), x(before) - from, bar.height()), colours[part]);
        }
    }

    const SplitModel& model_;
};

TimeSplitPanel::TimeSplitPanel(RunSession& session, QWidget* parent)
    : RunPanel(session, tr("Where the time goes"), 4, parent)
    , model_(new SplitModel(this))
    , list_(new QListView)
    , of_(new SegmentedBar({ tr("median"), tr("step") }))
    , overhead_(new Remark(Remark::Tone::Accent))
{
    setObjectName("timeSplitPanel");
    of_->setObjectName("timeSplitOf");
    of_->setAccessibleName(tr("Of which steps"));
    of_->button(0)->setToolTip(tr("Median of the last whole steps"));
    of_->button(1)->setToolTip(tr("The step that is shown"));
    of_->setCurrent(0);
    addHeaderWidget(of_);
    connect(of_, &SegmentedBar::chosen, this, [this] {
        taken_ = -1;
        take();
    });
    list_->setObjectName("timeSplitList");
    list_->setAccessibleName(tr("Time of each device"));
    list_->setFrameShape(QFrame::NoFrame);
    list_->setUniformItemSizes(true);
    list_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    list_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setItemDelegate(new RowDelegate(*model_, list_));
    list_->setModel(model_);
    overhead_->setObjectName("timeSplitOverhead");
    overhead_->setWordWrap(true);
    overhead_->setMargin(10);
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(list_, 1);
    column->addWidget(overhead_);
    overhead_->say({});
    setBody(content);
    const auto activate = [this](const QModelIndex& index) { Q_EMIT deviceActivated(DeviceId { index.row() }); };
    connect(list_, &QListView::clicked, this, activate);
    connect(list_, &QListView::activated, this, activate);
    showEmpty(tr("No run is open."));
}

bool TimeSplitPanel::isOfShown() const { return of_->current() == 1; }

void TimeSplitPanel::forget() { taken_ = -1; }

void TimeSplitPanel::take()
{
    // By the run's own plan, whatever it is held against: it has the inputs that its passes waited for.
    const bool some = session().log().plan() && (isOfShown() ? session().shown() : session().log().newestWhole());
    if (!some) {
        taken_ = -1;
        setNote({});
        model_->setSplit({});
        showEmpty(!session().log().began() ? tr("No run is open.")
                : !session().log().plan()
                ? tr("The plan of this run is not known, so waiting and transfer cannot be told apart.")
                : isOfShown() ? tr("The step is not there yet.")
                              : tr("This is known once the first step has ended."));
        return;
    }
    isOfShown() ? takeShown() : takeMedians();
    overhead_->say(overheadText(model_->split()));
    showBody();
}

void TimeSplitPanel::takeShown()
{
    setNote(tr("step %1, ms").arg(session().shownNumber()));
    model_->setSplit(timeSplit(*session().shown(), *session().log().plan()));
}

void TimeSplitPanel::takeMedians()
{
    const std::int64_t newest = session().log().newestWhole()->step;
    if (newest == taken_)
        return;
    taken_ = newest;
    const std::vector<MeasuredStepPtr> steps = forMedians(session().lastWhole());
    setNote(
        steps.size() == 1 ? tr("per device, ms, of one step") : tr("per device, ms, of %1 steps").arg(steps.size()));
    model_->setSplit(timeSplit(steps, *session().log().plan()));
}

} // namespace pipeloom::designer
