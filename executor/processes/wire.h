// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the processes of a run tell each other, as JSON text and back. Text that is cut, garbled or out of range gives nothing,
// and nothing here throws for it. Numbers with a fraction travel as their 64 bits, so that NaN and the last bit survive;
// strings as UTF-8, bytes that are none replaced. The clocks of machines have nothing in common: times travel as ages.

#include "executor/device_status.h"
#include "executor/device_work.h"
#include "executor/job.h"
#include "executor/step_record.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pipeloom::executor {

/// A sign of life.
struct Beat {
    std::int64_t number = 0;
    bool ended = false; ///< the last one: no more will come, and none is missed
    std::vector<DeviceStatus> statuses;
};

/// Who a rank is, told to all others before anything is sent between them.
struct Hello {
    std::string digest;  ///< of program, model and sizes: the same on all ranks, else they would not fit together
    std::string version; ///< of Pipeloom
    std::string host;
    std::int64_t pid = 0;
    std::int32_t world = 1; ///< how many ranks there are, as it was told
    DeviceId device;
    Bytes messageBytes = 0; ///< of an activation or gradient that goes from stage to stage

    friend bool operator==(const Hello&, const Hello&) = default;
};

/// What a rank has to tell at its end.
struct RankReport {
    DeviceId device;
    std::optional<StepRecord> lastStep; ///< none: no step ended
    Nanoseconds lastStepTime {};
    MemoryUse peak; ///< over all steps
    StepCounts counts;
    Findings warnings;
    std::optional<Finding> finding; ///< that ended the run early
};

/// `since` travels as age in whole milliseconds at `now`, and is put that much before the reader's `now`.
[[nodiscard]] std::string toWire(const Beat& beat, Clock::time_point now);
[[nodiscard]] std::optional<Beat> beatFrom(std::string_view text, Clock::time_point now);

[[nodiscard]] std::string toWire(const Finding& finding);
[[nodiscard]] std::optional<Finding> findingFrom(std::string_view text);

[[nodiscard]] std::string toWire(const Hello& hello);
[[nodiscard]] std::optional<Hello> helloFrom(std::string_view text);

[[nodiscard]] std::string toWire(const StepReport& report);
[[nodiscard]] std::optional<StepReport> stepReportFrom(std::string_view text);

[[nodiscard]] std::string toWire(const StepRecord& record);
[[nodiscard]] std::optional<StepRecord> stepRecordFrom(std::string_view text);

[[nodiscard]] std::string toWire(const MemoryUse& use);
[[nodiscard]] std::optional<MemoryUse> memoryUseFrom(std::string_view text);

[[nodiscard]] std::string toWire(std::span<const StageSums> sums);
[[nodiscard]] std::optional<std::vector<StageSums>> stageSumsFrom(std::string_view text);

[[nodiscard]] std::string toWire(const RankReport& report);
[[nodiscard]] std::optional<RankReport> rankReportFrom(std::string_view text);

} // namespace pipeloom::executor
