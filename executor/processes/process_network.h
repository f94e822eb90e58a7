// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Transport between processes: the end of one device, whose peers are other ranks. Every channel has a thread of its own on
// either side, so that what waits on one holds up no other, and transfers go on while passes run.

#include "core/program/program.h"
#include "executor/board.h"
#include "executor/processes/messages.h"
#include "executor/transport.h"

#include <memory>

namespace pipeloom::executor {

/// What goes between two ranks, by tag. Data of passes have a tag for each kind.
enum class Tag : std::uint8_t { Activations, Gradients, WeightGradients, Meeting, Values, Restart };

/// The network of the one device of this process. Device d is rank d.
class ProcessNetwork : public TransportNetwork {
public:
    /// A lost connection ends the board's run (run/lost, a failure of `device`).
    ProcessNetwork(
        const Program& program, DeviceId device, std::shared_ptr<Board> board, std::shared_ptr<Messages> messages);
    ~ProcessNetwork() override;

    [[nodiscard]] std::unique_ptr<Transport> end(DeviceId device) override;
    void abort() override;

    /// A time of rank 0's clock, in nanoseconds, as this machine's has it. Once the end is prepared.
    [[nodiscard]] Clock::time_point own(std::int64_t shared) const;

    class State;

private:
    std::shared_ptr<State> state_;
};

} // namespace pipeloom::executor
