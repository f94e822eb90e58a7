// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Bytes live for one device, by what they are used for, with the highest values; and whom the current thread's new
// tensors are charged to.

#include "executor/device_work.h"

#include <array>
#include <atomic>
#include <memory>

namespace pipeloom::executor {

/// Counters of one device. Any thread may add and take: tensors are freed wherever their last owner lets go.
class MemoryAccount {
public:
    /// What it counts: the host's memory, or that of GPUs. A device has one of the two.
    enum class Of : std::uint8_t { Host, Gpu };

    explicit MemoryAccount(Of of = Of::Host)
        : of_(of)
    {
    }

    [[nodiscard]] bool isOfGpu() const { return of_ == Of::Gpu; }
    void add(MemoryClass use, Bytes bytes);
    void take(MemoryClass use, Bytes bytes);
    /// Bytes go from one use to another; their sum stays, and so does its highest value.
    void move(MemoryClass from, MemoryClass to, Bytes bytes);

    [[nodiscard]] MemoryUse live() const;
    /// Highest since the last reset.
    [[nodiscard]] MemoryUse peaks() const;
    /// Not while others count.
    void resetPeaks();

private:
    struct Counter {
        std::atomic<Bytes> live = 0;
        std::atomic<Bytes> peak = 0;

        void add(Bytes bytes);
    };

    Counter& of(MemoryClass use) { return byClass_[static_cast<std::size_t>(use)]; }

    std::array<Counter, memoryClasses> byClass_;
    Counter total_;
    Of of_;
};

/// While it lives, what this thread allocates is charged to `account` as `use`. Scopes nest.
class MemoryScope {
public:
    MemoryScope(std::shared_ptr<MemoryAccount> account, MemoryClass use);
    ~MemoryScope();
    MemoryScope(const MemoryScope&) = delete;
    MemoryScope& operator=(const MemoryScope&) = delete;

    /// The thread's innermost one, or nothing.
    [[nodiscard]] static const MemoryScope* current();

    [[nodiscard]] const std::shared_ptr<MemoryAccount>& account() const { return account_; }
    [[nodiscard]] MemoryClass use() const { return use_; }

private:
    std::shared_ptr<MemoryAccount> account_; ///< none: not counted
    MemoryClass use_;
    const MemoryScope* outer_;
};

} // namespace pipeloom::executor
