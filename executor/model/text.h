// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The text that is trained on.

#include "core/finding/finding.h"
#include "core/formats/design.h"

#include <memory>
#include <string>
#include <vector>

namespace pipeloom::executor {

/// The most that is read: beyond it a file is more likely a mistake (a device, say) than a text.
inline constexpr std::size_t mostTextBytes = std::size_t { 4 } << 30U;

struct TextResult {
    std::shared_ptr<const std::string> text; ///< none if there is an error
    Findings findings;
};

/// The bytes of the files, one after another. Errors: no file named (data/none), one that cannot be read or that
/// is too much with those before it (file/unreadable, file/size), fewer bytes than a sequence and its last target need,
/// none among them (data/short), a byte that the vocabulary does not have (data/vocabulary).
[[nodiscard]] TextResult readText(const std::vector<std::string>& files, const Model& model);

} // namespace pipeloom::executor
