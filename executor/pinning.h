// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Devices on cores of their own: a thread that wanders from core to core leaves its caches behind, and pass times scatter.

#include <cstddef>

namespace pipeloom::executor {

/// Keeps the calling thread on one core: the `index`-th of those that the process may use (`taskset` and batch systems
/// narrow them). Does nothing, and gives false, if there are fewer than `threads` of them, or the system does not allow it.
/// Threads that this one starts later inherit it, so not for a thread with intra-op threads of its own.
bool pinToCore(std::size_t index, std::size_t threads);

} // namespace pipeloom::executor
