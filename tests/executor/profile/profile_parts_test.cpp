// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// What a profile is made of, on made-up steps whose numbers are known: orders with other backwards, times between
// passes, replay, costs.

#include "core/check/program_check.h"
#include "core/check/schedule_check.h"
#include "core/formats/design_file.h"
#include "core/library/library.h"
#include "core/measured/replay.h"
#include "core/plan/plan.h"
#include "core/program/lower.h"
#include "core/simulate/simulator.h"
#include "executor/overhead.h"
#include "executor/profile/measured_order.h"
#include "executor/profile/other_backwards.h"
#include "tests/support/text_rows.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::test;

class ProfilePartsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void otherBackwardsKeepTheOrderAndRunToTheirEnd_data();
    void otherBackwardsKeepTheOrderAndRunToTheirEnd();
    void overlappedPairsBecomeTwoSlotsTheForwardFirst();
    void handOversAreMeasuredWhereTheTakerWaited();
    void aStepWhoseThreadsLackedACoreIsDisturbed();
    void disturbedStepsAreSetAsideUnlessTooFewAreLeft();
    void aStepReplaysExactlyWithWhatWasBetweenItsPasses_data();
    void aStepReplaysExactlyWithWhatWasBetweenItsPasses();
    void costsForetellAnotherScheduleOfTheSamePasses();
    void scatterMakesDevicesThatWaitForEachOtherSlowerAndOneAloneNot();
    void measuredCostsGoIntoTheDesignAndLeaveTheRestAsItWas();
    void case23OverheadIsSaidWhereItIsMoreThanWaiting();
};

namespace {

constexpr std::array<PassKind, passKinds> kinds { PassKind::F, PassKind::B, PassKind::W, PassKind::BW };

Design made(const char* name, std::int32_t devices, std::int32_t microBatches, Ticks transfer = 0)
{
    LibraryRequest request;
    request.devices = devices;
    request.microBatches = microBatches;
    request.f = 500'000;
    request.b = 700'000;
    request.w = 300'000;
    request.transfer = transfer;
    return findInLibrary(name)->make(request).design.value();
}

Program programOf(const Design& design)
{
    return lower(plan(design).schedule, design.pipeline, design.network, QueueModel::Directed).value();
}

/// A step as it would be measured if passes took the design's costs, each `loop` more until the device could go on, and results
/// the design's transfer times to get there after that; ticks are nanoseconds.
std::vector<StepRecord> measured(const Program& program, const Design& design, Ticks loop)
{
    Design slower = design;
    for (auto& stages : slower.costs.ticks.values)
        for (Ticks& ticks : stages)
            ticks += loop;
    const auto timeline
        = simulate(program, slower.pipeline, slower.costs, slower.network, QueueModel::Directed).value();
    std::vector<StepRecord> records;
    for (std::int32_t d = 0; d < timeline.devices(); ++d) {
        StepRecord record;
        for (TimedPass pass : timeline.row(DeviceId { d })) {
            pass.end -= loop;
            record.busy += Nanoseconds(pass.end - pass.start);
            record.loop += Nanoseconds(loop);
            record.passes.push_back(pass);
        }
        record.processor = record.busy;
        record.loopProcessor = record.loop;
        records.push_back(record);
    }
    return records;
}

std::int64_t count(const Schedule& schedule, PassKind kind)
{
    return std::count_if(schedule.slots.begin(), schedule.slots.end(),
        [&](const Slot& slot) { return slot.first.kind == kind || slot.second.kind == kind; });
}

QString first(const Findings& findings)
{
    return findings.empty() ? QString() : QString::fromStdString(text(findings.front()));
}

} // namespace

void ProfilePartsTest::otherBackwardsKeepTheOrderAndRunToTheirEnd_data()
{
    QTest::addColumn<QString>("schedule");
    for (const auto* name : { "gpipe", "1f1b", "interleaved-1f1b", "zb-h1", "zb-h2", "v-min", "v-half", "v-zb" })
        QTest::newRow(name) << name;
}

void ProfilePartsTest::otherBackwardsKeepTheOrderAndRunToTheirEnd()
{
    QFETCH(QString, schedule);
    const Design design = made(schedule.toUtf8().constData(), 4, 8);
    const Schedule order = plan(design).schedule;
    const Schedule split = withSplitBackwards(order);
    const Schedule fused = withFusedBackwards(order);
    const std::int64_t passes = std::int64_t { design.pipeline.stages } * design.pipeline.microBatches;
    for (const auto& [other, bs, fusedOnes] : { std::tuple(split, passes, std::int64_t { 0 }), { fused, 0, passes } }) {
        QCOMPARE(count(other, PassKind::F), passes);
        QCOMPARE(count(other, PassKind::B), bs);
        QCOMPARE(count(other, PassKind::W), bs);
        QCOMPARE(count(other, PassKind::BW), fusedOnes);
        const auto findings = check(other, design.pipeline, design.costs);
        QVERIFY2(!hasErrors(findings), qPrintable(first(findings)));
        const auto program = lower(other, design.pipeline, design.network, QueueModel::Directed);
        QVERIFY(program);
        QVERIFY(!hasErrors(check(*program, design.pipeline, QueueModel::Directed)));
    }
    QVERIFY(withFusedBackwards(split) == fused);
}

