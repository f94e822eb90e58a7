// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// Transport `nccl` under the real rank loop, on GPUs that serve their streams in any order that events and peers allow.

#include "core/library/library.h"
#include "core/plan/plan.h"
#include "core/program/lower.h"
#include "executor/gpu/nccl_end.h"
#include "executor/message_kind.h"
#include "executor/rank_loop.h"
#include "tests/executor/gpu/fake_gpu_bodies.h"
#include "tests/executor/gpu/memory_store.h"
#include "tests/executor/gpu/number_work.h"

#include <QTest>

#include <barrier>
#include <cmath>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::executor::gpu;
using namespace pipeloom::test;
using namespace std::chrono_literals;

class NcclEndTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyScheduleGivesTheGradientsOfTheUnpipelinedModel_data();
    void everyScheduleGivesTheGradientsOfTheUnpipelinedModel();
    void case20FiftyColdStartsOfInterleaved();
    void nothingIsMadeOrAllocatedAfterPreparing();
    void passTimesAreThoseOfTheGpu();
    void transfersLieBetweenTheirPasses();
    void aFailureOfNcclEndsTheRunAndIsNamed();
    void aSentResultIsKeptUntilItHasLeft();
    void weightGradientsGoByTheHost();
};

namespace {

/// What goes between hosts: each is alone here, and the test looks at the sums itself.
class Alone final : public Transport {
public:
    void prepare(DeviceWork&) override { }
    void send(DeviceId, const Pass&, Payload) override { throw std::logic_error("not by the host"); }
    void receive(DeviceId, const Pass&) override { throw std::logic_error("not by the host"); }
    std::vector<Arrival> arrived() override { return {}; }
    std::vector<Arrival> awaitArrival(const DeviceStatus&) override { return {}; }
    std::optional<Gathered> gather(Contribution own) override
    {
        return Gathered { own.sums, own.stop, false, Clock::now() };
    }
    void contribute(Contribution) override { }
    std::optional<Gathered> gathered() override { return {}; }
    std::optional<Gathered> awaitGathered() override { return {}; }
    bool restart() override { return false; }
};

/// Writes down what it is to send, and has received what it was told to.
class Postman final : public Transport {
public:
    explicit Postman(std::vector<std::string>& log)
        : log_(log)
    {
    }

    void prepare(DeviceWork&) override { }
    void send(DeviceId to, const Pass& of, Payload) override
    {
        log_.push_back("send " + messageText(of) + " to " + std::to_string(to.value));
    }
    void receive(DeviceId from, const Pass& of) override { arrivals_.push_back({ of, from, {}, {}, {} }); }
    std::vector<Arrival> arrived() override { return std::exchange(arrivals_, {}); }
    std::vector<Arrival> awaitArrival(const DeviceStatus&) override { return arrived(); }
    std::optional<Gathered> gather(Contribution) override { return {}; }
    void contribute(Contribution) override { }
    std::optional<Gathered> gathered() override { return {}; }
    std::optional<Gathered> awaitGathered() override { return {}; }
    bool restart() override { return false; }

private:
    std::vector<std::string>& log_;
    std::vector<Arrival> arrivals_;
};

struct Run {
    Design design;
    Program program;
};

Run runOf(const char* name, int devices, int microBatches, QueueModel queue)
{
    LibraryRequest request;
    request.devices = devices;
    request.microBatches = microBatches;
    Run run;
    run.design = *findInLibrary(name)->make(request).design;
    run.program = *lower(plan(run.design, {}).schedule, run.design.pipeline, run.design.network, queue);
    return run;
}

struct Rank {
    std::shared_ptr<FakeGpu> gpu;
    std::shared_ptr<Board> board;
    std::vector<StepRecord> steps;
    std::vector<StageSums> sums;
    std::vector<std::string> asked; ///< of the GPU, after preparing
    int discarded = 0;
    bool ok = false;
};

/// All devices as ranks of their own, each on a thread with a board of its own. `prepared` is called by each before the first
/// step.
std::vector<Rank> runAll(FakeWorld& world, const Run& run, int steps = 1, std::function<void()> prepared = {})
{
    MemoryStore store;
    const auto devices = run.program.devices();
    std::vector<Rank> ranks(static_cast<std::size_t>(devices));
    std::barrier everyone(devices);
    std::vector<std::thread> threads;
    for (std::int32_t d = 0; d < devices; ++d)
        threads.emplace_back([&, d] {
            auto& rank = ranks[static_cast<std::size_t>(d)];
            rank.gpu = world.gpu();
            rank.board = std::make_shared<Board>(devices, 20s, DeviceId(d), nullptr);
            NumberWork work(rank.gpu, run.design.pipeline.stages, run.design.pipeline.stagesOn(DeviceId(d)));
            NcclSettings settings;
            settings.device = DeviceId(d);
            settings.stages = run.design.pipeline.stages;
            settings.messageBytes = sizeof(double);
            NcclEnd end(rank.gpu, run.program, store, rank.board, std::make_unique<Alone>(), settings);
            end.prepare(work);
            rank.discarded = work.discarded;
            rank.gpu->clearLog();
            everyone.arrive_and_wait();
            if (prepared)
                prepared();
            RankLoop loop(run.program, run.design.pipeline.stages, DeviceId(d), work, end, *rank.board);
            rank.ok = true;
            for (int step = 0; step < steps && rank.ok; ++step) {
                work.beginStep(step);
                rank.ok = loop.runOnce(Clock::now());
                rank.steps.push_back(loop.takeRecord());
                rank.sums = work.sums();
                static_cast<void>(end.gather({ rank.sums }));
                work.optimizerStep(step, 1);
            }
            rank.asked = rank.gpu->log();
            everyone.arrive_and_wait(); // a peer's exchange may still need this end
        });
    for (auto& thread : threads)
        thread.join();
    return ranks;
}

double expectedGradient(std::int32_t stage, const Pipeline& pipeline)
{
    double others = 1;
    for (std::int32_t s = 0; s < pipeline.stages; ++s)
        others *= s == stage ? 1 : FakeWork::weight(s);
    double sum = 0;
    for (std::int32_t j = 0; j < pipeline.microBatches; ++j)
        sum += FakeWork::text(j) * others;
    return sum;
}

void compare(const std::vector<Rank>& ranks, const Pipeline& pipeline)
{
    std::size_t stages = 0;
    for (const auto& rank : ranks) {
        QVERIFY2(rank.ok, rank.board->finding() ? text(*rank.board->finding()).c_str() : "no finding");
        for (const auto& sums : rank.sums) {
            const auto expected = expectedGradient(sums.stage.value, pipeline);
            QVERIFY2(std::abs(sums.squaredGradientNorm / expected - 1) < 1e-9,
                qPrintable(
                    QString("stage %1: %2, not %3").arg(sums.stage.value).arg(sums.squaredGradientNorm).arg(expected)));
            ++stages;
        }
    }
    QCOMPARE(stages, static_cast<std::size_t>(pipeline.stages));
}

} // namespace

