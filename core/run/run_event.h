// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a run tells of itself, one value for each line of its events (core/formats/event_lines.h has the format). Times are
// nanoseconds since the run began, by one clock.

#include "core/formats/design.h"

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace pipeloom {

using Nanos = std::int64_t;

/// The first line. Devices, stages and micro-batches are those of all replicas and accumulated rounds, the design is that of one.
struct RunBegan {
    std::int64_t version = 1;
    std::int32_t devices = 0;
    std::int32_t stages = 0;
    std::int32_t microBatches = 0;
    std::int32_t replicas = 1;
    std::int64_t firstStep = 0;
    std::int64_t steps = 0;     ///< of this run
    bool stepsAreKnown = false; ///< both were told: it has no others
    bool emulated = false;
    std::string transport;          ///< `local`, `gloo`, `nccl`; empty: not told
    std::int64_t tokensPerStep = 0; ///< 0: not told
    std::int64_t beganUnixNs = 0;   ///< 0: not told
    std::shared_ptr<const Design> design;
};

/// Who runs a device.
struct RankBegan {
    DeviceId device;
    std::int32_t rank = 0;
    std::int64_t pid = 0;
    std::string host;
};

/// The order that is run, by device, and what was foretold of it.
struct RunPlanned {
    double stepMs = 0; ///< as the design's costs have it
    std::vector<std::vector<Slot>> rows;
    std::vector<Bytes> predictedBytes; ///< by device: total at its highest
    std::optional<MemoryModel> memory; ///< in bytes, by the dry pass; none: not told
};

struct StepBegan {
    std::int64_t step = 0;
    DeviceId device;
    Nanos at = 0;
};

struct PassEnded {
    std::int64_t step = 0;
    DeviceId device;
    Pass pass;
    Nanos start = 0;
    Nanos end = 0;
    bool joined = false; ///< the second of an overlapped pair
    Bytes bytes = -1;    ///< live on the device when it ended; -1: not told
};

struct TransferEnded {
    std::int64_t step = 0;
    Pass pass; ///< that made the data
    DeviceId from;
    DeviceId to;
    Nanos start = 0; ///< when both sides had come to it
    Nanos end = 0;
};

/// A device has ended its step.
struct MemoryPeaked {
    std::int64_t step = 0;
    DeviceId device;
    Bytes peak = 0;
};

/// All devices have.
struct StepEnded {
    std::int64_t step = 0;
    std::optional<double> loss; ///< NaN if it was not finite; none: emulated
    double stepMs = 0;
};

/// A step was taken back, or not taken at all.
struct StepUndone {
    enum class Reason : std::uint8_t { NotFinite, Clipped };

    std::int64_t step = 0;
    bool rolledBack = false; ///< else skipped
    Reason reason = Reason::NotFinite;
    DeviceId device;       ///< NotFinite
    StageId stage;         ///< NotFinite
    std::string parameter; ///< NotFinite; empty: the loss
    double scale = 1;      ///< Clipped
};

/// A device keeps others waiting.
struct DeviceStalled {
    DeviceId device;
    Nanos at = 0;
    std::optional<Pass> pass;
    double forMs = 0;
    std::vector<DeviceId> waiting;
    std::string message;
};

struct CheckpointSaved {
    std::int64_t steps = 0; ///< that it holds
    double ms = 0;          ///< that saving took; 0: not told
};

struct RunVerified {
    double worst = 0; ///< highest relative difference
    std::string parameter;
};

/// What ended the run.
struct RunFailed {
    std::string rule;
    std::string message;
    std::string remedy;
    std::vector<DeviceId> devices;
};

/// A device's last line: how many of its steps' events it has written (StepBegan, PassEnded, TransferEnded, MemoryPeaked).
struct DeviceEnded {
    DeviceId device;
    std::int64_t lines = 0;
};

/// The last line: `finished`, `failed`, `interrupted`, ...
struct RunEnded {
    std::string outcome;
};

using RunEvent = std::variant<RunBegan, RankBegan, RunPlanned, StepBegan, PassEnded, TransferEnded, MemoryPeaked,
    StepEnded, StepUndone, DeviceStalled, CheckpointSaved, RunVerified, RunFailed, DeviceEnded, RunEnded>;

/// The step that an event belongs to; none: to the run.
[[nodiscard]] std::optional<std::int64_t> stepOf(const RunEvent& event);
/// The device that wrote it; none: the run's own.
[[nodiscard]] std::optional<DeviceId> deviceOf(const RunEvent& event);
/// When it happened; none: it does not say.
[[nodiscard]] std::optional<Nanos> timeOf(const RunEvent& event);
/// Numbers of devices, stages and steps are such as can be, whatever the run.
[[nodiscard]] bool isSane(const RunEvent& event);

} // namespace pipeloom
