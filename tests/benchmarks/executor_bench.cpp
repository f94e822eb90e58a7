// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// What the executor costs beside the model's own work: the rank loop, messages between processes, events, status files; and how
// much of a transfer is hidden behind passes. Passes compute nothing, or hold a core for a while. BENCHMARKS.md has the figures.

#include "executor/events/event_log.h"
#include "executor/local_run.h"
#include "executor/processes/rank_threads.h"
#include "executor/processes/rendezvous.h"
#include "executor/processes/status_file.h"
#include "executor/thread_time.h"
#include "tests/executor/hand_programs.h"
#include "tests/executor/processes/memory_messages.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::test;

namespace {

constexpr auto limit = std::chrono::seconds(20);

/// Passes that make nothing of nothing, but results of a size.
class EmptyWork : public DeviceWork {
public:
    EmptyWork(
        std::int32_t stages, std::function<Bytes(std::int64_t)> sizeIn, std::function<void(std::int64_t)> pass = {})
        : stages_(stages)
        , sizeIn_(std::move(sizeIn))
        , pass_(std::move(pass))
    {
    }

    void beginStep(std::int64_t step) override
    {
        step_ = step;
        size_ = sizeIn_(step);
    }
    Payload run(const Pass& pass, Payload) override
    {
        if (pass_)
            pass_(step_);
        const bool isLast = pass.kind == PassKind::F ? pass.stage.value == stages_ - 1 : pass.stage.value == 0;
        return isLast || pass.kind == PassKind::W ? Payload {} : buffer();
    }
    Payload packGradients(StageId) override { return buffer(); }
    void setGradients(StageId, const std::vector<Payload>&) override { }
    std::vector<StageSums> sums() override { return {}; }
    void optimizerStep(std::int64_t, double) override { }
    void discardStep() override { }
    void optimizerStepAhead(std::int64_t) override { }
    void confirmStep() override { }
    void undoStep() override { }
    std::string notFinite(StageId) const override { return {}; }
    Payload receiveBuffer(const Pass&) override { return buffer(); }
    void adopt(const Payload&, MemoryClass) override { }
    MemoryUse memoryNow() const override { return {}; }
    MemoryUse memoryPeaks() const override { return {}; }
    void resetMemoryPeaks() override { }

private:
    [[nodiscard]] Payload buffer() const
    {
        const auto bytes = std::make_shared_for_overwrite<std::byte[]>(frameBytes + static_cast<std::size_t>(size_));
        return { bytes, size_, bytes.get() + frameBytes };
    }

