// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/block/gesture.h"

#include "app/designer/edit/interval_edits.h"
#include "app/designer/edit/leg_edits.h"
#include "app/designer/edit/pass_edits.h"
#include "app/designer/edit/stage_edits.h"
#include "core/block/block_index.h"
#include "core/block/fit.h"
#include "core/block/intervals.h"
#include "core/block/swaps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

namespace {

const BlockPass& passAt(const Design& design, std::int32_t pass)
{
    return design.block()->passes[static_cast<std::size_t>(pass)];
}

std::string nameOf(const Design& design, std::int32_t pass)
{
    return blockText(passAt(design, pass).slot, *design.block());
}

} // namespace

std::string troubleOf(const Design& design, std::int32_t pass)
{
    const BuildingBlock& block = *design.block();
    const BlockPass& placed = passAt(design, pass);
    const BlockIndex index(block, design.pipeline);
    if (!index.unknown().empty())
        return {};
    const InputsReady ready = inputsReady(block, design.pipeline, index, placed.slot);
    if (ready.by != BlockIndex::none && placed.start < ready.at)
        return fmt::format("{} at {} starts before its input {} on device {} ends at {}", nameOf(design, pass),
            placed.start, nameOf(design, ready.by), passAt(design, ready.by).device.value, ready.at);
    const std::optional<Meeting> met
        = meets(block, placed.device, placed.start, block.duration(placed.slot), std::vector { pass });
    if (!met)
        return {};
    const std::string where = met->copies == 0 ? ""
        : met->copies > 0
        ? fmt::format(" of the copy {} interval{} on", met->copies, met->copies == 1 ? "" : "s")
        : fmt::format(" of the copy {} interval{} before", -met->copies, met->copies == -1 ? "" : "s");
    return fmt::format("{} at {} meets {}{}", nameOf(design, pass), placed.start, nameOf(design, met->pass), where);
}

Gesture Gesture::move(DesignPtr base, std::vector<std::int32_t> passes, std::int32_t lead, Pointer at)
{
    Gesture made(Kind::Move, std::move(base));
    made.passes_ = std::move(passes);
    made.lead_ = lead;
    made.grabbed_ = at.ticks;
    return made;
}

Gesture Gesture::place(DesignPtr base, PassKind kind)
{
    Gesture made(Kind::Place, std::move(base));
    made.passKind_ = kind;
    return made;
}

Gesture Gesture::interval(DesignPtr base) { return Gesture(Kind::Interval, std::move(base)); }

Gesture Gesture::leg(DesignPtr base, RouteId route, std::int32_t leg, Pointer at)
{
    Gesture made(Kind::Leg, std::move(base));
    made.route_ = route;
    made.lead_ = leg;
    made.grabbed_ = at.ticks;
    return made;
}

Gesture Gesture::turn(DesignPtr base, RouteId route, std::int32_t turn, Pointer at)
{
    Gesture made(Kind::Turn, std::move(base));
    made.route_ = route;
    made.lead_ = turn;
    made.grabbed_ = at.ticks;
    return made;
}

Gesture::State Gesture::at(const Pointer& pointer) const
{
    switch (kind_) {
    case Kind::Move:
        return moved(pointer);
    case Kind::Place:
        return placed(pointer);
    case Kind::Interval:
        return stretched(pointer);
    case Kind::Leg:
    case Kind::Turn:
        return shifted(pointer);
    }
    return {};
}

/// Whole ticks; where a pixel is many ticks, drawn to what stands near: the ends of passes on the device and of the inputs.
Ticks Gesture::snappedBy(double wanted, const Pointer& pointer) const
{
    const auto by = static_cast<Ticks>(std::llround(wanted));
    constexpr double reachPixels = 6;
    const auto reach = static_cast<Ticks>(reachPixels / pointer.pixelsPerTick);
    if (kind_ != Kind::Move || reach < 2 || pointer.alt)
        return by;
    const BuildingBlock& block = *base_->block();
    const BlockPass& lead = passAt(*base_, lead_);
    const Ticks ticks = block.duration(lead.slot);
    Ticks nearest = by;
    Ticks distance = reach;
    const auto offer = [&](Ticks start) {
        if (const Ticks away = std::abs(start - lead.start - by); away < distance) {
            distance = away;
            nearest = start - lead.start;
        }
    };
    const auto isMoved
        = [&](std::int32_t pass) { return std::find(passes_.begin(), passes_.end(), pass) != passes_.end(); };
    for (std::size_t i = 0; i < block.passes.size(); ++i) {
        const BlockPass& other = block.passes[i];
        if (other.device != lead.device || isMoved(static_cast<std::int32_t>(i)))
            continue;
        offer(other.start - ticks);
        offer(other.start + block.duration(other.slot));
    }
    const BlockIndex index(block, base_->pipeline);
    if (index.unknown().empty())
        offer(inputsReady(block, base_->pipeline, index, lead.slot).at);
    return nearest;
}

