// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/device_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace pipeloom::executor {

namespace {

constexpr std::size_t devicesNamed = 8; ///< in one sentence; more are counted

std::string seconds(Nanoseconds time) { return fmt::format("{:.1f} s", std::chrono::duration<double>(time).count()); }

std::string placeText(const DeviceStatus& status)
{
    switch (status.doing) {
    case Doing::Starting:
        return "making its share of the model";
    case Doing::Between:
    case Doing::Ended:
        return "between two passes";
    case Doing::Optimizer:
        return "the optimizer's step";
    case Doing::Saving:
        return "saving or loading its stages";
    case Doing::Verifying:
        return "comparing with the unpipelined model";
    case Doing::Pass:
    case Doing::Input:
    case Doing::Others:
        break;
    }
    return text(status.pass);
}

std::string finishedText(const DeviceStatus& status)
{
    return status.finished ? "last finished " + text(*status.finished) : "no pass finished";
}

Place place(const DeviceStatus& status)
{
    Place result;
    result.device = status.device;
    if (status.doing == Doing::Pass || status.doing == Doing::Input)
        result.pass = text(status.pass);
    return result;
}

/// The devices that wait for data of `device`, or stand at the end of the step while it does not, as a clause.
std::string waitersText(std::span<const DeviceStatus> devices, DeviceId device, Clock::time_point now)
{
    std::vector<std::string> waiters;
    std::size_t more = 0;
    for (const auto& status : devices) {
        const bool waitsForData = status.doing == Doing::Input && status.from == device;
        const bool waitsForAll = status.doing == Doing::Others && !devices[device.index()].waits();
        if (status.device == device || !(waitsForData || waitsForAll))
            continue;
        if (waiters.size() < devicesNamed)
            waiters.push_back(text(status, now));
        else
            ++more;
    }
    if (waiters.empty())
        return "";
    return fmt::format(" {}{}.", fmt::join(waiters, "; "), more == 0 ? "" : fmt::format("; and {} more", more));
}

std::string capitalised(std::string sentence)
{
    sentence[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence[0])));
    return sentence;
}

/// Follows who waits on whom from `first` until a device comes a second time; that cycle, in order. Of a device that
/// waits for all others the first that does not is followed.
std::vector<DeviceId> cycleFrom(std::span<const DeviceStatus> devices, DeviceId first)
{
    std::vector<DeviceId> way;
    DeviceId at = first;
    while (std::find(way.begin(), way.end(), at) == way.end()) {
        way.push_back(at);
        const auto& status = devices[at.index()];
        if (status.doing == Doing::Input) {
            at = status.from;
            continue;
        }
        const auto holdsUp = std::find_if(
            devices.begin(), devices.end(), [](const DeviceStatus& other) { return other.doing == Doing::Input; });
        if (holdsUp == devices.end())
            break;
        at = holdsUp->device;
    }
    way.erase(way.begin(), std::find(way.begin(), way.end(), at));
    return way;
}

Finding stuck(
    std::span<const DeviceStatus> devices, const DeviceStatus& culprit, Clock::time_point now, Nanoseconds limit)
{
    Finding finding;
    finding.rule = "run/stalled";
    finding.where = { place(culprit) };
    for (const auto& status : devices)
        if (status.doing == Doing::Input && finding.where.size() <= devicesNamed)
            finding.where.push_back(place(status));
    finding.message = fmt::format("{} ({}), more than the limit of {}.{}", capitalised(text(culprit, now)),
        finishedText(culprit), seconds(limit), waitersText(devices, culprit.device, now));
    finding.remedy
        = fmt::format("Look at what device {} does there, or allow more time with --timeout.", culprit.device.value);
    return finding;
}

Finding waitingForEachOther(
    std::span<const DeviceStatus> devices, std::span<const DeviceId> cycle, Clock::time_point now)
{
    Finding finding;
    finding.rule = "run/stalled";
    std::vector<std::string> links;
    for (const auto device : cycle) {
        const auto& status = devices[device.index()];
        finding.where.push_back(place(status));
        links.push_back(fmt::format("{} ({})", text(status, now), finishedText(status)));
    }
    finding.message = fmt::format("{}: {}, and so round again.",
        cycle.size() == 1 ? "A device waits for itself" : "Devices wait for each other", fmt::join(links, " -> "));
    finding.remedy = "Change the order of passes, sends or receives on one of them; `pipeloom check` shows the cycle "
                     "without a run.";
    return finding;
}

} // namespace

std::string text(const DeviceStatus& status, Clock::time_point now)
{
    const auto time = seconds(now - status.since);
    if (status.doing == Doing::Input)
        return fmt::format("device {} waited {} for {} from device {} before {}", status.device.value, time,
            text(status.needs), status.from.value, text(status.pass));
    if (status.doing == Doing::Others)
        return fmt::format("device {} waited {} for all others at the end of its list", status.device.value, time);
    if (status.doing == Doing::Ended)
        return fmt::format("device {} has ended", status.device.value);
    return fmt::format("device {} has been in {} for {}", status.device.value, placeText(status), time);
}

Finding stalled(std::span<const DeviceStatus> devices, Clock::time_point now, Nanoseconds limit)
{
    const DeviceStatus* oldest = nullptr;
    for (const auto& status : devices) {
        if (status.waits() || status.doing == Doing::Ended)
            continue;
        if (oldest == nullptr || status.since < oldest->since)
            oldest = &status;
    }
    if (oldest != nullptr)
        return stuck(devices, *oldest, now, limit);

    const auto first = std::find_if(devices.begin(), devices.end(), [](const DeviceStatus& s) { return s.waits(); });
    const auto start = first == devices.end() ? devices.front().device : first->device;
    return waitingForEachOther(devices, cycleFrom(devices, start), now);
}

Finding failed(std::span<const DeviceStatus> devices, DeviceId device, const std::string& rule, const std::string& what,
    const std::string& remedy, Clock::time_point now)
{
    const auto& status = devices[device.index()];
    Finding finding;
    finding.rule = rule;
    finding.where = { place(status) };
    const auto where = status.doing == Doing::Others ? std::string("the end of its list") : placeText(status);
    finding.message = fmt::format("Device {} failed in {}: {} ({}).{}", device.value, where, what, finishedText(status),
        waitersText(devices, device, now));
    finding.remedy = remedy;
    return finding;
}

} // namespace pipeloom::executor
