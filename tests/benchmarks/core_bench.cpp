// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// How fast core is on one core. Two sizes: what a window asks for at every mouse move (p = 16, m = 128), and a large step
// (p = 64, v = 2, m = 1024: 393,216 passes). BENCHMARKS.md has the figures and the goals.

#include "core/block/intervals.h"
#include "core/block/legs.h"
#include "core/formats/event_lines.h"
#include "core/library/library.h"
#include "core/program/lower.h"
#include "core/run/run_log.h"
#include "core/schedule/reorder.h"
#include "core/schedule/repeat.h"
#include "core/simulate/simulator.h"
#include "core/timeline/metrics.h"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

using namespace pipeloom;

namespace {

Design vHalf(const benchmark::State& state)
{
    LibraryRequest request;
    request.devices = static_cast<std::int32_t>(state.range(0));
    request.microBatches = static_cast<std::int32_t>(state.range(1));
    return findInLibrary("v-half")->make(request).design.value();
}

void countPasses(benchmark::State& state, const Design& design)
{
    const double passes = 3.0 * design.pipeline.stages * design.pipeline.microBatches;
    state.counters["passes"] = passes;
    state.counters["passes/s"]
        = benchmark::Counter(passes * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void sizes(benchmark::internal::Benchmark* benchmark)
{
    benchmark->ArgNames({ "p", "m" })->Args({ 16, 128 })->Args({ 64, 1024 })->Unit(benchmark::kMillisecond);
}

/// What a window does at every mouse move, before reordering.
void repeatSqueezeMetrics(benchmark::State& state)
{
    const Design design = vHalf(state);
    Reorderer reorderer;
    OrderFigures figures;
    for (auto _ : state) {
        const Schedule order = repeatedOrder(*design.block(), design.pipeline);
        reorderer.prepare(design.pipeline, design.costs, design.memory, design.network);
        benchmark::DoNotOptimize(reorderer.squeeze(order, figures));
    }
    countPasses(state, design);
}
BENCHMARK(repeatSqueezeMetrics)->Apply(sizes);

void rawTimelineAndMetrics(benchmark::State& state)
{
    const Design design = vHalf(state);
    for (auto _ : state)
        benchmark::DoNotOptimize(metrics(repeat(*design.block(), design.pipeline), design.memory));
    countPasses(state, design);
}
BENCHMARK(rawTimelineAndMetrics)->Apply(sizes);

void reorderAll(benchmark::State& state)
{
    const Design design = vHalf(state);
    const Schedule order = repeatedOrder(*design.block(), design.pipeline);
    Reorderer reorderer;
    OrderFigures figures;
    for (auto _ : state) {
        reorderer.prepare(design.pipeline, design.costs, design.memory, design.network);
        benchmark::DoNotOptimize(reorderer.reorder(order, Reorder {}, figures));
    }
    countPasses(state, design);
}
BENCHMARK(reorderAll)->Apply(sizes);

/// A program that is there already, simulated again: what a change of costs without a new order takes.
void simulateProgram(benchmark::State& state)
{
    const Design design = vHalf(state);
    const auto queue = static_cast<QueueModel>(state.range(2));
    const Schedule order = repeatedOrder(*design.block(), design.pipeline);
    const Program program = lower(order, design.pipeline, design.network, queue).value();
    Simulator simulator;
    Timeline timeline;
    for (auto _ : state)
        if (!simulator.run(program, design.pipeline, design.costs, design.network, queue, timeline))
            std::abort();
    state.SetLabel(text(queue));
    countPasses(state, design);
}
BENCHMARK(simulateProgram)
    ->ArgNames({ "p", "m", "queue" })
    ->ArgsProduct({ { 64 }, { 1024 }, { 0, 1, 2, 3 } })
    ->Args({ 16, 128, 1 })
    ->Unit(benchmark::kMillisecond);

void lowerAndSimulate(benchmark::State& state)
{
    const Design design = vHalf(state);
    const Schedule order = repeatedOrder(*design.block(), design.pipeline);
    ChannelLowering lowering;
    Program program;
    Simulator simulator;
    Timeline timeline;
    for (auto _ : state) {
        lowering.run(order, design.pipeline, design.network.window, program);
        if (!simulator.run(program, design.pipeline, design.costs, design.network, QueueModel::Directed, timeline))
            std::abort();
    }
    countPasses(state, design);
}
BENCHMARK(lowerAndSimulate)->Apply(sizes);

// What a gesture in a block asks for at every move of the mouse.

void blocks(benchmark::internal::Benchmark* benchmark)
{
    benchmark->ArgNames({ "p", "m" })->Args({ 16, 32 })->Args({ 64, 128 })->Unit(benchmark::kMillisecond);
}

void shiftALeg(benchmark::State& state)
{
    const Design design = vHalf(state);
    for (auto _ : state)
        benchmark::DoNotOptimize(shiftLeg(*design.block(), design.pipeline, RouteId { 0 }, 0, 1));
}
BENCHMARK(shiftALeg)->Apply(blocks);

void refitABlock(benchmark::State& state)
{
    const Design design = vHalf(state);
    for (auto _ : state)
        benchmark::DoNotOptimize(refit(*design.block(), design.pipeline, design.block()->interval + 5));
}
BENCHMARK(refitABlock)->Apply(blocks);

void legalIntervalsOfARuler(benchmark::State& state)
{
    const Design design = vHalf(state);
    for (auto _ : state)
        benchmark::DoNotOptimize(legalIntervals(*design.block(), design.pipeline, 1, 400));
}
BENCHMARK(legalIntervalsOfARuler)->Apply(blocks);

// What a run tells of itself: the recording of a real one, of which nine lines in ten are passes and transfers.

std::string recording()
{
    std::ifstream file(PIPELOOM_SOURCE_DIR "/tests/recordings/straggler.jsonl");
    std::stringstream text;
    text << file.rdbuf();
    return text.str();
}

void countLines(benchmark::State& state, std::size_t lines)
{
    state.counters["lines/s"] = benchmark::Counter(
        static_cast<double>(lines) * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void readEventLines(benchmark::State& state)
{
    const std::string text = recording();
    std::size_t events = 0;
    for (auto _ : state) {
        EventLines lines;
        events = 0;
        lines.feed(text, [&events](RunEvent&& event, std::int64_t) {
            benchmark::DoNotOptimize(event);
            ++events;
        });
    }
    countLines(state, events);
}
BENCHMARK(readEventLines)->Unit(benchmark::kMillisecond);

/// With the alarms, which look at the last steps whenever one ends.
void addEventsToALog(benchmark::State& state)
{
    std::vector<RunEvent> first; // the run and what else is told once
    std::vector<RunEvent> steps;
    EventLines().feed(recording(),
        [&](RunEvent&& event, std::int64_t) { (stepOf(event) ? steps : first).push_back(std::move(event)); });
    std::erase_if(first, [](const RunEvent& event) {
        return std::holds_alternative<DeviceEnded>(event) || std::holds_alternative<RunEnded>(event);
    });
    constexpr std::int64_t stepsOfIt = 7;
    RunLog log;
    for (const RunEvent& event : first) {
        RunEvent copy = event;
        if (auto* run = std::get_if<RunBegan>(&copy))
            run->stepsAreKnown = false;
        log.add(std::move(copy));
    }
    std::int64_t round = 0;
    for (auto _ : state) {
        for (const RunEvent& event : steps) {
            RunEvent copy = event;
            std::visit(
                [&](auto& one) {
                    if constexpr (requires { one.step; })
                        one.step += stepsOfIt * round;
                },
                copy);
            log.add(std::move(copy));
        }
        ++round;
    }
    if (log.faults().strange + log.faults().late > 0)
        std::abort();
    countLines(state, steps.size());
}
BENCHMARK(addEventsToALog)->Unit(benchmark::kMillisecond);

} // namespace
