// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// A rehearsal whose passes hold streams: on GPUs that do exactly what they are asked it takes what the simulator says.

#include "core/library/library.h"
#include "core/plan/plan.h"
#include "core/program/lower.h"
#include "core/simulate/simulator.h"
#include "executor/gpu/held.h"
#include "executor/local_run.h"
#include "tests/executor/gpu/fake_gpu_bodies.h"

#include <QTest>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::test;

class HeldTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPassTakesItsTimeAtItsTime_data();
    void everyPassTakesItsTimeAtItsTime();
};

void HeldTest::everyPassTakesItsTimeAtItsTime_data()
{
    QTest::addColumn<QString>("schedule");
    QTest::addColumn<int>("transfer");
    for (const auto* name : { "gpipe", "1f1b", "interleaved-1f1b", "zb-h1", "v-half" }) {
        QTest::addRow("%s", name) << name << 0;
        QTest::addRow("%s with transfers", name) << name << 2;
    }
}

void HeldTest::everyPassTakesItsTimeAtItsTime()
{
    QFETCH(QString, schedule);
    QFETCH(int, transfer);
    LibraryRequest request;
    request.devices = 4;
    request.microBatches = 8;
    auto design = *findInLibrary(schedule.toUtf8().constData())->make(request).design;
    std::ranges::fill(design.network.transfer, Ticks { transfer });
    design.costs.tickUs = 100;
    const auto made = plan(design, {});
    const auto program = *lower(made.schedule, design.pipeline, design.network, QueueModel::Directed);
    const auto simulated = *simulate(program, design.pipeline, design.costs, design.network, QueueModel::Directed);

    const auto world = std::make_shared<FakeWorld>(7);
    const auto gpu = world->gpu();
    const gpu::HeldPlan held { design.pipeline, design.costs, design.network };
    Job job;
    job.program = program;
    job.stages = design.pipeline.stages;
    job.makeWork = [=](DeviceId device) { return std::make_unique<gpu::HeldWork>(gpu, held, device); };
    job.wrapEnd = [=](std::unique_ptr<Transport> end, DeviceId) {
        return std::make_unique<gpu::HeldEnd>(std::move(end), gpu, held);
    };
    const auto ran = runLocally(job, [](const StepReport&) {}, {});
    QVERIFY2(!ran.finding, ran.finding ? text(*ran.finding).c_str() : "");
    for (std::int32_t d = 0; d < 4; ++d) {
        const auto& measured = ran.lastStep[static_cast<std::size_t>(d)].passes;
        const auto expected = simulated.row(DeviceId(d));
        QCOMPARE(measured.size(), expected.size());
        constexpr Ticks nanoseconds = 100'000; // of a tick
        for (std::size_t i = 0; i < measured.size(); ++i) {
            QVERIFY(measured[i].pass == expected[i].pass);
            QCOMPARE(measured[i].start - measured[0].start, (expected[i].start - expected[0].start) * nanoseconds);
            QCOMPARE(measured[i].end - measured[0].start, (expected[i].end - expected[0].start) * nanoseconds);
        }
    }
}

QTEST_APPLESS_MAIN(HeldTest)
#include "held_test.moc"
