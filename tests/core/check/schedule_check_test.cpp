// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/check/memory_check.h"
#include "core/check/program_check.h"
#include "core/check/schedule_check.h"
#include "tests/support/text_rows.h"

#include <QtTest>

#include <algorithm>

using namespace pipeloom;
using namespace pipeloom::test;

namespace {

Pipeline linear(std::int32_t p, std::int32_t m) { return pipeline(PlacementKind::Linear, p, p, m); }

Findings checkRows(const std::vector<std::string>& rows, const Pipeline& pipeline)
{
    return check(scheduleOf(rows), pipeline, unitCosts(pipeline.stages));
}

} // namespace

class ScheduleCheckTest : public QObject {
    Q_OBJECT

    static void only(const Findings& findings, const char* rule, const char* message, const char* remedy = nullptr)
    {
        QVERIFY2(findings.size() == 1, findings.empty() ? "nothing was found" : text(findings.back()).c_str());
        QCOMPARE(findings[0].rule, std::string(rule));
        QCOMPARE(findings[0].message, std::string(message));
        if (remedy)
            QCOMPARE(findings[0].remedy, std::string(remedy));
        QVERIFY(!findings[0].where.empty());
    }

private Q_SLOTS:
    void aWholeScheduleHasNoFindings()
    {
        QVERIFY(checkRows({ "0F0 0F1 0BW0 0BW1", "1F0 1BW0 1F1 1B1 1W1" }, linear(2, 2)).empty());
    }

    void missingPassesAreCounted()
    {
        const Findings findings = checkRows({ "0F0 0F1 0F2 0BW0", "1F0 1BW0 1F1 1BW1 1F2 1BW2" }, linear(2, 3));
        QCOMPARE(findings.size(), std::size_t { 2 }); // neither B nor W
        QCOMPARE(findings[0].rule, std::string("schedule/missing"));
        QCOMPARE(findings[0].message, std::string("Stage 0 has no B for micro-batch 1, and 1 more like it."));
        QCOMPARE(findings[0].remedy, std::string("Put 0B1 on device 0."));
        QCOMPARE(findings[1].message, std::string("Stage 0 has no W for micro-batch 1, and 1 more like it."));
    }

    void aDoubledPassIsNamed()
    {
        only(checkRows({ "0F0 0BW0 0BW0" }, linear(1, 1)), "schedule/doubled", "0BW0 is there 2 times.",
            "Leave one of them.");
    }

    void fusedAndSplitBackwardsOfOneMicroBatchDoNotMix()
    {
        only(checkRows({ "0F0 0BW0 0W0" }, linear(1, 1)), "schedule/mixed",
            "Stage 0 has a BW for micro-batch 0 and 0W0 besides.");
    }

    void aMissingWNamesStageAndMicroBatch()
    {
        only(checkRows({ "0F0 0B0" }, linear(1, 1)), "schedule/missing", "Stage 0 has no W for micro-batch 0.",
            "Put 0W0 on device 0.");
    }

    void aStageOnTheWrongDeviceIsToldOnce()
    {
        const Findings findings = checkRows({ "1F0 1F1 1BW0 1BW1", "0F0 0F1 0BW0 0BW1" }, linear(2, 2));
        QCOMPARE(findings.size(), std::size_t { 2 });
        QCOMPARE(findings[0].message, std::string("Device 0 runs 1F0, but stage 1 is placed on device 1."));
    }

    void passesOfStagesThatAreNotThere()
    {
        only(checkRows({ "0F0 7F0" }, linear(1, 1)), "schedule/unknown",
            "Device 0: 7F0 names a stage or a micro-batch that is not there; there are 1 stages and 1 micro-batches.");
    }

    void rowsMustBeAsManyAsDevices()
    {
        only(checkRows({ "0F0 0BW0" }, linear(2, 1)), "schedule/rows", "The schedule has 1 rows for 2 devices.");
    }

    void aPassBeforeItsOwnInputOnOneDevice()
    {
        only(checkRows({ "0BW0 0F0" }, linear(1, 1)), "schedule/order",
            "Device 0: 0BW0 (slot 0) stands before its input 0F0 (slot 1).", "Move 0BW0 behind 0F0.");
    }

    void aPairOfAPassAndItsInputCannotBe()
    {
        only(checkRows({ "(0F0+0BW0)" }, linear(1, 1)), "schedule/order",
            "Device 0: 0BW0 and its input 0F0 are one pair, and run at the same time.");
    }

    void pairsAreForwardAndBackward()
    {
        only(checkRows({ "0F0 0F1 (0BW0+0F2) 0BW1 0BW2" }, linear(1, 3)), "schedule/pair",
            "Device 0: (0BW0+0F2) is no pair that can overlap.");
    }

