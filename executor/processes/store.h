// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where the processes of a run meet: keys with values, in the launcher or in torchrun's agent. LibTorch's TCPStore stands
// behind it (executor/torch/torch_store.cpp); tests have one in memory.

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace pipeloom::executor {

/// The process that holds the store cannot be reached any more.
struct StoreLost : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// One connection to the store; by any thread, one at a time inside. No call waits for a key to appear: whoever waits asks
/// again, with a limit of its own. All throw StoreLost when the store does not answer within the connection's limit.
class Store {
public:
    virtual ~Store() = default;

    virtual void set(const std::string& key, const std::string& value) = 0;
    /// What stands there now; nothing if nobody has set it.
    [[nodiscard]] virtual std::optional<std::string> get(const std::string& key) = 0;
    /// The same for many, in one exchange where all are there.
    [[nodiscard]] virtual std::vector<std::optional<std::string>> getAll(std::span<const std::string> keys) = 0;
    /// Sets the key if nobody has; gives what stands there afterwards: `value` if this call was the first. `value` is not
    /// empty.
    [[nodiscard]] virtual std::string claim(const std::string& key, const std::string& value) = 0;
};

} // namespace pipeloom::executor
