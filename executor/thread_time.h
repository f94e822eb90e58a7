// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "executor/device_status.h"

namespace pipeloom::executor {

/// How long the calling thread has had a core so far. Beside the time that went by it shows what others took.
[[nodiscard]] Nanoseconds threadTime();

} // namespace pipeloom::executor
