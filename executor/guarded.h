// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The border at which exceptions of a device's work become the finding that ends the run.

#include "executor/board.h"

#include <exception>
#include <new>
#include <string>

namespace pipeloom::executor {

/// A message without the trace that LibTorch appends: its first line, without a full stop at the end.
[[nodiscard]] std::string firstLine(const char* message);

/// Calls `work`. What it throws ends the run as a failure of this device; then false.
template <class Work> [[nodiscard]] bool guarded(Board& board, DeviceId device, Work&& work)
{
    try {
        work();
        return true;
    } catch (const std::bad_alloc&) {
        board.fail(device, "run/out-of-memory", "the memory is used up",
            "Take a smaller model, shorter sequences, or a schedule with less memory.");
    } catch (const std::exception& error) {
        board.fail(device, "run/failed", firstLine(error.what()),
            "Mend what the message says; the run left nothing half written.");
    } catch (...) {
        board.fail(device, "run/failed", "something was thrown that says nothing", "Run it again under a debugger.");
    }
    return false;
}

} // namespace pipeloom::executor
