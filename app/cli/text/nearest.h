// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pipeloom::cli {

/// Which of the names was meant: the one with the fewest letters to change, if these are few for its length; else empty.
[[nodiscard]] std::string nearest(std::string_view word, std::span<const std::string> names);

} // namespace pipeloom::cli
