// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/chart_content.h"

#include "app/designer/run/run_session.h"

#include <algorithm>

namespace pipeloom::designer {

ChartContent commonContent(const RunSession& session, const RunMarks& marks)
{
    ChartContent content;
    const RunLog& log = session.log();
    if (const std::optional<RunBegan>& began = log.began()) {
        content.firstStep = static_cast<double>(began->firstStep);
        // Steps that will not come any more take no room.
        if (!log.ended() || log.summaries().empty())
            content.lastStep = static_cast<double>(began->firstStep + std::max<std::int64_t>(began->steps, 1));
    }
    if (!log.summaries().empty()) {
        content.firstStep = std::min(content.firstStep, static_cast<double>(log.summaries().front().step));
        content.lastStep = std::max(content.lastStep, static_cast<double>(log.summaries().back().step));
    }
    content.marks = marks.marks();
    if (session.shownNumber() >= 0)
        content.shownStep = static_cast<double>(session.shownNumber());
    return content;
}

const StepSummary* summaryOf(const std::vector<StepSummary>& steps, std::int64_t step)
{
    const auto behind = std::upper_bound(steps.begin(), steps.end(), step,
        [](std::int64_t number, const StepSummary& each) { return number < each.step; });
    return behind != steps.begin() && std::prev(behind)->step == step ? &*std::prev(behind) : nullptr;
}

QString markLines(const RunMarks& marks, std::int64_t step)
{
    QString lines;
    for (const RunMark& mark : marks.marks())
        if (mark.step == step)
            lines += "\n" + mark.text;
    return lines;
}

void letChoose(RunChart& chart, RunSession& session)
{
    QObject::connect(&chart, &RunChart::stepChosen, &session, [&session](std::int64_t step) {
        const auto [first, last] = session.steps();
        if (last >= first)
            session.showStep(std::clamp(step, first, last));
    });
    QObject::connect(&chart, &RunChart::stepMoved, &session, [&session](int by) { session.showNext(by); });
}

} // namespace pipeloom::designer
