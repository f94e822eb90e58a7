// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Programs for tests of the rank loop, from orders written as text. Nothing checks them: broken ones are what tests want.

#include "core/pipeline/pipeline.h"
#include "core/program/lower.h"
#include "core/program/program.h"
#include "tests/support/text_rows.h"

#include <algorithm>
#include <string>
#include <vector>

namespace pipeloom::test {

/// The orders lowered as for a run.
inline Program programOf(const std::vector<std::string>& rows, const Pipeline& pipeline)
{
    return *lower(scheduleOf(rows), pipeline, freeNetwork(pipeline.stages), QueueModel::Directed);
}

/// A list of passes without any send or receive.
inline std::vector<Instruction> computes(const std::string& row)
{
    std::vector<Instruction> list;
    for (const auto& slot : scheduleOf({ row }).slots)
        list.push_back({ Op::Compute, false, slot.first, {}, -1 });
    return list;
}

inline std::string word(std::int32_t stage, const char* kind, std::int32_t microBatch)
{
    return std::to_string(stage) + kind + std::to_string(microBatch) + " ";
}

/// All forwards, then all backwards, on a linear placement.
inline std::vector<std::string> gpipeRows(std::int32_t devices, std::int32_t microBatches)
{
    std::vector<std::string> rows;
    for (std::int32_t s = 0; s < devices; ++s) {
        std::string row;
        for (std::int32_t j = 0; j < microBatches; ++j)
            row += word(s, "F", j);
        for (std::int32_t j = 0; j < microBatches; ++j)
            row += word(s, "BW", j);
        rows.push_back(row);
    }
    return rows;
}

/// 1F1B. W comes `lateByDevice` backwards per device after its B; < 0: backward and weights as one.
inline std::vector<std::string> oneFOneBRows(
    std::int32_t devices, std::int32_t microBatches, std::int32_t lateByDevice = -1)
{
    std::vector<std::string> rows;
    for (std::int32_t s = 0; s < devices; ++s) {
        const auto warmUp = std::min(microBatches, devices - 1 - s);
        const auto late = lateByDevice * s;
        std::string row;
        for (std::int32_t j = 0; j < warmUp; ++j)
            row += word(s, "F", j);
        for (std::int32_t j = 0; j < microBatches; ++j) {
            if (warmUp + j < microBatches)
                row += word(s, "F", warmUp + j);
            row += word(s, lateByDevice < 0 ? "BW" : "B", j);
            if (lateByDevice >= 0 && j >= late)
                row += word(s, "W", j - late);
        }
        for (auto j = std::max(0, microBatches - late); lateByDevice >= 0 && j < microBatches; ++j)
            row += word(s, "W", j);
        rows.push_back(row);
    }
    return rows;
}

} // namespace pipeloom::test
