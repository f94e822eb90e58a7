// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/gpu/event_pool.h"

namespace pipeloom::executor::gpu {

void EventPool::reserve(std::size_t events)
{
    const std::lock_guard held(free_->mutex);
    while (free_->events.size() < events)
        free_->events.push_back(gpu_.newEvent());
}

SharedEvent EventPool::record(Stream stream)
{
    std::optional<Event> event;
    {
        const std::lock_guard held(free_->mutex);
        if (!free_->events.empty()) {
            event = free_->events.back();
            free_->events.pop_back();
        }
    }
    if (!event)
        event = gpu_.newEvent();
    gpu_.record(*event, stream);
    const auto giveBack = [free = free_](const Event* used) {
        const std::lock_guard held(free->mutex);
        free->events.push_back(*used);
        delete used;
    };
    return { new Event(*event), giveBack };
}

} // namespace pipeloom::executor::gpu
