// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/library/library.h"
#include "core/plan/plan.h"
#include "core/simulate/idle_reason.h"

#include <QTest>

using namespace pipeloom;

class IdleReasonTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void startUpNamesTheInputThatIsStillOnItsWay();
    void aBusyProducerIsNamedWithWhatItWasBusyWith();
    void aProducerThatRunsIsNamedWithItsTimes();
    void aTransferThatIsOnItsWayIsNamed();
    void theEndOfTheStepIsNothingLeftToDo();
    void aDrawnGapIsToldFromAWait();
    void aDeviceAtWorkHasNoReason();
    void everyIdleTickOfEverySqueezedScheduleHasACause_data();
    void everyIdleTickOfEverySqueezedScheduleHasACause();

private:
    static Plan planOf(const char* name, std::int32_t devices, std::int32_t microBatches, Ticks transfer = 0)
    {
        LibraryRequest request;
        request.devices = devices;
        request.microBatches = microBatches;
        request.transfer = transfer;
        design = *findInLibrary(name)->make(request).design;
        return plan(design, { Form::Squeezed, std::nullopt });
    }
    static std::string reasonAt(const Plan& made, std::int32_t device, Ticks time)
    {
        const auto reason = idleReason(made.timeline, design.pipeline, DeviceId { device }, time);
        return reason ? text(*reason) : std::string();
    }
    inline static Design design;
};

// 1F1B of 2 devices and 2 micro-batches, F 1, BW 2, by hand:
//   device 0:  0F0 0-1, 0F1 1-2, 0BW0 4-6, 0BW1 7-9
//   device 1:  1F0 1-2, 1BW0 2-4, 1F1 4-5, 1BW1 5-7
void IdleReasonTest::startUpNamesTheInputThatIsStillOnItsWay()
{
    const Plan made = planOf("1f1b", 2, 2);
    QCOMPARE(
        reasonAt(made, 1, 0), std::string("Device 1 waits 1 tick for 0F0 from device 0, which runs it from 0 to 1."));
}

void IdleReasonTest::aBusyProducerIsNamedWithWhatItWasBusyWith()
{
    const Plan made = planOf("1f1b", 2, 2);
    QCOMPARE(
        reasonAt(made, 0, 6), std::string("Device 0 waits 1 tick for 1BW1 from device 1, which runs it from 5 to 7."));
    const auto reason = idleReason(made.timeline, design.pipeline, DeviceId { 0 }, 3);
    QVERIFY(reason.has_value());
    QCOMPARE(reason->start, Ticks { 2 });
    QCOMPARE(reason->end, Ticks { 4 });
    // GPipe of 2 and 2: device 0 has 0F0 0F1, then waits from 2 on; 1BW1 or 1BW0 begins at 3, after 1F1.
    const Plan gpipe = planOf("gpipe", 2, 2);
    const std::string told = reasonAt(gpipe, 0, 2);
    QVERIFY2(told.find("which was busy with 1F1 until 3") != std::string::npos, told.c_str());
}

void IdleReasonTest::aProducerThatRunsIsNamedWithItsTimes()
{
    const Plan made = planOf("1f1b", 2, 2);
    QCOMPARE(
        reasonAt(made, 0, 3), std::string("Device 0 waits 2 ticks for 1BW0 from device 1, which runs it from 2 to 4."));
}

void IdleReasonTest::aTransferThatIsOnItsWayIsNamed()
{
    const Plan made = planOf("1f1b", 2, 2, 5);
    // 0F0 is made at 1 and there at 6; device 1 waits from the start, so for the pass and for its transfer.
    QCOMPARE(reasonAt(made, 1, 3),
        std::string(
            "Device 1 waits 6 ticks for 0F0 from device 0, which runs it from 0 to 1; its transfer takes until 6."));
    // The link carries one transfer at a time: 0F1 leaves at 6 and is there at 11, 1F1 runs to 12 and 1BW1 to 14, its
    // gradient is there at 19. Device 0 has ended 0BW0 at 16.
    QCOMPARE(reasonAt(made, 0, 16),
        std::string(
            "Device 0 waits 3 ticks for the transfer of 1BW1 from device 1, on its way since 14 and there at 19."));
}

void IdleReasonTest::theEndOfTheStepIsNothingLeftToDo()
{
    const Plan made = planOf("1f1b", 2, 2);
    QCOMPARE(reasonAt(made, 1, 8), std::string("Device 1 has nothing left to do after 7; the step ends at 9."));
    QCOMPARE(reasonAt(made, 1, 9), std::string());
}

void IdleReasonTest::aDrawnGapIsToldFromAWait()
{
    LibraryRequest request;
    request.devices = 4;
    request.microBatches = 4;
    design = *findInLibrary("v-half")->make(request).design;
    const Plan made = plan(design, { Form::Raw, std::nullopt });
    const auto reason = idleReason(made.timeline, design.pipeline, DeviceId { 0 }, 1);
    QVERIFY(reason.has_value());
    QCOMPARE(reason->cause, IdleCause::Drawn); // 0F of the next micro-batch waits for nothing
}

void IdleReasonTest::aDeviceAtWorkHasNoReason()
{
    const Plan made = planOf("1f1b", 2, 2);
    QVERIFY(reasonAt(made, 0, 0).empty());
    QVERIFY(reasonAt(made, 1, 4).empty());
    QVERIFY(reasonAt(made, 1, -1).empty());
}

void IdleReasonTest::everyIdleTickOfEverySqueezedScheduleHasACause_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<qlonglong>("transfer");
    for (const LibraryEntry& entry : library())
        for (const qlonglong transfer : { 0, 1, 3 })
            QTest::addRow("%s, transfer %lld", std::string(entry.name).c_str(), transfer)
                << QString::fromStdString(std::string(entry.name)) << transfer;
}

void IdleReasonTest::everyIdleTickOfEverySqueezedScheduleHasACause()
{
    QFETCH(QString, name);
    QFETCH(qlonglong, transfer);
    const Plan made = planOf(name.toStdString().c_str(), 4, 8, transfer);
    QVERIFY(made.simulated());
    for (std::int32_t d = 0; d < 4; ++d) {
        Ticks idle = 0;
        for (Ticks time = made.metrics.firstStart; time < made.metrics.lastEnd; ++time) {
            const auto reason = idleReason(made.timeline, design.pipeline, DeviceId { d }, time);
            idle += reason ? 1 : 0;
            if (!reason)
                continue;
            QVERIFY(reason->cause != IdleCause::Drawn && reason->cause != IdleCause::NoWork);
            QVERIFY(reason->start <= time && time < reason->end);
            if (reason->cause != IdleCause::NothingLeft)
                QCOMPARE(reason->arrival, reason->end);
        }
        QCOMPARE(idle, made.metrics.makespan() - made.metrics.devices[static_cast<std::size_t>(d)].busy);
    }
}

QTEST_APPLESS_MAIN(IdleReasonTest)
#include "idle_reason_test.moc"
