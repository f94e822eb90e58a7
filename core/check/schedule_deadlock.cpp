// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/check/schedule_deadlock.h"

#include <fmt/format.h>

#include <algorithm>

namespace pipeloom {

namespace {

class DeadlockFinder {
public:
    DeadlockFinder(const Schedule& schedule, const Pipeline& pipeline, const PassPlaces& places)
        : schedule_(schedule)
        , pipeline_(pipeline)
        , places_(places)
        , next_(static_cast<std::size_t>(schedule.devices()), 0)
        , waiters_(next_.size())
    {
    }

    std::optional<Finding> run()
    {
        std::vector<std::int32_t> ready;
        for (std::int32_t d = schedule_.devices() - 1; d >= 0; --d)
            ready.push_back(d);
        while (!ready.empty()) {
            const std::int32_t d = ready.back();
            ready.pop_back();
            if (!advance(d))
                continue; // else two that wait for each other would call each other for ever
            std::vector<std::int32_t>& waiters = waiters_[static_cast<std::size_t>(d)];
            ready.insert(ready.end(), waiters.begin(), waiters.end());
            waiters.clear();
        }
        for (std::int32_t d = 0; d < schedule_.devices(); ++d)
            if (!isDone(d))
                return describe(cycleFrom(d));
        return std::nullopt;
    }

private:
    /// What a device waits for at its next slot.
    struct Wait {
        Pass pass;    ///< the pass of the slot that waits
        Pass input;   ///< what it waits for
        SlotPlace at; ///< where that stands
    };

    bool isDone(std::int32_t d) const
    {
        return next_[static_cast<std::size_t>(d)] == schedule_.row(DeviceId { d }).size();
    }

    bool hasRun(const SlotPlace& at) const
    {
        return static_cast<std::size_t>(at.slot) < next_[static_cast<std::size_t>(at.device)];
    }

    std::optional<Wait> waitOf(const Pass& pass) const
    {
        const auto look = [&](std::int32_t stage, PassKind kind) -> std::optional<Wait> {
            if (stage < 0 || stage >= pipeline_.stages)
                return std::nullopt;
            Pass input { StageId { stage }, pass.microBatch, kind };
            if (kind == PassKind::B && !places_.of(input).isThere())
                input.kind = PassKind::BW;
            const SlotPlace& at = places_.of(input);
            if (hasRun(at))
                return std::nullopt;
            return Wait { pass, input, at };
        };
        if (pass.kind == PassKind::F)
            return look(pass.stage.value - 1, PassKind::F);
        if (pass.kind == PassKind::W)
            return look(pass.stage.value, PassKind::B);
        if (const std::optional<Wait> own = look(pass.stage.value, PassKind::F))
            return own;
        return look(pass.stage.value + 1, PassKind::B);
    }

    std::optional<Wait> waitOf(std::int32_t d) const
    {
        const Slot& slot = schedule_.row(DeviceId { d })[next_[static_cast<std::size_t>(d)]];
        if (const std::optional<Wait> first = waitOf(slot.first))
            return first;
        return slot.isPair() ? waitOf(slot.second) : std::nullopt;
    }

    /// True if it ran a slot.
    bool advance(std::int32_t d)
    {
        const std::size_t from = next_[static_cast<std::size_t>(d)];
        while (!isDone(d)) {
            if (const std::optional<Wait> wait = waitOf(d)) {
                waiters_[static_cast<std::size_t>(wait->at.device)].push_back(d);
                break;
            }
            ++next_[static_cast<std::size_t>(d)];
        }
        return next_[static_cast<std::size_t>(d)] != from;
    }

    /// The devices that wait in a circle, reached from one that waits: each waits for the one after it.
    std::vector<std::int32_t> cycleFrom(std::int32_t d) const
    {
        std::vector<std::int32_t> way;
        while (std::find(way.begin(), way.end(), d) == way.end()) {
            way.push_back(d);
            d = waitOf(d)->at.device;
        }
        return { std::find(way.begin(), way.end(), d), way.end() };
    }

    Finding describe(const std::vector<std::int32_t>& cycle) const
    {
        Finding finding { "schedule/deadlock", Severity::Error, {}, {}, {}, {} };
        std::string chain;
        for (const std::int32_t d : cycle) {
            const Wait wait = *waitOf(d);
            const std::size_t slot = next_[static_cast<std::size_t>(d)];
            Place place;
            place.device = DeviceId { d };
            place.slot = static_cast<std::int32_t>(slot);
            place.pass = text(wait.pass);
            finding.where.push_back(place);
            const std::size_t there = next_[static_cast<std::size_t>(wait.at.device)];
            const std::string before = static_cast<std::size_t>(wait.at.slot) > there
                ? fmt::format(" behind {}", text(schedule_.row(DeviceId { wait.at.device })[there]))
                : std::string();
            chain += fmt::format("{}device {} at {} waits for {}, which stands on device {}{}",
                chain.empty() ? "" : "; ", d, text(wait.pass), text(wait.input), wait.at.device, before);
        }
        finding.message = fmt::format("{} wait for each other: {}.",
            cycle.size() == 1 ? "Passes of one device" : fmt::format("{} devices", cycle.size()), chain);
        const Wait first = *waitOf(cycle.front());
        finding.remedy = fmt::format("Move {} up on device {}, or {} down on device {}.", text(first.input),
            first.at.device, text(first.pass), cycle.front());
        return finding;
    }

    const Schedule& schedule_;
    const Pipeline& pipeline_;
    const PassPlaces& places_;
    std::vector<std::size_t> next_;                  ///< by device: slot that it stands at
    std::vector<std::vector<std::int32_t>> waiters_; ///< by device: those that wait for one of its passes
};

} // namespace

std::optional<Finding> findDeadlock(const Schedule& schedule, const Pipeline& pipeline, const PassPlaces& places)
{
    return DeadlockFinder(schedule, pipeline, places).run();
}

} // namespace pipeloom
