// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// Ranks that do not mean the same run find out before they send each other anything.

#include "executor/processes/start_check.h"
#include "executor/processes/verdict.h"
#include "tests/executor/processes/memory_store.h"

#include <QTest>

#include <thread>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::test;
using namespace std::chrono_literals;

namespace {

Hello helloOf(std::int32_t rank, std::int32_t world)
{
    return { "7a31", "0.5.0", "node-" + std::to_string(rank), 100 + rank, world, DeviceId { rank }, 10'240 };
}

std::vector<Hello> hellos(std::int32_t world)
{
    std::vector<Hello> all;
    for (std::int32_t rank = 0; rank < world; ++rank)
        all.push_back(helloOf(rank, world));
    return all;
}

StartCheckOptions optionsOf(std::int32_t rank, std::int32_t devices, Nanoseconds limit)
{
    StartCheckOptions options;
    options.rank = rank;
    options.devices = devices;
    options.limit = limit;
    return options;
}

/// All of them at once, each on a thread of its own.
std::vector<StartCheck> meet(Store& store, const std::vector<Hello>& who, Nanoseconds limit)
{
    std::vector<StartCheck> results(who.size());
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < who.size(); ++i)
            threads.emplace_back([&, i] {
                results[i] = checkStart(store, who[i],
                    optionsOf(static_cast<std::int32_t>(i), static_cast<std::int32_t>(who.size()), limit));
            });
    }
    return results;
}

} // namespace

class StartCheckTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ranksOfOneRunMeet();
    void anotherDesignIsFoundByAll();
    void anotherDesignIsThatOfTheFewer_data();
    void anotherDesignIsThatOfTheFewer();
    void anotherVersionIsSaidBeforeAnotherDesign();
    void case34OtherLengthsAreRefusedBeforeTheFirstMessage();
    void ranksThatWereToldOfAnotherWorldAreNamed();
    void theWrongNumberOfRanksIsSaidAtOnce();
    void replicasNeedAsManyRanksEach();
    void ranksThatDoNotComeAreNamed();
    void aRankThatComesTwiceIsNamed();
    void aRankThatCannotBeReadIsOfAnotherVersion();
    void whatEndsTheRunMeanwhileEndsTheWait();
};

void StartCheckTest::ranksOfOneRunMeet()
{
    MemoryStore store;
    const auto who = hellos(4);
    for (const auto& result : meet(store, who, 20s)) {
        QVERIFY(!result.finding);
        QCOMPARE(result.ranks, who);
    }
    QVERIFY(!verdict(store));
}

void StartCheckTest::anotherDesignIsFoundByAll()
{
    MemoryStore store;
    auto who = hellos(4);
    who[2].digest = "9fe0";
    for (const auto& result : meet(store, who, 20s)) {
        QVERIFY(result.finding);
        QCOMPARE(result.finding->rule, std::string("run/digest"));
        QCOMPARE(result.finding->message,
            std::string("Rank 2 (on node-2) has another design, model or program than ranks 0, 1 and 3 (digest 9fe0 "
                        "against 7a31)."));
        QCOMPARE(result.finding->where.size(), std::size_t { 1 });
        QCOMPARE(result.finding->where[0].device, DeviceId { 2 });
        QVERIFY(result.ranks.empty());
        QVERIFY(verdict(store) == result.finding);
    }
}

void StartCheckTest::anotherDesignIsThatOfTheFewer_data()
{
    QTest::addColumn<QByteArray>("digests"); // a letter for each rank
    QTest::addColumn<QString>("message");
    QTest::newRow("rank 0 alone")
        << QByteArray("babb")
        << "Rank 1 (on node-1) has another design, model or program than ranks 0, 2 and 3 (digest a "
           "against b).";
    QTest::newRow("in doubt rank 0 is right")
        << QByteArray("abab")
        << "Ranks 1 and 3 have another design, model or program than ranks 0 and 2 "
           "(digest b against a).";
    QTest::newRow("most, not the first")
        << QByteArray("abbb")
        << "Rank 0 (on node-0) has another design, model or program than ranks 1, 2 and 3 "
           "(digest a against b).";
    QTest::newRow("all differ") << QByteArray(
        "abcd") << "Ranks 1, 2 and 3 have another design, model or program than rank 0 (digest b against a).";
}

void StartCheckTest::anotherDesignIsThatOfTheFewer()
{
    QFETCH(const QByteArray, digests);
    QFETCH(const QString, message);
    auto who = hellos(4);
    for (std::size_t i = 0; i < who.size(); ++i)
        who[i].digest = std::string(1, digests.at(static_cast<qsizetype>(i)));
    QCOMPARE(QString::fromStdString(checkHellos(who).value().message), message);
}

