// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/step_time_chart.h"

#include "app/designer/run/chart_content.h"
#include "app/designer/run/run_diff.h"
#include "app/designer/run/run_medians.h"
#include "app/designer/run/run_session.h"
#include "app/designer/run/run_texts.h"
#include "app/designer/style/theme.h"

#include <QStringList>
#include <QToolButton>

#include <algorithm>
#include <limits>

namespace pipeloom::designer {

StepTimeChart::StepTimeChart(RunSession& session, RunDiff* diff, QWidget* parent)
    : RunPanel(session, tr("Step time, ms"), 10, parent)
    , diff_(diff)
    , chart_(new RunChart("stepTimeChart", tr("Step time over steps")))
    , throughput_(new QToolButton)
{
    setObjectName("stepTimePanel");
    throughput_->setObjectName("stepTimeThroughput");
    throughput_->setText(tr("/ s"));
    throughput_->setAccessibleName(tr("Throughput instead of step time"));
    throughput_->setToolTip(tr("Tokens or micro-batches a second instead of the time of a step"));
    throughput_->setCheckable(true);
    throughput_->setAutoRaise(true);
    throughput_->setFocusPolicy(Qt::TabFocus);
    addHeaderWidget(throughput_);
    connect(throughput_, &QToolButton::toggled, this, &StepTimeChart::take);
    setBody(chart_);
    letChoose(*chart_, session);
    if (diff_)
        connect(diff_, &RunDiff::changed, this, &StepTimeChart::touch);
    showEmpty(tr("No run is open."));
}

void StepTimeChart::setSimulated(std::optional<double> ms)
{
    simulated_ = ms;
    touch();
}

void StepTimeChart::forget()
{
    marks_.clear();
    simulated_.reset();
}

bool StepTimeChart::isThroughput() const { return throughput_->isChecked(); }

double StepTimeChart::countPerStep() const
{
    const std::optional<RunBegan>& began = session().log().began();
    if (!began)
        return 0;
    return static_cast<double>(began->tokensPerStep > 0 ? began->tokensPerStep : began->microBatches);
}

double StepTimeChart::valueOf(double stepMs) const
{
    if (!isThroughput())
        return stepMs;
    return stepMs > 0 ? countPerStep() / stepMs * 1000 : std::numeric_limits<double>::quiet_NaN();
}

void StepTimeChart::take()
{
    const RunLog& log = session().log();
    marks_.take(log);
    const bool tokens = log.began() && log.began()->tokensPerStep > 0;
    setTitle(!isThroughput() ? tr("Step time, ms") : tokens ? tr("Tokens a second") : tr("Micro-batches a second"));
    if (log.summaries().empty()) {
        setNote({});
        showEmpty(log.began() ? tr("Step times stand here once the first step has ended.") : tr("No run is open."));
        return;
    }
    const auto value = [this](const StepSummary& step) { return valueOf(step.stepMs); };
    ChartContent content = commonContent(session(), marks_);
    content.curve = stepCurve(log.summaries(), value);
    if (diff_ && diff_->log())
        content.other = stepCurve(diff_->log()->summaries(), value);
    content.colour = themeOf(this).backward.fill;
    QStringList note;
    if (session().reference()) {
        const double predicted = static_cast<double>(session().reference()->makespan) / 1e6;
        content.levels.push_back({ valueOf(predicted), tr("predicted") });
        note += tr("predicted %1").arg(msText(valueOf(predicted)));
    }
    if (simulated_) {
        content.levels.push_back({ valueOf(*simulated_), tr("with measured costs") });
        note += tr("with measured costs %1").arg(msText(valueOf(*simulated_)));
    }
    const double median = medianStepMs(log.summaries()).value_or(0);
    note += tr("measured median %1").arg(msText(valueOf(median)));
    setNote(note.join(" · "));

    content.least = content.curve.least;
    content.most = usefulTop(content.curve);
    if (content.other.points() > 0) {
        content.least = std::min(content.least, content.other.least);
        content.most = std::max(content.most, usefulTop(content.other));
    }
    for (const ChartLevel& level : content.levels)
        // A plan in units, or of another machine, may be far off: it must not flatten what was measured.
        if (level.value > 0.5 * content.least && level.value < 2 * content.most) {
            content.least = std::min(content.least, level.value);
            content.most = std::max(content.most, level.value);
        }
    const double air = std::max(0.04 * (content.most - content.least), 0.01 * content.most);
    content.least = std::max(content.least - air, 0.0);
    content.most += air;
    content.tip = [this](double step) { return tip(step); };
    chart_->setContent(std::move(content));
    chart_->setAccessibleDescription(tr("%1. Arrow keys show the step before and behind.").arg(note.join(", ")));
    showBody();
}

QString StepTimeChart::tip(double step) const
{
    const auto number = static_cast<std::int64_t>(step);
    const StepSummary* summary = summaryOf(session().log().summaries(), number);
    if (!summary)
        return {};
    const auto said = [&](const StepSummary& of) {
        const QString time = tr("%1 ms").arg(msText(of.stepMs));
        return isThroughput() ? tr("%1 a second (%2)").arg(msText(valueOf(of.stepMs)), time) : time;
    };
    QString text = tr("step %1: %2").arg(number).arg(said(*summary));
    if (diff_ && diff_->log())
        if (const StepSummary* other = summaryOf(diff_->log()->summaries(), number))
            text += "\n" + tr("run %1: %2").arg(diff_->name(), said(*other));
    return text + markLines(marks_, number);
}

} // namespace pipeloom::designer
