// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Passes that take their planned time and do no arithmetic. Each pass has an absolute deadline: its planned end is the later
// of the planned end of the pass before it on its device and of its inputs, plus its cost. The deadlines travel with the
// messages, so a late wake-up delays nobody but itself and does not add up along the pipeline. Sleeping the planned time
// after a real start was tried: a step was 6 to 19 % too long; with deadlines it is within 0.2 %.

#include "core/pipeline/costs.h"
#include "core/program/program.h"
#include "executor/device_work.h"
#include "executor/step_listener.h"
#include "executor/step_record.h"
#include "executor/transport.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace pipeloom::executor {

/// How time passes.
enum class EmulatedTime : std::uint8_t {
    Real,    ///< every pass sleeps until its planned end
    Virtual, ///< nobody sleeps: what is reported are the planned times, which says nothing of overheads
};

/// What the emulation of a step needs; never changes.
struct EmulationPlan {
    Pipeline pipeline;
    Costs costs;
    Network network;
    EmulatedTime time = EmulatedTime::Real;

    [[nodiscard]] Nanoseconds lengthOf(Ticks ticks) const;
};

/// When the steps of a rehearsal are planned to end: with the last pass of all devices. By any thread.
class PlannedEnds {
public:
    void begin(Clock::time_point start);
    void note(std::int64_t step, Clock::time_point end);
    /// From the end of the step before, for the first one from the beginning. For steps in order, each once, when all devices
    /// have noted it.
    [[nodiscard]] Nanoseconds timeOf(std::int64_t step);

private:
    std::mutex mutex_;
    std::optional<Clock::time_point> before_; ///< end of the step before
    std::map<std::int64_t, Clock::time_point> ends_;
};

/// One device's planned times. Its work and its transport's end share it; used by the device's thread alone.
class EmulatedClock {
public:
    EmulatedClock(
        const EmulationPlan& plan, const Program& program, DeviceId device, std::shared_ptr<PlannedEnds> ends);

    /// When the next step begins, if all devices have gathered: the same time on all of them. Else it begins when the device
    /// has planned to be free.
    void setNextStart(Clock::time_point start) { nextStart_ = start; }
    void beginStep(std::int64_t step);
    void endPasses() { ends_->note(step_, free_); }
    void endStep();
    /// Tells of passes and transfers with their planned times, on a virtual clock the only ones there are.
    void listen(std::unique_ptr<StepListener> listener) { listener_ = std::move(listener); }
    /// The earliest time from which the device can do something else: the planned end of its last pass.
    [[nodiscard]] Clock::time_point now() const { return free_; }

    /// Planned end of the pass, whose inputs were there at `inputs`. Of the first half of an overlapped pair it is not known
    /// yet: gives that of its device before, and the second half settles both.
    Clock::time_point plan(const Pass& pass, Clock::time_point inputs);
    [[nodiscard]] bool isFirstOfPair(const Pass& pass) const;
    [[nodiscard]] const EmulationPlan& facts() const { return plan_; }

    /// The step as planned, times from its start.
    [[nodiscard]] const StepRecord& planned() const { return planned_; }
    void note(const TimedTransfer& transfer);
    [[nodiscard]] Clock::time_point stepStart() const { return start_; }

private:
    EmulationPlan plan_;
    std::shared_ptr<PlannedEnds> ends_;
    std::int64_t step_ = 0;
    std::vector<std::uint64_t> firstOfPair_; ///< keys, ascending
    std::optional<Clock::time_point> nextStart_;
    Clock::time_point start_ {};
    Clock::time_point free_ {};
    Clock::time_point pairInputs_ {}; ///< of the first half of the pair under way
    Pass pairFirst_;
    StepRecord planned_;
    std::unique_ptr<StepListener> listener_;
};

/// What an emulated result carries: when it was planned to be made, on the receiving side when it was planned to arrive.
struct EmulatedResult {
    Clock::time_point planned;
};

class EmulatedWork : public DeviceWork {
public:
    EmulatedWork(std::shared_ptr<EmulatedClock> clock, std::shared_ptr<std::vector<float>> latenessMs);

    void beginStep(std::int64_t step) override;
    Payload run(const Pass& pass, Payload input) override;
    /// Sums of gradients take no time: planned to be there when the device's last pass has ended.
    [[nodiscard]] Payload packGradients(StageId) override;
    void setGradients(StageId, const std::vector<Payload>&) override { }
    std::vector<StageSums> sums() override
    {
        clock_->endPasses();
        return {};
    }
    void optimizerStep(std::int64_t, double) override { clock_->endStep(); }
    void discardStep() override { }
    void optimizerStepAhead(std::int64_t) override { clock_->endStep(); }
    void confirmStep() override { }
    void undoStep() override { }
    [[nodiscard]] std::string notFinite(StageId) const override { return {}; }
    [[nodiscard]] Payload receiveBuffer(const Pass&) override { return {}; } ///< devices are threads of one process
    void adopt(const Payload&, MemoryClass) override { }
    [[nodiscard]] MemoryUse memoryNow() const override { return {}; }
    [[nodiscard]] MemoryUse memoryPeaks() const override { return {}; }
    void resetMemoryPeaks() override { }

private:
    std::shared_ptr<EmulatedClock> clock_;
    std::shared_ptr<std::vector<float>> latenessMs_;
    std::shared_ptr<EmulatedResult> pairFirst_; ///< of a pair under way: leaves when both have ended
};

/// The device's end with transfers that take their planned time in their queue, one message after the other on each channel.
/// A message is handed over when it is planned to have arrived.
[[nodiscard]] std::unique_ptr<Transport> emulatedEnd(
    std::unique_ptr<Transport> end, std::shared_ptr<EmulatedClock> clock, DeviceId device);

} // namespace pipeloom::executor