void StartCheckTest::anotherVersionIsSaidBeforeAnotherDesign()
{
    auto who = hellos(3);
    who[1].version = "0.4.0";
    who[1].digest = "9fe0";
    const auto finding = checkHellos(who);
    QVERIFY(finding);
    QCOMPARE(finding->rule, std::string("run/version"));
    QCOMPARE(finding->message, std::string("Rank 1 (on node-1) runs Pipeloom 0.4.0, ranks 0 and 2 0.5.0."));
}

// A design has one length and one size for all its micro-batches. Only ranks that were given different designs can differ.
void StartCheckTest::case34OtherLengthsAreRefusedBeforeTheFirstMessage()
{
    MemoryStore store;
    auto who = hellos(3);
    who[1].digest = "9fe0"; // the length is a part of it
    who[1].messageBytes = 12'288;
    for (const auto& result : meet(store, who, 20s)) {
        QVERIFY(result.finding);
        QCOMPARE(result.finding->rule, std::string("run/sizes"));
        QCOMPARE(result.finding->message,
            std::string("Rank 1 (on node-1) has messages of 12288 bytes from stage to stage, ranks 0 and 2 of 10240 "
                        "bytes."));
        QCOMPARE(result.finding->where.size(), std::size_t { 1 });
        QCOMPARE(result.finding->where[0].device, DeviceId { 1 });
        QVERIFY(result.ranks.empty());
    }
}

void StartCheckTest::ranksThatWereToldOfAnotherWorldAreNamed()
{
    auto who = hellos(3);
    who[2].world = 5;
    const auto finding = checkHellos(who);
    QVERIFY(finding);
    QCOMPARE(finding->rule, std::string("run/world"));
    QCOMPARE(
        finding->message, std::string("Rank 2 (on node-2) was told of a run of 5 ranks, ranks 0 and 1 of one of 3."));
}

void StartCheckTest::theWrongNumberOfRanksIsSaidAtOnce()
{
    MemoryStore store;
    const auto result = checkStart(store, helloOf(0, 3), optionsOf(0, 4, 3600s)); // nobody else ever comes
    QVERIFY(result.finding);
    QCOMPARE(result.finding->rule, std::string("run/world"));
    QCOMPARE(
        result.finding->message, std::string("The run has 3 ranks, but the design needs 4 (4 devices x 1 replica)."));
    QCOMPARE(result.finding->remedy,
        std::string(
            "Start 4 of them (--ranks 4, or as many under torchrun, Slurm or MPI), or take a design for 3 devices."));
    QVERIFY(verdict(store) == result.finding);
}

void StartCheckTest::replicasNeedAsManyRanksEach()
{
    QVERIFY(!checkWorld(8, 4, 2));
    QCOMPARE(checkWorld(4, 4, 2).value().message,
        std::string("The run has 4 ranks, but the design needs 8 (4 devices x 2 replicas)."));
}

void StartCheckTest::ranksThatDoNotComeAreNamed()
{
    MemoryStore store;
    static_cast<void>(store.claim(keys::hello(2), toWire(helloOf(2, 4))));
    const auto result = checkStart(store, helloOf(0, 4), optionsOf(0, 4, 300ms));
    QVERIFY(result.finding);
    QCOMPARE(result.finding->rule, std::string("run/missing"));
    QCOMPARE(result.finding->message, std::string("Ranks 1 and 3 of 4 have not come within 0.3 s."));
}

void StartCheckTest::aRankThatComesTwiceIsNamed()
{
    MemoryStore store;
    auto other = helloOf(0, 2);
    other.pid = 77;
    static_cast<void>(store.claim(keys::hello(0), toWire(other)));
    const auto result = checkStart(store, helloOf(0, 2), optionsOf(0, 2, 3600s));
    QVERIFY(result.finding);
    QCOMPARE(result.finding->rule, std::string("run/rank-twice"));
    QCOMPARE(result.finding->message,
        std::string("Rank 0 has come twice: process 100 on node-0, and process 77 on node-0."));
}

void StartCheckTest::aRankThatCannotBeReadIsOfAnotherVersion()
{
    MemoryStore store;
    static_cast<void>(store.claim(keys::hello(1), "good morning"));
    const auto result = checkStart(store, helloOf(0, 2), optionsOf(0, 2, 3600s));
    QVERIFY(result.finding);
    QCOMPARE(result.finding->rule, std::string("run/version"));
    QCOMPARE(result.finding->message, std::string("Rank 1 says who it is in words that this version cannot read."));
}

void StartCheckTest::whatEndsTheRunMeanwhileEndsTheWait()
{
    MemoryStore store;
    const Finding other { "run/failed", Severity::Error, {}, "", "It broke.", "" };
    auto options = optionsOf(0, 2, 3600s);
    int asked = 0;
    options.ended = [&]() -> std::optional<Finding> {
        if (++asked < 3)
            return std::nullopt;
        return other;
    };
    const auto result = checkStart(store, helloOf(0, 2), options);
    QVERIFY(result.finding == other);
}

QTEST_APPLESS_MAIN(StartCheckTest)
#include "start_check_test.moc"
