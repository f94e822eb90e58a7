// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/check/schedule_check.h"

#include "core/check/pass_places.h"
#include "core/check/schedule_deadlock.h"

#include <fmt/format.h>

#include <algorithm>

namespace pipeloom {

namespace {

Place placeOf(std::int32_t device, std::size_t slot, std::string pass)
{
    Place place;
    place.device = DeviceId { device };
    place.slot = static_cast<std::int32_t>(slot);
    place.pass = std::move(pass);
    return place;
}

Place placeOf(const SlotPlace& at, const Pass& pass)
{
    return placeOf(at.device, static_cast<std::size_t>(at.slot), text(pass));
}

class ScheduleCheck {
public:
    ScheduleCheck(const Schedule& schedule, const Pipeline& pipeline, const Costs& costs)
        : schedule_(schedule)
        , pipeline_(pipeline)
        , costs_(costs)
    {
    }

    Findings run()
    {
        appendRows();
        if (findings_.empty())
            appendPlaces();
        if (!findings_.empty())
            return std::move(findings_); // what follows looks passes up by stage and micro-batch
        const PassPlaces places(schedule_, pipeline_);
        appendCounts(places);
        appendPairs();
        if (hasErrors(findings_))
            return std::move(findings_);
        appendOwnOrder(places);
        if (!hasErrors(findings_))
            if (std::optional<Finding> cycle = findDeadlock(schedule_, pipeline_, places))
                findings_.push_back(std::move(*cycle));
        return std::move(findings_);
    }

private:
    template <class Visit> void forEachPass(Visit visit) const
    {
        for (std::int32_t d = 0; d < schedule_.devices(); ++d) {
            const std::span<const Slot> row = schedule_.row(DeviceId { d });
            for (std::size_t i = 0; i < row.size(); ++i) {
                visit(d, i, row[i].first);
                if (row[i].isPair())
                    visit(d, i, row[i].second);
            }
        }
    }

    void error(std::string rule, std::vector<Place> where, std::string message, std::string remedy)
    {
        findings_.push_back(
            { std::move(rule), Severity::Error, std::move(where), {}, std::move(message), std::move(remedy) });
    }

    void appendRows()
    {
        if (schedule_.devices() != pipeline_.devices)
            error("schedule/rows", { Place {} },
                fmt::format("The schedule has {} rows for {} devices.", schedule_.devices(), pipeline_.devices),
                "Give one row for each device.");
    }

    void appendPlaces();
    void appendCounts(const PassPlaces& places);
    void appendCount(StageId stage, PassKind kind, const PassPlaces& places);
    void appendPairs();
    void appendOwnOrder(const PassPlaces& places);

