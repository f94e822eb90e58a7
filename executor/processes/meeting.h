// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// All ranks meet: what each says goes to rank 0, which tells everyone all of it. And the clocks: steady_clock is the same for
// all processes of a machine; between machines the difference to rank 0's is measured once.

#include "core/program/program.h"
#include "executor/processes/messages.h"
#include "executor/transport.h"

#include <vector>

namespace pipeloom::executor {

class Meeting {
public:
    Meeting(const Program& program, DeviceId device, Messages& messages);

    /// Once, before the first meeting, by all ranks: measures the difference of this machine's clock to rank 0's. Waits.
    void compareClocks();
    /// What all say at this meeting; waits until all have come. `came`: when this device did.
    [[nodiscard]] Gathered meet(const Contribution& own, Clock::time_point came);

    /// A time of this machine's clock as rank 0's clock has it, in nanoseconds; and back.
    [[nodiscard]] std::int64_t shared(Clock::time_point time) const;
    [[nodiscard]] Clock::time_point own(std::int64_t shared) const;

private:
    void answerClocks(int rank);

    DeviceId device_;
    Messages& messages_;
    std::vector<std::size_t> stages_; ///< by device: how many it has
    Nanoseconds ahead_ {};            ///< of rank 0's clock
};

} // namespace pipeloom::executor
