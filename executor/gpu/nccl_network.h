// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The network of a rank whose messages go by NCCL: what the ranks' hosts have to say to each other goes by another network.

#include "executor/gpu/nccl_end.h"

namespace pipeloom::executor::gpu {

class NcclNetwork final : public TransportNetwork {
public:
    /// Of the one device of this process. `program`, `store` and `host` must live longer than the ends.
    NcclNetwork(std::shared_ptr<Gpu> gpu, const Program& program, Store& store, std::shared_ptr<Board> board,
        TransportNetwork& host, NcclSettings settings)
        : gpu_(std::move(gpu))
        , program_(program)
        , store_(store)
        , board_(std::move(board))
        , host_(host)
        , settings_(std::move(settings))
    {
    }

    [[nodiscard]] std::unique_ptr<Transport> end(DeviceId device) override
    {
        return std::make_unique<NcclEnd>(gpu_, program_, store_, board_, host_.end(device), settings_);
    }
    void abort() override { host_.abort(); }

private:
    std::shared_ptr<Gpu> gpu_;
    const Program& program_;
    Store& store_;
    std::shared_ptr<Board> board_;
    TransportNetwork& host_;
    NcclSettings settings_;
};

} // namespace pipeloom::executor::gpu
