// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/device_status.h"

#include "executor/message_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace pipeloom::executor {

namespace {

constexpr std::size_t devicesNamed = 8; ///< in one sentence; more are counted

std::string capitalised(std::string sentence)
{
    sentence[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(sentence[0])));
    return sentence;
}

const char* othersText(const DeviceStatus& status)
{
    return status.finished ? "all others at the end of its list" : "all others at the start";
}

/// What it waits for as `Input`.
std::string inputText(const DeviceStatus& status)
{
    return fmt::format("{} from device {} {}", messageText(status.needs), status.from.value,
        status.waitsForReduction() ? "at the end of its list" : "before " + text(status.pass));
}

/// Between two passes the pass is the one to come, or still the one that has ended.
bool comesNext(const DeviceStatus& status)
{
    return status.pass.kind != PassKind::None && status.pass != status.finished;
}

std::string linkText(const DeviceStatus& status, Clock::time_point now)
{
    return fmt::format("{} ({})", text(status, now), finishedText(status));
}

/// Who waits on whom, from one device on.
struct Chain {
    std::vector<const DeviceStatus*> links;
    bool closes = false; ///< the last one waits for the first; else it waits for nobody who could move
};

/// Of a device that waits for all others the first that waits for data is followed, else one that has ended.
const DeviceStatus* awaitedBy(const DeviceStatus& status, std::span<const DeviceStatus> devices)
{
    if (status.doing == Doing::Input)
        return statusOf(devices, status.from);
    if (status.doing != Doing::Others)
        return nullptr;
    for (const auto doing : { Doing::Input, Doing::Ended }) {
        const auto holdsUp = std::find_if(
            devices.begin(), devices.end(), [&](const DeviceStatus& other) { return other.doing == doing; });
        if (holdsUp != devices.end())
            return &*holdsUp;
    }
    return nullptr;
}

Chain chainFrom(std::span<const DeviceStatus> devices, const DeviceStatus& first)
{
    Chain chain;
    const auto* at = &first;
    while (at != nullptr) {
        const auto met = std::find(chain.links.begin(), chain.links.end(), at);
        if (met != chain.links.end()) {
            chain.links.erase(chain.links.begin(), met);
            chain.closes = true;
            return chain;
        }
        chain.links.push_back(at);
        at = awaitedBy(*at, devices);
    }
    return chain;
}

Finding stuck(
    std::span<const DeviceStatus> devices, const DeviceStatus& culprit, Clock::time_point now, Nanoseconds limit)
{
    Finding finding;
    finding.rule = "run/stalled";
    finding.where = { placeOf(culprit) };
    for (const auto& status : devices)
        if (status.doing == Doing::Input && finding.where.size() <= devicesNamed)
            finding.where.push_back(placeOf(status));
    finding.message = fmt::format("{} ({}), more than the limit of {}.{}", capitalised(text(culprit, now)),
        finishedText(culprit), secondsText(limit), waitersText(devices, culprit.device, now));
    finding.remedy
        = fmt::format("Look at what device {} does there, or allow more time with --timeout.", culprit.device.value);
    return finding;
}

Finding allWait(const Chain& chain, Clock::time_point now)
{
    Finding finding;
    finding.rule = "run/stalled";
    std::vector<std::string> links;
    for (const auto* status : chain.links) {
        finding.where.push_back(placeOf(*status));
        links.push_back(linkText(*status, now));
    }
    const auto way = fmt::format("{}", fmt::join(links, " -> "));
    if (chain.closes) {
        finding.message = fmt::format("{}: {}, and so round again.",
            links.size() == 1 ? "A device waits for itself" : "Devices wait for each other", way);
        finding.remedy
            = "Change the order of passes, sends or receives on one of them; `pipeloom check` shows the cycle "
              "without a run.";
    } else if (chain.links.back()->doing == Doing::Ended) {
        finding.message = fmt::format("Nobody sends what is waited for: {}.", way);
        finding.remedy = fmt::format("Look for what is missing in the list of device {}; `pipeloom check` shows it "
                                     "without a run.",
            chain.links.back()->device.value);
    } else {
        finding.message = fmt::format("All devices wait for all others, and nothing comes: {}.", way);
        finding.remedy = "The program does not explain it; look at the network between the processes.";
    }
    return finding;
}

} // namespace