void NcclEndTest::everyScheduleGivesTheGradientsOfTheUnpipelinedModel_data()
{
    QTest::addColumn<QString>("schedule");
    QTest::addColumn<int>("queue");
    for (const auto* name : { "gpipe", "1f1b", "interleaved-1f1b", "zb-h1", "v-half", "v-zb" })
        QTest::newRow(name) << name << static_cast<int>(QueueModel::Directed);
    for (const auto* name : { "1f1b", "interleaved-1f1b", "v-half" })
        QTest::addRow("%s, a communicator per pair", name) << name << static_cast<int>(QueueModel::Pair);
}

void NcclEndTest::everyScheduleGivesTheGradientsOfTheUnpipelinedModel()
{
    QFETCH(QString, schedule);
    QFETCH(int, queue);
    const auto run = runOf(schedule.toUtf8().constData(), 4, 8, static_cast<QueueModel>(queue));
    FakeWorld world;
    compare(runAll(world, run, 2), run.design.pipeline);
}

void NcclEndTest::case20FiftyColdStartsOfInterleaved()
{
    const auto run = runOf("interleaved-1f1b", 4, 8, QueueModel::Directed);
    for (unsigned seed = 0; seed < 50; ++seed) {
        FakeWorld world(seed);
        compare(runAll(world, run), run.design.pipeline);
    }
}

void NcclEndTest::nothingIsMadeOrAllocatedAfterPreparing()
{
    const auto run = runOf("v-half", 4, 8, QueueModel::Directed);
    FakeWorld world;
    for (const auto& rank : runAll(world, run, 3)) {
        QCOMPARE(rank.discarded, 1); // the rehearsed step
        for (const auto& line : rank.asked)
            QVERIFY2(line.starts_with("wait") || line.starts_with("record") || line.starts_with("run")
                    || line.starts_with("send") || line.starts_with("receive"),
                line.c_str());
    }
}

void NcclEndTest::passTimesAreThoseOfTheGpu()
{
    const auto run = runOf("zb-h1", 2, 4, QueueModel::Directed);
    FakeWorld world;
    for (const auto& rank : runAll(world, run)) {
        const auto& record = rank.steps.at(0);
        QCOMPARE(record.passes.size(), std::size_t { 12 });
        for (const auto& pass : record.passes)
            QCOMPARE(pass.end - pass.start, std::chrono::nanoseconds(NumberWork::passTime).count());
        QVERIFY(record.busy == 12 * NumberWork::passTime);
    }
}

