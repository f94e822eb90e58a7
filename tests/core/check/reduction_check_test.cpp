// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// Programs written by hand whose devices would train different weights for one stage.

#include "core/check/program_check.h"
#include "core/program/lower.h"
#include "core/schedule/replicas.h"
#include "tests/support/text_rows.h"

#include <QTest>

#include <algorithm>

using namespace pipeloom;
using namespace pipeloom::test;

class ReductionCheckTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        pipeline_ = replicated(pipeline(PlacementKind::Linear, 1, 1, 2), 2);
        const auto lowered = lower(
            scheduleOf({ "0F0 0BW0 0F1 0BW1", "0F2 0BW2 0F3 0BW3" }), pipeline_, freeNetwork(1), QueueModel::Directed);
        rows_.clear();
        for (std::int32_t d = 0; d < 2; ++d)
            rows_.emplace_back(lowered->row(DeviceId { d }).begin(), lowered->row(DeviceId { d }).end());
        QCOMPARE(rows_[1].back().op, Op::Reduce);
    }

    void whatLoweringMakesIsSound() { QVERIFY(found().empty()); }

    void aMissingReductionIsFoundWithItsDeviceAndStage()
    {
        rows_[1].pop_back();
        const Findings findings = found();
        QCOMPARE(findings.size(), std::size_t { 1 });
        QCOMPARE(findings[0].rule, std::string("program/reduction"));
        QVERIFY(findings[0].where.front().device == DeviceId { 1 });
        QCOMPARE(findings[0].message,
            std::string("Devices 1 and 0 hold stage 0, but device 1 reduces its gradients nowhere."));
    }

    void aReductionBeforeTheLastWeightGradientIsFound()
    {
        std::swap(rows_[0][rows_[0].size() - 1], rows_[0][rows_[0].size() - 2]);
        const Findings findings = found();
        QCOMPARE(findings.size(), std::size_t { 1 });
        QCOMPARE(findings[0].message, std::string("Device 0: the gradients of stage 0 are reduced before 0BW1."));
    }

    void aSecondReductionIsFound()
    {
        rows_[0].push_back(rows_[0].back());
        const Findings findings = found();
        QCOMPARE(findings.size(), std::size_t { 1 });
        QVERIFY(findings[0].message.find("2 times") != std::string::npos);
    }

private:
    Findings found() const
    {
        return check(program(rows_, pipeline_, Pairing::ByKind), pipeline_, QueueModel::Directed);
    }

    Pipeline pipeline_;
    std::vector<std::vector<Instruction>> rows_;
};

QTEST_APPLESS_MAIN(ReductionCheckTest)
#include "reduction_check_test.moc"
