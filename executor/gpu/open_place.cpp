// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/gpu/open_place.h"

#include "executor/torch/gpu_memory.h"

#include <fmt/format.h>

#include <mutex>

namespace pipeloom::executor::gpu {

OpenedPlace openPlace(Messages messages, std::int32_t localRank, const std::function<OpenedMachine(Kernels)>& open)
{
    auto opened = open(messages == Messages::BetweenGpus ? Kernels::Eager : Kernels::Lazy);
    if (!opened.machine)
        return { {}, std::move(opened.findings) };
    const auto gpus = opened.machine->gpus();
    if (messages == Messages::BetweenGpus && localRank >= gpus)
        return { {},
            { { "run/gpus", Severity::Error, {}, "",
                fmt::format(
                    "Rank {} of this machine has no GPU of its own: there {} {}, and NCCL wants one for each rank.",
                    localRank, gpus == 1 ? "is" : "are", gpus),
                "Start fewer ranks on each machine, or run with --transport gloo, which shares GPUs." } } };
    static std::once_flag once;
    std::call_once(once, [&] { opened.machine->onMemory(&gpuMemoryGiven, &gpuMemoryTaken); });
    OpenedPlace result;
    const auto number = messages == Messages::WithinProcess ? 0 : localRank % gpus;
    result.place.gpus = { opened.machine->gpu(number) };
    result.place.messagesOnHost = messages == Messages::ThroughHost;
    result.place.runsAhead = messages == Messages::BetweenGpus;
    return result;
}

} // namespace pipeloom::executor::gpu
