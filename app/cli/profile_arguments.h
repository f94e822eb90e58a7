// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pipeloom::cli {

/// What `profile` was asked for.
struct ProfileArguments {
    std::string file;
    std::vector<std::string> forecast; ///< designs whose steps the measured costs are to foretell
    std::optional<std::int64_t> steps;
    std::vector<std::string> data;
    bool gloo = false; ///< transfers over the loopback network, else handed over by reference
    std::string output; ///< empty: the design with the costs is not written
    bool json = false;
};

} // namespace pipeloom::cli
