// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// The communicators of all ranks: made in one order, warmed up, and ended whatever NCCL does.

#include "core/library/library.h"
#include "core/plan/plan.h"
#include "core/program/lower.h"
#include "executor/gpu/communicators.h"
#include "tests/executor/gpu/fake_gpu_bodies.h"
#include "tests/executor/gpu/memory_store.h"

#include <QTest>

#include <atomic>
#include <thread>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::executor::gpu;
using namespace pipeloom::test;
using namespace std::chrono_literals;

class CommunicatorsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void allRanksMakeThemInTheOrderOfTheChannels_data();
    void allRanksMakeThemInTheOrderOfTheChannels();
    void eachIsUsedTwiceAndTimedBeforeTheFirstPass();
    void aPairSharesOneForBothWays();
    void whoNeverComesIsWaitedForUntilTheLimit();
    void theEndOfTheRunEndsTheWait();
    void aFailureIsNamed();
    void anAbortThatHangsIsLeftBehindAfterTheLimit();
};

namespace {

Program programOf(const char* name, int devices, int microBatches, QueueModel queue)
{
    LibraryRequest request;
    request.devices = devices;
    request.microBatches = microBatches;
    const auto design = *findInLibrary(name)->make(request).design;
    return *lower(plan(design, {}).schedule, design.pipeline, design.network, queue);
}

struct Rank {
    std::shared_ptr<FakeGpu> gpu;
    std::unique_ptr<Communicators> made;
    std::vector<std::string> log;
    std::string error;
};

/// All devices but those in `absent`, each on a thread of its own.
std::vector<Rank> makeAll(
    FakeWorld& world, const Program& program, CommunicatorSettings settings = {}, const std::set<int>& absent = {})
{
    MemoryStore store;
    std::vector<Rank> ranks(static_cast<std::size_t>(program.devices()));
    std::vector<std::thread> threads;
    settings.messageBytes = 64;
    for (std::int32_t d = 0; d < program.devices(); ++d) {
        auto& rank = ranks[static_cast<std::size_t>(d)];
        rank.gpu = world.gpu();
        if (absent.contains(d))
            continue;
        threads.emplace_back([&, d, own = settings]() mutable {
            own.device = DeviceId(d);
            own.log = [&rank](const std::string& line) { rank.log.push_back(line); };
            try {
                rank.made = std::make_unique<Communicators>(rank.gpu, program, store, own);
            } catch (const gpu::Error& error) {
                rank.error = error.what();
            }
        });
    }
    for (auto& thread : threads)
        thread.join();
    return ranks;
}

std::vector<std::string> begun(Rank& rank)
{
    std::vector<std::string> names;
    for (const auto& line : rank.gpu->log())
        if (line.starts_with("begin "))
            names.push_back(line.substr(6, line.find(" rank") - 6));
    return names;
}

} // namespace

void CommunicatorsTest::allRanksMakeThemInTheOrderOfTheChannels_data()
{
    QTest::addColumn<QString>("schedule");
    for (const auto* name : { "1f1b", "interleaved-1f1b", "v-half" })
        QTest::newRow(name) << name;
}

void CommunicatorsTest::allRanksMakeThemInTheOrderOfTheChannels()
{
    QFETCH(QString, schedule);
    const auto program = programOf(schedule.toUtf8().constData(), 4, 8, QueueModel::Directed);
    std::vector<std::string> all;
    for (const auto& channel : program.channels)
        all.push_back(std::to_string(channel.from.value) + "->" + std::to_string(channel.to.value)
            + (channel.data == DataKind::Activation ? " activations" : " gradients"));
    FakeWorld world;
    auto ranks = makeAll(world, program);
    for (std::size_t d = 0; d < ranks.size(); ++d) {
        QCOMPARE(ranks[d].error, std::string());
        std::vector<std::string> own;
        for (std::size_t c = 0; c < all.size(); ++c)
            if (program.channels[c].from.index() == d || program.channels[c].to.index() == d)
                own.push_back(all[c]);
        QVERIFY(begun(ranks[d]) == own);
        QVERIFY(ranks[d].log.back().ends_with("none is made later"));
    }
}

