// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/torch/memory_account.h"

#include <utility>

namespace pipeloom::executor {

namespace {

thread_local const MemoryScope* innermost = nullptr;

} // namespace

void MemoryAccount::Counter::add(Bytes bytes)
{
    const Bytes now = live.fetch_add(bytes) + bytes;
    Bytes highest = peak.load();
    while (now > highest && !peak.compare_exchange_weak(highest, now)) { }
}

void MemoryAccount::add(MemoryClass use, Bytes bytes)
{
    of(use).add(bytes);
    total_.add(bytes);
}

void MemoryAccount::take(MemoryClass use, Bytes bytes)
{
    of(use).add(-bytes);
    total_.add(-bytes);
}

void MemoryAccount::move(MemoryClass from, MemoryClass to, Bytes bytes)
{
    of(from).add(-bytes);
    of(to).add(bytes);
}

MemoryUse MemoryAccount::live() const
{
    MemoryUse result;
    for (std::size_t i = 0; i < memoryClasses; ++i)
        result.byClass[i] = byClass_[i].live;
    result.total = total_.live;
    return result;
}

MemoryUse MemoryAccount::peaks() const
{
    MemoryUse result;
    for (std::size_t i = 0; i < memoryClasses; ++i)
        result.byClass[i] = byClass_[i].peak;
    result.total = total_.peak;
    return result;
}

void MemoryAccount::resetPeaks()
{
    for (Counter& counter : byClass_)
        counter.peak = counter.live.load();
    total_.peak = total_.live.load();
}

MemoryScope::MemoryScope(std::shared_ptr<MemoryAccount> account, MemoryClass use)
    : account_(std::move(account))
    , use_(use)
    , outer_(innermost)
{
    innermost = this;
}

MemoryScope::~MemoryScope() { innermost = outer_; }

const MemoryScope* MemoryScope::current() { return innermost; }

} // namespace pipeloom::executor
