// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// All that is known of a run, built up from its events: the last steps with every pass, a line for each step before, what was
// told of it. Memory stays bounded however long the run is.

#include "core/run/measured_step.h"
#include "core/run/run_event.h"
#include "core/run/run_plan.h"

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pipeloom {

/// What is kept of every step.
struct StepSummary {
    std::int64_t step = 0;
    double stepMs = 0;
    double loss = 0; ///< NaN: none, or not finite
};

/// Something worth a line for a person, in the order in which it was told.
struct RunNotice {
    enum class Kind : std::uint8_t {
        Began,
        Rank,
        Step,
        Stall,
        Rollback,
        Skip,
        Checkpoint,
        Verified,
        Failed,
        Ended,
        Straggler,
        Memory,
        Slow,
        Overhead
    };
    enum class Level : std::uint8_t { Info, Good, Warning, Error };

    Kind kind = Kind::Step;
    Level level = Level::Info;
    std::int64_t step = -1;        ///< -1: of no step
    std::vector<DeviceId> devices; ///< that it is about
    std::optional<Pass> pass;
    Nanos at = -1;      ///< since the run began; -1: not known
    std::string text;   ///< `Device 2 has not finished 3B5 for 1.0 s; devices 1 and 0 wait`
    std::string advice; ///< what it costs, or what to do; may be empty
};

/// What did not come as it should have.
struct RunFaults {
    std::int64_t late = 0;       ///< events of steps that are kept no longer
    std::int64_t lostPasses = 0; ///< of whole steps: passes of the plan that were never told
    std::int64_t lostLines = 0;  ///< device_end told more lines than came
    std::int64_t strange = 0;    ///< devices, stages or steps that the run does not have; passes told twice
};

class RunAlarms;

class RunLog {
public:
    /// Steps are kept whole up to this many passes, transfers and devices' rows in all; at least the last two steps.
    explicit RunLog(std::size_t mostPasses = 400'000);
    ~RunLog();
    RunLog(const RunLog&) = delete;
    RunLog& operator=(const RunLog&) = delete;

    void add(RunEvent&& event);

    /// Steps with all their passes, oldest first; the last one may be under way. Those before are summaries only.
    [[nodiscard]] const std::deque<std::shared_ptr<MeasuredStep>>& steps() const { return steps_; }
    [[nodiscard]] MeasuredStepPtr step(std::int64_t step) const; ///< null: kept no longer, or not begun
    [[nodiscard]] MeasuredStepPtr newest() const;                ///< that has begun; null: none
    [[nodiscard]] MeasuredStepPtr newestWhole() const;           ///< that all devices have ended; null: none
    /// Of a run of more than 100,000 steps the older ones are thinned: of two neighbours the slower stays.
    [[nodiscard]] const std::vector<StepSummary>& summaries() const { return summaries_; }
    /// Newest 2,000; the oldest go first.
    [[nodiscard]] const std::deque<RunNotice>& notices() const { return notices_; }
    /// Of all that ever were, how many stand before the first of notices().
    [[nodiscard]] std::int64_t noticesBefore() const { return noticesBefore_; }

    [[nodiscard]] const std::optional<RunBegan>& began() const { return began_; }
    [[nodiscard]] const std::optional<RunPlanned>& planned() const { return planned_; }
    [[nodiscard]] const RunPlanPtr& plan() const { return plan_; }       ///< null: not known
    [[nodiscard]] const Findings& findings() const { return findings_; } ///< why there is no plan, and the like
    [[nodiscard]] const std::vector<std::optional<RankBegan>>& ranks() const { return ranks_; } ///< by device
    [[nodiscard]] const std::optional<RunFailed>& failed() const { return failed_; }
    [[nodiscard]] const std::optional<RunEnded>& ended() const { return ended_; }
    [[nodiscard]] const RunFaults& faults() const { return faults_; }
    [[nodiscard]] std::int64_t events() const { return events_; }
    [[nodiscard]] std::int64_t passesTold() const { return passes_; }
    /// Highest that each device ever told; by device, 0: none.
    [[nodiscard]] const std::vector<Bytes>& peaks() const { return peaks_; }
    /// Changes with everything that is added.
    [[nodiscard]] std::uint64_t generation() const { return generation_; }

private:
    /// What is known of a step beside the step itself.
    struct Kept {
        std::shared_ptr<MeasuredStep> step;
        std::vector<std::uint8_t> told;     ///< passes, by placeOf
        std::vector<std::uint8_t> arrived;  ///< transfers, by placeOf of the pass that made them
        std::vector<std::int32_t> restarts; ///< by device
        std::int64_t lost = -1;             ///< passes that did not come; -1: not counted yet
    };

    void take(RunBegan&& began);
    void take(RankBegan&& rank);
    void take(RunPlanned&& planned);
    void take(StepBegan&& began);
    void take(PassEnded&& pass);
    void take(TransferEnded&& transfer);
    void take(MemoryPeaked&& peak);
    void take(StepEnded&& ended);
    void take(StepUndone&& undone);
    void take(DeviceStalled&& stall);
    void take(CheckpointSaved&& saved);
    void take(RunVerified&& verified);
    void take(RunFailed&& failed);
    void take(DeviceEnded&& ended);
    void take(RunEnded&& ended);

    [[nodiscard]] bool isStrange(const RunEvent& event) const;
    void makePlan();
    [[nodiscard]] Kept* keptOf(std::int64_t step); ///< null: kept no longer
    void holdAgainstPlan(Kept& kept);
    [[nodiscard]] bool isPassOf(const Pass& pass, DeviceId device) const;
    void beginAgain(Kept& kept, DeviceId device);
    [[nodiscard]] bool isTwice(const Kept& kept, std::vector<std::uint8_t>& told, const Pass& pass) const;
    void countLost(bool all);
    void summarise(const StepEnded& ended);
    void evict();
    void tell(RunNotice notice);

    std::deque<Kept> kept_;
    std::deque<std::shared_ptr<MeasuredStep>> steps_;
    std::vector<StepSummary> summaries_;
    std::deque<RunNotice> notices_;
    std::int64_t noticesBefore_ = 0;
    std::vector<RunEvent> early_; ///< what came before the run's first line
    std::optional<RunBegan> began_;
    std::optional<RunPlanned> planned_;
    RunPlanPtr plan_;
    bool planTried_ = false;
    Findings findings_;
    std::vector<std::optional<RankBegan>> ranks_;
    std::vector<std::int64_t> lines_; ///< by device
    std::optional<RunFailed> failed_;
    std::optional<RunEnded> ended_;
    RunFaults faults_;
    std::int64_t events_ = 0;
    std::int64_t passes_ = 0;
    std::int64_t newestEnded_ = -1;
    std::int64_t evictedBelow_ = -1; ///< steps up to this one are kept no longer
    std::int64_t countedBelow_ = 0;  ///< of steps below that have ended, lost passes are counted
    std::vector<Bytes> peaks_;
    std::unique_ptr<RunAlarms> alarms_;
    std::uint64_t generation_ = 0;
    std::size_t mostPasses_;
    std::size_t weight_ = 0; ///< passes, transfers and rows kept
};

} // namespace pipeloom
