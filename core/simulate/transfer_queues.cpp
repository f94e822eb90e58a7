// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/simulate/transfer_queues.h"

#include <algorithm>
#include <map>

namespace pipeloom {

void TransferQueues::build(const Program& program, QueueModel queue)
{
    queues_.clear();
    sides_.assign(program.messages.size(), {});
    std::map<std::pair<std::int32_t, std::int32_t>, std::size_t> found; // device and peer, or device alone
    for (std::int32_t d = 0; d < program.devices(); ++d) {
        std::map<std::size_t, std::int32_t>
            lastGroup; // by queue: number of the list's group that its last message came from
        std::int32_t listGroup = 0;
        for (const Instruction& instruction : program.row(DeviceId { d })) {
            if (!instruction.joined)
                ++listGroup;
            if ((instruction.op != Op::Send && instruction.op != Op::Receive) || instruction.message < 0)
                continue;
            const auto key = std::pair(d, queue == QueueModel::Pair ? instruction.peer.value : -1);
            const auto [place, fresh] = found.emplace(key, queues_.size());
            if (fresh)
                queues_.emplace_back();
            Queue& at = queues_[place->second];
            const auto [group, first] = lastGroup.emplace(place->second, listGroup);
            if (first || group->second != listGroup)
                at.groupBegin.push_back(static_cast<std::int32_t>(at.messages.size()));
            group->second = listGroup;
            at.messages.push_back(instruction.message);
            Sides& sides = sides_[static_cast<std::size_t>(instruction.message)];
            (instruction.op == Op::Send ? sides.sender : sides.receiver)
                = { place->second, static_cast<std::int32_t>(at.groupBegin.size()) - 1 };
        }
    }
    for (Queue& at : queues_) {
        at.groupBegin.push_back(static_cast<std::int32_t>(at.messages.size()));
        at.left = at.groupBegin[1] - at.groupBegin[0];
    }
}

std::int32_t TransferQueues::blocker(std::int32_t message, const std::vector<std::uint8_t>& done) const
{
    const Sides& sides = sides_[static_cast<std::size_t>(message)];
    for (const Side& side : { sides.sender, sides.receiver }) {
        if (isCurrent(side))
            continue;
        const Queue& queue = queues_[side.queue];
        const auto group = static_cast<std::size_t>(queue.current);
        for (std::int32_t i = queue.groupBegin[group]; i < queue.groupBegin[group + 1]; ++i)
            if (const std::int32_t before = queue.messages[static_cast<std::size_t>(i)];
                !done[static_cast<std::size_t>(before)])
                return before;
    }
    return -1;
}

} // namespace pipeloom
