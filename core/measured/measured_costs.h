// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// From many measured steps to what a design calls costs.

#include "core/formats/design.h"
#include "core/measured/replay.h"
#include "core/measured/spread.h"

namespace pipeloom {

/// Over steps, in nanoseconds. Of each step its mean counts, as means add up to a step's time; of the steps their median, as
/// one that was held up must not count more than others.
struct MeasuredCosts {
    ByKindAndStage<Spread> passes; ///< count 0: no step had such a pass
    Spread pair;                   ///< overlapped pairs; count 0: none
    std::vector<Spread> loop;      ///< by device; count 0: none was measured
    std::vector<Spread> handOver;  ///< by stage boundary, of every hand-over; count 0: nobody ever waited there
    ByKindAndStage<std::vector<double>> eachPass; ///< every single one, at most mostSamples of them
    std::vector<double> eachPair;                 ///< the same of overlapped pairs

    /// Medians. A device whose loop was not measured, and a boundary at which nobody waited, is given the median of the others.
    [[nodiscard]] BetweenPasses between() const;
    [[nodiscard]] bool hasAllOf(const Program& program) const;
    /// Takes from other steps what these had none of.
    void complete(const MeasuredCosts& other);
    /// By device in list order, from the medians; `program` may be of another schedule.
    [[nodiscard]] std::vector<Ticks> passTimes(const Program& program) const;
    /// The same with each pass's time drawn from the single ones of its kind and stage; the same draw for the same number.
    [[nodiscard]] std::vector<Ticks> drawnPassTimes(const Program& program, std::uint32_t draw) const;

    static constexpr std::size_t mostSamples = 20'000;
};

/// Gathers steps of several programs of one pipeline.
class CostSamples {
public:
    explicit CostSamples(const Pipeline& pipeline);

    void add(const Program& program, const StepTimes& step);
    [[nodiscard]] MeasuredCosts costs() const;

private:
    ByKindAndStage<std::vector<double>> passes_; ///< means, by step
    ByKindAndStage<std::vector<double>> eachPass_;
    std::vector<double> pairs_;
    std::vector<double> eachPair_;
    std::vector<std::vector<double>> loop_;
    std::vector<std::vector<double>> handOver_;
};

/// A tick (microseconds) so fine that half of it is at most 0.5 % of the shortest pass: the highest 1, 2 or 5 times a power
/// of ten that is a hundredth of it or less. `shortest` in nanoseconds, > 0.
[[nodiscard]] double tickFor(double shortest);

/// The design with these costs in the place of its own: a pass's ticks are its time and the rank loop's behind it, a
/// boundary's what a hand-over takes beyond that. Queue model, window, bytes of messages and all that is no cost stay. Every kind
/// and stage must have been measured.
[[nodiscard]] Design withCosts(Design design, const MeasuredCosts& costs);
/// And memory in bytes as `memory` says, messages of `messageBytes`.
[[nodiscard]] Design withCosts(
    Design design, const MeasuredCosts& costs, const MemoryModel& memory, Bytes messageBytes);

} // namespace pipeloom
