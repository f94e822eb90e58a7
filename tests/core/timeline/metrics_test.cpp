// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/costs.h"
#include "core/pipeline/pipeline.h"
#include "core/schedule/squeeze.h"
#include "core/timeline/metrics.h"
#include "tests/support/text_rows.h"

#include <QtTest>

#include <algorithm>

using namespace pipeloom;
using namespace pipeloom::test;

class MetricsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void bothBubblesByTheirDefinitions()
    {
        // Two devices, one micro-batch: device 0 works 0-1 and 4-6, device 1 works 1-4.
        const Pipeline two = pipeline(PlacementKind::Linear, 2, 2, 1);
        const auto timeline = squeeze(scheduleOf({ "0F0 0BW0", "1F0 1BW0" }), two, unitCosts(2), freeNetwork(2));
        const Metrics figures = metrics(timeline.value(), unitMemory(2, 2));
        QCOMPARE(figures.makespan(), Ticks { 6 });
        QCOMPARE(figures.busy, Ticks { 6 });
        QCOMPARE(figures.idleShare(), 0.5); // 1 - 6 / (2 * 6)
        QCOMPARE(figures.ownSpan, Ticks { 6 });
        QCOMPARE(figures.ownSpanBubble(), 0.5); // 1 - 3 / 6
        QCOMPARE(figures.devices[1].span(), Ticks { 3 });
        QCOMPARE(figures.idleShare(DeviceId { 1 }), 0.5);
    }

    void anEmptyTimelineHasNoBubble()
    {
        QCOMPARE(Metrics {}.idleShare(), 0.0);
        QCOMPARE(Metrics {}.ownSpanBubble(), 0.0);
    }

    void memoryRisesWithStartsAndFallsWithEnds()
    {
        const Pipeline one = pipeline(PlacementKind::Linear, 1, 1, 2);
        MemoryModel memory = unitMemory(1, 1);
        memory.fixed = { 10 };
        memory.communication = { 5 };
        memory.change.values[index(PassKind::F)] = { 4 };
        memory.change.values[index(PassKind::B)] = { -1 };
        memory.change.values[index(PassKind::W)] = { -3 };
        memory.transient.values[index(PassKind::B)] = { 2 };
        const auto timeline = squeeze(scheduleOf({ "0F0 0F1 0B0 0W0 0B1 0W1" }), one, unitCosts(1), freeNetwork(1));
        QCOMPARE(metrics(timeline.value(), memory).devices[0].peak, Bytes { 25 }); // 15 + 4 + 4 and 2 while 0B0 runs
        const std::vector<LevelChange> curve = memoryOverTime(*timeline, memory, DeviceId { 0 });
        const std::vector<LevelChange> expected { { 0, 19 }, { 1, 23 }, { 2, 25 }, { 3, 22 }, { 4, 21 }, { 5, 18 },
            { 6, 15 } };
        QVERIFY(curve == expected);
    }

    void atOneInstantEndsComeBeforeStarts()
    {
        const Pipeline one = pipeline(PlacementKind::Linear, 1, 1, 2);
        const auto timeline = squeeze(scheduleOf({ "0F0 0BW0 0F1 0BW1" }), one, unitCosts(1), freeNetwork(1));
        QCOMPARE(metrics(timeline.value(), unitMemory(1, 1)).devices[0].peak, Bytes { 1 });
    }

    void aPairCountsBothItsPassesAtOnce()
    {
        const Pipeline one = pipeline(PlacementKind::Linear, 1, 1, 2);
        const auto timeline = squeeze(scheduleOf({ "0F0 (0F1+0BW0) 0BW1" }), one, unitCosts(1), freeNetwork(1));
        const Metrics figures = metrics(timeline.value(), unitMemory(1, 1));
        QCOMPARE(figures.devices[0].peak, Bytes { 2 });
        QCOMPARE(figures.devices[0].busy, Ticks { 6 });
    }

    void namedPlacementsAreWhatTheySay()
    {
        const auto numbers = [](const Placement& placement) {
            std::vector<int> list;
            for (const DeviceId device : placement)
                list.push_back(device.value);
            return list;
        };
        QCOMPARE(numbers(placement(PlacementKind::Linear, 4, 4)), (std::vector { 0, 1, 2, 3 }));
        QCOMPARE(numbers(placement(PlacementKind::Interleaved, 3, 6)), (std::vector { 0, 1, 2, 0, 1, 2 }));
        QCOMPARE(numbers(placement(PlacementKind::V, 3, 9)), (std::vector { 0, 1, 2, 2, 1, 0, 0, 1, 2 }));
    }

    void pipelinesThatMakeNoSenseAreRefused()
    {
        const auto rule = [](const Pipeline& pipeline) {
            const Findings findings = check(pipeline);
            return findings.empty() ? std::string() : findings.front().rule;
        };
        QCOMPARE(rule(pipeline(PlacementKind::Linear, 2, 2, 2)), std::string());
        Pipeline nothing = pipeline(PlacementKind::Linear, 2, 2, 2);
        nothing.devices = 0;
        QCOMPARE(rule(nothing), std::string("pipeline/size"));
        QCOMPARE(rule(pipeline(PlacementKind::Linear, 2, 4, 2)), std::string("pipeline/placement"));
        QCOMPARE(rule(pipeline(PlacementKind::Interleaved, 4, 2, 4)), std::string("pipeline/empty-device"));
        QCOMPARE(rule(pipeline(PlacementKind::Linear, 4, 4, 2)), std::string("pipeline/few-micro-batches"));
        Pipeline routes = pipeline(PlacementKind::Linear, 2, 2, 2);
        routes.routes.push_back(routes.routes.front());
        QCOMPARE(rule(routes), std::string("pipeline/routes"));
    }

    void memoryThatLeaksIsToldPerMicroBatchAndInAll()
    {
        const Pipeline two = pipeline(PlacementKind::Linear, 2, 2, 8);
        MemoryModel memory = unitMemory(2, 2);
        memory.change.values[index(PassKind::F)][1] = 3;
        QVERIFY(check(unitCosts(2), memory, two, { { true, true }, {} })
                    .empty()); // the stage has neither: nothing to say yet
        QCOMPARE(check(unitCosts(2), memory, two, { {}, { true, true } }).size(), std::size_t { 2 });
        const Findings findings = check(unitCosts(2), memory, two, { { true, true }, { true, false } });
        QCOMPARE(findings.size(), std::size_t { 1 });
        QCOMPARE(findings[0].rule, std::string("memory/leak"));
        QCOMPARE(findings[0].message,
            std::string("Stage 1: the memory changes of F, B and W sum to +2, so 2 activations leak per micro-batch, "
                        "16 in all 8."));
    }
};

QTEST_APPLESS_MAIN(MetricsTest)
#include "metrics_test.moc"
