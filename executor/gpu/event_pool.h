// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Events that are used again: making one takes a call to the driver, which nothing should while communicators wait.

#include "executor/gpu/gpu.h"

#include <memory>
#include <mutex>
#include <vector>

namespace pipeloom::executor::gpu {

/// An event that whoever needs it holds; it goes back to its pool when the last one lets go.
using SharedEvent = std::shared_ptr<const Event>;

/// Any thread may use it. Events may outlive it.
class EventPool {
public:
    /// `gpu` must outlive the pool and its events.
    explicit EventPool(Gpu& gpu)
        : gpu_(gpu)
    {
    }

    /// Makes as many ahead.
    void reserve(std::size_t events);
    /// A free one, recorded on the stream now.
    [[nodiscard]] SharedEvent record(Stream stream);

private:
    struct Free {
        std::mutex mutex;
        std::vector<Event> events;
    };

    Gpu& gpu_;
    std::shared_ptr<Free> free_ = std::make_shared<Free>();
};

} // namespace pipeloom::executor::gpu
