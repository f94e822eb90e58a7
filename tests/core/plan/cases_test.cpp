// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// Cases from practice that core answers, named after their numbers: times in ticks are the cases' times a scale that makes
// them whole.

#include "core/check/memory_check.h"
#include "core/check/program_check.h"
#include "core/check/schedule_check.h"
#include "core/library/library.h"
#include "core/plan/plan.h"
#include "core/program/lower.h"
#include "core/schedule/repeat.h"
#include "core/simulate/simulator.h"
#include "tests/support/text_rows.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace pipeloom;
using namespace pipeloom::test;

namespace {

Design make(const char* name, std::int32_t p, std::int32_t m, std::int32_t chunks = 0)
{
    LibraryRequest request;
    request.devices = p;
    request.microBatches = m;
    request.chunks = chunks;
    return findInLibrary(name)->make(request).design.value();
}

bool has(const Findings& findings, std::string_view rule)
{
    return std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) { return finding.rule == rule; });
}

const Finding& find(const Findings& findings, std::string_view rule)
{
    return *std::find_if(
        findings.begin(), findings.end(), [&](const Finding& finding) { return finding.rule == rule; });
}

double percent(double share) { return std::round(share * 1000) / 10; }

std::vector<Bytes> peaksOf(const Plan& made)
{
    std::vector<Bytes> peaks;
    for (const DeviceMetrics& device : made.metrics.devices)
        peaks.push_back(device.peak);
    return peaks;
}

Pass pass(const char* text) { return passOf(text); }
Instruction send(const char* text, int to) { return { Op::Send, false, pass(text), DeviceId { to }, -1 }; }
Instruction receive(const char* text, int from) { return { Op::Receive, false, pass(text), DeviceId { from }, -1 }; }
Instruction grouped(Instruction instruction)
{
    instruction.joined = true;
    return instruction;
}

/// The program with each receive directly before the pass that needs it.
std::vector<std::vector<Instruction>> withLateReceives(const Program& program)
{
    std::vector<std::vector<Instruction>> rows;
    for (std::int32_t d = 0; d < program.devices(); ++d) {
        rows.emplace_back();
        for (const Instruction& instruction : program.row(DeviceId { d })) {
            if (instruction.op == Op::Receive)
                continue;
            if (instruction.op == Op::Compute && instruction.message >= 0) {
                const Message& message = program.messages[static_cast<std::size_t>(instruction.message)];
                rows.back().push_back({ Op::Receive, false, message.pass, message.from, -1 });
            }
            rows.back().push_back(instruction);
        }
    }
    return rows;
}

} // namespace

class CasesTest : public QObject {
    Q_OBJECT

    static void deadlocks(const std::vector<std::vector<Instruction>>& rows, const Pipeline& pipeline,
        std::initializer_list<const char*> named)
    {
        for (const QueueModel queue : { QueueModel::Pair, QueueModel::Device }) {
            const Program made = program(rows, pipeline, Pairing::Shared);
            const Findings findings = check(made, pipeline, queue);
            QVERIFY(has(findings, "program/deadlock"));
            const Finding& finding = find(findings, "program/deadlock");
            QCOMPARE(finding.queue, std::string(text(queue)));
            for (const char* name : named)
                QVERIFY2(finding.message.find(name) != std::string::npos, finding.message.c_str());
            QVERIFY(!simulate(made, pipeline, unitCosts(pipeline.stages), freeNetwork(pipeline.stages), queue));
        }
    }

