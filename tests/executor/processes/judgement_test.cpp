// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// Who is to blame when a run cannot go on, by what ranks have said, and how it is said.

#include "executor/processes/judgement.h"
#include "tests/executor/processes/memory_store.h"
#include "tests/executor/processes/statuses.h"

#include <QTest>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::test;
using namespace std::chrono_literals;

namespace {

const auto now = Clock::time_point { 1000h };
constexpr Nanoseconds limit = 10s;

RankView view(std::int32_t rank, Clock::time_point lastBeat, std::vector<DeviceStatus> statuses)
{
    return { rank, true, false, lastBeat, std::move(statuses) };
}

RankView never(std::int32_t rank, Clock::time_point looking)
{
    RankView view;
    view.rank = rank;
    view.lastBeat = looking;
    return view;
}

RankView ended(RankView view)
{
    view.ended = true;
    for (auto& status : view.statuses)
        status.doing = Doing::Ended;
    return view;
}

DeviceStatus waits(std::int32_t device, std::int32_t from, Clock::time_point since)
{
    return waitingFor(device, forward(from, 3), from, forward(device, 3), forward(device, 2), since);
}

std::string ruleOf(const std::optional<Finding>& finding) { return finding ? finding->rule : "nothing"; }

} // namespace

class JudgementTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunThatGoesOnIsLeftAlone();
    void ranksThatNeverCameAreNamed();
    void aSilentRankIsNamedWithItsPassAndWhoWaits();
    void whatIsKnownBetterThanByTheLastBeatIsSaid();
    void ofSeveralSilentRanksTheOneThatWaitsOnNobodyIsToBlame();
    void aRankThatHasEndedIsNotSilent();
    void aRankThatBeatsButDoesOnePassForTooLongIsStalled();
    void aSilentRanksPassGrowsNoOlder();
    void verifyingHasNoLimit();
    void longWaitsHaveNoLimitWhileSomebodyWorks();
    void whenAllWaitTooLongTheCycleIsNamed();
    void whenAllWaitButOneHasOnlyJustBegunTheyMayGoOn();
    void waitingForARankThatHasEndedIsStalled();
    void aDeadRankIsNamedWithItsLastInstruction();
    void aRankThatDiedBeforeItSaidAnythingIsNamed();
    void aRankThatHasGoneIsNamed();
    void aLostStoreNamesItsHost();
    void manyRanksAreCounted();
    void whoWasStoppedItselfBlamesNobody();
};

void JudgementTest::aRunThatGoesOnIsLeftAlone()
{
    const std::vector ranks { view(0, now - 1s, { waits(0, 1, now - 9s) }),
        view(1, now - 1s, { inPass(1, forward(1, 3), forward(1, 2), now - 9s) }), never(2, now - 9s) };
    QCOMPARE(ruleOf(judge(ranks, now, limit)), std::string("nothing"));
}

void JudgementTest::ranksThatNeverCameAreNamed()
{
    const std::vector ranks { view(0, now, { doing(0, Doing::Others, now - 5s) }), never(1, now - 11s),
        view(2, now, { doing(2, Doing::Others, now - 5s) }), never(3, now - 11s) };
    const auto finding = judge(ranks, now, limit);
    QCOMPARE(ruleOf(finding), std::string("run/missing"));
    QCOMPARE(finding->message, std::string("Ranks 1 and 3 of 4 have not come within 10.0 s."));
    const std::vector one { view(0, now, {}), never(1, now - 11s) };
    QCOMPARE(judge(one, now, limit)->message, std::string("Rank 1 of 2 has not come within 10.0 s."));
}

void JudgementTest::aSilentRankIsNamedWithItsPassAndWhoWaits()
{
    const std::vector ranks { view(0, now, { waits(0, 1, now - 9s) }),
        view(1, now - 11s, { inPass(1, forward(1, 3), forward(1, 2), now - 12s) }),
        view(2, now, { waits(2, 1, now - 8s) }) };
    const auto finding = judge(ranks, now, limit);
    QCOMPARE(ruleOf(finding), std::string("run/silent"));
    QCOMPARE(finding->message,
        std::string(
            "Rank 1 (device 1) has given no sign of life for 11.0 s, the limit is 10.0 s; it was last seen in 1F3 "
            "(last finished 1F2). device 0 waited 9.0 s for 1F3 from device 1 before 0F3; device 2 waited 8.0 s "
            "for 1F3 from device 1 before 2F3."));
    QCOMPARE(finding->where.size(), std::size_t { 1 });
    QCOMPARE(finding->where[0].device, DeviceId { 1 });
    QCOMPARE(finding->where[0].pass, std::string("1F3"));
}

