// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/torch/counting_allocator.h"

#include <ATen/ATen.h>
#include <QtTest>
#include <c10/core/CPUAllocator.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

using namespace pipeloom;
using namespace pipeloom::executor;

class CountingAllocatorTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { countMemory(); }
    void aTensorIsChargedToTheInnermostScope();
    void outsideEveryScopeNothingIsCounted();
    void aTensorFreedOnAnotherThreadIsTakenOffItsOwnAccount();
    void relabellingMovesBetweenAccountsAndUses();
    void relabellingLeavesForeignMemoryAlone();
    void growingATensorIsCounted();
    void scratchMemoryIsGivenBackByItsPointerAlone();
    void dataIsAlignedAsLibTorchWants();
    void tensorsOutliveTheirAccountsLastUser();
    void manyThreadsHandOverAndEndAtNothing();
};

namespace {

using Account = std::shared_ptr<MemoryAccount>;

Account account() { return std::make_shared<MemoryAccount>(); }
Bytes live(const Account& account, MemoryClass use) { return account->live().byClass[static_cast<std::size_t>(use)]; }
at::Tensor floats(std::int64_t count) { return at::empty({ count }, at::kFloat); }

} // namespace

void CountingAllocatorTest::aTensorIsChargedToTheInnermostScope()
{
    const Account one = account();
    const Account two = account();
    const MemoryScope outer(one, MemoryClass::Weights);
    {
        const MemoryScope inner(two, MemoryClass::Gradients);
        const at::Tensor tensor = floats(100);
        QCOMPARE(live(two, MemoryClass::Gradients), Bytes { 400 });
        QCOMPARE(live(one, MemoryClass::Weights), Bytes { 0 });
    }
    QCOMPARE(two->live().total, Bytes { 0 });
    QCOMPARE(two->peaks().total, Bytes { 400 });
    const at::Tensor tensor = floats(10);
    QCOMPARE(live(one, MemoryClass::Weights), Bytes { 40 });
    QCOMPARE(two->live().total, Bytes { 0 });
}

void CountingAllocatorTest::outsideEveryScopeNothingIsCounted()
{
    const Account one = account();
    at::Tensor kept;
    {
        const MemoryScope scope(one, MemoryClass::Weights);
        kept = floats(10);
    }
    const at::Tensor uncounted = floats(1000);
    QCOMPARE(one->live().total, Bytes { 40 });
    kept.reset(); // outside the scope, yet taken off
    QCOMPARE(one->live().total, Bytes { 0 });
}

void CountingAllocatorTest::aTensorFreedOnAnotherThreadIsTakenOffItsOwnAccount()
{
    const Account maker = account();
    const Account other = account();
    at::Tensor tensor;
    {
        const MemoryScope scope(maker, MemoryClass::Activations);
        tensor = floats(50);
    }
    std::thread([&] {
        const MemoryScope scope(other, MemoryClass::Activations);
        tensor.reset();
    }).join();
    QCOMPARE(maker->live().total, Bytes { 0 });
    QCOMPARE(other->live().total, Bytes { 0 });
}

void CountingAllocatorTest::relabellingMovesBetweenAccountsAndUses()
{
    const Account one = account();
    const Account two = account();
    at::Tensor tensor;
    {
        const MemoryScope scope(one, MemoryClass::Activations);
        tensor = floats(25);
    }
    relabel(tensor, one, MemoryClass::Passing);
    QCOMPARE(live(one, MemoryClass::Activations), Bytes { 0 });
    QCOMPARE(live(one, MemoryClass::Passing), Bytes { 100 });
    QCOMPARE(one->peaks().total, Bytes { 100 }); // the sum has not changed on the way

    relabel(tensor.view({ 5, 5 }), two, MemoryClass::Activations); // a view has the same memory
    QCOMPARE(one->live().total, Bytes { 0 });
    QCOMPARE(live(two, MemoryClass::Activations), Bytes { 100 });

    relabel(tensor, nullptr, MemoryClass::Activations);
    QCOMPARE(two->live().total, Bytes { 0 });
    relabel(tensor, two, MemoryClass::Weights);
    QCOMPARE(live(two, MemoryClass::Weights), Bytes { 100 });
    tensor.reset();
    QCOMPARE(two->live().total, Bytes { 0 });
}

