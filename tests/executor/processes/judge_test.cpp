// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// The judge's thread, with ranks that the test moves by hand.

#include "executor/processes/judge.h"
#include "executor/processes/verdict.h"
#include "tests/executor/processes/fake_rank.h"
#include "tests/executor/processes/memory_store.h"
#include "tests/executor/processes/statuses.h"

#include <QTest>

#include <atomic>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::test;
using namespace std::chrono_literals;

namespace {

JudgeOptions two(Nanoseconds limit)
{
    JudgeOptions options;
    options.ranks = 2;
    options.limit = limit;
    return options;
}

DeviceStatus working() { return inPass(0, forward(0, 3), forward(0, 2), Clock::now()); }
DeviceStatus waiting() { return waitingFor(1, forward(0, 3), 0, forward(1, 3), forward(1, 2), Clock::now()); }

} // namespace

class JudgeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itSaysThatItLives();
    void ranksThatNeverComeEndTheRun();
    void aDeathEndsTheRunWithWhatTheRankDidLast();
    void whatTheCallerFoundEndsTheRun();
    void whatEndedTheRunBeforeStands();
    void whatRanksClaimIsToldOnce();
    void whenAllRanksHaveEndedItSaysSo();
    void aLostStoreIsSaid();
};

void JudgeTest::itSaysThatItLives()
{
    MemoryStore store;
    const Judge judge(store, two(500ms));
    QVERIFY(comesTrue([&] { return store.get(keys::judge()).has_value(); }));
    const auto first = store.get(keys::judge());
    QVERIFY(comesTrue([&] { return store.get(keys::judge()) != first; }));
}

void JudgeTest::ranksThatNeverComeEndTheRun()
{
    MemoryStore store;
    const Judge judge(store, two(300ms));
    QVERIFY(judge.awaitEnd(20s));
    QCOMPARE(judge.verdict()->message, std::string("Ranks 0 and 1 of 2 have not come within 0.3 s."));
    QVERIFY(verdict(store) == judge.verdict());
}

void JudgeTest::aDeathEndsTheRunWithWhatTheRankDidLast()
{
    MemoryStore store;
    auto options = two(60s);
    options.lastStatus = [](std::int32_t rank) -> std::optional<DeviceStatus> {
        if (rank == 0)
            return inPass(0, forward(0, 5), forward(0, 4), Clock::now());
        return std::nullopt;
    };
    beatOnce(store, 0, 1, { working() });
    Judge judge(store, options);
    judge.died(0, "was killed by signal 9 (Killed)");
    beatOnce(store, 1, 1, { waiting() });
    QVERIFY(judge.awaitEnd(20s));
    const auto message = judge.verdict()->message;
    QVERIFY2(message.starts_with("Rank 0 (device 0) was killed by signal 9 (Killed); it was last seen in 0F5 (last "
                                 "finished 0F4). device 1 waited "),
        message.c_str());
}

void JudgeTest::whatTheCallerFoundEndsTheRun()
{
    MemoryStore store;
    auto options = two(600s);
    options.period = 1h;
    Judge judge(store, options);
    const Finding stop { "run/interrupted", Severity::Error, {}, "", "Stopped.", "" };
    judge.end(stop);
    judge.end({ "run/later", Severity::Error, {}, "", "Too late.", "" });
    QVERIFY2(judge.awaitEnd(20s), "at once, not after a period");
    QVERIFY(judge.verdict() == stop);
    QVERIFY(verdict(store) == stop);
}

void JudgeTest::whatEndedTheRunBeforeStands()
{
    MemoryStore store;
    const Finding first { "run/nan", Severity::Error, {}, "", "The loss is nan.", "" };
    claimVerdict(store, first);
    Judge judge(store, two(60s));
    judge.died(0, "ended with exit code 3");
    judge.end({ "run/later", Severity::Error, {}, "", "Too late.", "" });
    QVERIFY(judge.awaitEnd(20s));
    QVERIFY(judge.verdict() == first);
    QVERIFY(verdict(store) == first);
    QVERIFY(claimVerdict(store, { "run/later", Severity::Error, {}, "", "Too late.", "" }) == first);
}

void JudgeTest::whatRanksClaimIsToldOnce()
{
    MemoryStore store;
    std::atomic<int> told = 0;
    auto options = two(500ms);
    options.ended = [&told](const Finding& finding) { told += finding.rule == "run/nan" ? 1 : 100; };
    {
        const Judge judge(store, options);
        claimVerdict(store, { "run/nan", Severity::Error, {}, "", "The loss is nan.", "" });
        QVERIFY(comesTrue([&] { return told > 0; }));
        std::this_thread::sleep_for(100ms);
    }
    QCOMPARE(told.load(), 1);
    store.set(keys::end(), "in another tongue");
    QCOMPARE(verdict(store)->rule, std::string("run/failed"));
}

void JudgeTest::whenAllRanksHaveEndedItSaysSo()
{
    MemoryStore store;
    beatOnce(store, 0, 1, { working() }, true);
    beatOnce(store, 1, 1, { waiting() });
    const Judge judge(store, two(60s));
    QVERIFY(!judge.awaitEnd(500ms));
    beatOnce(store, 1, 2, { waiting() }, true);
    QVERIFY(judge.awaitEnd(20s));
    QVERIFY(!judge.verdict());
}

void JudgeTest::aLostStoreIsSaid()
{
    MemoryStore store;
    auto options = two(500ms);
    options.storeHost = "node-7";
    const Judge judge(store, options);
    store.lose();
    QVERIFY(judge.awaitEnd(20s));
    QCOMPARE(judge.verdict()->rule, std::string("run/lost-store"));
}

QTEST_APPLESS_MAIN(JudgeTest)
#include "judge_test.moc"
