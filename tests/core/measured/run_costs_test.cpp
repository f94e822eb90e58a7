// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// Costs from the steps that a run told: of steps whose costs are known, and of a recorded run.

#include "core/formats/event_files.h"
#include "core/library/library.h"
#include "core/measured/run_costs.h"
#include "core/run/run_log.h"
#include "core/simulate/simulator.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>

using namespace pipeloom;

class RunCostsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void costsThatWentInComeOutExactly_data();
    void costsThatWentInComeOutExactly();
    void theStepIsExplainedToTheLastNanosecond();
    void scatterOfPassTimesIsToldAsJitter();
    void aStepWithALostPassIsLeftOut();
    void aDeviceThatAlwaysWaitedIsGivenTheOthersLoop();
    void whatWasNotRunIsDerivedAndNoted();
    void memoryIsTakenFromTheRunAndLimitsInActivationsAreNot();
    void nothingMeasuredOrAnotherPipelineIsRefused();
    void costsOfARecordedRunExplainItsSteps();
};

namespace {

constexpr std::array<PassKind, passKinds> kinds { PassKind::F, PassKind::B, PassKind::W, PassKind::BW };
constexpr Ticks transferNs = 30'000;

/// Ticks are nanoseconds. Passes differ by stage.
Design made(const std::string& name, std::int32_t devices, std::int32_t microBatches)
{
    LibraryRequest request;
    request.devices = devices;
    request.microBatches = microBatches;
    request.f = 500'000;
    request.b = 700'000;
    request.w = 300'000;
    request.transfer = transferNs;
    Design design = findInLibrary(name)->make(request).design.value();
    design.costs.tickUs = 0.001;
    for (auto& byStage : design.costs.ticks.values)
        for (std::size_t s = 0; s < byStage.size(); ++s)
            byStage[s] += static_cast<Ticks>(10'000 * s);
    for (std::size_t s = 0; s < design.costs.ticks.values.front().size(); ++s)
        design.costs.ticks.values[index(PassKind::BW)][s]
            = design.costs.ticks.values[index(PassKind::B)][s] + design.costs.ticks.values[index(PassKind::W)][s];
    return design;
}

RunBegan runOf(const Design& design, std::int32_t replicas = 1)
{
    RunBegan run;
    run.replicas = replicas;
    run.design = std::make_shared<const Design>(design);
    return run;
}

RunPlan planOf(const Design& design, std::int32_t replicas = 1)
{
    return *runPlan(runOf(design, replicas), nullptr).plan;
}

/// What the events would tell if passes took the design's costs and the device could go on `loop` later; `longer` is added to a
/// pass by its number.
MeasuredStep measured(
    const RunPlan& plan, const Design& design, Ticks loop,
    const std::function<Ticks(std::size_t)>& longer = [](std::size_t) { return Ticks { 0 }; })
{
    std::vector<Ticks> times;
    for (const TimedPass& pass : plan.timeline.passes)
        times.push_back(design.costs.of(pass.pass) + loop + longer(times.size()));
    const std::vector<Ticks> transfers(plan.program.messages.size(), transferNs);
    const auto timeline
        = simulate(plan.program, plan.pipeline, OwnTimes { times, transfers }, QueueModel::Directed).value();
    constexpr Nanos begin = 5'000'000;
    MeasuredStep step;
    for (std::int32_t d = 0; d < timeline.devices(); ++d) {
        MeasuredRow row;
        row.began = begin;
        row.ended = true;
        for (const TimedPass& pass : timeline.row(DeviceId { d }))
            row.passes.push_back(
                { 0, DeviceId { d }, pass.pass, begin + pass.start, begin + pass.end - loop, pass.joined });
        step.rows.push_back(std::move(row));
    }
    for (const TimedTransfer& transfer : timeline.transfers)
        step.transfers.push_back(
            { 0, transfer.pass, transfer.from, transfer.to, begin + transfer.start, begin + transfer.end });
    return step;
}

std::vector<MeasuredStepPtr> times(int count, const MeasuredStep& step)
{
    return std::vector<MeasuredStepPtr>(static_cast<std::size_t>(count), std::make_shared<const MeasuredStep>(step));
}

double nanos(const Design& design, Ticks ticks) { return static_cast<double>(ticks) * design.costs.tickUs * 1000; }

QString first(const Findings& findings)
{
    return findings.empty() ? QString() : QString::fromStdString(text(findings.front()));
}

} // namespace

void RunCostsTest::costsThatWentInComeOutExactly_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("replicas");
    QTest::addColumn<int>("rounds");
    QTest::addColumn<int>("loop");
    for (const auto* name : { "1f1b", "interleaved-1f1b", "zb-h1", "v-min", "v-half" })
        for (const int loop : { 0, 20'000 })
            QTest::addRow("%s, loop %d", name, loop) << name << 1 << 1 << loop;
    QTest::newRow("two replicas") << "v-half" << 2 << 1 << 20'000;
    QTest::newRow("two replicas, three rounds") << "1f1b" << 2 << 3 << 20'000;
}

void RunCostsTest::costsThatWentInComeOutExactly()
{
    QFETCH(QString, name);
    QFETCH(int, replicas);
    QFETCH(int, rounds);
    QFETCH(int, loop);
    Design design = made(name.toStdString(), 4, 8);
    design.notes = "kept";
    design.training.emplace().accumulate = rounds;
    const RunPlan plan = planOf(design, replicas);
    const RunCosts costs = runCosts(times(3, measured(plan, design, loop)), plan);
    QCOMPARE(costs.steps, 3);
    QCOMPARE(costs.leftOut, 0);
    const DesignWithCosts result = withMeasuredCosts(design, costs.costs, nullptr);
    QVERIFY2(result.design, qPrintable(first(result.findings)));
    for (const PassKind kind : kinds)
        for (std::int32_t s = 0; s < design.pipeline.stages; ++s) {
            const Ticks in = design.costs.ticks.of(kind, StageId { s });
            const bool isDerivedSplit = (kind == PassKind::B || kind == PassKind::W)
                && costs.costs.passes.of(PassKind::W, StageId { s }).count == 0;
            const double expected = isDerivedSplit
                ? static_cast<double>(design.costs.ticks.of(PassKind::BW, StageId { s })) / 2 + loop
                : static_cast<double>(in + loop);
            const double out = nanos(*result.design, result.design->costs.ticks.of(kind, StageId { s }));
            // A tick cannot say half a microsecond; all else is whole.
            QVERIFY2(std::abs(out - expected) <= (isDerivedSplit ? result.design->costs.tickUs * 500 : 1e-6),
                qPrintable(QString("%1 of stage %2: %3, not %4").arg(text(kind)).arg(s).arg(out).arg(expected)));
        }
    for (const Ticks transfer : result.design->network.transfer)
        QCOMPARE(nanos(*result.design, transfer), static_cast<double>(transferNs));
    Design same = *result.design;
    same.costs = design.costs;
    same.network = design.network;
    QVERIFY(same == design);
}

void RunCostsTest::theStepIsExplainedToTheLastNanosecond()
{
    const Design design = made("v-half", 4, 8);
    const RunPlan plan = planOf(design);
    MeasuredStep step = measured(plan, design, 20'000);
    const double makespan = static_cast<double>(step.latest() - *step.began()) / 1e6;
    step.ended = StepEnded { 0, 5.6, makespan + 1.5 };
    const auto explained = runCosts(times(4, step), plan).explained;
    QVERIFY(explained);
    QCOMPARE(explained->steps, 4);
    QCOMPARE(explained->measured, makespan);
    QCOMPARE(explained->simulated, makespan);
    QVERIFY(explained->passes > 0 && explained->overhead > 0 && explained->handOver > 0);
    QVERIFY(std::abs(explained->passes + explained->overhead + explained->handOver - makespan) < 1e-9);
    QCOMPARE(explained->jitter, 0.0);
    QCOMPARE(explained->late, 0.0);
    QCOMPARE(explained->rest, 0.0);
    QVERIFY(std::abs(explained->around - 1.5) < 1e-9);
    const std::string told = text(*explained);
    QVERIFY2(
        told.find("median of 4") != std::string::npos && told.find("passes alone") != std::string::npos, told.c_str());
}

// Every second pass takes half as long again, every other half as long: the mean stays, and devices wait for the slower.
void RunCostsTest::scatterOfPassTimesIsToldAsJitter()
{
    const Design design = made("1f1b", 4, 64);
    const RunPlan plan = planOf(design);
    std::uint32_t state = 1;
    const auto longer = [&](std::size_t) {
        state = state * 1664525 + 1013904223;
        return (state >> 16) % 2 == 0 ? Ticks { 250'000 } : Ticks { -250'000 };
    };
    const auto explained = runCosts(times(3, measured(plan, design, 0, longer)), plan).explained;
    QVERIFY(explained);
    QVERIFY(explained->simulated < explained->measured);
    QVERIFY2(explained->jitter > 0.02 * explained->measured, qPrintable(QString::number(explained->jitter)));
    QVERIFY(std::abs(explained->simulated + explained->jitter - explained->measured) < 1e-9);
    QCOMPARE(explained->late, 0.0);
    QVERIFY(std::abs(explained->rest) < 1e-9);
}

void RunCostsTest::aStepWithALostPassIsLeftOut()
{
    const Design design = made("v-half", 4, 8);
    const RunPlan plan = planOf(design);
    const MeasuredStep whole = measured(plan, design, 20'000);
    MeasuredStep lacking = whole;
    lacking.rows[2].passes.erase(lacking.rows[2].passes.begin() + 5);
    QVERIFY(!stepTimes(lacking, plan));
    auto steps = times(3, whole);
    steps.push_back(std::make_shared<const MeasuredStep>(lacking));
    const RunCosts costs = runCosts(steps, plan);
    QCOMPARE(costs.steps, 3);
    QCOMPARE(costs.leftOut, 1);
    const RunCosts none = runCosts(times(2, lacking), plan);
    QCOMPARE(none.steps, 0);
    QVERIFY(!none.explained);
}

// With transfers not told nobody knows whether an input from elsewhere was there; gaps before a device's own inputs are left. In
// 1F1B without W every pass of the last device waits for another one or follows its own F.
void RunCostsTest::aDeviceThatAlwaysWaitedIsGivenTheOthersLoop()
{
    const Design design = made("1f1b", 4, 8);
    const RunPlan plan = planOf(design);
    MeasuredStep step = measured(plan, design, 20'000);
    step.transfers.clear();
    const auto read = stepTimes(step, plan);
    QVERIFY(read);
    QVERIFY(read->loop[3] && *read->loop[3] == 20'000);
    QVERIFY(!read->loop[1]);
    const RunCosts costs = runCosts(times(3, step), plan);
    QCOMPARE(costs.costs.loop[1].count, 0);
    QCOMPARE(costs.costs.between().loop, std::vector<double>(4, 20'000));
}

void RunCostsTest::whatWasNotRunIsDerivedAndNoted()
{
    for (const char* name : { "1f1b", "v-half" }) {
        const Design design = made(name, 4, 8);
        const RunPlan plan = planOf(design);
        const auto result
            = withMeasuredCosts(design, runCosts(times(3, measured(plan, design, 0)), plan).costs, nullptr);
        QVERIFY(result.design);
        QCOMPARE(result.notes.size(), std::size_t { 1 });
        const bool isFused = std::string_view(name) == "1f1b";
        QVERIFY2(result.notes.front().find(isFused ? "half of BW" : "sum of B and W") != std::string::npos,
            result.notes.front().c_str());
    }
}

void RunCostsTest::memoryIsTakenFromTheRunAndLimitsInActivationsAreNot()
{
    Design design = made("v-half", 4, 8);
    design.memory.limit[1] = 5;
    const RunPlan plan = planOf(design, 2);
    const MeasuredCosts costs = runCosts(times(3, measured(plan, design, 0)), plan).costs;
    RunPlanned planned;
    planned.memory = unitMemory(8, 8); // of both replicas
    planned.memory->unit = MemoryUnit::Byte;
    planned.memory->fixed = { 1, 2, 3, 4, 1, 2, 3, 4 };
    planned.memory->change.values[index(PassKind::F)].assign(8, 4096);
    planned.memory->limit.clear();
    planned.memory->communication.clear();
    const auto result = withMeasuredCosts(design, costs, &planned);
    QVERIFY(result.design);
    QVERIFY(result.design->memory.unit == MemoryUnit::Byte);
    QCOMPARE(result.design->memory.fixed, (std::vector<Bytes> { 1, 2, 3, 4 }));
    QCOMPARE(result.design->memory.change.of(PassKind::F, StageId { 3 }), Bytes { 4096 });
    QCOMPARE(result.design->memory.limit.size(), std::size_t { 4 });
    QVERIFY(!result.design->memory.limit[1]);
    QCOMPARE(result.findings.size(), std::size_t { 1 });
    QVERIFY(result.findings.front().rule == "profile/limits");

    design.memory.unit = MemoryUnit::Byte;
    const auto inBytes = withMeasuredCosts(design, costs, &planned);
    QVERIFY(inBytes.findings.empty());
    QVERIFY(inBytes.design->memory.limit[1] == Bytes { 5 });
}

void RunCostsTest::nothingMeasuredOrAnotherPipelineIsRefused()
{
    const Design design = made("v-half", 4, 8);
    const RunPlan plan = planOf(design);
    const auto nothing = withMeasuredCosts(design, runCosts({}, plan).costs, nullptr);
    QVERIFY(!nothing.design);
    QVERIFY(nothing.findings.front().rule == "run/no-costs");
    const auto other
        = withMeasuredCosts(made("1f1b", 4, 8), runCosts(times(3, measured(plan, design, 0)), plan).costs, nullptr);
    QVERIFY(!other.design);
    QVERIFY(other.findings.front().rule == "run/other-pipeline");
}

void RunCostsTest::costsOfARecordedRunExplainItsSteps()
{
    RunLog log;
    EventFileReader reader(PIPELOOM_SOURCE_DIR "/tests/recordings/v-half.jsonl");
    QVERIFY(reader.look().empty());
    const auto take = [&](RunEvent&& event, EventFileReader::Origin) { log.add(std::move(event)); };
    while (reader.read(10'000, take)) { }
    reader.finish(take);
    QVERIFY(log.plan());
    std::vector<MeasuredStepPtr> steps;
    for (const auto& step : log.steps())
        if (step->isWhole())
            steps.push_back(step);
    QVERIFY(steps.size() >= 3);
    const RunCosts costs = runCosts(steps, *log.plan());
    QCOMPARE(costs.leftOut, 0);
    QVERIFY(costs.costs.hasAllOf(log.plan()->program));
    QVERIFY(costs.explained);
    const Explained& explained = *costs.explained;
    QVERIFY(explained.passes > 0 && explained.simulated >= explained.passes && explained.around > 0);
    const double parts = explained.passes + explained.overhead + explained.handOver + explained.jitter + explained.late
        + explained.rest;
    QVERIFY2(std::abs(parts - explained.measured) < 1e-9, text(explained).c_str());
    // It was recorded on a busy machine: what was late tells most of it.
    QVERIFY2(std::abs(explained.rest) < 0.2 * explained.measured, text(explained).c_str());
    const auto result = withMeasuredCosts(*log.began()->design, costs.costs, &*log.planned());
    QVERIFY2(result.design, qPrintable(first(result.findings)));
    QVERIFY(result.design->memory.unit == MemoryUnit::Byte);
    QCOMPARE(result.design->memory.fixed, (std::vector<Bytes> { 666112, 395264, 395264, 395264 }));
}

QTEST_APPLESS_MAIN(RunCostsTest)
#include "run_costs_test.moc"