    static void runs(const std::vector<std::vector<Instruction>>& rows, const Pipeline& pipeline)
    {
        for (const QueueModel queue : { QueueModel::Pair, QueueModel::Device }) {
            const Findings findings = check(program(rows, pipeline, Pairing::Shared), pipeline, queue);
            QVERIFY2(findings.empty(), findings.empty() ? "" : findings.front().message.c_str());
        }
    }

private Q_SLOTS:
    void case2_bothSendFirst()
    {
        const Pipeline pipeline = pipeloom::pipeline(PlacementKind::Linear, 2, 2, 1);
        const std::vector<Instruction> first { send("0F0", 1), receive("1B0", 1) };
        const std::vector<Instruction> second { send("1B0", 0), receive("0F0", 0) };
        deadlocks({ first, second }, pipeline, { "device 0", "device 1", "`send 0F0 to 1`", "`send 1B0 to 0`" });
        runs({ first, { second[1], second[0] } }, pipeline);
        runs({ { first[0], grouped(first[1]) }, { second[0], grouped(second[1]) } }, pipeline);
        QVERIFY(check(program({ first, second }, pipeline, Pairing::ByKind), pipeline, QueueModel::Directed).empty());
    }

    void case4_aSlowLastStageIsNamedAndWaitedFor()
    {
        Design design = make("1f1b", 4, 8);
        design.costs = unitCosts(4, 2, 2, 2);
        design.costs.ticks.values[index(PassKind::F)][3] = 3;
        const Plan a = plan(design);
        QCOMPARE(a.metrics.makespan(), Ticks { 74 }); // 37.0
        for (int d = 0; d < 3; ++d)
            QCOMPARE(percent(a.metrics.idleShare(DeviceId { d })), 35.1);
        QCOMPARE(percent(a.metrics.idleShare(DeviceId { 3 })), 24.3);
        QVERIFY(find(a.findings, "costs/bottleneck").message.find("stage 3") != std::string::npos);

        design.costs.ticks.values[index(PassKind::BW)][3] = 6;
        design.costs.ticks.values[index(PassKind::B)][3] = design.costs.ticks.values[index(PassKind::W)][3] = 3;
        const Plan b = plan(design);
        QCOMPARE(b.metrics.makespan(), Ticks { 90 }); // 45.0
        for (int d = 0; d < 3; ++d)
            QCOMPARE(percent(b.metrics.idleShare(DeviceId { d })), 46.7);
        QCOMPARE(percent(b.metrics.idleShare(DeviceId { 3 })), 20.0);
        QVERIFY(find(b.findings, "costs/bottleneck").message.find("stage 3") != std::string::npos);
    }

