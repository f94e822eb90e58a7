// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One of the orders that a profile runs in turn, with its measured steps, and how well these are foretold.

#include "core/measured/measured_costs.h"
#include "executor/profile/profile.h"
#include "executor/profile/step_times.h"

namespace pipeloom::executor {

struct MeasuredOrder {
    std::string name;
    Program program;
    std::vector<StepTimes> steps; ///< without those that warm up
    std::vector<double> aroundMs; ///< by step: what it has beside its makespan
    std::int64_t disturbed = 0;   ///< of the steps
    bool allAreDisturbed = false; ///< too few were not; then all count

    /// `devices`: records of one step.
    void add(std::span<const StepRecord> devices);
    /// After the last add: sets disturbed steps aside, where at least `enough` others are left.
    void setDisturbedAside();

    [[nodiscard]] MeasuredCosts costs(const Pipeline& pipeline) const;
    /// Replays its steps, and forecasts them with `costs`, which must have all of its kinds.
    [[nodiscard]] Foretold foretold(const Pipeline& pipeline, const MeasuredCosts& costs) const;

    static constexpr std::int64_t enough = 3;
};

} // namespace pipeloom::executor