void NcclEndTest::transfersLieBetweenTheirPasses()
{
    const auto run = runOf("1f1b", 3, 4, QueueModel::Directed);
    FakeWorld world;
    const auto ranks = runAll(world, run);
    for (std::size_t d = 0; d < ranks.size(); ++d) {
        const auto& record = ranks[d].steps.at(0);
        std::size_t messages = 0;
        for (const auto& message : run.program.messages)
            messages += message.to.index() == d ? 1 : 0;
        QCOMPARE(record.transfers.size(), messages);
        for (const auto& transfer : record.transfers) {
            QVERIFY(transfer.end >= transfer.start);
            QVERIFY(transfer.end - transfer.start <= std::chrono::nanoseconds(world.transferTime).count());
        }
    }
}

void NcclEndTest::aFailureOfNcclEndsTheRunAndIsNamed()
{
    const auto run = runOf("1f1b", 2, 4, QueueModel::Directed);
    FakeWorld world;
    std::once_flag once;
    const auto ranks = runAll(world, run, 1, [&] { std::call_once(once, [&] { world.fail("1->0 gradients"); }); });
    bool named = false;
    for (const auto& rank : ranks)
        if (const auto finding = rank.board->finding())
            named = named || finding->message.find("a cable was pulled") != std::string::npos;
    QVERIFY(!ranks[0].ok);
    QVERIFY(named);
}

void NcclEndTest::aSentResultIsKeptUntilItHasLeft()
{
    const auto run = runOf("1f1b", 2, 1, QueueModel::Directed);
    FakeWorld world;
    MemoryStore store;
    std::vector<std::unique_ptr<NumberWork>> works;
    std::vector<std::unique_ptr<NcclEnd>> ends;
    std::vector<std::thread> threads;
    for (std::int32_t d = 0; d < 2; ++d) {
        auto gpu = world.gpu();
        works.push_back(std::make_unique<NumberWork>(gpu, 2, run.design.pipeline.stagesOn(DeviceId(d))));
        NcclSettings settings;
        settings.device = DeviceId(d);
        settings.stages = 2;
        settings.messageBytes = sizeof(double);
        ends.push_back(std::make_unique<NcclEnd>(gpu, run.program, store,
            std::make_shared<Board>(2, 20s, DeviceId(d), nullptr), std::make_unique<Alone>(), settings));
    }
    for (std::size_t d = 0; d < 2; ++d)
        threads.emplace_back([&, d] { ends[d]->prepare(*works[d]); });
    for (auto& thread : threads)
        thread.join();

    const Pass forward { StageId(0), MicroBatch(0), PassKind::F };
    works[0]->beginStep(0);
    auto result = works[0]->run(forward, {});
    const std::weak_ptr<void> tensor = result.tensor;
    ends[0]->send(DeviceId(1), forward, std::move(result));
    static_cast<void>(ends[0]->arrived());
    QVERIFY(!tensor.expired()); // nobody receives yet
    ends[1]->receive(DeviceId(0), forward);
    DeviceStatus waiting;
    waiting.device = DeviceId(1);
    const auto arrivals = ends[1]->awaitArrival(waiting);
    QCOMPARE(arrivals.size(), std::size_t { 1 });
    QCOMPARE(*static_cast<double*>(arrivals[0].payload.onGpu), 1.0);
    static_cast<void>(ends[0]->arrived());
    QVERIFY(tensor.expired());
}

void NcclEndTest::weightGradientsGoByTheHost()
{
    const auto run = runOf("1f1b", 2, 1, QueueModel::Directed);
    FakeWorld world;
    MemoryStore store;
    std::vector<std::string> log;
    const auto gpu = world.gpu();
    NcclEnd end(gpu, run.program, store, std::make_shared<Board>(2, 20s, DeviceId(0), nullptr),
        std::make_unique<Postman>(log), {});
    const Pass gradients = weightGradientsOf(StageId(0));
    end.send(DeviceId(1), gradients, {});
    QVERIFY(log == std::vector<std::string> { "send the weight gradients of stage 0 to 1" });
    DeviceStatus waiting;
    waiting.needs = gradients;
    end.receive(DeviceId(1), gradients);
    QCOMPARE(end.awaitArrival(waiting).size(), std::size_t { 1 });
    end.receive(DeviceId(1), gradients);
    const auto arrivals = end.arrived();
    QCOMPARE(arrivals.size(), std::size_t { 1 });
    QVERIFY(arrivals[0].of == gradients);
    QVERIFY(gpu->log().empty());
}

QTEST_APPLESS_MAIN(NcclEndTest)
#include "nccl_end_test.moc"
