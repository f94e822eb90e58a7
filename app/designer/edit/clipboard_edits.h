// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Passes as text, and text as passes: copy, paste, duplicate. The text is rows as in a design file, `7B@15 7W@16`, one line
// for each device from the first selected one on, starts counted from the first pass.

#include "app/designer/edit/edited.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace pipeloom::designer {

/// The passes as text; empty if there are none.
[[nodiscard]] std::string copyText(const Design& design, std::span<const std::int32_t> passes);

/// Puts the passes of the text, the first line on `device`, its first pass at `start`. Kinds and relative times are kept;
/// stage and member are those that each device takes next (placePass), in the order of starts. They come last in
/// block.passes, in the order of the text. Refused with line and place if the text is something else, or with the reason if
/// a device lacks no such pass. `Paste 3 passes`
[[nodiscard]] Edited pastePasses(const Design& design, std::string_view text, DeviceId device, Ticks start);

/// The passes once more on their devices, right after the last of them ends. `Duplicate 3 passes`
[[nodiscard]] Edited duplicatePasses(const Design& design, std::span<const std::int32_t> passes);

} // namespace pipeloom::designer
