// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/events/stall_watch.h"

#include <QTest>

using namespace pipeloom;
using namespace pipeloom::executor;

namespace {

DeviceStatus inPass(std::int32_t device, const Pass& pass, Clock::time_point since)
{
    DeviceStatus status;
    status.device = DeviceId { device };
    status.doing = Doing::Pass;
    status.pass = pass;
    status.since = since;
    return status;
}

DeviceStatus waitingFor(std::int32_t device, std::int32_t from, Clock::time_point since)
{
    DeviceStatus status;
    status.device = DeviceId { device };
    status.doing = Doing::Input;
    status.from = DeviceId { from };
    status.since = since;
    return status;
}

const Pass pass { StageId { 3 }, MicroBatch { 5 }, PassKind::B };

} // namespace

class StallWatchTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whoHoldsUpOthersIsToldOnceWithAllThatWait();
    void slowButAloneOrQuickOrVerifyingIsNoStall();
};

void StallWatchTest::whoHoldsUpOthersIsToldOnceWithAllThatWait()
{
    StallWatch watch;
    const auto start = Clock::now();
    std::vector<DeviceStatus> devices { waitingFor(0, 1, start), waitingFor(1, 2, start), inPass(2, pass, start) };
    QVERIFY(watch.look(devices, start + std::chrono::milliseconds(900)).empty());
    const auto now = start + std::chrono::milliseconds(1200);
    const auto stalls = watch.look(devices, now);
    QCOMPARE(stalls.size(), std::size_t { 1 });
    QCOMPARE(QString::fromStdString(text(stalls[0], now)),
        QString("device 2 has not finished 3B5 for 1.2 s; devices 1 and 0 wait"));
    QVERIFY(watch.look(devices, now + std::chrono::seconds(5)).empty());
    // Another pass of the same device is another stall.
    devices[2] = inPass(2, pass, now);
    QCOMPARE(watch.look(devices, now + std::chrono::seconds(2)).size(), std::size_t { 1 });
}

void StallWatchTest::slowButAloneOrQuickOrVerifyingIsNoStall()
{
    StallWatch watch;
    const auto start = Clock::now();
    const auto late = start + std::chrono::seconds(10);
    QVERIFY(watch.look(std::vector { inPass(0, pass, start), inPass(1, pass, start) }, late).empty());
    QVERIFY(watch.look(std::vector { inPass(0, pass, late), waitingFor(1, 0, start) }, late).empty());
    auto verifying = inPass(0, pass, start);
    verifying.doing = Doing::Verifying;
    QVERIFY(watch.look(std::vector { verifying, waitingFor(1, 0, start) }, late).empty());
    // Waiting for a device that waits itself is not its fault.
    QVERIFY(watch.look(std::vector { waitingFor(0, 1, start), waitingFor(1, 0, start) }, late).empty());
}

QTEST_APPLESS_MAIN(StallWatchTest)
#include "stall_watch_test.moc"