void ProfilePartsTest::overlappedPairsBecomeTwoSlotsTheForwardFirst()
{
    const Schedule order = scheduleOf({ "0F0 (0F1+0BW0) 0BW1" });
    QVERIFY(withSplitBackwards(order) == scheduleOf({ "0F0 0F1 0B0 0W0 0B1 0W1" }));
    QVERIFY(withFusedBackwards(order) == scheduleOf({ "0F0 0F1 0BW0 0BW1" }));
}

void ProfilePartsTest::handOversAreMeasuredWhereTheTakerWaited()
{
    const Design design = made("1f1b", 3, 6, 40'000);
    const Program program = programOf(design);
    const StepTimes step = stepTimes(program, measured(program, design, 10'000));
    QVERIFY(!step.handOvers.empty());
    for (const MeasuredHandOver& handOver : step.handOvers)
        QCOMPARE(handOver.time, Ticks { 50'000 });
    for (const auto& loop : step.loop)
        QVERIFY(loop == 10'000.0);
    QVERIFY(step.loopShare > 0 && step.waitingShare > step.loopShare);
    QVERIFY(step.loopShare + step.waitingShare < 1);
}

void ProfilePartsTest::aStepWhoseThreadsLackedACoreIsDisturbed()
{
    const Design design = made("1f1b", 2, 4);
    const Program program = programOf(design);
    auto records = measured(program, design, 0);
    QVERIFY(!stepTimes(program, records).disturbed());
    records[1].processor = records[1].busy * 98 / 100;
    QVERIFY(!stepTimes(program, records).disturbed());
    records[1].processor = records[1].busy * 96 / 100;
    QVERIFY(stepTimes(program, records).disturbed());
}

void ProfilePartsTest::disturbedStepsAreSetAsideUnlessTooFewAreLeft()
{
    const Design design = made("1f1b", 2, 4);
    MeasuredOrder order;
    order.program = programOf(design);
    const auto calm = measured(order.program, design, 0);
    auto held = measured(order.program, design, 5000);
    held[0].processor /= 2;
    for (int i = 0; i < 3; ++i)
        order.add(calm);
    order.add(held);
    MeasuredOrder fewer = order;
    fewer.steps.erase(fewer.steps.begin());
    fewer.aroundMs.erase(fewer.aroundMs.begin());

    order.setDisturbedAside();
    QCOMPARE(order.steps.size(), std::size_t { 3 });
    QCOMPARE(order.disturbed, 1);
    const Foretold told = order.foretold(design.pipeline, order.costs(design.pipeline));
    QCOMPARE(told.steps, 4);
    QCOMPARE(told.measured.count, 3);
    QCOMPARE(told.measured.high, told.measured.low);

    fewer.setDisturbedAside();
    QCOMPARE(fewer.steps.size(), std::size_t { 3 });
    QVERIFY(fewer.allAreDisturbed);
}

void ProfilePartsTest::aStepReplaysExactlyWithWhatWasBetweenItsPasses_data()
{
    QTest::addColumn<QString>("schedule");
    for (const auto* name : { "1f1b", "interleaved-1f1b", "zb-h1", "v-min", "v-half" })
        QTest::newRow(name) << name;
}

void ProfilePartsTest::aStepReplaysExactlyWithWhatWasBetweenItsPasses()
{
    QFETCH(QString, schedule);
    const Design design = made(schedule.toUtf8().constData(), 4, 8, 30'000);
    const Program program = programOf(design);
    const StepTimes step = stepTimes(program, measured(program, design, 20'000));
    const std::vector<double> loop(4, 20'000);
    const std::vector<double> handOver(static_cast<std::size_t>(design.pipeline.stages - 1), 50'000);
    const auto replayed = replay(program, design.pipeline, step.passes, { loop, handOver });
    QVERIFY(replayed);
    QCOMPARE(replayed->handOver, step.makespan);
    QVERIFY(replayed->passes < replayed->loop && replayed->loop < replayed->handOver);
    const auto alone
        = simulate(program, design.pipeline, design.costs, freeNetwork(design.pipeline.stages), QueueModel::Directed);
    QCOMPARE(replayed->passes, metrics(*alone, design.memory).makespan());
}

// V-Half's passes measured in V-Min's steps, all known exactly: then the forecast is exact too, once rank loop and hand-overs
// are counted. A stage boundary at which nobody waited is given what others take.
void ProfilePartsTest::costsForetellAnotherScheduleOfTheSamePasses()
{
    const Design from = made("v-min", 4, 8, 30'000);
    const Design to = made("v-half", 4, 8, 30'000);
    MeasuredOrder measuredOnes;
    measuredOnes.program = programOf(from);
    MeasuredOrder target;
    target.program = programOf(to);
    for (int i = 0; i < 3; ++i) {
        measuredOnes.add(measured(measuredOnes.program, from, 20'000));
        target.add(measured(target.program, to, 20'000));
    }
    const Foretold told = target.foretold(to.pipeline, measuredOnes.costs(from.pipeline));
    QVERIFY2(std::abs(told.forecast / told.measured.median - 1) < 1e-6, qPrintable(QString::number(told.forecast)));
    QVERIFY(std::abs(told.replayWorst) < 1e-6);
    QVERIFY(told.withItsOwnCosts && std::abs(*told.withItsOwnCosts - told.forecast) < 1e-6);
}

// A pass takes 1 or 3 with the same mean of 2. Alone that evens out; of two devices that wait for each other pass by pass the
// slower one counts.
void ProfilePartsTest::scatterMakesDevicesThatWaitForEachOtherSlowerAndOneAloneNot()
{
    for (const int devices : { 1, 4 }) {
        const Design design = made("1f1b", devices, 64, 0);
        MeasuredOrder order;
        order.program = programOf(design);
        for (int i = 0; i < 3; ++i)
            order.add(measured(order.program, design, 0));
        MeasuredCosts costs = order.costs(design.pipeline);
        const Foretold even = order.foretold(design.pipeline, costs);
        QVERIFY(std::abs(even.forecastWithScatter / even.forecast - 1) < 1e-6);
        for (auto& byStage : costs.eachPass.values)
            for (auto& samples : byStage)
                if (!samples.empty())
                    samples = { samples[0] / 2, samples[0] * 3 / 2 };
        const Foretold uneven = order.foretold(design.pipeline, costs);
        QCOMPARE(uneven.forecast, even.forecast);
        const double longer = uneven.forecastWithScatter / uneven.forecast - 1;
        QVERIFY2(devices == 1 ? std::abs(longer) < 0.03 : longer > 0.1, qPrintable(QString::number(longer)));
    }
}

void ProfilePartsTest::measuredCostsGoIntoTheDesignAndLeaveTheRestAsItWas()
{
    Design design = made("v-half", 2, 4, 30'000);
    design.notes = "kept";
    design.network.queue = QueueModel::Pair;
    design.network.window = 7;
    const Program program = programOf(design);
    MeasuredOrder order;
    order.program = program;
    order.add(measured(program, design, 20'000));
    MeasuredOrder fused;
    fused.program
        = lower(withFusedBackwards(plan(design).schedule), design.pipeline, design.network, QueueModel::Directed)
              .value();
    QVERIFY(!order.costs(design.pipeline).hasAllOf(fused.program));
    fused.add(measured(fused.program, design, 20'000));
    MeasuredCosts costs = order.costs(design.pipeline);
    costs.complete(fused.costs(design.pipeline));
    QVERIFY(costs.hasAllOf(fused.program));

    const auto memory = unitMemory(4, 2);
    const Design written = withCosts(design, costs, memory, 4096);
    QVERIFY(written.plan == design.plan && written.reorder == design.reorder && written.pipeline == design.pipeline);
    QCOMPARE(written.notes, design.notes);
    QVERIFY(written.network.queue == QueueModel::Pair);
    QCOMPARE(written.network.window, 7);
    QVERIFY(written.memory == memory);
    QCOMPARE(written.network.bytes, std::vector<Bytes>(3, 4096));
    for (const PassKind kind : kinds)
        for (std::int32_t s = 0; s < 4; ++s) {
            const double ns
                = static_cast<double>(written.costs.ticks.of(kind, StageId { s })) * written.costs.tickUs * 1000;
            const auto expected = static_cast<double>(design.costs.ticks.of(kind, StageId { s }) + 20'000);
            QVERIFY2(std::abs(ns / expected - 1) <= 0.005, qPrintable(QString::number(ns)));
        }
    const auto read = readDesign(writeDesign(written));
    QVERIFY2(read.design, qPrintable(first(read.findings)));
    QVERIFY(read.design->costs == written.costs && read.design->network == written.network);
}

void ProfilePartsTest::case23OverheadIsSaidWhereItIsMoreThanWaiting()
{
    QCOMPARE(overheadNote(0.30, 0.10).size(), std::size_t { 1 });
    QVERIFY(overheadNote(0.30, 0.10).front().rule == "run/overhead");
    QVERIFY(!hasErrors(overheadNote(0.30, 0.10)));
    QVERIFY(overheadNote(0.10, 0.30).empty());
    QVERIFY(overheadNote(0.04, 0.01).empty());

    // ZB-H1 with passes a hundred times as long as what lies between them, and as long: with more micro-batches the bubble
    // shrinks in both, and only in the second it does not help any more.
    for (const auto& [loop, said] : { std::pair<Ticks, bool>(5'000, false), { 500'000, true } }) {
        const Design design = made("zb-h1", 2, 64);
        const Program program = programOf(design);
        const StepTimes step = stepTimes(program, measured(program, design, loop));
        QCOMPARE(!overheadNote(step.loopShare, step.waitingShare).empty(), said);
    }
}

QTEST_APPLESS_MAIN(ProfilePartsTest)
#include "profile_parts_test.moc"
