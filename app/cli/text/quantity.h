// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Numbers as people read them.

#include "core/finding/ids.h"
#include "core/formats/design.h"

#include <optional>
#include <string>

namespace pipeloom::cli {

/// `53 ticks`, `1 tick`.
[[nodiscard]] std::string ticksText(Ticks ticks);
/// `53 ms`, `1.457 s`: what the ticks come to.
[[nodiscard]] std::string durationText(Ticks ticks, double tickUs);
/// `9.43 %`.
[[nodiscard]] std::string percentText(double share);
/// `6` activations, or bytes as `1.50 GB`; `-` where there is none.
[[nodiscard]] std::string memoryText(std::optional<Bytes> level, MemoryUnit unit);
/// `1 stage`, `8 stages`.
[[nodiscard]] std::string counted(std::int64_t number, const std::string& what);

/// The design in one line: its name, sizes and placement.
[[nodiscard]] std::string headline(const Design& design);

} // namespace pipeloom::cli
