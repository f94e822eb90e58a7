// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

#include "executor/pinning.h"
#include "executor/thread_time.h"

#include <QTest>
#include <pthread.h>
#include <sched.h>

#include <set>
#include <thread>

using namespace pipeloom::executor;

namespace {

std::set<int> coresOfThisThread()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    std::set<int> cores;
    if (pthread_getaffinity_np(pthread_self(), sizeof(set), &set) == 0)
        for (int core = 0; core < CPU_SETSIZE; ++core)
            if (CPU_ISSET(core, &set))
                cores.insert(core);
    return cores;
}

template <class Work> void onAThread(Work work) { std::thread(work).join(); }

} // namespace

class PinningTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyThreadGetsACoreOfItsOwn();
    void moreThreadsThanCoresStayFree();
    void aThreadThatSleepsUsesNoProcessorTime();
};

void PinningTest::everyThreadGetsACoreOfItsOwn()
{
    const auto all = coresOfThisThread();
    std::set<int> used;
    for (std::size_t i = 0; i < all.size(); ++i)
        onAThread([&] {
            QVERIFY(pinToCore(i, all.size()));
            const auto own = coresOfThisThread();
            QCOMPARE(own.size(), std::size_t { 1 });
            QVERIFY(all.contains(*own.begin()));
            used.insert(*own.begin());
        });
    QCOMPARE(used.size(), all.size());
    QVERIFY(coresOfThisThread() == all);
}

void PinningTest::moreThreadsThanCoresStayFree()
{
    const auto all = coresOfThisThread();
    onAThread([&] {
        QVERIFY(!pinToCore(0, all.size() + 1));
        QVERIFY(coresOfThisThread() == all);
    });
}

void PinningTest::aThreadThatSleepsUsesNoProcessorTime()
{
    onAThread([] {
        const auto before = threadTime();
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        const auto slept = threadTime() - before;
        volatile unsigned sum = 0;
        for (unsigned i = 0; i < 50'000'000; ++i)
            sum = sum + i;
        const auto worked = threadTime() - before - slept;
        QVERIFY(slept < std::chrono::milliseconds(25));
        QVERIFY(worked > slept);
    });
}

QTEST_APPLESS_MAIN(PinningTest)
#include "pinning_test.moc"
