// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// How processes find each other: LibTorch's TCPStore and ProcessGroupGloo behind Store and Messages. What is declared here is
// defined in executor/torch/gloo.cpp, the one file that knows gloo.

#include "executor/device_status.h"
#include "executor/processes/messages.h"
#include "executor/processes/store.h"

#include <cstdint>
#include <memory>
#include <string>

namespace pipeloom::executor {

/// Where the store is.
struct StoreAddress {
    std::string host;
    std::uint16_t port = 0;
    std::string prefix; ///< of all keys
};

/// A store that this process holds until the end of its life or of this object, for all that reach the machine.
struct HostedStore {
    std::unique_ptr<Store> store;
    std::uint16_t port = 0;
};

/// The store cannot be hosted: in most cases somebody else has the port.
struct PortTaken : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// On `address.port`, or any free one if that is 0. Throws PortTaken.
[[nodiscard]] HostedStore hostStore(const StoreAddress& address, Nanoseconds limit);

/// Throws StoreLost if nobody answers within the limit.
[[nodiscard]] std::unique_ptr<Store> connectStore(const StoreAddress& address, Nanoseconds limit);

/// Connections of rank `rank` to all `world` ranks, made through a connection to the store of their own. Waits until all have
/// come; throws ConnectionLost if they have not within the limit.
[[nodiscard]] std::shared_ptr<Messages> connectGloo(
    const StoreAddress& address, int rank, int world, Nanoseconds limit);

} // namespace pipeloom::executor
