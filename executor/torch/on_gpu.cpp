// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/torch/on_gpu.h"

#include "executor/device_work.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace pipeloom::executor {

at::Device deviceOf(const gpu::Gpu* gpu)
{
    const auto index = gpu != nullptr ? gpu->torchIndex() : std::nullopt;
    return index ? at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(*index)) : at::Device(at::kCPU);
}

std::optional<c10::Stream> torchStream(const gpu::Gpu* gpu, gpu::Stream stream)
{
    if (gpu == nullptr || !gpu->torchIndex())
        return {};
    const auto named = gpu->torchStream(stream);
    return c10::Stream::unpack3(
        named.id, static_cast<c10::DeviceIndex>(named.deviceIndex), static_cast<c10::DeviceType>(named.deviceType));
}

std::vector<float> hostValues(const at::Tensor& tensor)
{
    const auto values = tensor.detach().to(at::kCPU).contiguous();
    const auto* first = values.const_data_ptr<float>();
    return { first, first + values.numel() };
}

void assign(at::Tensor& tensor, std::span<const float> values)
{
    const at::NoGradGuard noGraph;
    // LibTorch has no view of memory that may not be written; copy_ only reads it.
    auto* first = const_cast<float*>(values.data());
    tensor.copy_(at::from_blob(first, tensor.sizes(), at::kFloat));
}

at::Tensor framedOnHost(gpu::Gpu& gpu, at::IntArrayRef shape, at::ScalarType type)
{
    const auto bytes = c10::multiply_integers(shape) * static_cast<std::int64_t>(c10::elementSize(type));
    const auto memory = gpu.allocatePinned(static_cast<std::size_t>(bytes) + frameBytes);
    auto* data = static_cast<std::byte*>(memory.get()) + frameBytes;
    return at::from_blob(
        data, shape, [memory](void*) {}, at::TensorOptions().dtype(type));
}

} // namespace pipeloom::executor
