// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/check/program_check.h"
#include "core/library/library.h"
#include "core/plan/plan.h"
#include "core/program/lower.h"
#include "core/program/program_memory.h"
#include "core/simulate/simulator.h"
#include "tests/support/text_rows.h"
#include "tests/support/torch_reference.h"

#include <QtTest>

#include <algorithm>

using namespace pipeloom;
using namespace pipeloom::test;

namespace {

Design make(const char* name, std::int32_t p, std::int32_t m)
{
    LibraryRequest request;
    request.devices = p;
    request.microBatches = m;
    return findInLibrary(name)->make(request).design.value();
}

/// SCHEDULES.md 2.1: Chimera, p = 4, m = 4, micro-batches 0, 1 down and 2, 3 up.
Design chimera()
{
    Pipeline pipeline = pipeloom::pipeline(PlacementKind::Linear, 4, 4, 4);
    pipeline.kind = PlacementKind::List;
    pipeline.routes.push_back({ DeviceId { 3 }, DeviceId { 2 }, DeviceId { 1 }, DeviceId { 0 } });
    pipeline.rule = RouteRule::Halves;
    Design design = emptyDesign(pipeline);
    design.plan = scheduleOf({
        "0F0 0F1 3F2 3BW2 3F3 3BW3 0BW0 0BW1",
        "1F0 2F2 1F1 2F3 2BW2 1BW0 2BW3 1BW1",
        "1F2 2F0 1F3 2F1 2BW0 1BW2 2BW1 1BW3",
        "0F2 0F3 3F0 3BW0 3F1 3BW1 0BW2 0BW3",
    });
    return design;
}

std::vector<std::string> listOf(const Program& program, int device)
{
    std::vector<std::string> lines;
    for (const Instruction& instruction : program.row(DeviceId { device }))
        lines.push_back(text(instruction));
    return lines;
}

} // namespace

class LowerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everySendAndReceiveIsWrittenOut()
    {
        const Design design = make("1f1b", 2, 2);
        const Plan made = plan(design);
        QCOMPARE(listOf(made.program, 0),
            (std::vector<std::string> { "receive 1BW0 from 1", "receive 1BW1 from 1", "0F0", "send 0F0 to 1", "0F1",
                "send 0F1 to 1", "0BW0", "0BW1" }));
        QCOMPARE(listOf(made.program, 1),
            (std::vector<std::string> { "receive 0F0 from 0", "receive 0F1 from 0", "1F0", "1BW0", "send 1BW0 to 0",
                "1F1", "1BW1", "send 1BW1 to 0" }));
    }

    void receivesAreIssuedAWindowAheadOfTheirUse()
    {
        const Design design = make("1f1b", 2, 8);
        for (const int window : { 0, 1, 4, 9 }) {
            Network network = design.network;
            network.window = window;
            const Schedule order = plan(design).schedule;
            const Program program = lower(order, design.pipeline, network, QueueModel::Directed).value();
            // Where the k-th receive stands, counted in slots that end before it, follows from the rule (DESIGN.md 3.7).
            for (int d = 0; d < 2; ++d) {
                int slots = 0;
                std::vector<int> uses(program.messages.size(), -1);
                std::vector<int> issued(program.messages.size(), -1);
                for (const Instruction& instruction : program.row(DeviceId { d })) {
                    if (instruction.op == Op::Compute) {
                        if (instruction.message >= 0)
                            uses[static_cast<std::size_t>(instruction.message)] = slots;
                        ++slots;
                    }
                    if (instruction.op == Op::Receive)
                        issued[static_cast<std::size_t>(instruction.message)] = slots;
                }
                for (const Channel& channel : program.channels) {
                    if (channel.to.value != d)
                        continue;
                    int first = slots;
                    for (int k = channel.firstMessage + channel.messages - 1; k >= channel.firstMessage; --k) {
                        first = std::min(first, uses[static_cast<std::size_t>(k)]);
                        QCOMPARE(issued[static_cast<std::size_t>(k)], std::max(first - window, 0));
                    }
                    QVERIFY(channel.buffers >= 1 && channel.buffers <= channel.messages);
                    if (window == 0)
                        QCOMPARE(channel.buffers, 1);
                }
            }
        }
    }

    void buffersCountTheirBytesFromIssueToUse()
    {
        Design design = make("1f1b", 2, 4);
        design.network.bytes = { 100 };
        design.network.window = 0;
        const Plan tight = plan(design);
        QCOMPARE(tight.program.channels[0].buffers, 1);
        // Device 0 holds two activations when a gradient is under way; device 1 one activation, after it took its buffer over.
        QCOMPARE(tight.metrics.devices[0].peak, Bytes { 102 });
        QCOMPARE(tight.metrics.devices[1].peak, Bytes { 100 });
        design.network.window = 100;
        const Plan wide = plan(design);
        QCOMPARE(wide.program.channels[0].buffers, 4);
        QCOMPARE(wide.metrics.devices[0].peak, Bytes { 402 });
        QCOMPARE(wide.metrics.devices[1].peak, Bytes { 400 });
        design.network.bytes.clear();
        QCOMPARE(plan(design).metrics.devices[0].peak, Bytes { 2 });
    }

    void neighboursOnOneDeviceHandOverByReference()
    {
        const Plan made = plan(make("v-half", 4, 4));
        for (const Instruction& instruction : made.program.row(DeviceId { 3 }))
            if (instruction.op == Op::Compute && instruction.pass.stage.value == 4
                && instruction.pass.kind == PassKind::F)
                QCOMPARE(instruction.message, -1);
        QCOMPARE(made.program.messages.size(), std::size_t { 4 * 2 * 6 });
    }

    void programsWrittenByHandAreLinkedAsTheLoweringLinksThem()
    {
        for (const char* name : { "1f1b", "v-half", "zb-h2", "interleaved-1f1b" }) {
            const Design design = make(name, 4, 8);
            const Program lowered = plan(design).program;
            std::vector<std::vector<Instruction>> rows;
            for (std::int32_t d = 0; d < lowered.devices(); ++d)
                rows.emplace_back(lowered.row(DeviceId { d }).begin(), lowered.row(DeviceId { d }).end());
            Program linked = program(rows, design.pipeline, Pairing::ByKind);
            linked.window = lowered.window;
            QVERIFY(linked == lowered);
        }
    }

    void chimeraGoesAllTheWay()
    {
        const Design design = chimera();
        for (const QueueModel queue :
            { QueueModel::Ideal, QueueModel::Directed, QueueModel::Pair, QueueModel::Device }) {
            const Plan made = plan(design, { {}, queue });
            QVERIFY2(made.ok(), made.findings.empty() ? "" : text(made.findings[0]).c_str());
            std::vector<Bytes> peaks;
            for (const DeviceMetrics& device : made.metrics.devices)
                peaks.push_back(device.peak);
            QCOMPARE(peaks, (std::vector<Bytes> { 3, 4, 4, 3 }));
            if (queue == QueueModel::Device)
                continue; // one queue for all holds some passes up
            QCOMPARE(made.metrics.makespan(), Ticks { 16 });
            QCOMPARE(made.metrics.idleShare(), 0.25);
        }
    }

    void stagesOnTwoDevicesAreReducedAfterTheirLastWeightGradient()
    {
        const Plan made = plan(chimera());
        for (int d = 0; d < 4; ++d) {
            const std::vector<std::string> list = listOf(made.program, d);
            for (const int stage : { d, 3 - d }) {
                const std::string reduce = "reduce " + std::to_string(stage);
                QCOMPARE(std::count(list.begin(), list.end(), reduce), 1);
                const auto at = std::find(list.begin(), list.end(), reduce);
                const auto later = std::find_if(at, list.end(),
                    [&](const std::string& line) { return line.rfind(std::to_string(stage) + "BW", 0) == 0; });
                QVERIFY(later == list.end());
            }
        }
        const Plan single = plan(make("1f1b", 4, 4));
        QVERIFY(std::none_of(single.program.instructions.begin(), single.program.instructions.end(),
            [](const Instruction& instruction) { return instruction.op == Op::Reduce; }));
    }

    void dualPipeVGoesAllTheWayWithPairsAsOne()
    {
        for (const TorchSchedule& reference : torchSchedules()) {
            if (reference.name != "DualPipeV m8 pp4")
                continue;
            Design design = emptyDesign(reference.pipeline);
            design.plan = reference.schedule;
            const Plan made = plan(design);
            QVERIFY2(made.ok(), made.findings.empty() ? "" : text(made.findings[0]).c_str());
            QCOMPARE(made.metrics.makespan(), Ticks { 54 });
            design.costs.pair = 2;
            QVERIFY(plan(design).metrics.makespan() < 54);
            design.costs.pair = 1; // below the longer of the two, the backward of 2
            const Plan tooFast = plan(design);
            QCOMPARE(tooFast.findings.front().rule, std::string("costs/pair"));
            QVERIFY(!tooFast.ok());
            design.costs.pair = 4;
            const Plan slow = plan(design);
            QVERIFY(slow.ok());
            QCOMPARE(slow.findings.front().severity, Severity::Warning);
            return;
        }
        QFAIL("the reference is not there");
    }

    void anExplicitScheduleSaysThatItHasOneForm()
    {
        const Plan made = plan(chimera(), { Form::Raw, {} });
        QVERIFY(made.ok());
        QCOMPARE(made.form, Form::Squeezed);
        QCOMPARE(made.findings.size(), std::size_t { 1 });
        QCOMPARE(made.findings[0].rule, std::string("plan/form"));
        QVERIFY(plan(chimera(), { Form::Squeezed, {} }).findings.empty());
    }

    void aStepOfOneDeviceHasNoMessages()
    {
        const Plan made = plan(make("1f1b", 1, 4));
        QVERIFY(made.ok());
        QVERIFY(made.program.messages.empty());
        QCOMPARE(made.metrics.makespan(), Ticks { 12 });
        QCOMPARE(made.metrics.idleShare(), 0.0);
    }
};

QTEST_APPLESS_MAIN(LowerTest)
#include "lower_test.moc"
