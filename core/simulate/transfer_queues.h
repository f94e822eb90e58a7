// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The queues of the models `pair` and `device`: each side's sends and receives in list order, where a transfer moves only
// when it is at the head on both sides (DESIGN.md 3.5). Neighbours in a list that are grouped have no order among them.

#include "core/pipeline/costs.h"
#include "core/program/program.h"

#include <vector>

namespace pipeloom {

class TransferQueues {
public:
    /// Lays out the queues: one per device and peer (Pair) or one per device (Device).
    void build(const Program& program, QueueModel queue);

    /// Both sides of the queues have come to the message: nothing stands before it.
    [[nodiscard]] bool atHead(std::int32_t message) const
    {
        const Sides& sides = sides_[static_cast<std::size_t>(message)];
        return isCurrent(sides.sender) && isCurrent(sides.receiver);
    }
    /// When the last of what stood before it, on either side, ended.
    [[nodiscard]] Ticks freeAt(std::int32_t message) const
    {
        const Sides& sides = sides_[static_cast<std::size_t>(message)];
        return std::max(queues_[sides.sender.queue].free, queues_[sides.receiver.queue].free);
    }
    /// The message has ended. Calls `visit(message)` for each one that this brings to the head of one of its queues.
    template <class Visit> void finish(std::int32_t message, Ticks end, Visit visit)
    {
        const Sides sides = sides_[static_cast<std::size_t>(message)];
        finishSide(sides.sender, end, visit);
        finishSide(sides.receiver, end, visit);
    }
    /// A message, not ended, that stands before this one on one of its sides, or -1.
    [[nodiscard]] std::int32_t blocker(std::int32_t message, const std::vector<std::uint8_t>& done) const;

private:
    /// A place in a queue: which group of it, and which queue.
    struct Side {
        std::size_t queue = 0;
        std::int32_t group = 0;
    };
    struct Sides {
        Side sender;
        Side receiver;
    };
    struct Queue {
        std::vector<std::int32_t> messages;   ///< in list order
        std::vector<std::int32_t> groupBegin; ///< groups + 1 entries into messages
        std::int32_t current = 0;             ///< group at the head
        std::int32_t left = 0;                ///< messages of that group that have not ended
        Ticks free = 0;                       ///< end of the groups before
        Ticks ends = 0;                       ///< latest end in the current group
    };

    [[nodiscard]] bool isCurrent(const Side& side) const { return queues_[side.queue].current == side.group; }
    template <class Visit> void finishSide(const Side& side, Ticks end, Visit visit)
    {
        Queue& queue = queues_[side.queue];
        queue.ends = std::max(queue.ends, end);
        if (--queue.left > 0)
            return;
        queue.free = queue.ends;
        ++queue.current;
        const auto group = static_cast<std::size_t>(queue.current);
        if (group + 1 >= queue.groupBegin.size())
            return;
        const std::int32_t first = queue.groupBegin[group];
        const std::int32_t last = queue.groupBegin[group + 1];
        queue.left = last - first;
        for (std::int32_t i = first; i < last; ++i)
            visit(queue.messages[static_cast<std::size_t>(i)]);
    }

    std::vector<Queue> queues_;
    std::vector<Sides> sides_; ///< by message
};

} // namespace pipeloom
