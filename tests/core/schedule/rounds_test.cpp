// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// Rounds of accumulation: one longer step, which holds no more than one round.

#include "core/check/program_check.h"
#include "core/check/schedule_check.h"
#include "core/formats/design_file.h"
#include "core/library/library.h"
#include "core/plan/plan.h"
#include "core/program/lower.h"
#include "core/program/program_memory.h"
#include "core/schedule/rounds.h"
#include "core/simulate/simulator.h"

#include <QTest>

#include <algorithm>

using namespace pipeloom;

namespace {

Design make(const QString& name)
{
    if (name.endsWith(".json"))
        return *loadDesign(PIPELOOM_SOURCE_DIR "/resources/designs/" + name.toStdString()).design;
    LibraryRequest request;
    request.devices = 4;
    request.microBatches = 8;
    return *findInLibrary(name.toStdString())->make(request).design;
}

} // namespace

class RoundsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void roundsAreALongerStep_data()
    {
        QTest::addColumn<QString>("schedule");
        for (const char* name :
            { "gpipe", "1f1b", "v-half", "zb-h2", "chimera.pipeloom.json", "dualpipev.pipeloom.json" })
            QTest::newRow(name) << QString(name);
    }

    void roundsAreALongerStep()
    {
        QFETCH(QString, schedule);
        const Design one = make(schedule);
        const Plan planned = plan(one);
        for (const int rounds : { 1, 2, 5 }) {
            const Pipeline all = inRounds(one.pipeline, rounds);
            QCOMPARE(all.microBatches, one.pipeline.microBatches * rounds);
            QVERIFY(!hasErrors(check(all)));
            const Schedule order = inRounds(planned.schedule, one.pipeline, rounds);
            QVERIFY(!hasErrors(check(order, all, one.costs)));
            const auto program = lower(order, all, one.network, QueueModel::Directed);
            const Findings found = check(*program, all, QueueModel::Directed);
            QVERIFY2(found.empty(), found.empty() ? "" : text(found.front()).c_str());
            const auto timeline = simulate(*program, all, one.costs, one.network, QueueModel::Directed);
            QVERIFY(timeline);
            // The next round may fill what the one before leaves idle at its end, and never takes longer.
            const Ticks makespan = metrics(*timeline, one.memory).makespan();
            QVERIFY(makespan <= rounds * planned.metrics.makespan());
            QVERIFY(rounds > 1 || makespan == planned.metrics.makespan());
            const std::vector<Bytes> high = peaks(*program, all, one.memory, one.network);
            for (std::size_t d = 0; d < high.size(); ++d)
                QCOMPARE(high[d], planned.metrics.devices[d].peak);
        }
    }

    void everyRoundTakesTheRoutesOfTheFirst()
    {
        const Pipeline all = inRounds(make("chimera.pipeloom.json").pipeline, 3);
        for (int j = 0; j < 12; ++j)
            QCOMPARE(all.routeOf(MicroBatch { j }).value, j % 4 / 2);
    }

    void aStageIsReducedOnceBehindItsLastRound()
    {
        const Design one = make("chimera.pipeloom.json");
        const Pipeline all = inRounds(one.pipeline, 3);
        const auto program = lower(inRounds(*one.schedule(), one.pipeline, 3), all, one.network, QueueModel::Directed);
        const auto reductions = std::count_if(program->instructions.begin(), program->instructions.end(),
            [](const Instruction& at) { return at.op == Op::Reduce; });
        QCOMPARE(reductions, 8);
    }

    void impossibleNumbersAreRefused()
    {
        const Pipeline one = pipeline(PlacementKind::Linear, 4, 4, 8);
        QVERIFY(checkRounds(one, 1).empty());
        QVERIFY(checkRounds(one, 500'000).empty());
        for (const std::int64_t rounds :
            { std::int64_t { 0 }, std::int64_t { -1 }, std::int64_t { 500'001 }, std::int64_t { 1 } << 62 })
            QCOMPARE(checkRounds(one, rounds).front().rule, std::string("training/accumulate"));
    }
};

QTEST_APPLESS_MAIN(RoundsTest)
#include "rounds_test.moc"
