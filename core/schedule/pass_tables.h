// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The facts of a pipeline as flat tables, so that orders can be executed and searched by arithmetic instead of by graph
// objects. The ground that squeeze and reorder stand on; not for other rooms.
//
// A pass has two numbers. Its *id* is (micro-batch * stages + stage) * 3 + work, work = 0 for F, 1 for B and BW, 2 for W;
// BW leaves its W's id unused. What it depends on lies at fixed distances: F(s,j) on id - 3, B(s,j) on id - 1 and id + 3,
// W(s,j) on id - 1. Its *local* number (route * stages + stage) * 4 + kind tells all that does not depend on the
// micro-batch; overlapped pairs have locals of their own behind those.

#include "core/pipeline/costs.h"
#include "core/pipeline/pipeline.h"
#include "core/schedule/schedule.h"

#include <vector>

namespace pipeloom {

/// A slot as the tables know it: its pass, or the first of its pair.
struct Item {
    std::int32_t id = 0;
    std::int32_t local = 0;
};

/// Forward in time, or mirrored: predecessors and successors, starts and ends, and the signs of memory changes swapped.
enum class Direction : std::uint8_t { Forward, Mirrored };

/// What is read of a pass in one direction. Offsets are added to the id; 0 means there is none.
struct LocalFacts {
    Ticks cost = 0;
    Bytes change = 0;            ///< of the level, over the pass, in this direction
    Bytes rise = 0;              ///< highest level while it runs, less the level before it; >= 0
    std::int32_t ownInput = 0;   ///< pass of the same stage and micro-batch that it waits for
    std::int32_t chainInput = 0; ///< pass of the neighbouring stage that it waits for
    Ticks chainLag = 0;          ///< transfer time of that input
    std::int32_t fed = 0;        ///< pass of the neighbouring stage that waits for it
    std::int32_t fedDevice = -1;
    Ticks fedLag = 0;
    std::int32_t device = 0;
    PassKind kind = PassKind::F; ///< of a pair: None
};

struct PairLocal {
    std::int32_t first = 0;  ///< local of the F
    std::int32_t second = 0; ///< local of the B or BW
};

class PassTables {
public:
    /// Fills the tables; buffers are reused from call to call. Stages on one device have no transfer between them.
    void build(const Pipeline& pipeline, const Costs& costs, const MemoryModel& memory, const Network& network);

    /// Turns an order into items and notes its pairs. Passes must be those of the pipeline, each at most once.
    void read(const Schedule& order);

    [[nodiscard]] const std::vector<LocalFacts>& facts(Direction direction) const
    {
        return direction == Direction::Forward ? forward_ : mirrored_;
    }
    [[nodiscard]] const std::vector<Item>& items() const { return items_; }
    [[nodiscard]] const std::vector<std::int32_t>& deviceBegin() const { return deviceBegin_; }
    [[nodiscard]] std::int32_t devices() const { return devices_; }
    [[nodiscard]] std::size_t ids() const { return ids_; }
    [[nodiscard]] bool hasPairs() const { return !mate_.empty(); }
    [[nodiscard]] bool isPair(std::int32_t local) const { return local >= singles_; }
    [[nodiscard]] PairLocal pair(std::int32_t local) const
    {
        return pairs_[static_cast<std::size_t>(local - singles_)];
    }
    /// Id of the second pass of a pair, by the id of the first.
    [[nodiscard]] std::int32_t mate(std::int32_t id) const { return mate_[static_cast<std::size_t>(id)]; }
    /// The local number in the sense of "the next pass of each (kind, stage)"; pairs by their combination.
    [[nodiscard]] std::int32_t locals() const { return static_cast<std::int32_t>(forward_.size()); }

    /// The slot that an item stands for.
    [[nodiscard]] Slot slot(Item item) const;
    /// A schedule of items in the order given, devices as in `deviceBegin()`.
    [[nodiscard]] Schedule schedule(const std::vector<Item>& items) const;

private:
    [[nodiscard]] std::int32_t localOf(const Pass& pass) const;
    [[nodiscard]] Pass passOf(std::int32_t id, std::int32_t local) const;
    [[nodiscard]] std::int32_t pairLocal(std::int32_t first, std::int32_t second);

    std::int32_t devices_ = 0;
    std::int32_t stages_ = 0;
    std::int32_t singles_ = 0; ///< locals below are single passes
    std::size_t ids_ = 0;
    std::optional<Ticks> pairTicks_;
    std::vector<std::int32_t> routeOf_; ///< by micro-batch; empty with one route
    std::vector<LocalFacts> forward_;
    std::vector<LocalFacts> mirrored_;
    std::vector<PairLocal> pairs_;
    std::vector<Item> items_;
    std::vector<std::int32_t> deviceBegin_;
    std::vector<std::int32_t> mate_;
};

} // namespace pipeloom
