// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/drawing/step_drawing.h"

#include "app/cli/drawing/chart.h"
#include "app/cli/text/paint.h"

#include <fmt/format.h>

#include <algorithm>

namespace pipeloom::cli {

namespace {

Timeline inMicroseconds(Timeline timeline)
{
    constexpr Ticks nanos = 1000;
    for (TimedPass& pass : timeline.passes) {
        pass.start /= nanos;
        pass.end /= nanos;
    }
    return timeline;
}

Ticks endOf(const Timeline& timeline)
{
    Ticks last = 1;
    for (const TimedPass& pass : timeline.passes)
        last = std::max(last, pass.end);
    return last;
}

void drawOne(const char* title, const Timeline& timeline, const Pipeline& pipeline, Ticks end, const Terminal& terminal,
    Output& out)
{
    Chart chart;
    chart.labels = Labels::ofSchedule(pipeline);
    chart.end = end;
    chart.unit = "us";
    for (std::int32_t d = 0; d < timeline.devices(); ++d)
        chart.lanes.push_back(
            { .device = DeviceId { d }, .passes = timeline.row(DeviceId { d }), .levels = {}, .limit = std::nullopt });
    out.write(paint(title, Ink::Strong, terminal.colours) + '\n');
    View view;
    view.fit = true;
    draw(chart, layOut(chart, view, terminal), out);
}

} // namespace

void drawStep(const MeasuredStep& step, const RunPlan& plan, const Terminal& terminal, Output& out)
{
    const Timeline planned = inMicroseconds(plan.timeline);
    const Timeline measured = inMicroseconds(step.timeline());
    const Ticks end = std::max(endOf(planned), endOf(measured));
    drawOne("Planned", planned, plan.pipeline, end, terminal, out);
    out.write("\n");
    drawOne(fmt::format("Measured, step {}", step.step).c_str(), measured, plan.pipeline, end, terminal, out);
}

} // namespace pipeloom::cli
