// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// The sentences that say why a run cannot go on, word by word.

#include "tests/executor/processes/statuses.h"

#include <QTest>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::test;
using namespace std::chrono_literals;

namespace {

const auto now = Clock::time_point { 1000h };

DeviceStatus afterPass(DeviceStatus status, const Pass& finished)
{
    status.finished = finished;
    return status;
}

} // namespace

class DeviceStatusTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aStuckDeviceIsNamedWithWhoWaits();
    void whoVerifiesIsNeverTheOneToBlame();
    void devicesThatWaitForEachOtherAreACycle();
    void whatAnEndedDeviceOwesIsNoCycle();
    void allThatWaitForAllOthersAreNoCycle();
    void aFailureNamesWhoWaited();
    void aDeviceOfWhichNothingIsKnownCanFail();
    void lastSeenSaysWhatComesNext_data();
    void lastSeenSaysWhatComesNext();
};

void DeviceStatusTest::aStuckDeviceIsNamedWithWhoWaits()
{
    const std::vector devices { waitingFor(0, backward(1, 1), 1, backward(0, 1), forward(0, 3), now - 9s),
        inPass(1, forward(1, 3), forward(1, 2), now - 10s) };
    const auto finding = stalled(devices, now, 8s);
    QCOMPARE(finding.rule, std::string("run/stalled"));
    QCOMPARE(finding.message,
        std::string("Device 1 has been in 1F3 for 10.0 s (last finished 1F2), more than the limit of 8.0 s. device 0 "
                    "waited 9.0 s for 1B1 from device 1 before 0B1."));
    QCOMPARE(finding.where[0].device, DeviceId { 1 });
    QCOMPARE(finding.where[0].pass, std::string("1F3"));
}

void DeviceStatusTest::whoVerifiesIsNeverTheOneToBlame()
{
    const std::vector devices { doing(0, Doing::Verifying, now - 90s), doing(1, Doing::Saving, now - 10s) };
    QCOMPARE(stalled(devices, now, 8s).message,
        std::string(
            "Device 1 has been in saving or loading its stages for 10.0 s (no pass finished), more than the limit "
            "of 8.0 s."));
}

void DeviceStatusTest::devicesThatWaitForEachOtherAreACycle()
{
    const std::vector devices { waitingFor(0, backward(1, 0), 1, backward(0, 0), forward(0, 0), now - 1s),
        waitingFor(1, forward(0, 1), 0, forward(1, 1), forward(1, 0), now - 2s) };
    QCOMPARE(stalled(devices, now, 8s).message,
        std::string(
            "Devices wait for each other: device 0 waited 1.0 s for 1B0 from device 1 before 0B0 (last finished "
            "0F0) -> device 1 waited 2.0 s for 0F1 from device 0 before 1F1 (last finished 1F0), and so round "
            "again."));
}

void DeviceStatusTest::whatAnEndedDeviceOwesIsNoCycle()
{
    const std::vector devices { afterPass(doing(0, Doing::Ended, now - 3s), forward(0, 0)),
        waitingFor(1, forward(0, 1), 0, forward(1, 1), forward(1, 0), now - 2s) };
    const auto finding = stalled(devices, now, 8s);
    QCOMPARE(finding.message,
        std::string(
            "Nobody sends what is waited for: device 1 waited 2.0 s for 0F1 from device 0 before 1F1 (last finished "
            "1F0) -> device 0 has ended (last finished 0F0)."));
    QVERIFY(finding.remedy.starts_with("Look for what is missing in the list of device 0"));
}

void DeviceStatusTest::allThatWaitForAllOthersAreNoCycle()
{
    const std::vector devices { afterPass(doing(0, Doing::Others, now - 3s), backward(0, 0)),
        doing(1, Doing::Others, now - 2s) };
    QCOMPARE(stalled(devices, now, 8s).message,
        std::string(
            "All devices wait for all others, and nothing comes: device 0 waited 3.0 s for all others at the end of "
            "its list (last finished 0B0)."));
}

void DeviceStatusTest::aFailureNamesWhoWaited()
{
    const std::vector devices { inPass(0, forward(0, 3), forward(0, 2), now - 1s),
        waitingFor(1, forward(0, 3), 0, forward(1, 3), forward(1, 2), now - 500ms) };
    const auto finding = failed(devices, DeviceId { 0 }, "run/failed", "the tensor is torn", "Sew.", now);
    QCOMPARE(finding.message,
        std::string(
            "Device 0 failed in 0F3: the tensor is torn (last finished 0F2). device 1 waited 0.5 s for 0F3 from "
            "device 0 before 1F3."));
}

void DeviceStatusTest::aDeviceOfWhichNothingIsKnownCanFail()
{
    const std::vector devices { doing(0, Doing::Others, now - 1s) };
    QCOMPARE(failed(devices, DeviceId { 5 }, "run/failed", "it broke", "", now).message,
        std::string(
            "Device 5 failed in making its share of the model: it broke (no pass finished). device 0 waited 1.0 s "
            "for all others at the start."));
}

void DeviceStatusTest::lastSeenSaysWhatComesNext_data()
{
    QTest::addColumn<DeviceStatus>("status");
    QTest::addColumn<QString>("text");
    auto between = inPass(1, forward(1, 3), forward(1, 2), now);
    QTest::newRow("pass") << between << "in 1F3";
    between.doing = Doing::Between;
    QTest::newRow("next pass is known") << between << "before 1F3";
    between.finished = between.pass;
    QTest::newRow("next pass is not known") << between << "between two passes";
    QTest::newRow("input") << waitingFor(1, forward(0, 3), 0, forward(1, 3), forward(1, 2), now)
                           << "waiting for 0F3 from device 0 before 1F3";
    QTest::newRow("others") << doing(1, Doing::Others, now) << "waiting for all others at the start";
    QTest::newRow("optimizer") << doing(1, Doing::Optimizer, now) << "in the optimizer's step";
    QTest::newRow("saving") << doing(1, Doing::Saving, now) << "saving or loading its stages";
    QTest::newRow("starting") << doing(1, Doing::Starting, now) << "making its share of the model";
}

void DeviceStatusTest::lastSeenSaysWhatComesNext()
{
    QFETCH(const DeviceStatus, status);
    QFETCH(const QString, text);
    QCOMPARE(QString::fromStdString(lastSeenText(status)), text);
}

QTEST_APPLESS_MAIN(DeviceStatusTest)
#include "device_status_test.moc"
