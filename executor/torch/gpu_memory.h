// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whom the memory of GPUs is charged to. LibTorch's caching allocators tell each time that they give or take memory; tensors on
// one GPU may belong to several devices of the pipeline, which the allocator's own figures cannot tell apart.

#include "executor/torch/memory_account.h"

namespace pipeloom::executor {

/// The account and use of the thread's innermost MemoryScope have this address from now on.
void gpuMemoryGiven(const void* address, Bytes bytes);
/// The address is nobody's any more. Nothing if it never was given.
void gpuMemoryTaken(const void* address);
/// Charges what is at the address to `account` as `use` from now on. Nothing if it never was given.
void relabelGpuMemory(const void* address, const std::shared_ptr<MemoryAccount>& account, MemoryClass use);

} // namespace pipeloom::executor
