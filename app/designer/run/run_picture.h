// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// One measured step beside its plan, made ready to be looked at: which pass is which, how late each is, what its device did
// before it, the memory over time. Made once for each state of a step; all questions of a frame are answered without a search.

#include "app/designer/schedule/timeline_row.h"
#include "core/run/measured_step.h"
#include "core/run/run_plan.h"

#include <optional>
#include <unordered_map>
#include <vector>

namespace pipeloom::designer {

/// A stretch in which a device runs nothing, and why.
struct RunGap {
    enum class Why : std::uint8_t {
        Waiting,  ///< an input of the next pass was not yet sent, or others had not ended
        Transfer, ///< it was on its way
        Own,      ///< all inputs were there: work between passes
    };
    Ticks from = 0;
    Ticks to = 0;
    Why why = Why::Waiting;
    std::int32_t before = 0; ///< the pass that ends it, counted in the device's row; the row's length: after its last
};

/// Which pass, planned or actual: its device and its place in the device's row.
struct PassPlace {
    DeviceId device;
    std::int32_t at = -1;

    [[nodiscard]] bool isThere() const { return at >= 0; }
    friend bool operator==(const PassPlace&, const PassPlace&) = default;
};

/// Memory of one device.
struct RunMemory {
    std::vector<LevelChange> measured;  ///< empty: not told with the passes
    std::vector<LevelChange> predicted; ///< empty: not known
    std::optional<Bytes> measuredPeak;
    std::optional<Bytes> predictedPeak;
    std::optional<Bytes> limit;
};

/// Times are nanoseconds from the step's beginning.
class RunPicture {
public:
    /// Grades of lateness go from 0 (as early as the scale tells apart) over `onTime` to 2 * onTime.
    static constexpr std::int8_t onTime = 8;
    /// Where the scale of lateness ends, as a share of the planned makespan.
    static constexpr double latenessShare = 0.1;

    RunPicture() = default;
    /// Either may be null: then the other is shown alone. O(passes + transfers).
    RunPicture(MeasuredStepPtr step, RunPlanPtr plan);

    [[nodiscard]] bool isEmpty() const { return devices_ == 0; }
    [[nodiscard]] std::int32_t devices() const { return devices_; }
    [[nodiscard]] const MeasuredStepPtr& step() const { return step_; }
    [[nodiscard]] const RunPlanPtr& plan() const { return plan_; }
    /// Passes by start. Without a plan or a step the row is empty.
    [[nodiscard]] TimelineRow planned(DeviceId device) const;
    /// With grades of lateness if `graded`.
    [[nodiscard]] TimelineRow actual(DeviceId device, bool graded = false) const;

    [[nodiscard]] PassPlace findPlanned(const Pass& pass) const;
    [[nodiscard]] PassPlace findActual(const Pass& pass) const;
    [[nodiscard]] const TimedPass& plannedAt(PassPlace place) const;
    [[nodiscard]] const TimedPass& actualAt(PassPlace place) const;
    /// How much later than planned it started; negative: earlier. None: it is not in the plan, or has not run.
    [[nodiscard]] std::optional<Ticks> lateness(const Pass& pass) const;
    /// Lateness at which the scale ends; 0 without a plan.
    [[nodiscard]] Ticks latenessScale() const;
    /// What it waits for and what waits for it, of its own micro-batch.
    [[nodiscard]] std::vector<Pass> needs(const Pass& pass) const;
    [[nodiscard]] std::vector<Pass> feeds(const Pass& pass) const;
    /// The pass of another device whose result it takes; none: its input is made on its own device. Without a
    /// plan the pass that it would be on another device.
    [[nodiscard]] std::optional<Pass> input(const Pass& pass) const;

    /// By start; they and the passes cover the device's time up to end().
    [[nodiscard]] const std::vector<RunGap>& gaps(DeviceId device) const { return rows_[device.index()].gaps; }
    [[nodiscard]] const RunMemory& memory(DeviceId device) const { return rows_[device.index()].memory; }
    /// What is held at a time; none: not told.
    [[nodiscard]] std::optional<Bytes> measuredLevel(DeviceId device, Ticks time) const;
    [[nodiscard]] bool hasMemory() const { return memoryScale_ > 0; }
    /// The highest of all peaks and limits; 0: no memory is known.
    [[nodiscard]] Bytes memoryScale() const { return memoryScale_; }

    /// Up to when the step is known: its end, or the last event told; 0 without a step.
    [[nodiscard]] Ticks end() const { return end_; }
    /// The same while the step is under way; none: it has ended, or there is no step.
    [[nodiscard]] std::optional<Ticks> now() const;
    /// The later of the plan's end and the step's.
    [[nodiscard]] Ticks last() const;

private:
    struct Row {
        std::vector<RunGap> gaps;
        RunMemory memory;
        std::vector<std::int32_t> chunks; ///< by stage
        Ticks longestPlanned = 0;
        Ticks longestActual = 0;
        double meanPlanned = 0;
        double meanActual = 0;
        Ticks actualEnd = 0;
        Ticks plannedEnd = 0;
    };
    void measureRows();
    void countChunks();
    void match();
    void findGaps();
    void splitGap(Row& row, Ticks from, Ticks to, std::int32_t before, const Pass* next);
    void gatherMemory();
    /// A pass of plan or step; of B and BW the one that there is.
    [[nodiscard]] std::optional<Pass> named(std::int32_t stage, MicroBatch microBatch, PassKind kind) const;
    [[nodiscard]] PassPlace placeIn(const Timeline& timeline, std::int32_t index) const;

    MeasuredStepPtr step_;
    RunPlanPtr plan_;
    std::int32_t devices_ = 0;
    Timeline actual_;
    std::vector<Row> rows_;
    std::vector<std::int8_t> grades_;                            ///< by index into actual_.passes
    std::vector<std::int32_t> actualOf_;                         ///< by index into the plan's passes; -1: has not run
    std::unordered_map<std::uint64_t, std::int32_t> transferOf_; ///< by the pass whose result it brought
    Ticks period_ = 1;
    Ticks end_ = 0;
    Bytes memoryScale_ = 0;
};

} // namespace pipeloom::designer
