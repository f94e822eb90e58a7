// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The store of a run in this process's memory, and statuses to put into it.

#include "executor/processes/keys.h"
#include "executor/processes/store.h"
#include "executor/processes/wire.h"

#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace pipeloom::test {

class MemoryStore : public executor::Store {
public:
    /// From now on nothing answers.
    void lose()
    {
        const std::lock_guard held(mutex_);
        lost_ = true;
    }

    void set(const std::string& key, const std::string& value) override
    {
        const std::lock_guard held(mutex_);
        answer();
        values_[key] = value;
    }
    std::optional<std::string> get(const std::string& key) override
    {
        const std::lock_guard held(mutex_);
        answer();
        return find(key);
    }
    std::vector<std::optional<std::string>> getAll(std::span<const std::string> keys) override
    {
        const std::lock_guard held(mutex_);
        answer();
        std::vector<std::optional<std::string>> values;
        for (const auto& key : keys)
            values.push_back(find(key));
        return values;
    }
    std::string claim(const std::string& key, const std::string& value) override
    {
        const std::lock_guard held(mutex_);
        answer();
        return values_.try_emplace(key, value).first->second;
    }

private:
    void answer() const
    {
        if (lost_)
            throw executor::StoreLost("connection reset by peer");
    }
    [[nodiscard]] std::optional<std::string> find(const std::string& key) const
    {
        const auto found = values_.find(key);
        return found == values_.end() ? std::nullopt : std::optional(found->second);
    }

    std::mutex mutex_;
    std::map<std::string, std::string> values_;
    bool lost_ = false;
};

/// Puts a beat of the rank into the store, as if it had been given just now.
inline void beatOnce(executor::Store& store, std::int32_t rank, std::int64_t number,
    std::vector<executor::DeviceStatus> statuses, bool ended = false)
{
    store.set(executor::keys::beat(rank),
        toWire(executor::Beat { number, ended, std::move(statuses) }, executor::Clock::now()));
}

} // namespace pipeloom::test
