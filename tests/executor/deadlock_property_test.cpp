// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// The check and the executor must agree: what check accepts runs to its end with the right gradients, what it refuses does
// not. Orders and programs are random; a stop is seen at once, so hundreds of them take a second.

#include "core/check/program_check.h"
#include "core/check/schedule_check.h"
#include "core/program/lower.h"
#include "core/simulate/simulator.h"
#include "tests/executor/fake_job.h"
#include "tests/support/sanitizers.h"

#include <QTest>

#include <algorithm>
#include <random>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::test;

namespace {

using Random = std::mt19937;

std::int32_t between(Random& random, std::int32_t low, std::int32_t high)
{
    return std::uniform_int_distribution<std::int32_t>(low, high)(random);
}

Pipeline randomPipeline(Random& random)
{
    const auto devices = between(random, 2, 4);
    const auto chunks = between(random, 1, 2);
    const auto kind = chunks == 1    ? PlacementKind::Linear
        : between(random, 0, 1) == 0 ? PlacementKind::V
                                     : PlacementKind::Interleaved;
    return pipeline(kind, devices, devices * chunks, between(random, 1, 5));
}

/// All passes in an order that keeps every dependency, as the devices' parts of one common list: this one runs to its end.
std::vector<std::vector<Slot>> randomSoundOrders(Random& random, const Pipeline& pipe)
{
    struct Way {
        std::vector<Pass> passes;
        std::size_t done = 0;
    };
    std::vector<Way> ways;
    for (std::int32_t j = 0; j < pipe.microBatches; ++j) {
        Way way;
        for (std::int32_t s = 0; s < pipe.stages; ++s)
            way.passes.push_back({ StageId { s }, MicroBatch { j }, PassKind::F });
        for (std::int32_t s = pipe.stages - 1; s >= 0; --s) {
            const bool isSplit = between(random, 0, 1) == 0;
            way.passes.push_back({ StageId { s }, MicroBatch { j }, isSplit ? PassKind::B : PassKind::BW });
            if (isSplit)
                ways.push_back({ { { StageId { s }, MicroBatch { j }, PassKind::W } }, 0 });
        }
        ways.push_back(way);
    }
    std::vector<std::vector<Slot>> rows(static_cast<std::size_t>(pipe.devices));
    std::vector<Pass> placed;
    const auto isPlaced = [&](Pass pass) { return std::find(placed.begin(), placed.end(), pass) != placed.end(); };
    while (true) {
        std::vector<std::size_t> open;
        for (std::size_t w = 0; w < ways.size(); ++w) {
            if (ways[w].done == ways[w].passes.size())
                continue;
            auto before = ways[w].passes[ways[w].done];
            before.kind = PassKind::B;
            if (ways[w].passes[ways[w].done].kind != PassKind::W || isPlaced(before))
                open.push_back(w);
        }
        if (open.empty())
            return rows;
        auto& way
            = ways[open[static_cast<std::size_t>(between(random, 0, static_cast<std::int32_t>(open.size()) - 1))]];
        const auto pass = way.passes[way.done++];
        placed.push_back(pass);
        rows[pipe.deviceOf(pass).index()].push_back({ pass, {} });
    }
}

template <class Item> void swapSome(Random& random, std::vector<std::vector<Item>>& rows, std::int32_t times)
{
    for (std::int32_t i = 0; i < times; ++i) {
        auto& row = rows[static_cast<std::size_t>(between(random, 0, static_cast<std::int32_t>(rows.size()) - 1))];
        const auto last = static_cast<std::int32_t>(row.size()) - 1;
        const auto a = between(random, 0, last);
        const auto b = std::clamp(a + between(random, -4, 4), 0, last);
        std::swap(row[static_cast<std::size_t>(a)], row[static_cast<std::size_t>(b)]);
    }
}

JobResult runOnFakes(const Program& program, const Pipeline& pipe, const std::shared_ptr<FakeModel>& model)
{
    auto job = fakeJob(program, pipe, model);
    job.limit = std::chrono::seconds(60);
    return runLocally(std::move(job));
}

bool gradientsAreRight(const FakeModel& model, const Pipeline& pipe)
{
    return std::all_of(model.gradients.begin(), model.gradients.end(), [&](const auto& gradient) {
        const auto expected = expectedGradient(gradient.first, pipe);
        return std::abs(gradient.second - expected) < 1e-9 * expected;
    });
}

std::string firstError(const Findings& findings)
{
    const auto error = std::find_if(
        findings.begin(), findings.end(), [](const Finding& f) { return f.severity == Severity::Error; });
    return error == findings.end() ? "no error" : text(*error);
}

constexpr int rounds = sanitized ? 60 : 400;

} // namespace

class DeadlockPropertyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anOrderRunsToItsEndIfAndOnlyIfCheckAcceptsIt();
    void aProgramRunsToItsEndIfAndOnlyIfCheckAcceptsIt();
};

void DeadlockPropertyTest::anOrderRunsToItsEndIfAndOnlyIfCheckAcceptsIt()
{
    Random random(28);
    int accepted = 0;
    for (int round = 0; round < rounds; ++round) {
        const auto pipe = randomPipeline(random);
        auto rows = randomSoundOrders(random, pipe);
        swapSome(random, rows, round % 2 == 0 ? 0 : between(random, 1, 3));
        const auto order = schedule(rows);
        const auto findings = check(order, pipe, unitCosts(pipe.stages));
        const auto network = freeNetwork(pipe.stages);
        const auto program = lower(order, pipe, network, QueueModel::Directed);
        QVERIFY(program);
        const auto model = std::make_shared<FakeModel>();
        const auto run = runOnFakes(*program, pipe, model);
        const auto said = firstError(findings) + " / " + (run.finding ? text(*run.finding) : "ran to its end");
        QVERIFY2(hasErrors(findings) == run.finding.has_value(), said.c_str());
        if (run.finding)
            QCOMPARE(run.finding->rule, std::string("run/stalled"));
        else
            QVERIFY(gradientsAreRight(*model, pipe));
        accepted += run.finding ? 0 : 1;
    }
    QVERIFY2(accepted >= rounds / 2 && accepted < rounds, "some of both kinds were tried");
}

void DeadlockPropertyTest::aProgramRunsToItsEndIfAndOnlyIfCheckAcceptsIt()
{
    Random random(7);
    int accepted = 0;
    for (int round = 0; round < rounds; ++round) {
        const auto pipe = randomPipeline(random);
        auto network = freeNetwork(pipe.stages);
        network.window = between(random, 0, 3);
        const auto sound = lower(schedule(randomSoundOrders(random, pipe)), pipe, network, QueueModel::Directed);
        QVERIFY(sound);
        std::vector<std::vector<Instruction>> rows;
        for (std::int32_t d = 0; d < pipe.devices; ++d) {
            const auto row = sound->row(DeviceId { d });
            rows.emplace_back(row.begin(), row.end());
        }
        swapSome(random, rows, between(random, 0, 3));
        const auto changed = program(rows, pipe, Pairing::ByKind);
        const auto findings = check(changed, pipe, QueueModel::Directed);
        const auto run = runOnFakes(changed, pipe, std::make_shared<FakeModel>());
        const auto said = firstError(findings) + " / " + (run.finding ? text(*run.finding) : "ran to its end");
        QVERIFY2(hasErrors(findings) == run.finding.has_value(), said.c_str());
        if (!run.finding)
            QVERIFY(simulate(changed, pipe, unitCosts(pipe.stages), network, QueueModel::Directed));
        accepted += run.finding ? 0 : 1;
    }
    QVERIFY2(accepted > rounds / 5 && accepted < rounds * 4 / 5, "some of both kinds were tried");
}

QTEST_APPLESS_MAIN(DeadlockPropertyTest)
#include "deadlock_property_test.moc"
