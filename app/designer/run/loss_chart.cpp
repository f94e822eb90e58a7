// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/loss_chart.h"

#include "app/designer/run/chart_content.h"
#include "app/designer/run/run_diff.h"
#include "app/designer/run/run_session.h"
#include "app/designer/run/run_texts.h"
#include "app/designer/style/theme.h"

#include <algorithm>

namespace pipeloom::designer {

namespace {

double lossOf(const StepSummary& step) { return step.loss; }

} // namespace

LossChart::LossChart(RunSession& session, RunDiff* diff, QWidget* parent)
    : RunPanel(session, tr("Loss"), 10, parent)
    , diff_(diff)
    , chart_(new RunChart("lossChart", tr("Loss over steps")))
{
    setObjectName("lossPanel");
    setBody(chart_);
    letChoose(*chart_, session);
    if (diff_)
        connect(diff_, &RunDiff::changed, this, &LossChart::touch);
    showEmpty(tr("No run is open."));
}

void LossChart::forget() { marks_.clear(); }

void LossChart::take()
{
    const RunLog& log = session().log();
    marks_.take(log);
    const std::vector<StepSummary>& steps = log.summaries();
    if (log.began() && log.began()->emulated) {
        setNote({});
        showEmpty(tr("No loss: emulated."));
        return;
    }
    if (steps.empty()) {
        setNote({});
        showEmpty(log.began() ? tr("The loss stands here once the first step has ended.") : tr("No run is open."));
        return;
    }
    ChartContent content = commonContent(session(), marks_);
    content.curve = stepCurve(steps, lossOf);
    if (diff_ && diff_->log())
        content.other = stepCurve(diff_->log()->summaries(), lossOf);
    content.colour = themeOf(this).accent;
    content.least = content.curve.least;
    content.most = content.curve.most;
    if (content.other.points() > 0) {
        content.least = content.curve.points() > 0 ? std::min(content.least, content.other.least) : content.other.least;
        content.most = std::max(content.most, content.other.most);
    }
    // A little air, and room for the first steps of a run, whose losses are nearly the same.
    const double air = std::max(0.04 * (content.most - content.least), 0.01 * std::abs(content.most));
    content.least = content.least < 0 ? content.least - air : std::max(content.least - air, 0.0);
    content.most += air;
    content.tip = [this](double step) { return tip(step); };
    const QString last = tr("%1 at step %2").arg(lossText(lossOf(steps.back()))).arg(steps.back().step);
    setNote(last);
    chart_->setContent(std::move(content));
    chart_->setAccessibleDescription(tr("%1. Arrow keys show the step before and behind.").arg(last));
    showBody();
}

QString LossChart::tip(double step) const
{
    const auto number = static_cast<std::int64_t>(step);
    const StepSummary* summary = summaryOf(session().log().summaries(), number);
    if (!summary)
        return {};
    QString said = tr("step %1: loss %2").arg(number).arg(lossText(lossOf(*summary)));
    if (diff_ && diff_->log())
        if (const StepSummary* other = summaryOf(diff_->log()->summaries(), number))
            said += "\n" + tr("run %1: loss %2").arg(diff_->name(), lossText(lossOf(*other)));
    return said + markLines(marks_, number);
}

} // namespace pipeloom::designer
