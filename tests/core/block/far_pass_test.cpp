// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// A pass that was dragged, or mistyped, very far from the others of its block.

#include "core/schedule/repeat.h"

#include <QtTest>

using namespace pipeloom;

class FarPassTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aPassAtTheLastTickIsRepeatedAtOnce()
    {
        const Ticks far = maxTicks - 3;
        BuildingBlock block { 3, 1, unitDurations(1), {} };
        block.passes = { { DeviceId { 0 }, { { StageId { 0 }, MicroBatch { 0 }, PassKind::F }, {} }, 0 },
            { DeviceId { 0 }, { { StageId { 0 }, MicroBatch { 0 }, PassKind::BW }, {} }, far } };

        const Timeline raw = repeat(block, pipeline(PlacementKind::Linear, 1, 1, 2));

        QCOMPARE(raw.passes.size(), std::size_t { 4 });
        QCOMPARE(raw.passes[1].start, Ticks { 3 });
        QCOMPARE(raw.passes[2].start, far);
        QCOMPARE(raw.passes[3].start, far + 3);
    }
};

QTEST_APPLESS_MAIN(FarPassTest)

#include "far_pass_test.moc"
