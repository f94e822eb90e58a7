// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Connections to LibTorch's TCPStore.

#include "executor/processes/rendezvous.h"

#include <c10/util/intrusive_ptr.h>

#include <chrono>
#include <exception>
#include <string>

namespace c10d {
class TCPStore;
}

namespace pipeloom::executor {

/// At least one.
[[nodiscard]] std::chrono::milliseconds milliseconds(Nanoseconds time);

/// LibTorch appends a trace to its messages.
[[nodiscard]] std::string firstLineOf(const std::exception& error);

/// A connection of its own; `hosts`: it is also the server. Throws LibTorch's exceptions.
[[nodiscard]] c10::intrusive_ptr<c10d::TCPStore> tcpStore(const StoreAddress& address, bool hosts, Nanoseconds limit);

} // namespace pipeloom::executor
