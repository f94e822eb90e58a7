// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/design_file.h"
#include "core/plan/plan.h"
#include "core/run/run_plan.h"
#include "tests/support/made_run.h"
#include "tests/support/random_legal_design.h"
#include "tests/support/random_plan.h"

#include <QtTest>

#include <fstream>
#include <set>
#include <sstream>

using namespace pipeloom;
using namespace pipeloom::test;

namespace {

RunBegan runOf(Design design, std::int32_t replicas = 1)
{
    RunBegan run;
    run.replicas = replicas;
    run.design = std::make_shared<const Design>(std::move(design));
    return run;
}

Design resource(const char* name)
{
    std::ifstream file(std::string(PIPELOOM_SOURCE_DIR "/resources/designs/") + name + ".pipeloom.json");
    std::stringstream text;
    text << file.rdbuf();
    return readDesign(text.str()).design.value();
}

/// Every pass stands where find() says, and has as input what another device sends it.
void verify(const RunPlan& plan)
{
    QCOMPARE(plan.inputs.size(), plan.timeline.passes.size());
    for (std::size_t i = 0; i < plan.timeline.passes.size(); ++i) {
        const TimedPass& pass = plan.timeline.passes[i];
        QCOMPARE(plan.find(pass.pass), static_cast<std::int32_t>(i));
        QVERIFY(pass.end <= plan.makespan);
        if (plan.inputs[i] < 0)
            continue;
        const Message& input = plan.program.messages[static_cast<std::size_t>(plan.inputs[i])];
        QCOMPARE(plan.pipeline.deviceOf(pass.pass), input.to);
        QVERIFY(plan.timeline.passes[static_cast<std::size_t>(plan.find(input.pass))].end <= pass.start);
    }
}

} // namespace

class RunPlanTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyLibraryScheduleHasOne();
    void timesAreNanoseconds();
    void theOrderToldIsTheOrderTaken();
    void replicasAndRoundsAreUnfolded();
    void twoRoutesAreFound();
    void memoryIsInBytesOrNotAtAll();
    void whatTheDryPassMeasuredCounts();
    void anotherDesignMustHaveTheSamePipeline();
    void brokenOrdersAreRefused();
    void aRunWithoutADesignHasNone();
    void aPlanCanBeScaled();
};

void RunPlanTest::everyLibraryScheduleHasOne()
{
    int made = 0;
    for (const LibraryEntry& entry : library()) {
        LibraryRequest request;
        const LibraryDesign one = entry.make(request);
        if (!one.design)
            continue;
        const MadeRunPlan plan = runPlan(runOf(*one.design), nullptr);
        QVERIFY(plan.plan && plan.findings.empty());
        verify(*plan.plan);
        ++made;
    }
    QVERIFY(made >= 8);
}

void RunPlanTest::timesAreNanoseconds()
{
    Design design = libraryDesign("v-half", 4, 8);
    design.costs.tickUs = 250;
    const Plan own = pipeloom::plan(design);
    const MadeRunPlan made = runPlan(runOf(design), nullptr);
    QCOMPARE(made.plan->makespan, own.metrics.makespan() * 250'000);
    QCOMPARE(made.plan->name, std::string("the run's plan"));
}

void RunPlanTest::theOrderToldIsTheOrderTaken()
{
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        Random random(seed);
        Design design = emptyDesign(randomPipeline(random));
        const Schedule order = randomLegalSchedule(random, design.pipeline);
        design.plan = order;
        RunPlanned planned;
        for (std::int32_t d = 0; d < order.devices(); ++d)
            planned.rows.emplace_back(order.row(DeviceId { d }).begin(), order.row(DeviceId { d }).end());
        const MadeRunPlan made = runPlan(runOf(design), &planned);
        QVERIFY2(made.plan, made.findings.empty() ? "" : made.findings.front().message.c_str());
        verify(*made.plan);
        for (std::int32_t d = 0; d < order.devices(); ++d) {
            std::vector<Pass> wanted;
            for (const Slot& slot : order.row(DeviceId { d })) {
                wanted.push_back(slot.first);
                if (slot.isPair())
                    wanted.push_back(slot.second);
            }
            std::vector<Pass> got;
            for (const TimedPass& pass : made.plan->timeline.row(DeviceId { d }))
                got.push_back(pass.pass);
            QCOMPARE(got, wanted);
        }
    }
}

