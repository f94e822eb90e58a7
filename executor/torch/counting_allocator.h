// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Every tensor's memory on the CPU, counted: LibTorch's allocator with 64 bytes before the data that say whom they are
// charged to and as what. So a tensor freed on another thread is taken off the right account. 64 more are for the frame of
// messages.

#include "executor/torch/memory_account.h"

namespace at {
class Tensor;
}

namespace pipeloom::executor {

/// Puts the counting allocator in place for the whole process; later calls do nothing. What was allocated before stays
/// uncounted and may be freed at any time. Also tells malloc to keep freed pages: fetching them from the system again
/// and again costs thousands of page faults a step.
void countMemory();

/// Whether the data lies in one piece with frameBytes before it that nobody else uses.
[[nodiscard]] bool hasFrame(const at::Tensor& tensor);

/// Charges the tensor's storage to `account` as `use` from now on, whoever had it before. A storage that the counting
/// allocator did not make (none, or made before countMemory) is left alone. Only by the thread that has the tensor.
void relabel(const at::Tensor& tensor, const std::shared_ptr<MemoryAccount>& account, MemoryClass use);

} // namespace pipeloom::executor
