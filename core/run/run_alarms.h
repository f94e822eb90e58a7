// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What is worth telling about steps that have ended: devices that fell behind, steps that took long and why, memory beyond what
// was foretold, overhead that eats what a better schedule would save. Each is told when it begins to hold, and again only after
// it had ceased to.

#include "core/run/run_figures.h"
#include "core/run/run_log.h"

#include <deque>
#include <map>
#include <span>

namespace pipeloom {

class RunAlarms {
public:
    /// What comes between steps and explains them.
    void checkpointSaved(const CheckpointSaved& saved) { checkpoint_ = saved; }
    void stalled(const DeviceStalled& stall) { stall_ = stall.device; }
    void rolledBack() { rolledBack_ = true; }

    /// `recent`: the last whole steps, oldest first, the one that has just ended last. The plan may be null.
    [[nodiscard]] std::vector<RunNotice> stepEnded(std::span<const MeasuredStepPtr> recent, const RunPlan* plan);

private:
    void lookForSlowness(std::span<const MeasuredStepPtr> recent, const RunPlan& plan, std::vector<RunNotice>& told);
    void lookAtMemory(const MeasuredStep& step, const RunPlan& plan, std::vector<RunNotice>& told);
    void lookForOverhead(std::span<const MeasuredStepPtr> recent, const RunPlan& plan, std::vector<RunNotice>& told);
    void lookAtTime(std::span<const MeasuredStepPtr> recent, const RunPlan* plan, std::vector<RunNotice>& told);
    [[nodiscard]] std::string reason(std::span<const MeasuredStepPtr> recent, const RunPlan* plan, double more) const;

    std::deque<double> stepMs_; ///< of the last steps
    std::map<DeviceId, bool> isSlow_;
    std::map<DeviceId, bool> isOverMemory_;
    bool isOverhead_ = false;
    std::optional<CheckpointSaved> checkpoint_;
    std::optional<DeviceId> stall_;
    bool rolledBack_ = false;
};

} // namespace pipeloom
