// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Programs for tests, from orders written as text. The lowering here is the plainest one: all receives of a device are issued
// at the start, those of a channel in the order of its sends. Nothing checks the orders: broken ones are what tests want.

#include "core/pipeline/pipeline.h"
#include "core/program/program.h"

#include <cctype>
#include <string>
#include <vector>

namespace pipeloom::tests {

/// `0F3`, `12BW0`.
inline Pass passOf(const std::string& text)
{
    const auto kindAt = text.find_first_of("FBW");
    const bool both = text.compare(kindAt, 2, "BW") == 0;
    Pass pass;
    pass.stage = StageId { std::stoi(text.substr(0, kindAt)) };
    pass.microBatch = MicroBatch { std::stoi(text.substr(kindAt + (both ? 2 : 1))) };
    pass.kind = both          ? PassKind::BW
        : text[kindAt] == 'F' ? PassKind::F
        : text[kindAt] == 'B' ? PassKind::B
                              : PassKind::W;
    return pass;
}

/// `0F0 (1F0+1BW0) 0B0`: a pass a word, pairs in brackets as two Computes of which the second is joined.
inline std::vector<Instruction> computes(const std::string& row)
{
    std::vector<Instruction> list;
    std::size_t at = 0;
    while (at < row.size()) {
        const auto end = std::min(row.find_first_of(" +()", at), row.size());
        if (end > at) {
            Instruction instruction;
            instruction.pass = passOf(row.substr(at, end - at));
            instruction.joined = at > 0 && row[at - 1] == '+';
            list.push_back(instruction);
        }
        at = end + 1;
    }
    return list;
}

inline Program programOf(const std::vector<std::vector<Instruction>>& rows)
{
    Program program;
    for (const auto& row : rows) {
        program.instructions.insert(program.instructions.end(), row.begin(), row.end());
        program.deviceBegin.push_back(static_cast<std::int32_t>(program.instructions.size()));
    }
    return program;
}

/// The device that takes the result of `pass`; the pass's own if nobody does.
inline DeviceId takerOf(const Pass& pass, const Pipeline& pipeline)
{
    const auto here = pipeline.deviceOf(pass);
    Pass taker = pass;
    if (pass.kind == PassKind::F)
        ++taker.stage.value;
    else if (givesInputGradient(pass.kind))
        --taker.stage.value;
    else
        return here;
    return taker.stage.value < 0 || taker.stage.value >= pipeline.stages ? here : pipeline.deviceOf(taker);
}

inline Program lowered(const std::vector<std::vector<Instruction>>& orders, const Pipeline& pipeline)
{
    std::vector<std::vector<Instruction>> rows(orders.size());
    for (std::size_t d = 0; d < orders.size(); ++d) {
        for (const auto& order : orders[d]) {
            if (const auto to = takerOf(order.pass, pipeline); to.index() != d)
                rows[to.index()].push_back({ Op::Receive, false, order.pass, DeviceId { d }, -1 });
        }
    }
    for (std::size_t d = 0; d < orders.size(); ++d) {
        std::vector<Instruction> sends;
        for (std::size_t i = 0; i < orders[d].size(); ++i) {
            const auto& order = orders[d][i];
            rows[d].push_back(order);
            if (const auto to = takerOf(order.pass, pipeline); to.index() != d)
                sends.push_back({ Op::Send, false, order.pass, to, -1 });
            if (i + 1 < orders[d].size() && orders[d][i + 1].joined)
                continue;
            rows[d].insert(rows[d].end(), sends.begin(), sends.end());
            sends.clear();
        }
    }
    return programOf(rows);
}

inline Program programOf(const std::vector<std::string>& rows, const Pipeline& pipeline)
{
    std::vector<std::vector<Instruction>> orders;
    for (const auto& row : rows)
        orders.push_back(computes(row));
    return lowered(orders, pipeline);
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

/// 1F1B, with W `late` backwards after its B; `late` < 0: backward and weights as one.
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

} // namespace pipeloom::tests
