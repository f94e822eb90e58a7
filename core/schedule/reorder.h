// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Reorder: while squeezing, start passes before their turn where that fills idle time, within a memory limit.
// DESIGN.md 3.8; attains the closed forms of arXiv 2405.15362 for V-Min, V-Half and V-ZB.

#include "core/pipeline/costs.h"
#include "core/schedule/list_run.h"
#include "core/schedule/reorder_rules.h"
#include "core/schedule/schedule.h"
#include "core/schedule/sweep.h"

#include <vector>

namespace pipeloom {

/// Step time and own span of an order under constant transfer times, and what each device holds at most.
struct OrderFigures {
    Ticks makespan = 0;
    Ticks ownSpan = 0;
    std::vector<Bytes> peak; ///< by device: static + communication + highest of running sum plus transient
};

/// Squeezes and reorders. Keeps its buffers from call to call, so that a window may call it at every mouse move.
class Reorderer {
public:
    /// The facts that all later calls go by.
    void prepare(const Pipeline& pipeline, const Costs& costs, const MemoryModel& memory, const Network& network);

    /// Figures of the order as it stands, squeezed. False if it cannot run to its end.
    bool squeeze(const Schedule& order, OrderFigures& figures);

    /// The reordered schedule, from an order that can run. Its makespan is never above the squeezed one (aim makespan), each
    /// device's peak never above max(limit, squeezed peak). Limit: the device's where given, else for all devices the
    /// highest squeezed peak. The better, for the aim, of plain and staggered sweeps. `figures`: of the result.
    [[nodiscard]] Schedule reorder(const Schedule& order, Reorder how, OrderFigures& figures);

private:
    void sweepTwice(const std::vector<Ticks>& stagger, Fillers fillers);
    bool measure(const std::vector<Item>& items, OrderFigures& figures);
    [[nodiscard]] std::vector<Ticks> stagger() const;
    void mirror(const std::vector<Item>& items, std::vector<Item>& mirrored) const;

    const Pipeline* pipeline_ = nullptr;
    PassTables tables_;
    ListRun listRun_;
    ListTimes times_;
    Sweep sweep_;
    std::vector<Ticks> zero_;
    std::vector<Bytes> base_;                  ///< by device: static + communication
    std::vector<std::optional<Bytes>> limits_; ///< by device, as given
    std::vector<Bytes> room_;                  ///< by device: what the running sum may reach
    std::vector<Item> mirrored_;
    std::vector<Item> swept_;
};

/// One call, for those who need no second.
[[nodiscard]] Schedule reorder(const Schedule& order, const Pipeline& pipeline, const Costs& costs,
    const MemoryModel& memory, const Network& network, Reorder how);

} // namespace pipeloom
