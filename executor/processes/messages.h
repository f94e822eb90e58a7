// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Bytes between the processes of a run: what gloo does, as seen from code that does not know LibTorch.

#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>

namespace pipeloom::executor {

/// The other side is gone, or this side has been aborted.
struct ConnectionLost : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// One rank's connections to all others. By any thread; messages with the same peer, direction and tag are in order, all others
/// are independent of each other. Sizes of both sides must agree: that is checked once, at the start of the run.
class Messages {
public:
    virtual ~Messages() = default;

    /// Returns when `bytes` may be written to again. Throws ConnectionLost.
    virtual void send(int to, int tag, std::span<const std::byte> bytes) = 0;
    /// Returns when the message is there. Waits for as long as the peer lives and nobody aborts; throws ConnectionLost.
    virtual void receive(int from, int tag, std::span<std::byte> bytes) = 0;
    /// All calls under way and to come throw. By any thread, any number of times.
    virtual void abort() = 0;
};

} // namespace pipeloom::executor
