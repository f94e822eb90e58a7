// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// Ranks as threads of one process: whatever happens to one of them, all end, with one and the same finding.

#include "executor/processes/judge.h"
#include "executor/processes/verdict.h"
#include "tests/executor/processes/fake_rank.h"
#include "tests/executor/processes/memory_store.h"
#include "tests/executor/processes/statuses.h"

#include <QElapsedTimer>
#include <QTest>

#include <algorithm>
#include <memory>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::test;
using namespace std::chrono_literals;

namespace {

constexpr std::int32_t world = 4;

HeartbeatOptions optionsOf(std::int32_t rank, Nanoseconds limit)
{
    HeartbeatOptions options;
    options.rank = rank;
    options.ranks = world;
    options.limit = limit;
    options.storeHost = "node-7";
    return options;
}

JudgeOptions judgeOf(Nanoseconds limit)
{
    JudgeOptions options;
    options.ranks = world;
    options.limit = limit;
    return options;
}

/// Device 1 is in 1F3; those around it wait for it, the last one for all others.
DeviceStatus statusOf(std::int32_t device)
{
    const auto now = Clock::now();
    if (device == 1)
        return inPass(1, forward(1, 3), forward(1, 2), now);
    if (device == 3)
        return doing(3, Doing::Others, now);
    return waitingFor(device, forward(1, 3), 1, forward(device, 3), forward(device, 2), now);
}

using Ranks = std::vector<std::unique_ptr<FakeRank>>;

Ranks ranksOf(Store& store, Nanoseconds limit, std::int32_t without = -1, Nanoseconds grace = {})
{
    Ranks ranks;
    for (std::int32_t rank = 0; rank < world; ++rank) {
        auto options = optionsOf(rank, limit);
        options.grace = grace;
        if (rank != without)
            ranks.push_back(std::make_unique<FakeRank>(store, options, statusOf(rank)));
    }
    return ranks;
}

bool allEnd(const Ranks& ranks)
{
    return comesTrue(
        [&] { return std::all_of(ranks.begin(), ranks.end(), [](const auto& rank) { return rank->hasEnded(); }); });
}

/// All have ended once, with what stands in the store; gives that.
Finding oneForAll(Store& store, const Ranks& ranks)
{
    const auto stands = verdict(store);
    for (const auto& rank : ranks)
        if (!stands || rank->ends() != std::vector { *stands } || rank->heart().verdict() != stands)
            return {};
    return *stands;
}

bool has(const std::string& text, const std::string& part)
{
    if (text.find(part) == std::string::npos)
        qWarning("no `%s` in: %s", part.c_str(), text.c_str());
    return text.find(part) != std::string::npos;
}

} // namespace

class HeartbeatTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void nobodyEndsARunThatGoesOn();
    void aFailureEndsAllRanksAndNamesWhoWaited();
    void ofTwoFailuresOneIsThatOfAll();
    void aFindingOfARankIsThatOfAll();
    void aFailureJustBeforeTheEndIsStillTold();
    void aLostConnectionGivesWayToItsCause();
    void aLostConnectionThatNobodyExplainsIsSaid();
    void aLostConnectionToARankThatIsGoneBlamesThatRank();
    void aSilentRankEndsAllOthers();
    void aSilentLauncherEndsAllRanks();
    void aSilentRankThatJudgesIsNamed();
    void aLostStoreEndsAllRanks();
    void aFailureSaysMoreThanALostStore();
    void stoppingIsPromptAndNobodyMissesWhoHasEnded();
};

void HeartbeatTest::nobodyEndsARunThatGoesOn()
{
    MemoryStore store;
    const Judge judge(store, judgeOf(2s));
    const auto ranks = ranksOf(store, 2s);
    for (int i = 0; i < 50; ++i) { // for longer than the limit
        std::this_thread::sleep_for(50ms);
        ranks[1]->does(inPass(1, forward(1, i), forward(1, i), Clock::now()));
    }
    for (const auto& rank : ranks)
        QVERIFY(!rank->heart().stop());
    QVERIFY(!verdict(store));
    QVERIFY(judge.awaitEnd(20s));
    QVERIFY(!judge.verdict());
}

