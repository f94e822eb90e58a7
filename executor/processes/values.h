// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Parameters and gradients on their way to the rank that compares them with the unpipelined model.

#include "executor/model.h"
#include "executor/processes/messages.h"

namespace pipeloom::executor {

/// Sends all values of this rank's stages to rank 0. Throws ConnectionLost.
void sendValues(Messages& messages, const ModelValues& values);

/// What rank `rank`, which holds `stages`, sends.
[[nodiscard]] ModelValues receiveValues(
    Messages& messages, int rank, const ModelSetup& setup, const std::vector<StageId>& stages);

} // namespace pipeloom::executor
