// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Where the devices of one process meet: each writes down what it is doing, and all wait here. So the first thing that goes
// wrong wakes everyone, a stop is noticed the moment that the last device begins to wait, and a device that is stuck in a pass
// is noticed by the time limit.

#include "executor/device_status.h"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

namespace pipeloom::executor {

/// A device's own failure, before it is put beside what the others are doing.
struct Failure {
    DeviceStatus status; ///< of the device, when it failed
    std::string rule;
    std::string what;
    std::string remedy;
};

/// Where all devices are threads of one process, waits are for what others do under this board's lock; nothing is on its way
/// between them. When all wait, nothing will ever come, and the run is over. Where devices are processes, each has a board
/// with itself alone; that nothing goes on is then judged from outside (executor/processes/judge.h), by what all boards say.
class Board {
public:
    using Lock = std::unique_lock<std::mutex>;

    Board(std::int32_t devices, Nanoseconds limit);
    /// Of one device whose peers are other processes. `mirror` is told of all that it does, under the lock; may be empty.
    Board(std::int32_t devices, Nanoseconds limit, DeviceId only, std::function<void(const DeviceStatus&)> mirror);

    // By the device's own thread:
    /// Not waiting: `doing` with `pass` where it is one. False: the run has ended, do no more.
    bool enter(DeviceId device, Doing doing, const Pass& pass = {});
    void finished(DeviceId device, const Pass& pass);
    /// Waits until `ready`, which is called under the lock and must be made true under it, followed by wake(device).
    /// `waiting` says for what. False: the run has ended and it is not ready.
    bool wait(Lock& lock, const DeviceStatus& waiting, std::function<bool()> ready);
    /// What the device threw or found; the first one ends the run (see `failed` of device_status.h).
    void fail(DeviceId device, const std::string& rule, const std::string& what, const std::string& remedy);

    // By any thread:
    [[nodiscard]] Lock lock() { return Lock(mutex_); }
    void wake(DeviceId device) { wakeUp_[device.index()].notify_one(); } ///< under the lock
    /// Ends the run with this finding, unless it has ended.
    void end(Finding finding);
    void endUnderLock(Finding finding); ///< the same, by who holds the lock
    [[nodiscard]] bool ended();
    [[nodiscard]] std::optional<Finding> finding(); ///< that ended the run
    [[nodiscard]] std::optional<Failure> failure(); ///< of one of its devices, if that ended the run
    /// Of its devices; once the run has ended, what they were doing then.
    [[nodiscard]] std::vector<DeviceStatus> statuses();

    // By the thread that started the devices:
    void tell() { outside_.notify_all(); }
    /// Until all devices have Ended, the run has ended, `news` is true (asked under the lock, after each `tell`), or `stop`.
    /// A device that is in one thing for longer than the limit ends the run. Nothing: `most` has passed.
    enum class Watched : std::uint8_t { AllEnded, RunEnded, News, Stopped, Nothing };
    Watched watch(const std::function<bool()>& news, const std::stop_token& stop, Nanoseconds most);
    /// After the end of the run: waits for the devices' threads to notice. Gives those that are stuck in what they do for
    /// longer than the limit, and so will not.
    std::vector<DeviceId> leave();

private:
    void changed(DeviceId device);
    [[nodiscard]] bool nobodyCanMove() const;
    [[nodiscard]] bool allEnded() const;
    [[nodiscard]] std::optional<Clock::time_point> deadline() const; ///< of the device that is longest in what it does

    std::mutex mutex_;
    std::vector<std::condition_variable> wakeUp_;
    std::condition_variable_any outside_;
    std::vector<DeviceStatus> statuses_;
    std::vector<DeviceStatus> atEnd_;          ///< empty: the run has not ended early
    std::vector<std::function<bool()>> ready_; ///< of those that wait
    std::optional<Finding> finding_;
    std::optional<Failure> failure_;
    Nanoseconds limit_;
    std::optional<DeviceId> only_; ///< set: the others are elsewhere
    std::function<void(const DeviceStatus&)> mirror_;
};

} // namespace pipeloom::executor