void HeartbeatTest::aFailureEndsAllRanksAndNamesWhoWaited()
{
    MemoryStore store;
    const Judge judge(store, judgeOf(60s));
    const auto ranks = ranksOf(store, 60s);
    ranks[1]->fails("run/failed", "the tensor is torn");
    QVERIFY(allEnd(ranks));
    const auto finding = oneForAll(store, ranks);
    QCOMPARE(finding.rule, std::string("run/failed"));
    QVERIFY(has(finding.message, "Device 1 failed in 1F3: the tensor is torn (last finished 1F2). device 0 waited "));
    QVERIFY(has(finding.message, "; device 2 waited "));
    QVERIFY(has(finding.message, " for 1F3 from device 1 before 2F3; device 3 waited "));
    QVERIFY(has(finding.message, " for all others at the start."));
    QCOMPARE(finding.remedy, std::string("Mend it."));
    QVERIFY(judge.awaitEnd(20s));
    QVERIFY(judge.verdict() == finding);
}

void HeartbeatTest::ofTwoFailuresOneIsThatOfAll()
{
    for (int round = 0; round < 3; ++round) {
        MemoryStore store;
        const Judge judge(store, judgeOf(60s));
        const auto ranks = ranksOf(store, 60s);
        for (const auto& rank : ranks)
            rank->fails("run/failed", "everything breaks");
        QVERIFY(allEnd(ranks));
        QCOMPARE(oneForAll(store, ranks).rule, std::string("run/failed"));
    }
}

void HeartbeatTest::aFindingOfARankIsThatOfAll()
{
    MemoryStore store;
    const Judge judge(store, judgeOf(60s));
    const auto ranks = ranksOf(store, 60s);
    const Finding full { "checkpoint/write", Severity::Error, {}, "", "The disk is full.", "Make room." };
    ranks[2]->finds(full);
    QVERIFY(allEnd(ranks));
    QVERIFY(oneForAll(store, ranks) == full);
}

void HeartbeatTest::aFailureJustBeforeTheEndIsStillTold()
{
    MemoryStore store;
    const auto ranks = ranksOf(store, 60s);
    ranks[1]->fails("run/failed", "the tensor is torn");
    const auto known = ranks[1]->heart().stop();
    QVERIFY(known);
    QVERIFY(has(known->message, "the tensor is torn"));
    QVERIFY(verdict(store) == known);
    QVERIFY(allEnd(ranks));
    QVERIFY(oneForAll(store, ranks) == *known);
}

void HeartbeatTest::aLostConnectionGivesWayToItsCause()
{
    MemoryStore store;
    Judge judge(store, judgeOf(60s));
    const auto ranks = ranksOf(store, 60s, 1, 10s);
    beatOnce(store, 1, 1, { statusOf(1) });
    for (const auto& rank : ranks)
        rank->fails("run/lost", "the connection to device 1 is lost");
    judge.died(1, "was killed by signal 9 (Killed)");
    QVERIFY(allEnd(ranks));
    const auto finding = oneForAll(store, ranks);
    QCOMPARE(finding.rule, std::string("run/died"));
    QVERIFY(has(finding.message, "Rank 1 (device 1) was killed by signal 9 (Killed); it was last seen in 1F3"));
}

void HeartbeatTest::aLostConnectionThatNobodyExplainsIsSaid()
{
    MemoryStore store;
    const Judge judge(store, judgeOf(60s));
    const auto ranks = ranksOf(store, 60s, -1, 3s); // so that none that is only slow seems gone
    ranks[2]->fails("run/lost", "the connection to device 1 is lost");
    QVERIFY(allEnd(ranks));
    const auto finding = oneForAll(store, ranks);
    QCOMPARE(finding.rule, std::string("run/lost"));
    QVERIFY(has(finding.message, "Device 2 failed in 2F3: the connection to device 1 is lost (last finished 2F2)."));
}

void HeartbeatTest::aLostConnectionToARankThatIsGoneBlamesThatRank()
{
    MemoryStore store;
    const Judge judge(store, judgeOf(60s));
    const auto ranks = ranksOf(store, 60s, 1);
    beatOnce(store, 1, 1, { statusOf(1) });
    for (const auto& rank : ranks)
        rank->fails("run/lost", "a connection is lost");
    QVERIFY(allEnd(ranks));
    const auto finding = oneForAll(store, ranks);
    QCOMPARE(finding.rule, std::string("run/lost"));
    QVERIFY(has(finding.message, "Rank 1 (device 1) has gone: its connections are lost"));
    QVERIFY(has(finding.message, "it was last seen in 1F3 (last finished 1F2)."));
}

