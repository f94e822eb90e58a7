// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A program to be run, with what the devices do behind DeviceWork; and what came of it. The same whether devices are threads
// of one process or processes.

#include "core/program/program.h"
#include "executor/device_work.h"
#include "executor/optimizer_mode.h"
#include "executor/step_listener.h"
#include "executor/step_record.h"
#include "executor/transport.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace pipeloom::executor {

/// What is to be run. The functions are called on devices' threads, which may outlive the run when a pass is stuck: they
/// must own what they use.
struct Job {
    Program program;
    std::int32_t stages = 1;
    /// Programs for as many devices and stages that take turns with `program`: step s runs the one at s modulo their number,
    /// `program` being at 0. For comparing schedules under the same circumstances.
    std::vector<Program> others;
    std::int64_t firstStep = 0;
    std::int64_t steps = 1;
    double clip = 0; ///< global gradient norm; 0: none
    OptimizerMode optimizer = OptimizerMode::Synchronised;
    NanPolicy nanPolicy = NanPolicy::Stop;
    Nanoseconds limit = std::chrono::seconds(60); ///< the most a pass, or anything else that a device does, may take

    /// On the device's own thread.
    std::function<std::unique_ptr<DeviceWork>(DeviceId)> makeWork;
    /// What the device uses instead of its end of the network. May be empty.
    std::function<std::unique_ptr<Transport>(std::unique_ptr<Transport>, DeviceId)> wrapEnd;
    /// Told of the device's passes and transfers as they end. May be empty, and may give nothing.
    std::function<std::unique_ptr<StepListener>(DeviceId)> listen;
    /// What was measured of each step, on the device's own thread between two steps, so it should be quick. May be empty.
    std::function<void(DeviceId, std::int64_t step, const StepRecord&)> record;
    /// About five times a second, on the thread that runs the job: what its devices are doing. May be empty.
    std::function<void(std::span<const DeviceStatus>)> look;
    /// On the device's own thread, before the first step. May be empty.
    std::function<Findings(DeviceId, DeviceWork&)> load;
    /// In the first step, on every device's own thread, when all devices have their gradients. May be empty.
    std::function<Findings(DeviceId, const DeviceWork&, std::int64_t step, const std::vector<StageSums>&)> verify;

    std::int64_t saveEvery = 0; ///< steps; 0: at the end only
    /// After a step, each on the device's own thread; then, when all have saved, `commit` on that of device 0. May be empty.
    std::function<Findings(DeviceId, DeviceWork&, std::int64_t step)> save;
    std::function<Findings(std::int64_t step)> commit;
};

/// Of the steps that ended.
struct StepCounts {
    std::int64_t ahead = 0;      ///< some device went on before it knew the sums of all
    std::int64_t rolledBack = 0; ///< of these, that had to be taken back
    std::int64_t skipped = 0;    ///< not applied in the end, rolled back or not: loss or gradients were not finite
};

struct JobResult {
    std::optional<Finding> finding;   ///< that ended the run early
    bool interrupted = false;         ///< with job.save: after a whole step, which was saved
    Findings warnings;                ///< of loading and saving
    std::vector<StepRecord> lastStep; ///< by device; empty if no step ended, and for devices of other processes
    Nanoseconds lastStepTime {};
    std::vector<MemoryUse> peaks; ///< by device, over all steps
    StepCounts counts;
    std::vector<DeviceId> leftBehind; ///< stuck; their threads still run
};

} // namespace pipeloom::executor