std::string secondsText(Nanoseconds time)
{
    return fmt::format("{:.1f} s", std::chrono::duration<double>(time).count());
}

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
    case Doing::Input:
        if (status.waitsForReduction())
            return "the sums of weight gradients";
        break;
    case Doing::Pass:
    case Doing::Others:
        break;
    }
    return text(status.pass);
}

std::string lastSeenText(const DeviceStatus& status)
{
    switch (status.doing) {
    case Doing::Pass:
    case Doing::Optimizer:
        return "in " + placeText(status);
    case Doing::Input:
        return "waiting for " + inputText(status);
    case Doing::Others:
        return fmt::format("waiting for {}", othersText(status));
    case Doing::Ended:
        return "when it had ended its list";
    case Doing::Between:
        return comesNext(status) ? "before " + text(status.pass) : placeText(status);
    case Doing::Starting:
    case Doing::Saving:
    case Doing::Verifying:
        break;
    }
    return placeText(status);
}

std::string finishedText(const DeviceStatus& status)
{
    return status.finished ? "last finished " + text(*status.finished) : "no pass finished";
}

std::string waitersText(std::span<const DeviceStatus> devices, DeviceId device, Clock::time_point now)
{
    const auto* awaited = statusOf(devices, device);
    std::vector<std::string> waiters;
    std::size_t more = 0;
    for (const auto& status : devices) {
        const bool waitsForData = status.doing == Doing::Input && status.from == device;
        const bool waitsForAll = status.doing == Doing::Others && (awaited == nullptr || !awaited->waits());
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

Place placeOf(const DeviceStatus& status)
{
    Place result;
    result.device = status.device;
    if (status.doing == Doing::Pass || (status.doing == Doing::Input && !status.waitsForReduction()))
        result.pass = text(status.pass);
    return result;
}

const DeviceStatus* statusOf(std::span<const DeviceStatus> devices, DeviceId device)
{
    const auto found = std::find_if(
        devices.begin(), devices.end(), [device](const DeviceStatus& status) { return status.device == device; });
    return found == devices.end() ? nullptr : &*found;
}

std::string text(const DeviceStatus& status, Clock::time_point now)
{
    const auto time = secondsText(now - status.since);
    if (status.doing == Doing::Input)
        return fmt::format("device {} waited {} for {}", status.device.value, time, inputText(status));
    if (status.doing == Doing::Others)
        return fmt::format("device {} waited {} for {}", status.device.value, time, othersText(status));
    if (status.doing == Doing::Ended)
        return fmt::format("device {} has ended", status.device.value);
    return fmt::format("device {} has been in {} for {}", status.device.value, placeText(status), time);
}

Finding stalled(std::span<const DeviceStatus> devices, Clock::time_point now, Nanoseconds limit)
{
    const DeviceStatus* oldest = nullptr;
    for (const auto& status : devices) {
        if (status.waits() || status.doing == Doing::Ended || status.doing == Doing::Verifying)
            continue;
        if (oldest == nullptr || status.since < oldest->since)
            oldest = &status;
    }
    if (oldest != nullptr)
        return stuck(devices, *oldest, now, limit);

    const auto first = std::find_if(devices.begin(), devices.end(), [](const DeviceStatus& s) { return s.waits(); });
    return allWait(chainFrom(devices, first == devices.end() ? devices.front() : *first), now);
}

Finding failed(std::span<const DeviceStatus> devices, DeviceId device, const std::string& rule, const std::string& what,
    const std::string& remedy, Clock::time_point now)
{
    DeviceStatus unknown;
    unknown.device = device;
    const auto* known = statusOf(devices, device);
    const auto& status = known == nullptr ? unknown : *known;
    Finding finding;
    finding.rule = rule;
    finding.where = { placeOf(status) };
    const auto where = status.doing == Doing::Others
        ? std::string(status.finished ? "the end of its list" : "waiting for all others at the start")
        : placeText(status);
    finding.message = fmt::format("Device {} failed in {}: {} ({}).{}", device.value, where, what, finishedText(status),
        waitersText(devices, device, now));
    finding.remedy = remedy;
    return finding;
}

} // namespace pipeloom::executor
