// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// What comes before and after a step on a GPU: the rehearsal of a device's list, and the times that are read off its passes.

#include "core/library/library.h"
#include "core/plan/plan.h"
#include "core/program/lower.h"
#include "executor/gpu/rehearsal.h"
#include "executor/gpu/step_times.h"
#include "tests/executor/fake_work.h"

#include <QTest>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::test;
using namespace std::chrono_literals;

class StepsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRehearsalRunsEveryPassOnceAndForgetsTheStep_data();
    void aRehearsalRunsEveryPassOnceAndForgetsTheStep();
    void aRehearsalHoldsNoMoreThanTheStep();
    void busyIsTheTimeInSlots();
    void waitingForAnInputOnItsWayIsTransferring();
    void whileADeviceIsBusyNothingIsWaitedFor();
};

namespace {

/// The fake model, which counts what a rehearsal does.
class CountingWork final : public FakeWork {
public:
    using FakeWork::FakeWork;

    void endSlot() override { ++slots_; }
    Payload receiveBuffer(const Pass& of) override
    {
        auto buffer = FakeWork::receiveBuffer(of);
        buffers_.push_back(buffer.tensor);
        held();
        return buffer;
    }
    Payload run(const Pass& pass, Payload input) override
    {
        passes.push_back(pipeloom::text(pass));
        auto output = FakeWork::run(pass, std::move(input));
        held();
        return output;
    }
    void discardStep() override { discarded = true; }

    std::vector<std::string> passes;
    int slots_ = 0;
    std::size_t mostBuffers = 0; ///< of those received into, alive at one time
    bool discarded = false;

private:
    void held()
    {
        std::erase_if(buffers_, [](const std::weak_ptr<void>& buffer) { return buffer.expired(); });
        mostBuffers = std::max(mostBuffers, buffers_.size());
    }

    std::vector<std::weak_ptr<void>> buffers_;
};

struct Case {
    Design design;
    Program program;
};

Case caseOf(const char* name)
{
    LibraryRequest request;
    request.devices = 4;
    request.microBatches = 8;
    Case made;
    made.design = *findInLibrary(name)->make(request).design;
    made.program
        = *lower(plan(made.design, {}).schedule, made.design.pipeline, made.design.network, QueueModel::Directed);
    return made;
}

TimedPass timed(Ticks start, Ticks end, int stage, PassKind kind, int microBatch, bool joined = false)
{
    return { start, end, { StageId(stage), MicroBatch(microBatch), kind }, joined };
}

TimedTransfer arrived(Ticks start, Ticks end, int stage, PassKind kind, int microBatch)
{
    return { start, end, { StageId(stage), MicroBatch(microBatch), kind }, DeviceId(0), DeviceId(1) };
}

} // namespace

void StepsTest::aRehearsalRunsEveryPassOnceAndForgetsTheStep_data()
{
    QTest::addColumn<QString>("schedule");
    for (const auto* name : { "1f1b", "interleaved-1f1b", "zb-h1", "v-half" })
        QTest::newRow(name) << name;
}

void StepsTest::aRehearsalRunsEveryPassOnceAndForgetsTheStep()
{
    QFETCH(QString, schedule);
    const auto made = caseOf(schedule.toUtf8().constData());
    const auto model = std::make_shared<FakeModel>();
    model->stages = made.design.pipeline.stages;
    for (std::int32_t d = 0; d < 4; ++d) {
        CountingWork work(model, DeviceId(d), made.design.pipeline.stagesOn(DeviceId(d)));
        gpu::rehearse(work, made.program.row(DeviceId(d)), made.design.pipeline.stages);
        std::vector<std::string> expected;
        for (const auto& instruction : made.program.row(DeviceId(d)))
            if (instruction.op == Op::Compute)
                expected.push_back(text(instruction.pass));
        QVERIFY(work.passes == expected);
        QCOMPARE(static_cast<std::size_t>(work.slots_), expected.size());
        QVERIFY(work.discarded);
    }
}

void StepsTest::aRehearsalHoldsNoMoreThanTheStep()
{
    const auto made = caseOf("1f1b");
    const auto model = std::make_shared<FakeModel>();
    model->stages = made.design.pipeline.stages;
    CountingWork work(model, DeviceId(1), made.design.pipeline.stagesOn(DeviceId(1)));
    gpu::rehearse(work, made.program.row(DeviceId(1)), made.design.pipeline.stages);
    std::size_t allowed = 0;
    for (const auto& channel : made.program.channels)
        allowed += channel.to == DeviceId(1) ? static_cast<std::size_t>(channel.buffers) : 0;
    QVERIFY(work.mostBuffers > 0);
    QVERIFY2(work.mostBuffers <= allowed, qPrintable(QString("%1, not %2").arg(work.mostBuffers).arg(allowed)));
}

void StepsTest::busyIsTheTimeInSlots()
{
    StepRecord record;
    record.passes = { timed(10, 30, 0, PassKind::F, 0), timed(40, 60, 0, PassKind::F, 1),
        timed(45, 80, 3, PassKind::B, 0, true), timed(80, 90, 3, PassKind::W, 0) };
    gpu::settleTimes(record, 4);
    QCOMPARE(record.busy, 70ns); // 20, 40 for both of the slot, 10
    QCOMPARE(record.passes[1].end, Ticks { 80 });
    QCOMPARE(record.passes[2].start, Ticks { 40 });
    QCOMPARE(record.transfer, 0ns);
}

void StepsTest::waitingForAnInputOnItsWayIsTransferring()
{
    // Free from 30 on; the input is sent at 40 and there at 55; the pass starts at 60.
    StepRecord record;
    record.passes = { timed(10, 30, 1, PassKind::F, 0), timed(60, 80, 1, PassKind::F, 1) };
    record.transfers = { arrived(0, 10, 0, PassKind::F, 0), arrived(40, 55, 0, PassKind::F, 1) };
    gpu::settleTimes(record, 2);
    QCOMPARE(record.busy, 40ns);
    QCOMPARE(record.transfer, 10ns + 15ns);
}

void StepsTest::whileADeviceIsBusyNothingIsWaitedFor()
{
    // The gradient was on its way while the device still ran what came before.
    StepRecord record;
    record.passes = { timed(0, 50, 0, PassKind::F, 0), timed(50, 60, 0, PassKind::BW, 0) };
    record.transfers = { arrived(10, 45, 1, PassKind::BW, 0) };
    gpu::settleTimes(record, 2);
    QCOMPARE(record.transfer, 0ns);
}

QTEST_APPLESS_MAIN(StepsTest)
#include "steps_test.moc"
