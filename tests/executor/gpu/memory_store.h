// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A store in memory, for ranks that are threads of one process.

#include "executor/processes/store.h"

#include <map>
#include <mutex>

namespace pipeloom::test {

class MemoryStore final : public executor::Store {
public:
    void set(const std::string& key, const std::string& value) override
    {
        const std::lock_guard held(mutex_);
        values_[key] = value;
    }
    std::optional<std::string> get(const std::string& key) override
    {
        const std::lock_guard held(mutex_);
        const auto place = values_.find(key);
        return place == values_.end() ? std::nullopt : std::optional(place->second);
    }
    std::vector<std::optional<std::string>> getAll(std::span<const std::string> keys) override
    {
        std::vector<std::optional<std::string>> all;
        for (const auto& key : keys)
            all.push_back(get(key));
        return all;
    }
    std::string claim(const std::string& key, const std::string& value) override
    {
        const std::lock_guard held(mutex_);
        return values_.try_emplace(key, value).first->second;
    }

private:
    std::mutex mutex_;
    std::map<std::string, std::string> values_;
};

} // namespace pipeloom::test
