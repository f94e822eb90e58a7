// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Messages between ranks that are threads of one process, and meet like gloo's: a send returns when its bytes have been taken.

#include "executor/processes/messages.h"

#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

namespace pipeloom::test {

class MemoryExchange {
public:
    using Key = std::tuple<int, int, int>; ///< from, to, tag

    void send(int from, int to, int tag, std::span<const std::byte> bytes)
    {
        std::unique_lock held(mutex_);
        auto& queue = queues_[{ from, to, tag }];
        queue.emplace_back(bytes.begin(), bytes.end());
        const auto number = ++sent_[{ from, to, tag }];
        news_.notify_all();
        auto& taken = taken_[{ from, to, tag }];
        news_.wait(held, [&] { return taken >= number || isGone(from, to); });
        if (taken < number)
            throw executor::ConnectionLost("closed by rank " + std::to_string(to));
    }

    void receive(int from, int to, int tag, std::span<std::byte> bytes)
    {
        std::unique_lock held(mutex_);
        auto& queue = queues_[{ from, to, tag }];
        news_.wait(held, [&] { return !queue.empty() || isGone(from, to); });
        if (queue.empty())
            throw executor::ConnectionLost("closed by rank " + std::to_string(from));
        if (queue.front().size() != bytes.size())
            throw std::logic_error("a message has another size than its buffer");
        std::memcpy(bytes.data(), queue.front().data(), bytes.size());
        queue.pop_front();
        ++taken_[{ from, to, tag }];
        news_.notify_all();
    }

    /// All that this rank does and what others do with it throws from now on.
    void leave(int rank)
    {
        const std::lock_guard held(mutex_);
        gone_[rank] = true;
        news_.notify_all();
    }

private:
    bool isGone(int a, int b) { return gone_[a] || gone_[b]; }

    std::mutex mutex_;
    std::condition_variable news_;
    std::map<Key, std::deque<std::vector<std::byte>>> queues_;
    std::map<Key, std::int64_t> sent_;
    std::map<Key, std::int64_t> taken_;
    std::map<int, bool> gone_;
};

class MemoryMessages : public executor::Messages {
public:
    MemoryMessages(std::shared_ptr<MemoryExchange> exchange, int rank)
        : exchange_(std::move(exchange))
        , rank_(rank)
    {
    }

    void send(int to, int tag, std::span<const std::byte> bytes) override { exchange_->send(rank_, to, tag, bytes); }
    void receive(int from, int tag, std::span<std::byte> bytes) override
    {
        exchange_->receive(from, rank_, tag, bytes);
    }
    void abort() override { exchange_->leave(rank_); }

private:
    std::shared_ptr<MemoryExchange> exchange_;
    int rank_;
};

} // namespace pipeloom::test