void JudgementTest::whatIsKnownBetterThanByTheLastBeatIsSaid()
{
    const std::vector ranks { view(0, now, { waits(0, 1, now - 9s) }),
        view(1, now - 11s, { doing(1, Doing::Others, now - 12s) }) };
    const auto known = [](std::int32_t rank) -> std::optional<DeviceStatus> {
        if (rank != 1)
            return std::nullopt;
        return inPass(1, forward(1, 3), forward(1, 2), now - 11s);
    };
    QCOMPARE(judge(ranks, now, limit, known)->message,
        std::string(
            "Rank 1 (device 1) has given no sign of life for 11.0 s, the limit is 10.0 s; it was last seen in 1F3 "
            "(last finished 1F2). device 0 waited 9.0 s for 1F3 from device 1 before 0F3."));
}

void JudgementTest::ofSeveralSilentRanksTheOneThatWaitsOnNobodyIsToBlame()
{
    // Rank 2 was heard of last, so it is not over the limit yet; but the others only wait for it.
    const std::vector ranks { view(0, now - 11s, { waits(0, 1, now - 12s) }),
        view(1, now - 11s, { waits(1, 2, now - 12s) }),
        view(2, now - 9s, { inPass(2, forward(2, 3), forward(2, 2), now - 12s) }),
        view(3, now, { waits(3, 2, now - 5s) }) };
    const auto finding = judge(ranks, now, limit);
    QCOMPARE(ruleOf(finding), std::string("run/silent"));
    QVERIFY2(finding->message.starts_with("Rank 2 (device 2) has given no sign of life for 9.0 s"),
        finding->message.c_str());
    QVERIFY2(finding->message.ends_with(" Silent too: ranks 0 and 1."), finding->message.c_str());
}

void JudgementTest::aRankThatHasEndedIsNotSilent()
{
    const std::vector ranks { ended(view(0, now - 60s, { doing(0, Doing::Ended, now - 60s) })),
        view(1, now, { inPass(1, forward(1, 3), forward(1, 2), now - 1s) }) };
    QCOMPARE(ruleOf(judge(ranks, now, limit)), std::string("nothing"));
    const std::vector all { ended(view(0, now - 60s, { doing(0, Doing::Ended, now - 60s) })),
        ended(view(1, now - 60s, { doing(1, Doing::Ended, now - 60s) })) };
    QCOMPARE(ruleOf(judge(all, now, limit)), std::string("nothing"));
}

void JudgementTest::aRankThatBeatsButDoesOnePassForTooLongIsStalled()
{
    const std::vector ranks { view(0, now, { waits(0, 1, now - 11s) }),
        view(1, now, { inPass(1, forward(1, 3), forward(1, 2), now - 12s) }) };
    const auto finding = judge(ranks, now, limit);
    QCOMPARE(ruleOf(finding), std::string("run/stalled"));
    QCOMPARE(finding->message,
        std::string("Device 1 has been in 1F3 for 12.0 s (last finished 1F2), more than the limit of 10.0 s. device 0 "
                    "waited 11.0 s for 1F3 from device 1 before 0F3."));
}

void JudgementTest::aSilentRanksPassGrowsNoOlder()
{
    // Its last beat said that it had been in its pass for 3 s; that it is still there nobody knows.
    const std::vector ranks { view(0, now, { waits(0, 1, now - 11s) }),
        view(1, now - 9s, { inPass(1, forward(1, 3), forward(1, 2), now - 12s) }) };
    QCOMPARE(ruleOf(judge(ranks, now, limit)), std::string("nothing"));
    QCOMPARE(ruleOf(judge(ranks, now + 2s, limit)), std::string("run/silent"));
}

void JudgementTest::verifyingHasNoLimit()
{
    std::vector ranks { view(0, now, { doing(0, Doing::Verifying, now - 500s) }),
        view(1, now, { doing(1, Doing::Others, now - 500s) }) };
    QCOMPARE(ruleOf(judge(ranks, now, limit)), std::string("nothing"));
    ranks[0].lastBeat = now - 11s;
    QCOMPARE(ruleOf(judge(ranks, now, limit)), std::string("run/silent"));
}

void JudgementTest::longWaitsHaveNoLimitWhileSomebodyWorks()
{
    const std::vector ranks { view(0, now, { waits(0, 1, now - 500s) }),
        view(1, now, { inPass(1, forward(1, 3), forward(1, 2), now - 9s) }) };
    QCOMPARE(ruleOf(judge(ranks, now, limit)), std::string("nothing"));
}

void JudgementTest::whenAllWaitTooLongTheCycleIsNamed()
{
    const std::vector ranks { view(0, now, { waits(0, 1, now - 12s) }), view(1, now, { waits(1, 0, now - 11s) }),
        view(2, now, { doing(2, Doing::Others, now - 11s) }) };
    const auto finding = judge(ranks, now, limit);
    QCOMPARE(ruleOf(finding), std::string("run/stalled"));
    QCOMPARE(finding->message,
        std::string(
            "Devices wait for each other: device 0 waited 12.0 s for 1F3 from device 1 before 0F3 (last finished "
            "0F2) -> device 1 waited 11.0 s for 0F3 from device 0 before 1F3 (last finished 1F2), and so round "
            "again."));
}