    std::int32_t stages_;
    std::function<Bytes(std::int64_t)> sizeIn_;
    std::function<void(std::int64_t)> pass_;
    std::int64_t step_ = 0;
    Bytes size_ = 0;
};

enum class Over : std::uint8_t { Threads, Memory, Gloo };

/// Step times in milliseconds, the first one left out.
std::vector<double> stepTimes(const Job& job, Over over)
{
    std::vector<double> times;
    const auto onStep = [&times](const StepReport& step) { times.push_back(step.stepMs); };
    std::vector<JobResult> results;
    if (over == Over::Threads) {
        results.push_back(runLocally(job, onStep));
    } else {
        const std::int32_t world = job.program.devices();
        const auto exchange = std::make_shared<MemoryExchange>();
        HostedStore hosted;
        if (over == Over::Gloo)
            hosted = hostStore({ "127.0.0.1", 0, "bench" }, limit);
        const auto connect = [&](std::int32_t rank) -> std::shared_ptr<Messages> {
            if (over == Over::Memory)
                return std::make_shared<MemoryMessages>(exchange, rank);
            return connectGloo({ "127.0.0.1", hosted.port, "bench" }, rank, world, limit);
        };
        results = runRanks([&job] { return job; }, connect, {}, onStep);
    }
    for (const JobResult& result : results)
        if (result.finding)
            throw std::runtime_error(text(*result.finding));
    times.erase(times.begin());
    return times;
}

double median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

Job jobOf(Program program, const Pipeline& pipeline, std::int64_t steps, Bytes size)
{
    Job job;
    job.program = std::move(program);
    job.stages = pipeline.stages;
    job.steps = steps;
    job.limit = limit;
    job.makeWork = [stages = pipeline.stages, size](DeviceId) -> std::unique_ptr<DeviceWork> {
        return std::make_unique<EmptyWork>(stages, [size](std::int64_t) { return size; });
    };
    return job;
}

/// Times are those of steps, not of the benchmark, which also starts and ends the runs.
void ofSteps(benchmark::internal::Benchmark* benchmark)
{
    benchmark->UseManualTime()->Iterations(3)->Unit(benchmark::kMicrosecond);
}

/// 1F1B of empty passes: what a pass costs around itself, in time of the step for each pass of a device.
void passOverhead(benchmark::State& state, Over over)
{
    const auto devices = static_cast<std::int32_t>(state.range(0));
    constexpr std::int32_t microBatches = 200;
    const auto pipe = pipeline(PlacementKind::Linear, devices, devices, microBatches);
    const Job job = jobOf(programOf(oneFOneBRows(devices, microBatches), pipe), pipe, 12, 64);
    for (auto _ : state)
        state.SetIterationTime(median(stepTimes(job, over)) * 1e-3 / (2.0 * microBatches));
}
BENCHMARK_CAPTURE(passOverhead, local, Over::Threads)->ArgName("p")->Arg(1)->Arg(2)->Arg(4)->Apply(ofSteps);
BENCHMARK_CAPTURE(passOverhead, memory, Over::Memory)->ArgName("p")->Arg(1)->Arg(2)->Arg(4)->Apply(ofSteps);
BENCHMARK_CAPTURE(passOverhead, gloo, Over::Gloo)->ArgName("p")->Arg(1)->Arg(2)->Arg(4)->Apply(ofSteps);

/// One micro-batch after the other on two devices: each message is waited for.
std::vector<std::string> oneAfterTheOther(std::int32_t microBatches)
{
    std::vector<std::string> rows(2);
    for (std::int32_t s = 0; s < 2; ++s)
        for (std::int32_t j = 0; j < microBatches; ++j)
            rows[static_cast<std::size_t>(s)] += word(s, "F", j) + word(s, "BW", j);
    return rows;
}

/// Half a round trip from pass to pass: rank loop, channel's thread, transfer, channel's thread, rank loop.
void message(benchmark::State& state, Over over)
{
    constexpr std::int32_t microBatches = 100;
    const auto pipe = pipeline(PlacementKind::Linear, 2, 2, microBatches);
    const Job job = jobOf(programOf(oneAfterTheOther(microBatches), pipe), pipe, 12, state.range(0));
    for (auto _ : state)
        state.SetIterationTime(median(stepTimes(job, over)) * 1e-3 / (2.0 * microBatches));
}
BENCHMARK_CAPTURE(message, local, Over::Threads)
    ->ArgName("bytes")
    ->Arg(64)
    ->Arg(64 << 10)
    ->Arg(1 << 20)
    ->Apply(ofSteps);
BENCHMARK_CAPTURE(message, memory, Over::Memory)
    ->ArgName("bytes")
    ->Arg(64)
    ->Arg(64 << 10)
    ->Arg(1 << 20)
    ->Apply(ofSteps);
BENCHMARK_CAPTURE(message, gloo, Over::Gloo)->ArgName("bytes")->Arg(64)->Arg(64 << 10)->Arg(1 << 20)->Apply(ofSteps);

/// The same without any of ours: two threads and gloo.
void bareGloo(benchmark::State& state)
{
    const auto size = static_cast<std::size_t>(state.range(0)) + frameBytes;
    constexpr int warmUp = 5;
    constexpr int trips = 200;
    const auto answer = [size](const StoreAddress& address, int rank, auto&& perTrip) {
        const auto messages = connectGloo(address, rank, 2, limit);
        std::vector<std::byte> bytes(size);
        for (int trip = 0; trip < warmUp + trips; ++trip)
            perTrip(*messages, std::span(bytes));
    };
    for (auto _ : state) {
        const auto hosted = hostStore({ "127.0.0.1", 0, "bench" }, limit);
        const StoreAddress address { "127.0.0.1", hosted.port, "bench" };
        std::thread other([&] {
            answer(address, 1, [](Messages& messages, std::span<std::byte> bytes) {
                messages.receive(0, 1, bytes);
                messages.send(0, 1, bytes);
            });
        });
        std::vector<double> seconds;
        answer(address, 0, [&seconds](Messages& messages, std::span<std::byte> bytes) {
            const auto began = Clock::now();
            messages.send(1, 1, bytes);
            messages.receive(1, 1, bytes);
            seconds.push_back(std::chrono::duration<double>(Clock::now() - began).count() / 2);
        });
        other.join();
        seconds.erase(seconds.begin(), seconds.begin() + warmUp);
        state.SetIterationTime(median(seconds));
    }
}
BENCHMARK(bareGloo)->ArgName("bytes")->Arg(64)->Arg(64 << 10)->Arg(1 << 20)->Apply(ofSteps);

/// How a pass passes its time.
enum class Passing : std::uint8_t { Asleep, Computing };

/// Numbers without end, for a time that was measured once: more work for the core, not a wait for the clock.
class Computation {
public:
    explicit Computation(Nanoseconds time)
    {
        run(warmUp);
        Nanoseconds best = Nanoseconds::max();
        for (int i = 0; i < 20; ++i) {
            const auto began = Clock::now();
            run(sample);
            best = std::min<Nanoseconds>(best, Clock::now() - began);
        }
        rounds_ = sample * time.count() / std::max<std::int64_t>(1, best.count());
    }
    void operator()() const { run(rounds_); }

private:
    static constexpr std::int64_t warmUp = 1'000'000;
    static constexpr std::int64_t sample = 100'000;

