// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// Lowering, checks and simulation held to PyTorch's schedules: orders, lists, queue models, peaks (tests/reference/torch.json).

#include "core/check/program_check.h"
#include "core/check/schedule_check.h"
#include "core/program/lower.h"
#include "core/simulate/simulator.h"
#include "core/timeline/metrics.h"
#include "tests/support/torch_reference.h"

#include <QtTest>

using namespace pipeloom;
using namespace pipeloom::test;

Q_DECLARE_METATYPE(pipeloom::test::TorchSchedule)

class TorchReferenceTest : public QObject {
    Q_OBJECT

    static void eachSchedule()
    {
        QTest::addColumn<TorchSchedule>("reference");
        for (const TorchSchedule& reference : torchSchedules())
            QTest::newRow(reference.name.c_str()) << reference;
    }

    /// Times four, so that a transfer of a quarter is a whole tick.
    static Costs costsOf(const Pipeline& pipeline) { return unitCosts(pipeline.stages, 4, 4, 4, 8); }
    static Network networkOf(const Pipeline& pipeline, Ticks transfer)
    {
        Network network = freeNetwork(pipeline.stages);
        network.transfer.assign(network.transfer.size(), transfer);
        return network;
    }

    static void compare(
        const TorchSchedule& reference, const Program& program, QueueModel queue, const char* lists, const char* model)
    {
        for (const auto& [key, transfer] : { std::pair("c=0", Ticks { 0 }), std::pair("c=0.25", Ticks { 1 }) }) {
            const nlohmann::json& expected = reference.json.at("p2p_queue_model").at(lists).at(key).at(model);
            const Findings findings = check(program, reference.pipeline, queue);
            const auto timeline = simulate(program, reference.pipeline, costsOf(reference.pipeline),
                networkOf(reference.pipeline, transfer), queue);
            if (expected.is_number()) {
                QVERIFY2(findings.empty(), findings.empty() ? "" : findings.front().message.c_str());
                QVERIFY(timeline);
                const Metrics figures
                    = metrics(*timeline, unitMemory(reference.pipeline.stages, reference.pipeline.devices));
                QCOMPARE(static_cast<double>(figures.makespan()) / 4, expected.get<double>());
            } else if (expected.is_null()) {
                QVERIFY(!timeline);
                QCOMPARE(findings.size(), std::size_t { 1 });
                QCOMPARE(findings.front().rule, std::string("program/deadlock"));
                QCOMPARE(findings.front().queue, std::string(text(queue)));
            } else {
                QCOMPARE(expected.get<std::string>(), std::string("crossed"));
                QVERIFY(!findings.empty());
                QCOMPARE(findings.front().rule, std::string("program/pairing"));
            }
        }
    }

private Q_SLOTS:
    void schedulesAreAccepted_data() { eachSchedule(); }
    void schedulesAreAccepted()
    {
        QFETCH(TorchSchedule, reference);
        QVERIFY(check(reference.schedule, reference.pipeline, costsOf(reference.pipeline)).empty());
    }

    void makespanAndPeaksAreTheReferences_data() { eachSchedule(); }
    void makespanAndPeaksAreTheReferences()
    {
        QFETCH(TorchSchedule, reference);
        const auto program = lower(
            reference.schedule, reference.pipeline, freeNetwork(reference.pipeline.stages), QueueModel::Directed);
        QVERIFY(program);
        QVERIFY(check(*program, reference.pipeline, QueueModel::Directed).empty());
        const auto timeline = simulate(*program, reference.pipeline, unitCosts(reference.pipeline.stages),
            freeNetwork(reference.pipeline.stages), QueueModel::Directed);
        QVERIFY(timeline);
        const Metrics figures = metrics(*timeline, unitMemory(reference.pipeline.stages, reference.pipeline.devices));
        const char* key = reference.json.contains("makespan_atomic") ? "makespan_atomic" : "makespan_split";
        QCOMPARE(figures.makespan(), reference.json.at(key).get<Ticks>());
        for (std::size_t d = 0; d < figures.devices.size(); ++d) {
            QCOMPARE(figures.devices[d].peak, reference.json.at("peak_chunks_until_W").at(d).get<Bytes>());
            QCOMPARE(figures.devices[d].busy, reference.json.at("busy_per_rank").at(d).get<Ticks>());
        }
    }

