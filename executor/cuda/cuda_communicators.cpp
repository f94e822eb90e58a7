// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/cuda/calls.h"
#include "executor/cuda/cuda_gpu.h"

#include <c10/cuda/CUDAGuard.h>
#include <nccl.h>

#include <cstring>

namespace pipeloom::executor::cuda {

namespace {

ncclComm_t native(gpu::Communicator communicator) { return reinterpret_cast<ncclComm_t>(communicator); }

/// Non-blocking calls may answer that they go on by themselves.
void checkNccl(ncclResult_t result, const char* call, ncclComm_t communicator = nullptr)
{
    if (result == ncclSuccess || result == ncclInProgress)
        return;
    throw gpu::Error(
        std::string(call) + ": " + ncclGetErrorString(result) + " (" + ncclGetLastError(communicator) + ")");
}

} // namespace

int CudaGpu::ncclVersion()
{
    int version = 0;
    checkNccl(ncclGetVersion(&version), "ncclGetVersion");
    return version;
}

gpu::UniqueId CudaGpu::newUniqueId()
{
    ncclUniqueId id {};
    checkNccl(ncclGetUniqueId(&id), "ncclGetUniqueId");
    gpu::UniqueId bytes {};
    static_assert(sizeof id == sizeof bytes);
    std::memcpy(bytes.data(), &id, sizeof id);
    return bytes;
}

gpu::Communicator CudaGpu::begin(const gpu::UniqueId& bytes, int rank, int ranks, int ctas, const std::string& name)
{
    const c10::cuda::CUDAGuard onThis(static_cast<c10::DeviceIndex>(index_));
    ncclUniqueId id {};
    std::memcpy(&id, bytes.data(), sizeof id);
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    config.minCTAs = 1;
    config.maxCTAs = ctas;
    {
        const std::lock_guard held(namesMutex_);
        config.commName = names_.emplace_back(name).c_str();
    }
    ncclComm_t communicator = nullptr;
    checkNccl(ncclCommInitRankConfig(&communicator, ranks, id, rank, &config), "ncclCommInitRankConfig");
    return static_cast<gpu::Communicator>(reinterpret_cast<std::uintptr_t>(communicator));
}

gpu::Progress CudaGpu::progress(gpu::Communicator communicator)
{
    ncclResult_t state = ncclSuccess;
    checkNccl(ncclCommGetAsyncError(native(communicator), &state), "ncclCommGetAsyncError", native(communicator));
    if (state == ncclSuccess)
        return {};
    if (state == ncclInProgress)
        return { gpu::Progress::State::Working, {} };
    return { gpu::Progress::State::Failed,
        std::string(ncclGetErrorString(state)) + " (" + ncclGetLastError(native(communicator)) + ")" };
}

void CudaGpu::send(gpu::Communicator communicator, gpu::Stream stream, const void* data, std::size_t bytes, int peer)
{
    checkNccl(ncclSend(data, bytes, ncclUint8, peer, native(communicator), cuda::native(stream)), "ncclSend",
        native(communicator));
}

void CudaGpu::receive(gpu::Communicator communicator, gpu::Stream stream, void* data, std::size_t bytes, int peer)
{
    checkNccl(ncclRecv(data, bytes, ncclUint8, peer, native(communicator), cuda::native(stream)), "ncclRecv",
        native(communicator));
}

void CudaGpu::exchangeWithSelf(
    gpu::Communicator communicator, gpu::Stream stream, const void* from, void* to, std::size_t bytes)
{
    int self = 0;
    checkNccl(ncclCommUserRank(native(communicator), &self), "ncclCommUserRank", native(communicator));
    checkNccl(ncclGroupStart(), "ncclGroupStart");
    send(communicator, stream, from, bytes, self);
    receive(communicator, stream, to, bytes, self);
    checkNccl(ncclGroupEnd(), "ncclGroupEnd", native(communicator));
}

void CudaGpu::abort(gpu::Communicator communicator) { checkNccl(ncclCommAbort(native(communicator)), "ncclCommAbort"); }

} // namespace pipeloom::executor::cuda