    static void run(std::int64_t rounds)
    {
        double number = 1;
        for (std::int64_t i = 0; i < rounds; ++i)
            benchmark::DoNotOptimize(number = number * 0.999 + 0.5);
    }

    std::int64_t rounds_ = 0;
};

/// GPipe on two devices over gloo, where all but the last message of a direction can be hidden. Steps take turns: small
/// messages, large ones, and large ones without any pass. Were nothing hidden, the second would take as long as the first and
/// the third together.
void overlap(benchmark::State& state, Passing passing)
{
    constexpr std::int32_t microBatches = 16;
    constexpr std::int64_t turns = 3;
    constexpr std::int64_t rounds = 12;
    constexpr auto passTime = std::chrono::milliseconds(2);
    const Bytes large = state.range(0);
    const auto pipe = pipeline(PlacementKind::Linear, 2, 2, microBatches);
    Job job = jobOf(programOf(gpipeRows(2, microBatches), pipe), pipe, 1 + turns * rounds, large);
    const Computation computation(passTime);
    job.makeWork = [&](DeviceId) -> std::unique_ptr<DeviceWork> {
        // Step 0 warms up and is left out.
        const auto sizeIn = [large](std::int64_t step) { return step % turns == 1 ? Bytes { 64 } : large; };
        return std::make_unique<EmptyWork>(2, sizeIn, [&computation, passing, passTime](std::int64_t step) {
            if (step % turns == 0)
                return;
            if (passing == Passing::Asleep)
                std::this_thread::sleep_for(passTime);
            else
                computation();
        });
    };
    for (auto _ : state) {
        const auto times = stepTimes(job, Over::Gloo);
        std::array<std::vector<double>, turns> byTurn;
        for (std::size_t i = 0; i < times.size(); ++i)
            byTurn[i % turns].push_back(times[i]);
        const double small = median(byTurn[0]);
        const double both = median(byTurn[1]);
        const double transfers = median(byTurn[2]);
        state.SetIterationTime(both * 1e-3);
        state.counters["passes_ms"] = small;
        state.counters["transfers_ms"] = transfers;
        state.counters["hidden_%"] = 100 * (small + transfers - both) / transfers;
    }
}
BENCHMARK_CAPTURE(overlap, asleep, Passing::Asleep)->ArgName("bytes")->Arg(256 << 10)->Arg(1 << 20)->Apply(ofSteps);
BENCHMARK_CAPTURE(overlap, computing, Passing::Computing)
    ->ArgName("bytes")
    ->Arg(256 << 10)
    ->Arg(1 << 20)
    ->Apply(ofSteps);

/// A folder that goes away.
class Scratch {
public:
    Scratch()
        : path_(std::filesystem::temp_directory_path()
            / ("pipeloom-bench-" + std::to_string(Clock::now().time_since_epoch().count())))
    {
        std::filesystem::create_directory(path_);
    }
    ~Scratch()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    [[nodiscard]] std::string file(const char* name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};

/// A device's events into a file: two of three are passes, one a transfer.
void event(benchmark::State& state)
{
    const Scratch scratch;
    const auto opened = EventLog::open(scratch.file("events.jsonl"));
    const auto listener = opened.log->device(DeviceId { 1 });
    listener->stepBegins(123, Clock::now());
    Ticks now = 1'000'000'000;
    std::int32_t number = 0;
    const auto before = threadTime();
    for (auto _ : state) {
        const Pass pass { StageId { 6 }, MicroBatch { number % 256 }, number % 2 == 0 ? PassKind::F : PassKind::BW };
        if (++number % 3 == 0)
            listener->transferEnded({ now, now + 900, pass, DeviceId { 1 }, DeviceId { 2 } });
        else
            listener->passEnded({ now, now + 41'300, pass, false }, 14'720'000);
        now += 50'000;
    }
    constexpr double eventsPerSecond = 20'000;
    const double seconds = std::chrono::duration<double>(threadTime() - before).count();
    // Of the device's thread, which writes them.
    state.counters["share_%_at_20000/s"] = 100 * eventsPerSecond * seconds / static_cast<double>(state.iterations());
}
BENCHMARK(event);

/// What a rank does before and after each pass, so that a killed one has a last line.
void statusFile(benchmark::State& state)
{
    const Scratch scratch;
    DeviceStatus status;
    status.device = DeviceId { 1 };
    status.doing = Doing::Pass;
    status.pass = { StageId { 6 }, MicroBatch { 3 }, PassKind::B };
    status.since = Clock::now();
    const auto created = StatusWriter::create(scratch.file("status"), status);
    for (auto _ : state) {
        status.pass.microBatch.value ^= 1;
        created.writer->write(status);
    }
}
BENCHMARK(statusFile);

} // namespace
