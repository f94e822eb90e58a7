// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A timeline made ready to be looked at: where each pass stands, what it needs and feeds, the memory before it. Made once
// for each set of figures, 14 bytes a pass beside core's 32; all questions of a frame are answered without a search of all.

#include "app/designer/figures/figures.h"
#include "app/designer/schedule/timeline_row.h"

#include <span>

namespace pipeloom::designer {

/// Index of a pass in the timeline; -1: none.
using PassIndex = std::int32_t;

class ScheduleData {
public:
    ScheduleData() = default;
    /// Keeps the figures alive. O(passes).
    explicit ScheduleData(FiguresPtr figures);

    [[nodiscard]] bool isEmpty() const { return !figures_ || !figures_->plan.simulated() || !figures_->planned; }
    [[nodiscard]] const FiguresPtr& figures() const { return figures_; }
    /// The design that the timeline is of. Like all below only if not empty.
    [[nodiscard]] const Design& design() const { return *figures_->planned; }
    [[nodiscard]] const Pipeline& pipeline() const { return figures_->planned->pipeline; }
    [[nodiscard]] const Timeline& timeline() const { return figures_->plan.timeline; }
    [[nodiscard]] const Metrics& metrics() const { return figures_->plan.metrics; }
    [[nodiscard]] std::int32_t devices() const { return timeline().devices(); }
    [[nodiscard]] const TimedPass& at(PassIndex pass) const
    {
        return timeline().passes[static_cast<std::size_t>(pass)];
    }
    [[nodiscard]] DeviceId deviceOf(PassIndex pass) const;
    [[nodiscard]] PassIndex rowBegin(DeviceId device) const { return timeline().deviceBegin[device.index()]; }
    [[nodiscard]] PassIndex rowEnd(DeviceId device) const { return timeline().deviceBegin[device.index() + 1]; }

    /// A device's passes as pictures need them; looks at this.
    [[nodiscard]] TimelineRow row(DeviceId device) const;

    /// Where a pass stands, B and BW of a stage and micro-batch being one place; -1: nowhere.
    [[nodiscard]] PassIndex find(const Pass& pass) const;
    /// What it waits for and what waits for it, of its own slot alone.
    [[nodiscard]] std::vector<PassIndex> needs(PassIndex pass) const;
    [[nodiscard]] std::vector<PassIndex> feeds(PassIndex pass) const;
    /// All it depends on and all that depends on it, the pass itself left out; ascending.
    [[nodiscard]] std::vector<PassIndex> chain(PassIndex pass) const;
    /// Passes of a micro-batch, in order of stage, F, B, W.
    [[nodiscard]] std::vector<PassIndex> ofMicroBatch(MicroBatch microBatch) const;

    /// The first pass of a row that may still run at that time or later: all before it end at or before it. The row's end
    /// if there is none. Where passes of a row overlap, a few that have ended may be among those after it.
    [[nodiscard]] PassIndex firstAfter(DeviceId device, double time) const;
    /// The pass that runs at that time, the last to start if several do; -1: none.
    [[nodiscard]] PassIndex runningAt(DeviceId device, double time) const;
    /// About how long it takes from one micro-batch to the next: what the busiest device does for one, at least 1. Strips
    /// are averaged over it, so that the steady state is one even tone.
    [[nodiscard]] Ticks period() const { return period_; }
    /// The mean time of the passes of a row; 0 if it has none.
    [[nodiscard]] double meanTicks(DeviceId device) const { return meanTicks_[device.index()]; }

    /// Memory before a slot's first pass starts, the most while it runs, and after it. Of a pair: of both.
    [[nodiscard]] Bytes levelBefore(PassIndex pass) const { return level_[static_cast<std::size_t>(pass)]; }
    [[nodiscard]] Bytes levelDuring(PassIndex pass) const
    {
        if (at(pass).joined)
            --pass;
        const Bytes level = levelBefore(pass) + riseOf(at(pass).pass);
        const bool opens = static_cast<std::size_t>(pass) + 1 < level_.size() && at(pass + 1).joined;
        return opens ? level + riseOf(at(pass + 1).pass) : level;
    }
    [[nodiscard]] Bytes levelAfter(PassIndex pass) const;
    /// The same as tables, for loops over all passes: levels before, by pass; rises, by stage * passKinds + kind.
    [[nodiscard]] const Bytes* levelTable() const { return level_.data(); }
    [[nodiscard]] const Bytes* riseTable() const { return rise_.data(); }
    /// Passes of a row taken together, from the row's first on, and the most memory while any of them runs.
    static constexpr PassIndex passesInBlock = 4;
    [[nodiscard]] const Bytes* blockMost(DeviceId device) const
    {
        return blockMost_.data() + blockBegin_[device.index()];
    }
    /// The highest peak and limit of any device: what all curves are drawn to. At least 1.
    [[nodiscard]] Bytes memoryScale() const { return memoryScale_; }

    /// Of a stage on its device: 0 for the first it holds there, then 1, 2, ...
    [[nodiscard]] std::int32_t chunk(StageId stage, DeviceId device) const;

    /// Any transfer takes time.
    [[nodiscard]] bool hasTransfers() const { return !transferBegin_.empty(); }
    /// Transfers on their way to a device that take time, by start, as indices into the timeline's; empty if none does.
    [[nodiscard]] std::span<const std::int32_t> transfersTo(DeviceId device) const;

    /// Bytes held for each pass beside the timeline, for measuring.
    [[nodiscard]] std::size_t ownBytes() const;

private:
    void indexPasses();
    void followMemory();
    void sortTransfers();
    [[nodiscard]] std::size_t idOf(const Pass& pass) const;
    [[nodiscard]] Bytes riseOf(const Pass& pass) const
    {
        return rise_[pass.stage.index() * passKinds + pipeloom::index(pass.kind)];
    }
    [[nodiscard]] PassIndex findAt(std::int32_t stage, MicroBatch microBatch, PassKind kind) const;

    FiguresPtr figures_;
    std::vector<PassIndex> place_; ///< by id
    std::vector<Bytes> level_;     ///< by pass
    std::vector<Bytes> blockMost_; ///< by block of passes, row after row
    std::vector<std::size_t> blockBegin_;
    std::vector<double> meanTicks_;
    std::vector<Ticks> longest_; ///< by device: its longest pass
    std::vector<std::int32_t> transferOrder_;
    std::vector<std::int32_t> transferBegin_; ///< devices + 1 entries, or empty
    std::vector<std::int32_t> chunk_;         ///< by device * stages + stage
    std::vector<Bytes> rise_;                 ///< by stage * passKinds + kind: what it takes while it runs
    Bytes memoryScale_ = 1;
    Ticks period_ = 1;
};

} // namespace pipeloom::designer
