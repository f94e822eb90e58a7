// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// Devices as threads of one process, as the transport `local` has them: the same bits, and each byte on the right
// account.

#include "tests/executor/tiny_model.h"

#include <QtTest>

#include <condition_variable>
#include <mutex>
#include <thread>

using namespace pipeloom;
using namespace pipeloom::executor;

class TorchThreadsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void devicesOnThreadsGiveTheBitsOfOneThread_data();
    void devicesOnThreadsGiveTheBitsOfOneThread();
};

namespace {

/// What is on its way between threads, by stage that made it, micro-batch and direction.
class Mail {
public:
    using Key = std::tuple<int, int, bool>;

    void put(const Key& key, Payload payload)
    {
        {
            const std::lock_guard lock(mutex_);
            payloads_.emplace(key, std::move(payload));
        }
        arrived_.notify_all();
    }

    Payload take(const Key& key)
    {
        std::unique_lock lock(mutex_);
        arrived_.wait(lock, [&] { return payloads_.contains(key); });
        return std::move(payloads_.extract(key).mapped());
    }

private:
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::map<Key, Payload> payloads_;
};

/// One device's part of the order, steps 0 to `steps`.
void runDevice(
    ModelWork& work, const Pipeline& pipeline, DeviceId device, const std::vector<Pass>& order, int steps, Mail& mail)
{
    for (int step = 0; step < steps; ++step) {
        work.beginStep(step);
        for (const Pass& pass : order) {
            if (pipeline.deviceOf(pass) != device)
                continue;
            const bool forward = pass.kind == PassKind::F;
            const int from = pass.stage.value + (forward ? -1 : 1);
            Payload input;
            if (pass.kind != PassKind::W && from >= 0 && from < pipeline.stages)
                input = mail.take({ from, pass.microBatch.value, forward });
            work.adopt(input, MemoryClass::Passing);
            if (Payload output = work.run(pass, std::move(input)))
                mail.put({ pass.stage.value, pass.microBatch.value, forward }, std::move(output));
        }
        (void)work.sums();
        work.optimizerStep(step, 0.5);
    }
}

} // namespace

void TorchThreadsTest::devicesOnThreadsGiveTheBitsOfOneThread_data()
{
    QTest::addColumn<unsigned>("seed");
    for (unsigned seed = 0; seed < 4; ++seed)
        QTest::addRow("order %u", seed) << seed;
}

void TorchThreadsTest::devicesOnThreadsGiveTheBitsOfOneThread()
{
    QFETCH(unsigned, seed);
    constexpr int devices = 4;
    constexpr int steps = 2;
    const Design design = tinyDesign(PlacementKind::V, devices, 8, 6);
    const auto order = anyOrder(8, 6, seed);
    TinyRun alone(design);
    for (int step = 0; step < steps; ++step) {
        alone.step(step, order);
        alone.optimizerStep(step, 0.5);
    }

    const ModelSetup setup = tinySetup(design);
    Mail mail;
    std::array<std::unique_ptr<ModelWork>, devices> works;
    std::vector<std::thread> threads;
    for (int d = 0; d < devices; ++d)
        threads.emplace_back([&, d] {
            const DeviceId device(d);
            auto& work = works.at(static_cast<std::size_t>(d));
            work = makeModelWork(setup, device, design.pipeline.stagesOn(device));
            runDevice(*work, design.pipeline, device, order, steps, mail);
        });
    for (std::thread& thread : threads)
        thread.join();

    TinyRun::ValuesByName together;
    for (const auto& work : works) {
        for (NamedValues& entry : work->parameters())
            together.emplace(entry.name, std::move(entry.values));
        QCOMPARE(work->memoryNow().byClass[static_cast<std::size_t>(MemoryClass::Activations)], Bytes { 0 });
        QCOMPARE(work->memoryNow().byClass[static_cast<std::size_t>(MemoryClass::Passing)], Bytes { 0 });
    }
    QVERIFY(together == alone.parameters());
}

QTEST_APPLESS_MAIN(TorchThreadsTest)
#include "torch_threads_test.moc"