void RunPlanTest::replicasAndRoundsAreUnfolded()
{
    Design design = libraryDesign("zb-h1", 4, 8);
    design.training.emplace();
    design.training->accumulate = 3;
    const MadeRunPlan made = runPlan(runOf(design, 2), nullptr);
    QVERIFY(made.plan);
    verify(*made.plan);
    QCOMPARE(made.plan->pipeline.devices, 8);
    QCOMPARE(made.plan->pipeline.microBatches, 48);
    QCOMPARE(made.plan->timeline.passes.size(), std::size_t { 4 * 48 * 3 });
    design.training->accumulate = std::int64_t { 1 } << 40;
    const MadeRunPlan refused = runPlan(runOf(design, 2), nullptr);
    QVERIFY(!refused.plan && hasErrors(refused.findings));
    design.training.reset();
    QVERIFY(!runPlan(runOf(design, 4096), nullptr).plan);
}

void RunPlanTest::twoRoutesAreFound()
{
    const MadeRunPlan made = runPlan(runOf(resource("chimera")), nullptr);
    QVERIFY(made.plan);
    verify(*made.plan);
    std::set<std::int32_t> devicesOfStage0;
    for (const TimedPass& pass : made.plan->timeline.passes)
        if (pass.pass.stage.value == 0)
            devicesOfStage0.insert(made.plan->pipeline.deviceOf(pass.pass).value);
    QCOMPARE(devicesOfStage0, (std::set<std::int32_t> { 0, 3 }));
}

void RunPlanTest::memoryIsInBytesOrNotAtAll()
{
    Design design = libraryDesign("v-half", 4, 8);
    design.memory.limit.assign(4, Bytes { 12 });
    const MadeRunPlan counted = runPlan(runOf(design), nullptr);
    QVERIFY(counted.plan->memory.empty() && counted.plan->peaks.empty() && counted.plan->limits.empty());
    design.memory.unit = MemoryUnit::Byte;
    const MadeRunPlan inBytes = runPlan(runOf(design), nullptr);
    QCOMPARE(inBytes.plan->memory.size(), std::size_t { 4 });
    QCOMPARE(inBytes.plan->limits[2], std::optional(Bytes { 12 }));
    const Metrics figures = metrics(inBytes.plan->timeline, design.memory);
    for (std::size_t d = 0; d < 4; ++d) {
        QCOMPARE(inBytes.plan->peaks[d], figures.devices[d].peak);
        QVERIFY(inBytes.plan->memory[d].back().time <= inBytes.plan->makespan);
    }
}

void RunPlanTest::whatTheDryPassMeasuredCounts()
{
    const Design design = libraryDesign("v-half", 4, 8);
    RunPlanned planned = MadeRun(design).planned();
    MemoryModel model = unitMemory(8, 4);
    model.unit = MemoryUnit::Byte;
    model.fixed = { 100, 200, 300, 400 };
    planned.memory = model;
    const MadeRunPlan made = runPlan(runOf(design), &planned);
    QCOMPARE(made.plan->memory[3].front().level, Bytes { 401 }); // with what its first F adds
    QVERIFY(made.plan->peaks[3] > 400);
    planned.predictedBytes = { 1, 2, 3, 4 };
    QCOMPARE(runPlan(runOf(design), &planned).plan->peaks, planned.predictedBytes);
    // Tables of other sizes are no model of it.
    planned.memory->change.values[1].pop_back();
    QVERIFY(runPlan(runOf(design), &planned).plan->memory.empty());
    planned.memory = model;
    planned.memory->fixed.push_back(1);
    QVERIFY(runPlan(runOf(design), &planned).plan->memory.empty());
    planned.predictedBytes.pop_back();
    planned.memory.reset();
    QVERIFY(runPlan(runOf(design), &planned).plan->peaks.empty());
}

