// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/gpu/rehearsal.h"

#include <map>
#include <tuple>
#include <utility>

namespace pipeloom::executor::gpu {

namespace {

/// What is on its way between passes, by stage that made it, micro-batch, and whether it is an activation.
using Key = std::tuple<std::int32_t, std::int32_t, bool>;

Key keyOf(const Pass& maker) { return { maker.stage.value, maker.microBatch.value, maker.kind == PassKind::F }; }

std::optional<Key> inputOf(const Pass& pass, std::int32_t stages)
{
    const auto stage = pass.stage.value;
    if (pass.kind == PassKind::F && stage > 0)
        return Key { stage - 1, pass.microBatch.value, true };
    if (givesInputGradient(pass.kind) && stage < stages - 1)
        return Key { stage + 1, pass.microBatch.value, false };
    return {};
}

} // namespace

void rehearse(DeviceWork& work, std::span<const Instruction> row, std::int32_t stages)
{
    std::map<Key, Payload> results;
    work.beginStep(0);
    for (std::size_t i = 0; i < row.size(); ++i) {
        const auto& [op, joined, pass, peer, message] = row[i];
        if (op == Op::Receive)
            results[keyOf(pass)] = work.receiveBuffer(pass);
        if (op == Op::Send)
            results.erase(keyOf(pass));
        if (op != Op::Compute)
            continue;
        Payload input;
        if (const auto key = inputOf(pass, stages))
            input = std::move(results.extract(*key).mapped());
        auto output = work.run(pass, std::move(input));
        if (output)
            results[keyOf(pass)] = std::move(output);
        if (i + 1 == row.size() || row[i + 1].op != Op::Compute || !row[i + 1].joined)
            work.endSlot();
    }
    results.clear();
    static_cast<void>(work.sums());
    while (!work.takeEnded().empty()) { }
    work.discardStep();
}

} // namespace pipeloom::executor::gpu