    void case7_fewerMicroBatchesThanDevices_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("m");
        QTest::addColumn<int>("makespan");
        QTest::addColumn<double>("idle");
        for (const char* name : { "1f1b", "gpipe" }) {
            QTest::addRow("%s m=1", name) << name << 1 << 24 << 87.5;
            QTest::addRow("%s m=4", name) << name << 4 << 33 << 63.6;
        }
    }
    void case7_fewerMicroBatchesThanDevices()
    {
        QFETCH(QString, name);
        QFETCH(int, m);
        const Plan made = plan(make(name.toStdString().c_str(), 8, m));
        QVERIFY(made.ok());
        QTEST(static_cast<int>(made.metrics.makespan()), "makespan");
        QTEST(percent(made.metrics.idleShare()), "idle");
        QCOMPARE(find(made.findings, "pipeline/few-micro-batches").severity, Severity::Warning);
        if (name == "gpipe")
            return;
        for (int r = 0; r < 8; ++r) {
            int forwards = 0;
            for (const Slot& slot : made.schedule.row(DeviceId { r })) {
                if (slot.first.kind != PassKind::F)
                    break;
                ++forwards;
            }
            QCOMPARE(forwards,
                std::min(m, 8 - r)); // the warm-up min(m, p-1-r), and the forward of the first pair if one is left
        }
    }

    void case10_receivesJustBeforeTheirUse()
    {
        const Pipeline two = pipeline(PlacementKind::Interleaved, 2, 4, 4);
        deadlocks({ { send("2F1", 1), receive("1F0", 1) }, { send("1F0", 0), receive("0F1", 0) } }, two,
            { "`send 2F1 to 1`", "`send 1F0 to 0`" });
        deadlocks({ { send("2F1", 1), send("0F2", 1), receive("3BW0", 1) },
                      { receive("2F1", 0), send("3BW0", 0), receive("0F2", 0) } },
            two, { "`send 0F2 to 1`", "`send 3BW0 to 0`" });

        const std::vector<std::pair<Design, Ticks>> designs {
            { make("interleaved-1f1b", 2, 4), 27 }, // 13.5
            { make("1f1b", 2, 4), 15 },
        };
        for (const auto& [design, step] : designs) {
            const Schedule order = repeatedOrder(*design.block(), design.pipeline);
            const Program mirrored = lowerMirrored(order, design.pipeline).value();
            for (const QueueModel queue : { QueueModel::Pair, QueueModel::Device }) {
                QVERIFY(check(mirrored, design.pipeline, queue).empty());
                const auto timeline = simulate(mirrored, design.pipeline, design.costs, design.network, queue);
                QCOMPARE(metrics(timeline.value(), design.memory).makespan(), step);
            }
            deadlocks(withLateReceives(mirrored), design.pipeline, { "device 0", "device 1" });
        }
    }

    void case16_limitsOfEachDevice()
    {
        Design design = make("1f1b", 4, 8);
        design.memory.limit = { 3, 4, 4, 4 };
        const Plan made = plan(design);
        QVERIFY(!made.ok());
        QCOMPARE(std::count_if(made.findings.begin(), made.findings.end(),
                     [](const Finding& f) { return f.severity == Severity::Error; }),
            1);
        const Finding& finding = find(made.findings, "memory/limit");
        QCOMPARE(finding.where.front().device.value(), DeviceId { 0 });
        QVERIFY(finding.message.find("peak of 4 activations") != std::string::npos);
        QVERIFY(finding.message.find("limit of 3 activations") != std::string::npos);
        QCOMPARE(made.metrics.makespan(), Ticks { 33 });

        design.plan = scheduleOf({
            "0F0 0F1 0F2 0BW0 0F3 0BW1 0F4 0BW2 0F5 0BW3 0F6 0BW4 0F7 0BW5 0BW6 0BW7",
            "1F0 1F1 1F2 1BW0 1F3 1BW1 1F4 1BW2 1F5 1BW3 1F6 1BW4 1F7 1BW5 1BW6 1BW7",
            "2F0 2F1 2BW0 2F2 2BW1 2F3 2BW2 2F4 2BW3 2F5 2BW4 2F6 2BW5 2F7 2BW6 2BW7",
            "3F0 3BW0 3F1 3BW1 3F2 3BW2 3F3 3BW3 3F4 3BW4 3F5 3BW5 3F6 3BW6 3F7 3BW7",
        });
        const Plan cut = plan(design);
        QVERIFY(cut.ok());
        QCOMPARE(cut.metrics.makespan(), Ticks { 48 });

        design.memory.limit[0] = 0;
        QVERIFY(has(plan(design).findings, "memory/infeasible"));
    }

    void case19_interleavedBesideZeroBubble()
    {
        const Plan plain = plan(make("1f1b", 8, 24));
        const Plan interleaved = plan(make("interleaved-1f1b", 8, 24, 3));
        const Plan zeroBubble = plan(make("zb-h2", 8, 24));
        const auto peak = [](const Plan& made) {
            const std::vector<Bytes> peaks = peaksOf(made);
            return *std::max_element(peaks.begin(), peaks.end());
        };
        QCOMPARE(plain.metrics.makespan(), Ticks { 93 });
        QCOMPARE(peak(plain), Bytes { 8 });
        QCOMPARE(interleaved.metrics.makespan(), Ticks { 79 * 3 }); // three chunk passes make a full share
        QCOMPARE(peak(interleaved), Bytes { 31 });
        QCOMPARE(zeroBubble.metrics.makespan(), Ticks { 79 });
        QCOMPARE(zeroBubble.metrics.ownSpan, Ticks { 72 });
        QCOMPARE(peak(zeroBubble), Bytes { 15 });
    }

    void case22_aVSchedulePlacedRoundIsRejected()
    {
        Design design = make("v-half", 4, 8);
        const Plan made = plan(design);
        QVERIFY(made.ok());
        for (const Message& message : made.program.messages)
            QVERIFY(!(message.pass.stage.value == 3
                && message.pass.kind == PassKind::F)); // stage 3 to 4: a hand-over on device 3
        Design looped = design;
        looped.pipeline = pipeline(PlacementKind::Interleaved, 4, 8, 8);
        looped.plan = made.schedule;
        looped.reorder.reset();
        const Plan rejected = plan(looped);
        QVERIFY(!rejected.ok());
        QVERIFY(!rejected.simulated());
        const Finding& finding = find(rejected.findings, "schedule/misplaced");
        QCOMPARE(finding.where.front().device.value(), DeviceId { 0 });
        QVERIFY2(finding.message.find("stage 7 is placed on device 3") != std::string::npos, finding.message.c_str());
    }

    void case25_equalStagesUnequalMemory()
    {
        QCOMPARE(peaksOf(plan(make("1f1b", 8, 16))), (std::vector<Bytes> { 8, 7, 6, 5, 4, 3, 2, 1 }));
        QCOMPARE(peaksOf(plan(make("1f1b", 8, 4))), (std::vector<Bytes> { 4, 4, 4, 4, 4, 3, 2, 1 }));
    }

    void case40_aMissingWIsNamed()
    {
        Design design = make("zb-h1", 2, 4);
        const Plan whole = plan(design);
        for (int s = 0; s < 2; ++s)
            QCOMPARE(
                std::count_if(whole.schedule.slots.begin(), whole.schedule.slots.end(),
                    [&](const Slot& slot) { return slot.first.stage.value == s && slot.first.kind != PassKind::F; }),
                8);
        Schedule lacking = whole.schedule;
        const auto w = std::find(lacking.slots.begin(), lacking.slots.end(), slotOf("1W2"));
        lacking.slots.erase(w);
        --lacking.deviceBegin[2];
        design.plan = lacking;
        const Plan made = plan(design);
        const Finding& finding = find(made.findings, "schedule/missing");
        QVERIFY2(
            finding.message.find("Stage 1 has no W for micro-batch 2") != std::string::npos, finding.message.c_str());
        QVERIFY(!made.simulated());
    }

    void case41_withAndWithoutASyncAtTheEnd()
    {
        const Plan h2 = plan(make("zb-h2", 4, 8));
        QCOMPARE(h2.metrics.makespan(), Ticks { 27 });
        QCOMPARE(percent(h2.metrics.idleShare()), 11.1);
        QCOMPARE(h2.metrics.ownSpanBubble(), 0.0);
        for (const DeviceMetrics& device : h2.metrics.devices) {
            QCOMPARE(device.busy, Ticks { 24 });
            QCOMPARE(device.span(), Ticks { 24 });
        }
        const Plan h1 = plan(make("zb-h1", 4, 8));
        QCOMPARE(h1.metrics.makespan(), Ticks { 27 });
        std::vector<Ticks> spans;
        for (const DeviceMetrics& device : h1.metrics.devices)
            spans.push_back(device.span());
        QCOMPARE(spans, (std::vector<Ticks> { 27, 26, 25, 24 }));
    }

    void case43_theHeaviestStageSetsMemoryAndPace()
    {
        Design layers = make("1f1b", 4, 8);
        layers.memory.change.values[index(PassKind::F)] = { 1, 2, 2, 3 };
        layers.memory.change.values[index(PassKind::BW)] = { -1, -2, -2, -3 };
        layers.memory.change.values[index(PassKind::W)] = { -1, -2, -2, -3 };
        QCOMPARE(peaksOf(plan(layers)), (std::vector<Bytes> { 4, 6, 4, 3 }));

        Design times = make("1f1b", 8, 1000); // in microseconds
        for (std::size_t s = 0; s < 8; ++s) {
            const Ticks all = s == 0 ? 3153 : (s == 7 ? 3901 : 3150);
            times.costs.ticks.values[index(PassKind::F)][s] = 1000;
            times.costs.ticks.values[index(PassKind::B)][s] = 1000;
            times.costs.ticks.values[index(PassKind::W)][s] = all - 2000;
            times.costs.ticks.values[index(PassKind::BW)][s] = all - 1000;
        }
        const Plan made = plan(times);
        const Finding& note = find(made.findings, "costs/bottleneck");
        for (const char* figure : { "3901 ticks", "83.2 %", "6.65" })
            QVERIFY2(note.message.find(figure) != std::string::npos, note.message.c_str());
        times.pipeline.microBatches = 2000;
        QCOMPARE(plan(times).metrics.makespan() - made.metrics.makespan(), Ticks { 1000 * 3901 });
    }

    void case44_aSplitThatCostsMore()
    {
        const auto step = [](const char* name, int m, bool overhead) {
            Design design = make(name, 4, m);
            design.costs = overhead ? unitCosts(4, 20, 21, 21, 40) : unitCosts(4, 20, 20, 20);
            return plan(design);
        };
        QCOMPARE(step("1f1b", 64, false).metrics.makespan(), Ticks { 201 * 20 });
        QCOMPARE(percent(step("1f1b", 64, false).metrics.idleShare()), 4.5);
        QCOMPARE(step("zb-h1", 64, false).metrics.makespan(), Ticks { 195 * 20 });
        QCOMPARE(step("zb-h1", 64, true).metrics.makespan(), Ticks { 4031 }); // 201.55: 1F1B wins
        QCOMPARE(step("1f1b", 64, true).metrics.makespan(), Ticks { 201 * 20 });
        QCOMPARE(step("1f1b", 8, true).metrics.makespan(), Ticks { 33 * 20 });
        QCOMPARE(step("zb-h1", 8, true).metrics.makespan(), Ticks { 559 }); // 27.95: ZB-H1 wins
        const Plan shown = step("zb-h1", 64, true);
        const Finding& note = find(shown.findings, "costs/split-overhead");
        QVERIFY2(
            note.message.find("4031 ticks, 1F1B with fused backwards 4020") != std::string::npos, note.message.c_str());
        QVERIFY2(note.remedy.find("Up to 58 micro-batches") != std::string::npos, note.remedy.c_str());
        QCOMPARE(step("zb-h1", 58, true).metrics.makespan() < step("1f1b", 58, true).metrics.makespan(), true);
        QCOMPARE(step("zb-h1", 59, true).metrics.makespan() < step("1f1b", 59, true).metrics.makespan(), false);
        QVERIFY(!has(step("zb-h1", 64, false).findings, "costs/split-overhead"));
    }

    void case47_memoryOfCommunicators()
    {
        Design design = make("1f1b", 8, 16);
        constexpr Bytes mega = 1'000'000;
        design.memory.unit = MemoryUnit::Byte;
        for (std::size_t s = 0; s < 8; ++s)
            for (auto& changes : design.memory.change.values)
                changes[s] = 0;
        design.memory.fixed.assign(8, 79'200 * mega);
        design.memory.limit.assign(8, 80'000 * mega);
        QVERIFY(plan(design).ok());
        for (std::size_t d = 0; d < 8; ++d)
            design.memory.communication[d] = (d == 0 || d == 7 ? 1 : 2) * Bytes { 2 } * 544 * mega;
        const Plan made = plan(design);
        QCOMPARE(std::count_if(made.findings.begin(), made.findings.end(),
                     [](const Finding& f) { return f.rule == "memory/infeasible"; }),
            8);
        QCOMPARE(peaksOf(made)[1] - 79'200 * mega, 2'176 * mega);
        QCOMPARE(peaksOf(made)[0] - 79'200 * mega, 1'088 * mega);
        design.memory.communication.assign(8, 688 * mega);
        QVERIFY(plan(design).ok());
    }
};

QTEST_APPLESS_MAIN(CasesTest)
#include "cases_test.moc"