void JudgementTest::whenAllWaitButOneHasOnlyJustBegunTheyMayGoOn()
{
    std::vector ranks { view(0, now, { waits(0, 1, now - 12s) }), view(1, now, { waits(1, 0, now - 9s) }) };
    QCOMPARE(ruleOf(judge(ranks, now, limit)), std::string("nothing"));
    ranks.push_back(never(2, now - 1s)); // will have work to do
    ranks[1].statuses[0].since = now - 11s;
    QCOMPARE(ruleOf(judge(ranks, now, limit)), std::string("nothing"));
}

void JudgementTest::waitingForARankThatHasEndedIsStalled()
{
    const std::vector ranks { ended(view(0, now - 11s, { doing(0, Doing::Ended, now - 11s) })),
        view(1, now, { waits(1, 0, now - 11s) }) };
    const auto finding = judge(ranks, now, limit);
    QCOMPARE(ruleOf(finding), std::string("run/stalled"));
    QCOMPARE(finding->message,
        std::string(
            "Nobody sends what is waited for: device 1 waited 11.0 s for 0F3 from device 0 before 1F3 (last finished "
            "1F2) -> device 0 has ended (no pass finished)."));
}

void JudgementTest::aDeadRankIsNamedWithItsLastInstruction()
{
    const std::vector ranks { view(0, now, { waits(0, 1, now - 200ms) }),
        view(1, now - 300ms, { inPass(1, forward(1, 3), forward(1, 2), now - 400ms) }),
        view(2, now, { doing(2, Doing::Others, now - 200ms) }) };
    const auto finding = died(ranks, 1, "was killed by signal 9 (Killed)", now);
    QCOMPARE(finding.rule, std::string("run/died"));
    QCOMPARE(finding.message,
        std::string(
            "Rank 1 (device 1) was killed by signal 9 (Killed); it was last seen in 1F3 (last finished 1F2). device "
            "0 waited 0.2 s for 1F3 from device 1 before 0F3; device 2 waited 0.2 s for all others at the start."));
}

void JudgementTest::aRankThatDiedBeforeItSaidAnythingIsNamed()
{
    const std::vector ranks { view(0, now, { doing(0, Doing::Others, now - 1s) }), never(1, now - 1s) };
    const auto finding = died(ranks, 1, "ended with exit code 127", now);
    QCOMPARE(finding.message, std::string("Rank 1 ended with exit code 127; it was last seen when it was started."));
    QVERIFY(finding.where.empty());
}

void JudgementTest::aRankThatHasGoneIsNamed()
{
    const std::vector ranks { view(0, now, { waits(0, 1, now - 1s) }),
        view(1, now - 1s, { inPass(1, forward(1, 3), forward(1, 2), now - 2s) }) };
    const auto finding = goneRank(ranks, 1, now);
    QCOMPARE(finding.rule, std::string("run/lost"));
    QCOMPARE(finding.message,
        std::string(
            "Rank 1 (device 1) has gone: its connections are lost, and it has given no sign of life for 1.0 s; it "
            "was last seen in 1F3 (last finished 1F2). device 0 waited 1.0 s for 1F3 from device 1 before 0F3."));
}

void JudgementTest::aLostStoreNamesItsHost()
{
    QCOMPARE(lostStore("node-7", "connection reset by peer").message,
        std::string("The process on node-7 that holds the store of the run does not answer any more: connection reset "
                    "by peer."));
}

void JudgementTest::manyRanksAreCounted()
{
    std::vector<RankView> ranks;
    for (std::int32_t rank = 0; rank < 20; ++rank)
        ranks.push_back(never(rank, now - 11s));
    QCOMPARE(judge(ranks, now, limit)->message,
        std::string("Ranks 0, 1, 2, 3, 4, 5, 6, 7 and 12 more of 20 have not come within 10.0 s."));
}

void JudgementTest::whoWasStoppedItselfBlamesNobody()
{
    MemoryStore store;
    RankWatch watch(2, now, limit);
    beatOnce(store, 0, 1, { doing(0, Doing::Others, Clock::now()) });
    beatOnce(store, 1, 1, { doing(1, Doing::Others, Clock::now()) });
    watch.look(store, now);
    watch.look(store, now + 600s); // looked away for ten minutes
    QCOMPARE(ruleOf(judge(watch.views(), now + 600s, limit)), std::string("nothing"));
    beatOnce(store, 0, 2, { doing(0, Doing::Others, Clock::now()) });
    watch.look(store, now + 604s);
    watch.look(store, now + 608s);
    watch.look(store, now + 611s);
    const auto finding = judge(watch.views(), now + 611s, limit);
    QCOMPARE(ruleOf(finding), std::string("run/silent"));
    QVERIFY2(finding->message.starts_with("Rank 1"), finding->message.c_str());
}

QTEST_APPLESS_MAIN(JudgementTest)
#include "judgement_test.moc"