void RunPlanTest::anotherDesignMustHaveTheSamePipeline()
{
    const Design own = libraryDesign("1f1b", 4, 8);
    const RunBegan run = runOf(own);
    Design gpipe = libraryDesign("gpipe", 4, 8);
    gpipe.name = "Other";
    const MadeRunPlan fits = runPlan(run, nullptr, gpipe);
    QVERIFY(fits.plan);
    QCOMPARE(fits.plan->name, std::string("Other"));
    const auto refusal = [&](const Design& other) {
        const MadeRunPlan made = runPlan(run, nullptr, other);
        return made.plan || made.findings.front().rule != "run/other-pipeline"
            ? QString()
            : QString::fromStdString(made.findings.front().message);
    };
    QVERIFY(refusal(libraryDesign("1f1b", 4, 9)).contains("it has 9 micro-batches, the run 8"));
    QVERIFY(refusal(libraryDesign("1f1b", 8, 8)).contains("it has 8 devices, the run 4"));
    QVERIFY(refusal(libraryDesign("v-half", 4, 8)).contains("stages"));
    Design turned = own;
    std::reverse(turned.pipeline.routes.front().begin(), turned.pipeline.routes.front().end());
    turned.pipeline.kind = PlacementKind::List;
    std::vector<std::vector<Slot>> rows;
    const Plan order = pipeloom::plan(own);
    for (std::int32_t d = 3; d >= 0; --d)
        rows.emplace_back(order.schedule.row(DeviceId { d }).begin(), order.schedule.row(DeviceId { d }).end());
    turned.plan = schedule(rows);
    QVERIFY2(
        refusal(turned).contains("its stage 0 is on device 3, the run's on device 0"), qPrintable(refusal(turned)));
}

void RunPlanTest::brokenOrdersAreRefused()
{
    int refused = 0;
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
        Random random(seed);
        Design design = emptyDesign(randomPipeline(random));
        Schedule order = randomLegalSchedule(random, design.pipeline);
        design.plan = order;
        breakSchedule(random, order);
        RunPlanned planned;
        for (std::int32_t d = 0; d < order.devices(); ++d)
            planned.rows.emplace_back(order.row(DeviceId { d }).begin(), order.row(DeviceId { d }).end());
        if (chance(random, 20))
            planned.rows.emplace_back();
        const MadeRunPlan made = runPlan(runOf(design), &planned);
        QVERIFY(static_cast<bool>(made.plan) != hasErrors(made.findings));
        if (made.plan)
            verify(*made.plan);
        else
            ++refused;
    }
    QVERIFY(refused > 150);
}

void RunPlanTest::aRunWithoutADesignHasNone()
{
    const MadeRunPlan made = runPlan(RunBegan {}, nullptr);
    QVERIFY(!made.plan);
    QCOMPARE(made.findings.front().rule, std::string("run/plan"));
}

void RunPlanTest::aPlanCanBeScaled()
{
    const MadeRun run(libraryDesign("v-half", 4, 8));
    const RunPlan half = scaled(run.plan(), 0.5);
    QCOMPARE(half.makespan * 2, run.plan().makespan);
    for (std::size_t i = 0; i < half.timeline.passes.size(); ++i)
        QCOMPARE(half.timeline.passes[i].end * 2, run.plan().timeline.passes[i].end);
    QCOMPARE(half.place, run.plan().place);
}

QTEST_APPLESS_MAIN(RunPlanTest)
#include "run_plan_test.moc"