void CommunicatorsTest::eachIsUsedTwiceAndTimedBeforeTheFirstPass()
{
    FakeWorld world;
    world.transferTime = 7us;
    const auto program = programOf("1f1b", 2, 4, QueueModel::Directed);
    auto ranks = makeAll(world, program);
    for (auto& rank : ranks) {
        const auto log = rank.gpu->log();
        const auto uses = [&](const std::string& what) {
            return std::ranges::count_if(log, [&](const std::string& line) { return line.starts_with(what); });
        };
        QCOMPARE(uses("send"), 2);
        QCOMPARE(uses("receive"), 2);
        // All are there before the first is used.
        const auto firstUse = std::ranges::find_if(
            log, [](const std::string& line) { return line.starts_with("send") || line.starts_with("receive"); });
        QVERIFY(std::none_of(firstUse, log.end(), [](const std::string& line) { return line.starts_with("begin"); }));
    }
    QVERIFY(ranks[0].made->of({ DeviceId(1), true, true }).transferTime == 7us);
    QVERIFY_EXCEPTION_THROWN(static_cast<void>(ranks[0].made->of({ DeviceId(1), true, false })), std::logic_error);
}

void CommunicatorsTest::aPairSharesOneForBothWays()
{
    FakeWorld world;
    const auto program = programOf("1f1b", 3, 4, QueueModel::Pair);
    auto ranks = makeAll(world, program);
    QVERIFY(begun(ranks[0]) == std::vector<std::string> { "0<->1" });
    QVERIFY((begun(ranks[1]) == std::vector<std::string> { "0<->1", "1<->2" }));
    const auto& one = ranks[1].made->of({ DeviceId(0), true, false });
    QVERIFY(one.stream == ranks[1].made->of({ DeviceId(0), false, true }).stream);
    QCOMPARE(one.peerRank, 0);
    QCOMPARE(ranks[0].made->of({ DeviceId(1), true, true }).peerRank, 1);
}

void CommunicatorsTest::whoNeverComesIsWaitedForUntilTheLimit()
{
    FakeWorld world;
    CommunicatorSettings settings;
    settings.limit = 50ms;
    auto ranks = makeAll(world, programOf("1f1b", 3, 4, QueueModel::Directed), settings, { 2 });
    QVERIFY2(ranks[1].error.find("Device 1 waited 0.1 s for") != std::string::npos, ranks[1].error.c_str());
    QVERIFY(!ranks[1].made);
    // What was made by then is ended, so that nothing of it stays on the GPU.
    const auto log = ranks[1].gpu->log();
    QCOMPARE(std::ranges::count_if(log, [](const std::string& line) { return line.starts_with("begin"); }),
        std::ranges::count_if(log, [](const std::string& line) { return line.starts_with("abort"); }));
}

void CommunicatorsTest::theEndOfTheRunEndsTheWait()
{
    FakeWorld world;
    std::atomic<int> asked = 0;
    CommunicatorSettings settings;
    settings.ended = [&asked] { return ++asked > 3; };
    auto ranks = makeAll(world, programOf("1f1b", 2, 2, QueueModel::Directed), settings, { 0 });
    QVERIFY2(ranks[1].error.starts_with("The run ended while device 1 waited for"), ranks[1].error.c_str());
}

void CommunicatorsTest::aFailureIsNamed()
{
    FakeWorld world;
    auto ranks = makeAll(world, programOf("1f1b", 2, 2, QueueModel::Directed));
    QVERIFY(!ranks[0].made->failure());
    world.fail("1->0 gradients");
    QCOMPARE(ranks[0].made->failure().value_or(""), std::string("communicator 1->0 gradients: a cable was pulled"));
    QVERIFY_EXCEPTION_THROWN(ranks[0].made->settle(ranks[0].made->of({ DeviceId(1), false, false })), gpu::Error);
}

void CommunicatorsTest::anAbortThatHangsIsLeftBehindAfterTheLimit()
{
    FakeWorld world;
    auto ranks = makeAll(world, programOf("1f1b", 2, 2, QueueModel::Directed));
    world.letAbortsHang(true);
    QVERIFY(!ranks[0].made->abort(20ms));
    world.letAbortsHang(false);
    QVERIFY(ranks[1].made->abort(10s));
    const auto log = ranks[0].gpu->log();
    QCOMPARE(std::ranges::count(log, "abort 0->1 activations"), 1);
    QVERIFY(ranks[0].made->abort(1ms)); // nothing is left
}

QTEST_APPLESS_MAIN(CommunicatorsTest)
#include "communicators_test.moc"
