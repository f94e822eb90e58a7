// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One device's thread, from the making of its share on. Its life is in device_thread.cpp; how it takes the optimizer's step with
// the others is in device_optimizer.cpp (see optimizer_mode.h).

#include "executor/device_thread.h"
#include "executor/guarded.h"
#include "executor/rank_loop.h"
#include "executor/step_verdict.h"
#include "executor/validation.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pipeloom::executor {

class Device final : public Validation {
public:
    Device(RunShared& shared, DeviceId device);

    void live();

    // Of the step before the one under way:
    [[nodiscard]] Standing look() override;
    [[nodiscard]] Standing settle() override;

private:
    /// A step whose sums are said, but not known of all.
    struct Said {
        std::int64_t step = 0;
        bool ahead = false; ///< this device has taken the optimizer's step
        StepRecord record;
    };

    [[nodiscard]] bool start();
    [[nodiscard]] bool step(RankLoop& loop, std::int64_t step);
    [[nodiscard]] bool runPasses(RankLoop& loop, std::int64_t step);
    [[nodiscard]] bool isLast(std::int64_t step) const { return step >= last_; }
    [[nodiscard]] bool isSaved(std::int64_t step) const;
    [[nodiscard]] bool isSynchronised(std::int64_t step) const;
    [[nodiscard]] bool save(std::int64_t step);
    [[nodiscard]] bool everyone();

    [[nodiscard]] bool endTogether(std::int64_t step, StepRecord record);
    [[nodiscard]] bool gatherSums(std::int64_t step, StepRecord& record);
    [[nodiscard]] bool verify(std::int64_t step);
    [[nodiscard]] bool optimize(std::int64_t step, StepRecord& record);
    [[nodiscard]] bool endStep(std::int64_t step, StepRecord record);

    [[nodiscard]] bool endApart(std::int64_t step, StepRecord record);
    [[nodiscard]] bool mayGoAhead() const;
    [[nodiscard]] Standing conclude(std::optional<Gathered> gathered);
    [[nodiscard]] bool startOver();

    [[nodiscard]] bool judge(std::int64_t step, std::vector<StageSums> sums);
    [[nodiscard]] bool holdersAgree(std::int64_t step);
    [[nodiscard]] std::string notFiniteText(std::int64_t step);
    void apply(std::int64_t step);
    void tellUndone(std::int64_t step, bool rolledBack);
    void warnOfSkip(const UndoneStep& undone);
    [[nodiscard]] DeviceId teller() const;
    void closeRecord(StepRecord& record, Clock::time_point end) const;
    void keep(std::int64_t step, StepRecord record);
    void report(std::int64_t step, Clock::time_point end);
    [[nodiscard]] bool isAskedToStop();

    template <class Work> [[nodiscard]] bool succeeds(Doing doing, Work&& work);
    template <class Work> [[nodiscard]] bool timed(Nanoseconds& sum, Work&& work);

    RunShared& shared_;
    const Job& job_;
    Board& board_;
    DeviceId device_;
    std::unique_ptr<Transport> transport_;
    std::unique_ptr<DeviceWork> work_;
    std::unique_ptr<StepListener> listener_; ///< null: nobody listens
    std::int64_t last_;                      ///< step
    bool stopped_ = false;                   ///< last_ is earlier than it was to be

    std::vector<StageSums> own_;
    std::vector<StageSums> all_;
    StepVerdict verdict_;       ///< of all_
    std::string notFinite_;     ///< what is not, in words, where this device tells it
    std::string badParameter_;  ///< which; empty: the loss
    bool goesAsIs_;             ///< the last optimizer's step was taken at scale 1, so the next one probably is
    std::optional<Said> said_;  ///< none: the weights are as they should be
    bool someAreAhead_ = false; ///< in the step of said_, once it is gathered
    std::size_t skipsTold_ = 0;

    Clock::time_point stepEnd_;   ///< of the step before, the same on all devices
    Clock::time_point ownStart_;  ///< when this device has begun the step
    Clock::time_point passStart_; ///< the same, or when it has begun it again
    Nanoseconds beside_ {};       ///< of the step, for what is no pass and no wait; taken over into its record
    Nanoseconds verifying_ {};    ///< in this step; not part of its time
};

/// The first error among what `work` finds ends the run; warnings are kept.
template <class Work> bool Device::succeeds(Doing doing, Work&& work)
{
    Findings findings;
    if (!board_.enter(device_, doing) || !guarded(board_, device_, [&] { findings = work(); }))
        return false;
    const auto error = std::find_if(
        findings.begin(), findings.end(), [](const Finding& f) { return f.severity == Severity::Error; });
    if (error == findings.end()) {
        const auto held = board_.lock();
        append(shared_.warnings, std::move(findings));
        return true;
    }
    if (error->where.empty()) {
        Place here;
        here.device = device_;
        error->where.push_back(here);
    }
    board_.end(std::move(*error));
    return false;
}

template <class Work> bool Device::timed(Nanoseconds& sum, Work&& work)
{
    const auto began = Clock::now();
    const bool ok = guarded(board_, device_, std::forward<Work>(work));
    sum += Clock::now() - began;
    return ok;
}

} // namespace pipeloom::executor