    const Schedule& schedule_;
    const Pipeline& pipeline_;
    const Costs& costs_;
    Findings findings_;
};

void ScheduleCheck::appendPlaces()
{
    // One finding for each device and stage: a whole row on the wrong device is one mistake.
    std::vector<std::pair<std::int32_t, std::int32_t>> told;
    forEachPass([&](std::int32_t d, std::size_t slot, const Pass& pass) {
        if (pass.stage.value < 0 || pass.stage.value >= pipeline_.stages || pass.microBatch.value < 0
            || pass.microBatch.value >= pipeline_.microBatches) {
            error("schedule/unknown", { placeOf(d, slot, text(pass)) },
                fmt::format(
                    "Device {}: {} names a stage or a micro-batch that is not there; there are {} stages and {} "
                    "micro-batches.",
                    d, text(pass), pipeline_.stages, pipeline_.microBatches),
                "Take it out, or raise the number of stages or micro-batches.");
            return;
        }
        const DeviceId home = pipeline_.deviceOf(pass);
        if (home.value == d || std::find(told.begin(), told.end(), std::pair(d, pass.stage.value)) != told.end())
            return;
        told.emplace_back(d, pass.stage.value);
        error("schedule/misplaced", { placeOf(d, slot, text(pass)) },
            fmt::format(
                "Device {} runs {}, but stage {} is placed on device {}.", d, text(pass), pass.stage.value, home.value),
            fmt::format("Move the passes of stage {} to device {}, or place the stage on device {}.", pass.stage.value,
                home.value, d));
    });
}

void ScheduleCheck::appendCount(StageId stage, PassKind kind, const PassPlaces& places)
{
    std::int32_t missing = 0;
    std::int32_t doubled = 0;
    std::int32_t mixed = 0;
    Pass firstMissing, firstDoubled, firstMixed;
    for (std::int32_t j = 0; j < pipeline_.microBatches; ++j) {
        const auto count = [&](PassKind of) { return places.count({ stage, MicroBatch { j }, of }); };
        const Pass pass { stage, MicroBatch { j }, kind };
        const bool fused = count(PassKind::BW) > 0;
        const bool wanted = kind == PassKind::F || (fused ? kind == PassKind::BW : kind != PassKind::BW);
        if (wanted && count(kind) == 0 && missing++ == 0)
            firstMissing = pass;
        if (count(kind) > 1 && doubled++ == 0)
            firstDoubled = pass;
        if (!wanted && count(kind) > 0 && mixed++ == 0)
            firstMixed = pass;
    }
    const auto others
        = [](std::int32_t n) { return n > 1 ? fmt::format(", and {} more like it", n - 1) : std::string(); };
    if (missing > 0) {
        Place where;
        where.device = pipeline_.deviceOf(firstMissing);
        where.pass = text(firstMissing);
        error("schedule/missing", { where },
            fmt::format("Stage {} has no {} for micro-batch {}{}.", stage.value, text(kind),
                firstMissing.microBatch.value, others(missing)),
            fmt::format("Put {} on device {}.", text(firstMissing), where.device->value));
    }
    if (doubled > 0)
        error("schedule/doubled", { placeOf(places.of(firstDoubled), firstDoubled) },
            fmt::format("{} is there {} times{}.", text(firstDoubled), places.count(firstDoubled), others(doubled)),
            "Leave one of them.");
    if (mixed > 0)
        error("schedule/mixed", { placeOf(places.of(firstMixed), firstMixed) },
            fmt::format("Stage {} has a BW for micro-batch {} and {} besides{}.", stage.value,
                firstMixed.microBatch.value, text(firstMixed), others(mixed)),
            "Take BW, or B and W, for one micro-batch of a stage.");
}

void ScheduleCheck::appendCounts(const PassPlaces& places)
{
    for (std::int32_t s = 0; s < pipeline_.stages; ++s)
        for (const PassKind kind : { PassKind::F, PassKind::B, PassKind::W, PassKind::BW })
            appendCount(StageId { s }, kind, places);
}

void ScheduleCheck::appendPairs()
{
    bool toldShort = false;
    bool toldLong = false;
    for (std::int32_t d = 0; d < schedule_.devices(); ++d) {
        const std::span<const Slot> row = schedule_.row(DeviceId { d });
        for (std::size_t i = 0; i < row.size(); ++i) {
            const Slot& slot = row[i];
            if (!slot.isPair())
                continue;
            if (slot.first.kind != PassKind::F || !givesInputGradient(slot.second.kind)) {
                error("schedule/pair", { placeOf(d, i, text(slot)) },
                    fmt::format("Device {}: {} is no pair that can overlap.", d, text(slot)),
                    "A pair is an F and a B or BW, the F first.");
                continue;
            }
            const Ticks longer = std::max(costs_.of(slot.first), costs_.of(slot.second));
            const Ticks sum = costs_.of(slot.first) + costs_.of(slot.second);
            if (const Ticks ticks = costs_.of(slot); ticks < longer && !toldShort) {
                toldShort = true;
                error("costs/pair", { placeOf(d, i, text(slot)) },
                    fmt::format(
                        "The pair {} takes {} ticks, less than the {} of its longer pass.", text(slot), ticks, longer),
                    fmt::format("Give pairs at least {} ticks.", longer));
            } else if (ticks > sum && !toldLong) {
                toldLong = true;
                findings_.push_back({ "costs/pair", Severity::Warning, { placeOf(d, i, text(slot)) }, {},
                    fmt::format(
                        "The pair {} takes {} ticks, more than its two passes in turn ({}).", text(slot), ticks, sum),
                    "Run them one after the other instead." });
            }
        }
    }
}

void ScheduleCheck::appendOwnOrder(const PassPlaces& places)
{
    const auto look = [&](std::int32_t d, std::size_t slot, const Pass& pass, const Pass& input) {
        const SlotPlace& at = places.of(input);
        if (at.device != d || at.slot < static_cast<std::int32_t>(slot))
            return;
        error("schedule/order", { placeOf(d, slot, text(pass)), placeOf(at, input) },
            at.slot == static_cast<std::int32_t>(slot)
                ? fmt::format("Device {}: {} and its input {} are one pair, and run at the same time.", d, text(pass),
                    text(input))
                : fmt::format("Device {}: {} (slot {}) stands before its input {} (slot {}).", d, text(pass), slot,
                    text(input), at.slot),
            fmt::format("Move {} behind {}.", text(pass), text(input)));
    };
    forEachPass([&](std::int32_t d, std::size_t slot, const Pass& pass) {
        const auto backward = [&](std::int32_t stage) {
            const Pass split { StageId { stage }, pass.microBatch, PassKind::B };
            return places.of(split).isThere() ? split : Pass { StageId { stage }, pass.microBatch, PassKind::BW };
        };
        if (pass.kind == PassKind::F && pass.stage.value > 0)
            look(d, slot, pass, { StageId { pass.stage.value - 1 }, pass.microBatch, PassKind::F });
        if (givesInputGradient(pass.kind)) {
            look(d, slot, pass, { pass.stage, pass.microBatch, PassKind::F });
            if (pass.stage.value + 1 < pipeline_.stages)
                look(d, slot, pass, backward(pass.stage.value + 1));
        }
        if (pass.kind == PassKind::W)
            look(d, slot, pass, { pass.stage, pass.microBatch, PassKind::B });
    });
}

} // namespace

Findings check(const Schedule& schedule, const Pipeline& pipeline, const Costs& costs)
{
    return ScheduleCheck(schedule, pipeline, costs).run();
}

} // namespace pipeloom
