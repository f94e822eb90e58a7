// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/gpu/step_times.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace pipeloom::executor::gpu {

namespace {

/// What a message is known by: the stage that made it, the micro-batch, and whether it is an activation.
using Key = std::tuple<std::int32_t, std::int32_t, bool>;

using ByMessage = std::map<Key, const TimedTransfer*>;

std::optional<Key> inputOf(const Pass& pass, std::int32_t stages)
{
    const auto stage = pass.stage.value;
    if (pass.kind == PassKind::F && stage > 0)
        return Key { stage - 1, pass.microBatch.value, true };
    if (givesInputGradient(pass.kind) && stage < stages - 1)
        return Key { stage + 1, pass.microBatch.value, false };
    return {};
}

/// How much of [from, to] the pass's input was on its way.
Ticks onItsWay(const ByMessage& transfers, const Pass& pass, std::int32_t stages, Ticks from, Ticks to)
{
    const auto key = inputOf(pass, stages);
    const auto place = key ? transfers.find(*key) : transfers.end();
    if (place == transfers.end())
        return 0;
    return std::max<Ticks>(0, std::min(to, place->second->end) - std::max(from, place->second->start));
}

} // namespace

void settleTimes(StepRecord& record, std::int32_t stages)
{
    ByMessage transfers;
    for (const auto& transfer : record.transfers)
        transfers[{ transfer.pass.stage.value, transfer.pass.microBatch.value, transfer.pass.kind == PassKind::F }]
            = &transfer;
    Ticks busy = 0;
    Ticks transfer = 0;
    Ticks free = 0;
    for (std::size_t first = 0; first < record.passes.size();) {
        auto start = record.passes[first].start;
        auto end = record.passes[first].end;
        std::size_t next = first + 1;
        for (; next < record.passes.size() && record.passes[next].joined; ++next) {
            start = std::min(start, record.passes[next].start);
            end = std::max(end, record.passes[next].end);
        }
        Ticks longest = 0;
        for (std::size_t i = first; i < next; ++i) {
            longest = std::max(longest, onItsWay(transfers, record.passes[i].pass, stages, free, start));
            record.passes[i].start = start;
            record.passes[i].end = end;
        }
        transfer += longest;
        busy += end - start;
        free = std::max(free, end);
        first = next;
    }
    record.busy = Nanoseconds(busy);
    record.processor = record.busy; // no other thread can take the GPU's place
    record.transfer = Nanoseconds(transfer);
}

} // namespace pipeloom::executor::gpu