    void devicesThatWaitForEachOtherAreACycleInOrder()
    {
        const Findings findings = checkRows({ "0F0 0BW0 0F1 0BW1", "1F1 1BW1 1F0 1BW0" }, linear(2, 2));
        only(findings, "schedule/deadlock",
            "2 devices wait for each other: device 0 at 0BW0 waits for 1BW0, which stands on device 1 behind 1F1; "
            "device 1 at 1F1 "
            "waits for 0F1, which stands on device 0 behind 0BW0.",
            "Move 1BW0 up on device 1, or 0BW0 down on device 0.");
        QCOMPARE(findings[0].where.size(), std::size_t { 2 });
        QCOMPARE(findings[0].where[0].device.value(), DeviceId { 0 });
        QCOMPARE(findings[0].where[0].slot.value(), 1);
        QCOMPARE(findings[0].where[1].pass, std::string("1F1"));
        QVERIFY(findings[0].queue.empty());
    }

    void onlyTheCycleIsPrintedNotThoseWhoWaitForIt()
    {
        const Findings findings
            = checkRows({ "0F0 0F1 0BW0 0BW1", "1F0 1F1 1BW1 1BW0", "2F0 2BW0 2F1 2BW1" }, linear(3, 2));
        QVERIFY(findings.empty() || findings[0].where.size() <= 3);
        const Findings four = checkRows(
            { "0F0 0BW0 0F1 0BW1", "1F0 1BW0 1F1 1BW1", "2F0 2BW0 2F1 2BW1 ", "3F1 3BW1 3F0 3BW0" }, linear(4, 2));
        QCOMPARE(four.size(), std::size_t { 1 });
        QVERIFY(four[0].message.find("device 3 at 3F1") != std::string::npos);
    }

    void aSendWithoutAReceiveIsNamed()
    {
        const Pipeline two = linear(2, 1);
        const Instruction compute { Op::Compute, false, passOf("0F0"), DeviceId {}, -1 };
        const Instruction send { Op::Send, false, passOf("0F0"), DeviceId { 1 }, -1 };
        const Findings findings
            = check(program({ { compute, send }, {} }, two, Pairing::ByKind), two, QueueModel::Directed);
        only(findings, "program/unmatched", "Device 0: `send 0F0 to 1` finds no receive on device 1.");
        QCOMPARE(findings[0].queue, std::string("directed"));
    }

    void crossedMessagesAreNamedByPosition()
    {
        const Pipeline two = linear(2, 2);
        const auto compute = [](const char* pass) {
            return Instruction { Op::Compute, false, passOf(pass), DeviceId {}, -1 };
        };
        const auto send = [](const char* pass) {
            return Instruction { Op::Send, false, passOf(pass), DeviceId { 1 }, -1 };
        };
        const auto receive = [](const char* pass) {
            return Instruction { Op::Receive, false, passOf(pass), DeviceId { 0 }, -1 };
        };
        const Findings findings = check(program({ { compute("0F0"), send("0F0"), compute("0F1"), send("0F1") },
                                                    { receive("0F1"), receive("0F0") } },
                                            two, Pairing::ByKind),
            two, QueueModel::Directed);
        QCOMPARE(findings.size(), std::size_t { 2 });
        QCOMPARE(findings[0].rule, std::string("program/pairing"));
        QCOMPARE(findings[0].message,
            std::string("Message 0 from device 0 to device 1 is sent as 0F0 and received as 0F1."));
    }

    void aPassWhoseInputNeverComesIsNamed()
    {
        const Pipeline two = linear(2, 1);
        const Instruction compute { Op::Compute, false, passOf("1F0"), DeviceId {}, -1 };
        only(check(program({ {}, { compute } }, two, Pairing::ByKind), two, QueueModel::Directed), "program/input",
            "Device 1: 1F0 needs 0F0, which is neither received nor made before it there.");
    }

    void memoryIsWrittenSoThatAPersonReadsIt()
    {
        QCOMPARE(memoryText(1, MemoryUnit::Activation), std::string("1 activation"));
        QCOMPARE(memoryText(3, MemoryUnit::Activation), std::string("3 activations"));
        QCOMPARE(memoryText(999, MemoryUnit::Byte), std::string("999 bytes"));
        QCOMPARE(memoryText(2'176'000'000, MemoryUnit::Byte), std::string("2.18 GB (2176000000 bytes)"));
    }
};

QTEST_APPLESS_MAIN(ScheduleCheckTest)
#include "schedule_check_test.moc"