    void theMirroredLoweringIsPyTorchs_data() { eachSchedule(); }
    void theMirroredLoweringIsPyTorchs()
    {
        QFETCH(TorchSchedule, reference);
        if (!reference.json.contains("comms_plain"))
            return; // one reference is too long to be listed
        const auto program = lowerMirrored(reference.schedule, reference.pipeline);
        QVERIFY(program);
        const Program expected
            = pipeloom::program(torchLists(reference, "comms_plain"), reference.pipeline, Pairing::Shared);
        for (std::int32_t d = 0; d < reference.pipeline.devices; ++d) {
            const auto ours = program->row(DeviceId { d });
            const auto theirs = expected.row(DeviceId { d });
            QCOMPARE(ours.size(), theirs.size());
            for (std::size_t i = 0; i < ours.size(); ++i)
                QCOMPARE(text(ours[i]), text(theirs[i]));
        }
    }

    void queueModelsGiveTheReferencesTimes_data() { eachSchedule(); }
    void queueModelsGiveTheReferencesTimes()
    {
        QFETCH(TorchSchedule, reference);
        const auto mirrored = lowerMirrored(reference.schedule, reference.pipeline);
        QVERIFY(mirrored);
        compare(reference, *mirrored, QueueModel::Pair, "default", "one_queue_per_rank_pair");
        compare(reference, *mirrored, QueueModel::Device, "default", "one_queue_per_rank");
    }

    void withoutQueuesNothingIsSlowerThanTheReference_data() { eachSchedule(); }
    void withoutQueuesNothingIsSlowerThanTheReference()
    {
        // The reference's model without queues still waits for receives; ideal does not look at them, so it may only be faster,
        // and with transfers of no time it is equal.
        QFETCH(TorchSchedule, reference);
        const auto channels
            = lower(reference.schedule, reference.pipeline, freeNetwork(reference.pipeline.stages), QueueModel::Ideal);
        QVERIFY(channels);
        const auto step = [&](Ticks transfer) {
            const auto timeline = simulate(*channels, reference.pipeline, costsOf(reference.pipeline),
                networkOf(reference.pipeline, transfer), QueueModel::Ideal);
            const Metrics figures
                = metrics(timeline.value(), unitMemory(reference.pipeline.stages, reference.pipeline.devices));
            return static_cast<double>(figures.makespan()) / 4;
        };
        const nlohmann::json& expected = reference.json.at("p2p_queue_model").at("default");
        QCOMPARE(step(0), expected.at("c=0").at("no_queue").get<double>());
        QVERIFY(step(1) <= expected.at("c=0.25").at("no_queue").get<double>());
    }

    void receivesPutOffStopWhereTheReferenceStops_data() { eachSchedule(); }
    void receivesPutOffStopWhereTheReferenceStops()
    {
        QFETCH(TorchSchedule, reference);
        if (!reference.json.contains("comms_defer"))
            return;
        const Program deferred = program(torchLists(reference, "comms_defer"), reference.pipeline, Pairing::Shared);
        const nlohmann::json& directed
            = reference.json.at("p2p_queue_model").at("defer").at("c=0").at("one_queue_per_directed_pair");
        if (directed == "crossed") {
            const Findings findings = check(deferred, reference.pipeline, QueueModel::Pair);
            QVERIFY(!findings.empty());
            QCOMPARE(findings.front().rule, std::string("program/pairing"));
            return;
        }
        compare(reference, deferred, QueueModel::Pair, "defer", "one_queue_per_rank_pair");
        compare(reference, deferred, QueueModel::Device, "defer", "one_queue_per_rank");
    }
};

QTEST_APPLESS_MAIN(TorchReferenceTest)
#include "torch_reference_test.moc"
