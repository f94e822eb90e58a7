// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/torch/gpu_memory.h"

#include <mutex>
#include <unordered_map>

namespace pipeloom::executor {

namespace {

struct Entry {
    std::shared_ptr<MemoryAccount> account; ///< none: given outside every scope, not counted
    MemoryClass use = MemoryClass::Activations;
    Bytes bytes = 0;
};

/// Never destroyed: the allocators may tell of something until the very end of the process.
struct Ledger {
    std::mutex mutex;
    std::unordered_map<const void*, Entry> entries;
};

Ledger& ledger()
{
    static auto* const only = new Ledger;
    return *only;
}

} // namespace

void gpuMemoryGiven(const void* address, Bytes bytes)
{
    Entry entry;
    entry.bytes = bytes;
    const auto* scope = MemoryScope::current();
    if (scope != nullptr && scope->account() && scope->account()->isOfGpu()) {
        entry.account = scope->account();
        entry.use = scope->use();
        entry.account->add(entry.use, bytes);
    }
    const std::lock_guard held(ledger().mutex);
    ledger().entries.insert_or_assign(address, std::move(entry));
}

void gpuMemoryTaken(const void* address)
{
    const std::lock_guard held(ledger().mutex);
    const auto node = ledger().entries.extract(address);
    if (!node.empty() && node.mapped().account)
        node.mapped().account->take(node.mapped().use, node.mapped().bytes);
}

void relabelGpuMemory(const void* address, const std::shared_ptr<MemoryAccount>& account, MemoryClass use)
{
    const std::lock_guard held(ledger().mutex);
    const auto place = ledger().entries.find(address);
    if (place == ledger().entries.end())
        return;
    auto& entry = place->second;
    if (entry.account && entry.account == account) {
        account->move(entry.use, use, entry.bytes);
    } else {
        if (entry.account)
            entry.account->take(entry.use, entry.bytes);
        if (account)
            account->add(use, entry.bytes);
        entry.account = account;
    }
    entry.use = use;
}

} // namespace pipeloom::executor