Gesture::State Gesture::otherDevice(const Pointer& pointer) const
{
    State state;
    const Pass& pass = passAt(*base_, lead_).slot.first;
    const RouteId route { pass.microBatch.value % base_->pipeline.routeCount() };
    state.edited = moveStage(*base_, pass.stage, route, *pointer.device);
    state.shown = false;
    state.marks.moved = passes_;
    state.marks.target = pointer.device;
    state.marks.targetStage = pass.stage;
    state.status = fmt::format("Let go to move all passes of stage {} to device {}{} · Esc puts it back",
        pass.stage.value, pointer.device->value,
        base_->pipeline.routeCount() > 1 ? fmt::format(", on route {} only", route.value) : std::string());
    state.marks.reason = fmt::format("stage {} to device {}", pass.stage.value, pointer.device->value);
    return state;
}

Gesture::State Gesture::moved(const Pointer& pointer) const
{
    const BlockPass& lead = passAt(*base_, lead_);
    if (pointer.device && *pointer.device != lead.device && std::abs(pointer.rowsAway) > 0.5)
        return otherDevice(pointer);
    State state;
    const Ticks by = snappedBy(pointer.ticks - grabbed_, pointer);
    state.marks.moved = passes_;
    state.marks.tint = lead.device;
    if (pointer.shift) {
        const Ticks start = std::max<Ticks>(lead.start + by, 0);
        const auto met
            = meets(*base_->block(), lead.device, start, base_->block()->duration(lead.slot), std::vector { lead_ });
        if (met && met->pass != lead_) {
            state.edited = swapPasses(*base_, lead_, met->pass, start);
            state.marks.swapWith = met->pass;
            state.status = fmt::format(
                "{} changes places with {} · Esc puts it back", nameOf(*base_, lead_), nameOf(*base_, met->pass));
        }
    }
    if (state.marks.swapWith < 0)
        state.edited = movePasses(*base_, passes_, by);
    if (!state.edited.ok()) {
        state.marks.reason = state.edited.refusal;
        return state;
    }
    const BlockPass& now = passAt(*state.edited.design, lead_);
    if (state.status.empty())
        state.status = fmt::format("Dragging {} on device {}: {}–{} · Shift swaps · Esc puts it back",
            passes_.size() > 1 ? fmt::format("{} passes", passes_.size()) : nameOf(*base_, lead_), lead.device.value,
            now.start, now.start + base_->block()->duration(lead.slot));
    for (const std::int32_t pass : passes_)
        if (state.marks.reason.empty())
            state.marks.reason = troubleOf(*state.edited.design, pass);
    return state;
}

Gesture::State Gesture::placed(const Pointer& pointer) const
{
    State state;
    if (!pointer.device) {
        state.edited = refused("Passes stand in the rows of devices.");
        state.shown = false;
        return state;
    }
    const auto start = static_cast<Ticks>(std::floor(std::max(pointer.ticks, 0.0)));
    state.edited = placePass(*base_, *pointer.device, passKind_, start);
    if (!state.edited.ok()) {
        state.marks.reason = state.edited.refusal;
        state.status = state.edited.refusal;
        return state;
    }
    const auto last = static_cast<std::int32_t>(state.edited.design->block()->passes.size()) - 1;
    state.marks.moved = { last };
    state.marks.tint = pointer.device;
    state.marks.reason = troubleOf(*state.edited.design, last);
    state.status = fmt::format("{} on device {} at {} · drag to move it, Esc takes it back",
        nameOf(*state.edited.design, last), pointer.device->value, start);
    return state;
}

Gesture::State Gesture::stretched(const Pointer& pointer) const
{
    State state;
    const auto wanted = std::max<Ticks>(std::llround(pointer.ticks), 1);
    const Ticks interval = pointer.alt || pointer.shift
        ? wanted
        : nearestLegalInterval(*base_->block(), base_->pipeline, wanted).value_or(wanted);
    state.edited = pointer.shift ? refitInterval(*base_, interval) : setInterval(*base_, interval);
    state.marks.interval = true;
    state.status
        = fmt::format("Interval {}{} · Shift fits the block to it · Alt takes any · Esc puts it back", interval,
            pointer.shift            ? ", the block fitted to it"
                : interval != wanted ? fmt::format(", the legal one nearest to {}", wanted)
                                     : std::string());
    if (!state.edited.ok())
        state.marks.reason = state.edited.refusal;
    return state;
}

Gesture::State Gesture::shifted(const Pointer& pointer) const
{
    State state;
    const Ticks by = snappedBy(pointer.ticks - grabbed_, pointer);
    const AfterShift after = pointer.alt ? AfterShift::Leave : AfterShift::Fit;
    const auto index = static_cast<std::size_t>(lead_);
    state.edited
        = kind_ == Kind::Leg ? shiftLeg(*base_, route_, index, by, after) : shiftTurn(*base_, route_, index, by, after);
    if (!state.edited.ok()) {
        state.marks.reason = state.edited.refusal;
        return state;
    }
    state.status = fmt::format("{} · Alt leaves turns and W as they are · Esc puts it back", state.edited.name);
    return state;
}

} // namespace pipeloom::designer
