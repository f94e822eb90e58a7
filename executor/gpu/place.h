// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where the devices of a process compute: on its CPU, or on GPUs, of which there may be fewer than devices.

#include "core/finding/finding.h"

#include <memory>
#include <vector>

namespace pipeloom::executor::gpu {

class Gpu;

struct Place {
    /// Of this process. Empty: the CPU. Devices take them in turn: device d has gpus[d mod size].
    std::vector<std::shared_ptr<Gpu>> gpus;
    /// Messages lie in host memory, where a transport between processes can take them (`gloo`).
    bool messagesOnHost = false;
    /// A slot is started as soon as its inputs are there, while those before it still run (`nccl`). Else it is waited for, so
    /// that whoever takes a result at once finds it whole.
    bool runsAhead = false;

    /// Null: the CPU.
    [[nodiscard]] std::shared_ptr<Gpu> of(DeviceId device) const
    {
        return gpus.empty() ? nullptr : gpus[device.index() % gpus.size()];
    }
};

} // namespace pipeloom::executor::gpu
