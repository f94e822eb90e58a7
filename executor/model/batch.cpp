// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/model/batch.h"

#include "executor/model.h"
#include "executor/model/random.h"

namespace pipeloom::executor {

Batch batch(const ModelSetup& setup, std::int64_t step, MicroBatch microBatch)
{
    const std::string& text = *setup.text;
    const auto sequence = static_cast<std::size_t>(setup.model.sequence);
    const auto rows = static_cast<std::size_t>(setup.model.microBatchSize);
    const std::size_t starts = text.size() - sequence; // each with its last target still in the text
    const std::uint64_t seed = mixed({ numberOf("batch"), static_cast<std::uint64_t>(setup.training.seed),
        static_cast<std::uint64_t>(step), static_cast<std::uint64_t>(microBatch.value) });

    Batch result;
    result.tokens.reserve(rows * sequence);
    result.targets.reserve(rows * sequence);
    for (std::size_t row = 0; row < rows; ++row) {
        const std::size_t start = mixed({ seed, row }) % starts;
        for (std::size_t i = start; i < start + sequence; ++i) {
            result.tokens.push_back(static_cast<unsigned char>(text[i]));
            result.targets.push_back(static_cast<unsigned char>(text[i + 1]));
        }
    }
    return result;
}

} // namespace pipeloom::executor
