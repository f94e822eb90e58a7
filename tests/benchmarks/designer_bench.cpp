// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// What a frame of the schedule costs, drawn in software without a screen. The large one: 10^6 passes in 64 rows, 1920 x 1080;
// the goal is a median below 8 ms and a worst below 16 ms. Counters: median and worst frame in
// ms of work and by the wall clock, bytes held for each pass
// by the view and with core's timeline. The same for a measured step over its plan, whose tables are made anew whenever more of
// it was told. BENCHMARKS.md has the figures.

#include "app/designer/figures/live_figures.h"
#include "app/designer/run/plan_view.h"
#include "app/designer/run/run_session.h"
#include "app/designer/schedule/schedule_view.h"
#include "core/library/library.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QImage>
#include <QMouseEvent>
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cmath>
#include <ctime>

using namespace pipeloom;
using namespace pipeloom::designer;

namespace {

FiguresPtr figuresOf(std::int32_t devices, std::int32_t microBatches)
{
    LibraryRequest request;
    request.devices = devices;
    request.microBatches = microBatches;
    auto figures = std::make_shared<Figures>();
    figures->design = std::make_shared<const Design>(*findInLibrary("v-half")->make(request).design);
    figures->planned = figures->design;
    figures->plan = plan(*figures->design, { Form::Squeezed, std::nullopt });
    figures->plan.program = {};
    figures->standing = Standing::Whole;
    return figures;
}

enum class Script : std::uint8_t { Pan, Zoom, Hover };

/// Milliseconds of this thread's own work: on a machine that others use too, the wall clock tells of them.
double workMs()
{
    timespec now {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

/// Median and worst of measured frames.
void count(benchmark::State& state, std::vector<double> times, const char* median, const char* worst)
{
    std::sort(times.begin(), times.end());
    state.counters[median] = times[times.size() / 2];
    state.counters[worst] = times.back();
}

/// One view of 1920 x 1080 and an image to draw it into, as the window's backing store is.
struct Stage {
    explicit Stage(const FiguresPtr& figures)
        : schedule(std::make_shared<const ScheduleData>(figures))
        , view(axis)
        , image(1920, 1080, QImage::Format_ARGB32_Premultiplied)
    {
        view.resize(1920, 1080);
        view.setData(schedule);
        view.fit();
    }
    void frame() { view.render(&image, {}, {}, QWidget::DrawChildren); }
    TimeAxis axis;
    ScheduleDataPtr schedule;
    ScheduleView view;
    QImage image;
};

/// Sixty frames: from all of the step down to single passes and back, or across the step at a sixteenth of it.
void step(Stage& stage, Script script, int frame)
{
    const auto last = static_cast<double>(stage.axis.last());
    switch (script) {
    case Script::Pan:
        if (frame == 0)
            stage.axis.show(0, last / 16);
        stage.axis.panBy(437);
        break;
    case Script::Zoom:
        stage.axis.zoomAt(777, frame < 30 ? 1.28 : 1 / 1.28);
        break;
    case Script::Hover:
        if (frame == 0)
            stage.axis.show(last / 2, last / 2 + 120);
        QMouseEvent move(QEvent::MouseMove, QPointF(200 + 25 * frame, 500), QPointF(200 + 25 * frame, 500),
            Qt::NoButton, Qt::NoButton, Qt::NoModifier);
        QApplication::sendEvent(&stage.view, &move);
        break;
    }
}

void frames(benchmark::State& state, Script script)
{
    const FiguresPtr figures
        = figuresOf(static_cast<std::int32_t>(state.range(0)), static_cast<std::int32_t>(state.range(1)));
    Stage stage(figures);
    stage.frame();
    std::vector<double> wall;
    std::vector<double> work;
    for (auto _ : state) {
        stage.view.fit();
        for (int frame = 0; frame < 60; ++frame) {
            step(stage, script, frame);
            QElapsedTimer clock;
            clock.start();
            const double before = workMs();
            stage.frame();
            work.push_back(workMs() - before);
            wall.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
        }
    }
    const auto passes = static_cast<double>(figures->plan.timeline.passes.size());
    const double own = static_cast<double>(stage.schedule->ownBytes()) / passes;
    state.counters["passes"] = passes;
    count(state, std::move(wall), "wall_median_ms", "wall_worst_ms");
    count(state, std::move(work), "median_ms", "worst_ms");
    state.counters["view_B/pass"] = own;
    state.counters["all_B/pass"] = own + sizeof(TimedPass);
}

void pan(benchmark::State& state) { frames(state, Script::Pan); }
void zoom(benchmark::State& state) { frames(state, Script::Zoom); }
void hover(benchmark::State& state) { frames(state, Script::Hover); }

void sizes(benchmark::internal::Benchmark* benchmark)
{
    benchmark->ArgNames({ "p", "m" })
        ->Args({ 4, 8 })
        ->Args({ 16, 128 })
        ->Args({ 64, 512 })
        ->Args({ 64, 2605 }) // 1,000,320 passes
        ->Unit(benchmark::kMillisecond);
}
BENCHMARK(pan)->Apply(sizes);
BENCHMARK(zoom)->Apply(sizes);
BENCHMARK(hover)->Apply(sizes);

/// The tables that a view makes of new figures.
void makeTables(benchmark::State& state)
{
    const FiguresPtr figures
        = figuresOf(static_cast<std::int32_t>(state.range(0)), static_cast<std::int32_t>(state.range(1)));
    for (auto _ : state)
        benchmark::DoNotOptimize(ScheduleData(figures).ownBytes());
}
BENCHMARK(makeTables)->Apply(sizes);

/// A step of a run whose passes took a few percent more or less than planned, and its plan.
std::vector<RunEvent> runOf(std::int32_t devices, std::int32_t microBatches)
{
    LibraryRequest request;
    request.devices = devices;
    request.microBatches = microBatches;
    const Design design = *findInLibrary("v-half")->make(request).design;
    RunBegan began;
    began.devices = devices;
    began.stages = design.pipeline.stages;
    began.microBatches = microBatches;
    began.steps = 1;
    began.design = std::make_shared<const Design>(design);
    const RunPlanPtr plan = runPlan(began, nullptr).plan;
    std::vector<RunEvent> events { began };
    for (std::int32_t d = 0; d < devices; ++d) {
        events.emplace_back(StepBegan { 0, DeviceId { d }, 0 });
        for (const TimedPass& pass : plan->timeline.row(DeviceId { d })) {
            const Nanos late = pass.start / 50 + (pass.pass.microBatch.value % 7) * 10;
            events.emplace_back(
                PassEnded { 0, DeviceId { d }, pass.pass, pass.start + late, pass.end + late, pass.joined, 1000 });
        }
    }
    return events;
}

/// A view of 1920 x 1080 that shows it.
struct RunStage {
    explicit RunStage(std::vector<RunEvent> events)
        : image(1920, 1080, QImage::Format_ARGB32_Premultiplied)
    {
        session.take(std::move(events));
        view.resize(1920, 1080);
        view.fit();
    }
    void frame() { view.render(&image, {}, {}, QWidget::DrawChildren); }
    RunSession session;
    PlanView view { session };
    QImage image;
};

void runFrames(benchmark::State& state, Script script)
{
    RunStage stage(runOf(static_cast<std::int32_t>(state.range(0)), static_cast<std::int32_t>(state.range(1))));
    stage.frame();
    std::vector<double> work;
    for (auto _ : state) {
        stage.view.fit();
        for (int frame = 0; frame < 60; ++frame) {
            TimeAxis& axis = stage.view.axis();
            const auto last = static_cast<double>(axis.last());
            if (script == Script::Pan && frame == 0)
                axis.show(0, last / 16);
            if (script == Script::Pan)
                axis.panBy(437);
            else
                axis.zoomAt(777, frame < 30 ? 1.28 : 1 / 1.28);
            const double before = workMs();
            stage.frame();
            work.push_back(workMs() - before);
        }
    }
    state.counters["passes"] = static_cast<double>(stage.session.log().passesTold());
    count(state, std::move(work), "median_ms", "worst_ms");
}

void runPan(benchmark::State& state) { runFrames(state, Script::Pan); }
void runZoom(benchmark::State& state) { runFrames(state, Script::Zoom); }

/// What a view makes of a step of which more was told.
void runTables(benchmark::State& state)
{
    RunSession session;
    session.take(runOf(static_cast<std::int32_t>(state.range(0)), static_cast<std::int32_t>(state.range(1))));
    for (auto _ : state)
        benchmark::DoNotOptimize(RunPicture(session.shown(), session.reference()).last());
}

void runSizes(benchmark::internal::Benchmark* benchmark)
{
    benchmark->ArgNames({ "p", "m" })
        ->Args({ 4, 8 })
        ->Args({ 16, 128 })
        ->Args({ 64, 512 })
        ->Unit(benchmark::kMillisecond);
}
BENCHMARK(runPan)->Apply(runSizes);
BENCHMARK(runZoom)->Apply(runSizes);
BENCHMARK(runTables)->Apply(runSizes);

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    applyTheme(application, ThemeChoice::Light);
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv))
        return 1;
    benchmark::RunSpecifiedBenchmarks();
    benchmark::Shutdown();
    return 0;
}