void CountingAllocatorTest::relabellingLeavesForeignMemoryAlone()
{
    const Account one = account();
    std::array<float, 4> memory {};
    const at::Tensor foreign = at::from_blob(memory.data(), { 4 }, at::kFloat);
    relabel(foreign, one, MemoryClass::Weights);
    relabel(at::Tensor {}, one, MemoryClass::Weights);
    relabel(floats(0), one, MemoryClass::Weights);
    QCOMPARE(one->live().total, Bytes { 0 });
}

void CountingAllocatorTest::growingATensorIsCounted()
{
    const Account one = account();
    const MemoryScope scope(one, MemoryClass::Weights);
    at::Tensor tensor = floats(10);
    tensor.resize_({ 1000 });
    QCOMPARE(one->live().total, Bytes { 4000 });
    tensor.reset();
    QCOMPARE(one->live().total, Bytes { 0 });
}

void CountingAllocatorTest::scratchMemoryIsGivenBackByItsPointerAlone()
{
    const Account one = account();
    const MemoryScope scope(one, MemoryClass::Activations);
    c10::Allocator* allocator = c10::GetCPUAllocator();
    void* memory = allocator->raw_allocate(1024);
    QCOMPARE(one->live().total, Bytes { 1024 });
    allocator->raw_deallocate(memory);
    QCOMPARE(one->live().total, Bytes { 0 });
    allocator->raw_deallocate(allocator->raw_allocate(0));
}

void CountingAllocatorTest::dataIsAlignedAsLibTorchWants()
{
    for (const std::int64_t count : { 1, 3, 17, 1000, 100'000 }) {
        const at::Tensor tensor = floats(count);
        QCOMPARE(reinterpret_cast<std::uintptr_t>(tensor.data_ptr()) % 64, std::uintptr_t { 0 });
    }
}

void CountingAllocatorTest::tensorsOutliveTheirAccountsLastUser()
{
    at::Tensor tensor;
    {
        const Account one = account();
        const MemoryScope scope(one, MemoryClass::Activations);
        tensor = floats(10);
    }
    relabel(tensor, account(), MemoryClass::Passing);
    tensor.reset(); // sanitizers see it if the account was gone
}

void CountingAllocatorTest::manyThreadsHandOverAndEndAtNothing()
{
    // A ring: each thread makes tensors, hands them on, and adopts and drops what it gets.
    constexpr std::size_t threads = 4;
    constexpr int rounds = 2000;
    struct Box {
        std::mutex mutex;
        std::condition_variable filled;
        std::deque<at::Tensor> tensors;
    };
    std::array<Box, threads> boxes;
    std::array<Account, threads> accounts { account(), account(), account(), account() };
    std::vector<std::thread> ring;
    for (std::size_t me = 0; me < threads; ++me)
        ring.emplace_back([&, me] {
            const MemoryScope scope(accounts[me], MemoryClass::Activations);
            for (int i = 0; i < rounds; ++i) {
                Box& next = boxes[(me + 1) % threads];
                at::Tensor made = at::full({ 64 }, static_cast<double>(i), at::kFloat);
                {
                    const std::lock_guard lock(next.mutex);
                    next.tensors.push_back(std::move(made));
                }
                next.filled.notify_one();
                std::unique_lock lock(boxes[me].mutex);
                boxes[me].filled.wait(lock, [&] { return !boxes[me].tensors.empty(); });
                at::Tensor got = std::move(boxes[me].tensors.front());
                boxes[me].tensors.pop_front();
                lock.unlock();
                relabel(got, accounts[me], MemoryClass::Passing);
            }
        });
    for (std::thread& thread : ring)
        thread.join();
    for (const Account& account : accounts) {
        QCOMPARE(account->live().total, Bytes { 0 });
        for (const Bytes bytes : account->live().byClass)
            QCOMPARE(bytes, Bytes { 0 });
        QVERIFY(account->peaks().total >= 256);
    }
}

QTEST_APPLESS_MAIN(CountingAllocatorTest)
#include "counting_allocator_test.moc"
