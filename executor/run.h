// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A training run of a design: what the command line calls, and what it gets back. No LibTorch here, so that its callers
// compile fast.

#include "core/finding/finding.h"
#include "core/formats/design.h"
#include "core/plan/plan.h"
#include "core/timeline/metrics.h"
#include "core/timeline/timeline.h"
#include "executor/device_work.h"
#include "executor/fire_drill.h"
#include "executor/job.h"
#include "executor/step_record.h"

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace pipeloom::executor {

/// How devices reach each other.
enum class TransportKind : std::uint8_t {
    Local, ///< devices are threads of this process
    Gloo,  ///< devices are processes
    Nccl,  ///< devices are processes with a GPU each
};

/// `local`, `gloo`, `nccl`.
[[nodiscard]] const char* text(TransportKind transport);

/// What passes run on.
enum class Processor : std::uint8_t { Cpu, Cuda };

/// What the caller may choose. Where nothing is said the design's `training` holds, then the executor's defaults.
struct RunOptions {
    std::optional<std::int64_t> steps; ///< steps of this run; resumed: further ones
    std::optional<std::int64_t> seed;
    std::vector<std::string> data;   ///< text files, read one after the other; empty: those of the design
    bool verify = false;             ///< compare loss and gradients of the first step with the model run unpipelined
    double timeoutSeconds = 60;      ///< the most any wait or pass may take; > 0
    std::string checkpointDir;       ///< empty: no checkpoints are written
    std::string events;              ///< where events go (executor/events): a file, a folder, `-`; empty: nowhere
    std::string resumeDir;           ///< empty: start from the seed
    std::int32_t intraOpThreads = 1; ///< per device
    /// Data-parallel replicas of the pipeline, each with the design's devices and micro-batches; gradients are summed over
    /// all. Device r * devices + d is replica r's device d.
    std::int32_t replicas = 1;
    TransportKind transport = TransportKind::Local;
    Processor processor = Processor::Cpu;
    std::int32_t localRank = 0; ///< of this process among those of its machine; says which of its GPUs is its own
    std::optional<std::int64_t> ranks; ///< processes; must be as many as devices
    OptimizerMode optimizer = OptimizerMode::Synchronised;
    NanPolicy nanPolicy = NanPolicy::Stop;
    std::optional<Form> form;                      ///< as in PlanOptions
    std::optional<QueueModel> queue;               ///< as in PlanOptions; the run itself is always `directed`
    std::optional<FireDrill> drill;                ///< a fault on purpose
    std::function<void(const StepReport&)> onStep; ///< called on the thread that called run(), in order of steps
    std::stop_token stop;                          ///< asked to stop: Outcome::Interrupted; promptly, or with
                                                   ///< checkpoints after the step under way, which is saved
};

/// How a run ended; the command line makes its exit code of it.
enum class Outcome : std::uint8_t {
    Finished,    ///< all steps, and verified if that was asked (exit code 0)
    Refused,     ///< the design has errors or cannot be run: nothing was started (1)
    Unreadable,  ///< data or checkpoint to resume from cannot be read (2)
    Failed,      ///< a device failed or stalled, gradients differ, a file could not be written (3)
    Interrupted, ///< by RunOptions::stop (130)
};

/// `finished`, `refused`, `unreadable`, `failed`, `interrupted`.
[[nodiscard]] const char* text(Outcome outcome);

/// Loss and gradients against the unpipelined model.
struct VerifyReport {
    double worst = 0;      ///< highest relative difference, of the loss and of every parameter's gradient
    std::string parameter; ///< where it is highest; `loss` if there
};

/// One device: times of the last step, bytes at their highest over all steps.
struct DeviceReport {
    double busyMs = 0;     ///< in passes, and what a step has around them
    double aroundMs = 0;   ///< of busyMs: preparing batches, sums and the optimizer's step
    double transferMs = 0; ///< waiting for inputs that were on their way
    double waitMs = 0;     ///< the rest: for inputs not yet sent, and for other devices
    double loopMs = 0;     ///< of waitMs: the rank loop itself, between passes
    /// The sum of busy, transfer and wait: the step's, or with post-validation this device's own span.
    double stepMs = 0;
    MemoryUse peak;      ///< measured
    MemoryUse predicted; ///< of the order that was run, with the memory changes of a dry pass of each stage
};

/// How late the passes of a rehearsal ended, over all steps.
struct Lateness {
    double medianMs = 0;
    double p99Ms = 0;
    double worstMs = 0;
};

/// Of a rehearsal (executor/emulation): passes took their planned time and computed nothing.
struct Emulation {
    bool isVirtual = false; ///< on a virtual clock: the times are planned ones
    double plannedMs = 0;   ///< a step as simulated, queues `directed`: makespan, or own span with post-validation
    Lateness lateness;      ///< none on a virtual clock
};

struct RunResult {
    Outcome outcome = Outcome::Refused;
    Findings findings;              ///< of the plan, then of the model, then of the run
    std::vector<std::string> notes; ///< sentences for the reader: defaults taken, times that are not comparable, ...
    Model model;                    ///< used: the design's, or the default
    Training training;              ///< used: every key that matters is set
    bool defaultModel = false;      ///< the design has no model
    bool timesComparable = true;    ///< false: more devices than cores
    std::vector<StepReport> steps;  ///< with post-validation, times per step that tend to the plan's own span
    OptimizerMode optimizer = OptimizerMode::Synchronised; ///< that was used
    StepCounts counts;                                     ///< of steps that went ahead, were rolled back or skipped
    std::optional<VerifyReport> verify;                    ///< if asked for and reached
    std::vector<DeviceReport> devices;                     ///< empty if no step ended
    Plan plan;                                        ///< of the design, in its own units; what was run is its order
    Timeline measured;                                ///< the last step from its start, in ticks of measuredTickUs
    double measuredTickUs = executor::measuredTickUs; ///< microseconds; a nanosecond
    Metrics measuredMetrics; ///< of `measured`, by the same functions as plan.metrics; peaks as predicted, in bytes
    std::vector<DeviceId> leftBehind;   ///< stuck in a pass: their threads still run
    std::optional<Emulation> emulation; ///< set: it was a rehearsal; then there is no model, loss or memory
    std::optional<double> replayedMs;   ///< the order simulated with the measured pass times, transfers taking no time

    [[nodiscard]] bool ok() const { return outcome == Outcome::Finished; }
};

/// Plans the design, trains its model by the schedule on this machine (transport `local`: a thread per device), and
/// compares. Never throws for bad input, files or a failing device; returns within about the time limit of the last
/// sign of life, whatever a device does. After a stuck pass its thread, which cannot be killed, is left behind with all
/// that it uses: then the caller should end the process soon.
[[nodiscard]] RunResult run(const Design& design, const RunOptions& options);

/// Notes on steps that went ahead, were rolled back or skipped; none where there is nothing to say.
[[nodiscard]] std::vector<std::string> stepNotes(const RunResult& result);

} // namespace pipeloom::executor
