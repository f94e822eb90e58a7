// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A stage's share of a checkpoint: named arrays of floats in one file, as they lie in memory, with a checksum at its
// end. Files are for the machine that wrote them, or one of the same byte order.

#include "core/finding/finding.h"

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace pipeloom::executor {

/// Written from where it lies.
struct ArrayView {
    std::string name;
    std::vector<std::int64_t> shape;
    std::span<const float> values;
};

struct Array {
    std::vector<std::int64_t> shape;
    std::vector<float> values;
};

using ArraysByName = std::unordered_map<std::string, Array>;

/// To a temporary name, synced and renamed (saveText). An error says what failed; then nothing is left behind.
[[nodiscard]] Findings writeStageFile(const std::string& path, std::span<const ArrayView> arrays);

struct StageFile {
    ArraysByName arrays; ///< empty if there is an error
    Findings findings;   ///< file/unreadable, checkpoint/damaged
};

/// All arrays of a file whose checksum is right.
[[nodiscard]] StageFile readStageFile(const std::string& path);

} // namespace pipeloom::executor
