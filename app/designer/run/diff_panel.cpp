// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/diff_panel.h"

#include "app/designer/run/diff_model.h"
#include "app/designer/run/figure_table.h"
#include "app/designer/run/run_diff.h"
#include "app/designer/run/run_medians.h"
#include "app/designer/run/run_session.h"
#include "app/designer/run/run_texts.h"
#include "app/designer/style/segmented_bar.h"

#include <QLabel>
#include <QStackedWidget>
#include <QStringList>
#include <QToolButton>
#include <QVBoxLayout>

namespace pipeloom::designer {

DiffPanel::DiffPanel(RunSession& session, RunDiff& diff, QWidget* parent)
    : RunPanel(session, tr("Other run"), 4, parent)
    , diff_(diff)
    , passes_(new PassDiffModel(this))
    , devices_(new DeviceDiffModel(this))
    , summary_(new QLabel)
    , tables_(new QStackedWidget)
    , which_(new SegmentedBar({ tr("passes"), tr("devices") }))
    , outline_(new QToolButton)
    , close_(new QToolButton)
{
    setObjectName("diffPanel");
    makeHeader();
    summary_->setObjectName("diffSummary");
    summary_->setWordWrap(true);
    summary_->setContentsMargins(12, 8, 12, 8);
    tables_->addWidget(new FigureTable("diffPasses", tr("Time there over time here, by stage and kind"), *passes_));
    tables_->addWidget(new FigureTable("diffDevices", tr("Time of each device here and there, in ms"), *devices_));
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(summary_);
    column->addWidget(tables_, 1);
    setBody(content);
    connect(&diff_, &RunDiff::changed, this, &DiffPanel::follow);
    follow();
}

void DiffPanel::makeHeader()
{
    which_->setObjectName("diffWhich");
    which_->setAccessibleName(tr("What is compared"));
    which_->setCurrent(0);
    connect(which_, &SegmentedBar::chosen, tables_, &QStackedWidget::setCurrentIndex);
    addHeaderWidget(which_);
    outline_->setObjectName("diffOutline");
    outline_->setText(tr("Outline"));
    outline_->setToolTip(
        tr("Shows the same step of the other run as the outline in the timeline, in the place of the plan"));
    outline_->setCheckable(true);
    close_->setObjectName("diffClose");
    close_->setText(tr("Close"));
    close_->setToolTip(tr("Takes the other run away"));
    for (QToolButton* button : { outline_, close_ }) {
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
        button->setAccessibleName(button->text());
        addHeaderWidget(button);
    }
    connect(outline_, &QToolButton::toggled, &diff_, &RunDiff::setOutline);
    connect(close_, &QToolButton::clicked, &diff_, &RunDiff::close);
}

void DiffPanel::follow()
{
    taken_ = -1;
    setVisible(diff_.state() != RunDiff::State::None);
    outline_->setChecked(diff_.isOutline());
    setTitle(diff_.name().isEmpty() ? tr("Other run") : tr("Other run: %1").arg(diff_.name()));
    touch();
}

void DiffPanel::forget() { taken_ = -1; }

QString DiffPanel::summary() const { return summary_->text(); }

QString DiffPanel::timeSentence() const
{
    const std::optional<double> here = medianStepMs(session().log().summaries());
    const std::optional<double> there = medianStepMs(diff_.log()->summaries());
    if (!here || !there)
        return {};
    return tr("Step time, median of the last: %1 ms here, %2 ms there (%3).")
        .arg(msText(*here), msText(*there), changeText(*here > 0 ? *there / *here - 1 : 0));
}

QString DiffPanel::lossSentence() const
{
    if (session().log().began() && session().log().began()->emulated)
        return {};
    const LossComparison losses = diff_.losses();
    if (losses.common == 0)
        return tr("The runs have no steps in common.");
    if (losses.differs)
        return tr("Losses differ from step %1 on: %2 here, %3 there.")
            .arg(*losses.differs)
            .arg(losses.here, 0, 'g', 7)
            .arg(losses.there, 0, 'g', 7);
    return losses.common == 1 ? tr("The loss of the one step that both have is equal.")
                              : tr("Losses are equal in all %1 steps that both have.").arg(countText(losses.common));
}

void DiffPanel::take()
{
    const bool isReady = diff_.state() == RunDiff::State::Ready;
    outline_->setEnabled(isReady && diff_.problem().isEmpty());
    which_->setEnabled(outline_->isEnabled());
    if (!isReady) {
        showEmpty(diff_.state() == RunDiff::State::Failed ? diff_.problem() : tr("Reading %1 …").arg(diff_.name()));
        return;
    }
    QStringList sentences { timeSentence(), lossSentence(), diff_.problem() };
    sentences.removeAll(QString());
    summary_->setText(sentences.join(" "));
    const MeasuredStepPtr newest = session().log().newestWhole();
    if (newest && newest->step != taken_ && session().log().plan()) {
        taken_ = newest->step;
        passes_->setRatios(diff_.ratios(), session().log().plan());
        devices_->setSplits(timeSplit(forMedians(session().lastWhole()), *session().log().plan()), diff_.split());
    }
    showBody();
}

} // namespace pipeloom::designer
