// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/program/program_memory.h"

#include <algorithm>

namespace pipeloom {

namespace {

/// Bytes of the message that carries the result of a pass.
Bytes bufferBytes(const Pass& made, const Network& network)
{
    return network.messageBytes(StageId { made.kind == PassKind::F ? made.stage.value : made.stage.value - 1 });
}

Bytes peakOf(std::span<const Instruction> row, const Program& program, const MemoryModel& memory,
    const Network& network, const std::vector<Bytes>& reductions, Bytes level)
{
    Bytes peak = level;
    for (std::size_t i = 0; i < row.size();) {
        if (row[i].op == Op::Receive)
            level += bufferBytes(row[i].pass, network);
        if (row[i].op == Op::Reduce && !reductions.empty())
            level += reductions[row[i].pass.stage.index()];
        if (row[i].op != Op::Compute) {
            peak = std::max(peak, level);
            ++i;
            continue;
        }
        Bytes rise = 0;
        Bytes change = 0;
        do {
            const Pass& pass = row[i].pass;
            if (row[i].message >= 0)
                level -= bufferBytes(program.messages[static_cast<std::size_t>(row[i].message)].pass, network);
            const Bytes changes = memory.change.of(pass.kind, pass.stage);
            rise += std::max<Bytes>(changes, 0) + memory.transient.of(pass.kind, pass.stage);
            change += changes;
            ++i;
        } while (i < row.size() && row[i].op == Op::Compute && row[i].joined);
        peak = std::max(peak, level + rise);
        level += change;
    }
    return peak;
}

} // namespace

std::vector<Bytes> peaks(const Program& program, const Pipeline& pipeline, const MemoryModel& memory,
    const Network& network, const std::vector<Bytes>& reductions)
{
    std::vector<Bytes> found;
    for (std::size_t d = 0; d < static_cast<std::size_t>(pipeline.devices); ++d)
        found.push_back(peakOf(program.row(DeviceId { d }), program, memory, network, reductions,
            memory.fixed[d] + memory.communication[d]));
    return found;
}

} // namespace pipeloom