void HeartbeatTest::aSilentRankEndsAllOthers()
{
    MemoryStore store;
    const Judge judge(store, judgeOf(1s));
    const auto ranks = ranksOf(store, 1s, 1);
    beatOnce(store, 1, 1, { statusOf(1) });
    QVERIFY(allEnd(ranks));
    const auto finding = oneForAll(store, ranks);
    QCOMPARE(finding.rule, std::string("run/silent"));
    QVERIFY(has(finding.message, "Rank 1 (device 1) has given no sign of life for 1."));
    QVERIFY(
        has(finding.message, " s, the limit is 1.0 s; it was last seen in 1F3 (last finished 1F2). device 0 waited "));
}

void HeartbeatTest::aSilentLauncherEndsAllRanks()
{
    MemoryStore store;
    const auto ranks = ranksOf(store, 500ms);
    QVERIFY(allEnd(ranks));
    const auto finding = oneForAll(store, ranks);
    QCOMPARE(finding.rule, std::string("run/silent"));
    QVERIFY(has(finding.message, "The launcher of the run has given no sign of life for 0."));
    QVERIFY(has(finding.message, " s, the limit is 0.5 s."));
}

void HeartbeatTest::aSilentRankThatJudgesIsNamed()
{
    MemoryStore store;
    beatOnce(store, 1, 1, { statusOf(1) });
    store.set(keys::judge(), "1");
    Ranks ranks;
    for (const std::int32_t rank : { 0, 2, 3 }) {
        auto options = optionsOf(rank, 500ms);
        options.judgeRank = 1;
        ranks.push_back(std::make_unique<FakeRank>(store, options, statusOf(rank)));
    }
    QVERIFY(allEnd(ranks));
    const auto finding = oneForAll(store, ranks);
    QCOMPARE(finding.rule, std::string("run/silent"));
    QVERIFY(has(finding.message, "Rank 1 (device 1) has given no sign of life for 0."));
    QVERIFY(has(finding.message, "it was last seen in 1F3 (last finished 1F2). device 0 waited "));
}

void HeartbeatTest::aLostStoreEndsAllRanks()
{
    MemoryStore store;
    const auto ranks = ranksOf(store, 60s);
    store.lose();
    QVERIFY(allEnd(ranks));
    for (const auto& rank : ranks) {
        const auto ends = rank->ends();
        QCOMPARE(ends.size(), std::size_t { 1 });
        QCOMPARE(ends[0].rule, std::string("run/lost-store"));
        QVERIFY(has(ends[0].message, "The process on node-7 that holds the store of the run does not answer any more"));
    }
}

void HeartbeatTest::aFailureSaysMoreThanALostStore()
{
    for (const bool isSymptom : { false, true }) {
        MemoryStore store;
        std::vector<Finding> ends;
        HeartbeatHooks hooks;
        hooks.statuses = [] { return std::vector { statusOf(1) }; };
        hooks.failure = [&]() -> std::optional<Failure> {
            store.lose();
            return Failure { statusOf(1), isSymptom ? "run/lost" : "run/failed", "the tensor is torn", "" };
        };
        hooks.end = [&ends](const Finding& finding) { ends.push_back(finding); };
        Heartbeat heart(store, optionsOf(1, 60s), hooks);
        const auto known = heart.stop();
        QVERIFY(known);
        QCOMPARE(ends, std::vector { *known });
        // A connection is lost because the machine is, and the store knows which one that is.
        QCOMPARE(known->rule, std::string(isSymptom ? "run/lost-store" : "run/failed"));
        if (!isSymptom)
            QCOMPARE(known->message, std::string("Device 1 failed in 1F3: the tensor is torn (last finished 1F2)."));
    }
}

void HeartbeatTest::stoppingIsPromptAndNobodyMissesWhoHasEnded()
{
    MemoryStore store;
    auto options = optionsOf(0, 600s);
    options.ranks = 1;
    options.period = 1h;
    auto judgeOptions = judgeOf(500ms);
    judgeOptions.ranks = 1;
    const Judge judge(store, judgeOptions);
    QElapsedTimer timer;
    timer.start();
    {
        FakeRank rank(store, options, statusOf(0));
        QVERIFY(!rank.heart().stop());
        QVERIFY(!rank.heart().stop());
        QVERIFY(rank.ends().empty());
    }
    QVERIFY2(timer.elapsed() < 20'000, "not a whole period");
    QVERIFY(judge.awaitEnd(20s));
    std::this_thread::sleep_for(1s); // twice the judge's limit
    QVERIFY(!judge.verdict());
    QVERIFY(!verdict(store));
}

QTEST_APPLESS_MAIN(HeartbeatTest)
#include "heartbeat_test.moc"
