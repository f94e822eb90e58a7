// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// Runs that start from nothing, over the real store and the real gloo: who connects to whom must not depend on the schedule.

#include "core/library/library.h"
#include "core/plan/plan.h"
#include "core/program/lower.h"
#include "executor/processes/rank_threads.h"
#include "executor/processes/rendezvous.h"
#include "tests/executor/fake_job.h"

#include <QTest>

#include <barrier>
#include <filesystem>
#include <set>
#include <string>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::test;

namespace {

constexpr auto limit = std::chrono::seconds(20);

/// The sockets that this process has, as the system names them: `socket:[4711]`.
std::set<std::string> openSockets()
{
    std::set<std::string> sockets;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        std::error_code gone;
        const std::string target = std::filesystem::read_symlink(entry.path(), gone).string();
        if (target.starts_with("socket:"))
            sockets.insert(target);
    }
    return sockets;
}

/// One cold start: what the ranks say, and the sockets there were when all had connected and at the end of the last step.
struct ColdStart {
    std::vector<JobResult> ranks;
    std::set<std::string> atStart;
    std::set<std::string> atEnd;
};

ColdStart coldStart(const Program& program, const Pipeline& pipeline, const std::shared_ptr<FakeModel>& model)
{
    ColdStart start;
    const auto hosted = hostStore({ "127.0.0.1", 0, "run" }, limit);
    const StoreAddress address { "127.0.0.1", hosted.port, "run" };
    const std::int32_t devices = program.devices();
    std::barrier connected(devices, [&]() noexcept { start.atStart = openSockets(); });
    start.ranks = runRanks(
        [&] {
            Job job = fakeJob(program, pipeline, model);
            job.limit = limit;
            job.steps = 2;
            // At the end of the second step every channel has been used, and nobody has left.
            job.save = [&](DeviceId device, DeviceWork&, std::int64_t) {
                if (device.value == 0)
                    start.atEnd = openSockets();
                return Findings {};
            };
            return job;
        },
        [&](std::int32_t rank) {
            auto messages = connectGloo(address, rank, devices, limit);
            connected.arrive_and_wait();
            return messages;
        });
    return start;
}

QString sentence(const JobResult& run) { return run.finding ? QString::fromStdString(text(*run.finding)) : QString(); }

} // namespace

class ColdStartsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void case20FiftyColdStartsOfAnInterleavedRunFinish();
};

void ColdStartsTest::case20FiftyColdStartsOfAnInterleavedRunFinish()
{
    LibraryRequest request;
    request.devices = 4;
    request.chunks = 2;
    request.microBatches = 8;
    const Design design = findInLibrary("interleaved-1f1b")->make(request).design.value();
    const auto program = lower(plan(design).schedule, design.pipeline, design.network, QueueModel::Directed).value();
    for (int start = 0; start < 50; ++start) {
        const auto model = std::make_shared<FakeModel>();
        const auto run = coldStart(program, design.pipeline, model);
        for (const auto& rank : run.ranks)
            QVERIFY2(!rank.finding, qPrintable(sentence(rank)));
        for (std::int32_t s = 0; s < design.pipeline.stages; ++s)
            QCOMPARE(model->gradients[s], expectedGradient(s, design.pipeline));
        // A connection between each two of four ranks at the least, both ends of which are here.
        QVERIFY(run.atStart.size() >= 12);
        for (const auto& socket : run.atEnd)
            QVERIFY2(run.atStart.contains(socket), socket.c_str());
        QVERIFY(!run.atEnd.empty());
    }
}

QTEST_APPLESS_MAIN(ColdStartsTest)
#include "cold_starts_test.moc"
