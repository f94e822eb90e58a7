// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pipeloom::cli {

/// The text in lines of at most `width` columns, broken at blanks; a longer word gets a line of its own, uncut, so that
/// it can be copied. At least one line.
[[nodiscard]] std::vector<std::string> wrap(std::string_view text, int width);

} // namespace pipeloom::cli
