// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A rank's last word: a small mapped file into which it writes what it does before it does it, and which its launcher reads at
// any moment, also after the rank was killed. A write is a few stores into memory; a `write` of the system costs a hundred
// times as much. Times are those of the steady clock, which all processes of one host share (CLOCK_MONOTONIC), and no two hosts.

#include "core/finding/finding.h"
#include "executor/device_status.h"

#include <memory>
#include <optional>
#include <string>

namespace pipeloom::executor {

struct StatusLayout; ///< of the file; see status_file.cpp
struct StatusUnmap {
    void operator()(const StatusLayout* layout) const;
};
using StatusMapping = std::unique_ptr<StatusLayout, StatusUnmap>;

/// The rank's end. One thread writes.
class StatusWriter {
public:
    struct Created {
        std::unique_ptr<StatusWriter> writer;
        Findings findings; ///< an error (run/status) if the file cannot be made; then there is no writer
    };
    /// Makes the file, with room on the disk, holding `first`, and only then puts it at `path`, in place of what was there:
    /// whoever opens it finds it whole.
    [[nodiscard]] static Created create(const std::string& path, const DeviceStatus& first);

    /// From now on every reader sees this one. Never waits and cannot fail; about ten nanoseconds.
    void write(const DeviceStatus& status);

private:
    explicit StatusWriter(StatusMapping layout)
        : layout_(std::move(layout))
    {
    }

    StatusMapping layout_;
    std::uint64_t written_ = 0;
};

/// The launcher's end. By any thread, several at a time.
class StatusReader {
public:
    struct Opened {
        std::unique_ptr<StatusReader> reader;
        Findings findings; ///< an error (run/status) if it is not there, too short, or of another version
    };
    [[nodiscard]] static Opened open(const std::string& path);

    /// The last status written, whole. Nothing if the writer overtook every one of some tries (it would have to write some
    /// thirty times within each), or what stands there is no status.
    [[nodiscard]] std::optional<DeviceStatus> read() const;
    /// How many have been written; a rank that is alive and moves makes it grow.
    [[nodiscard]] std::uint64_t written() const;

private:
    explicit StatusReader(StatusMapping layout)
        : layout_(std::move(layout))
    {
    }

    StatusMapping layout_;
};

} // namespace pipeloom::executor
