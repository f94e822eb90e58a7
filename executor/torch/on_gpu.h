// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the code that knows LibTorch needs of a GPU: its device, its streams, and values that come and go. Without a GPU all of
// it is the CPU.

#include "executor/gpu/gpu.h"

#include <ATen/core/Tensor.h>
#include <c10/core/StreamGuard.h>

#include <span>
#include <vector>

namespace pipeloom::executor {

/// The device that tensors are made on.
[[nodiscard]] at::Device deviceOf(const gpu::Gpu* gpu);

/// How LibTorch names the stream; nothing if the GPU's tensors are on the CPU.
[[nodiscard]] std::optional<c10::Stream> torchStream(const gpu::Gpu* gpu, gpu::Stream stream);

/// The values in the host's memory, in order; waits for the current stream where it must.
[[nodiscard]] std::vector<float> hostValues(const at::Tensor& tensor);

/// Values into a tensor of the same number of elements, wherever it is.
void assign(at::Tensor& tensor, std::span<const float> values);

/// An uninitialised tensor in the host's memory with frameBytes before it (Payload::data); on a machine with a GPU in memory
/// that the GPU copies from and to without a detour.
[[nodiscard]] at::Tensor framedOnHost(gpu::Gpu& gpu, at::IntArrayRef shape, at::ScalarType type);

} // namespace pipeloom::executor
