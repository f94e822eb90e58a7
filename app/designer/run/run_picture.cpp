// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/run_picture.h"

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

RunPicture::RunPicture(MeasuredStepPtr step, RunPlanPtr plan)
    : step_(std::move(step))
    , plan_(std::move(plan))
{
    if (step_)
        devices_ = static_cast<std::int32_t>(step_->rows.size());
    // A plan of other devices says nothing of this step.
    if (step_ && plan_ && plan_->timeline.devices() != devices_)
        plan_.reset();
    if (!step_ && plan_)
        devices_ = plan_->timeline.devices();
    rows_.resize(static_cast<std::size_t>(devices_));
    if (step_) {
        actual_ = step_->timeline();
        const Ticks began = step_->began().value_or(0);
        end_ = step_->latest() - began;
        constexpr double nanosPerMs = 1e6;
        if (step_->ended)
            end_ = std::max<Ticks>(end_, std::llround(step_->ended->stepMs * nanosPerMs));
    }
    measureRows();
    countChunks();
    match();
    findGaps();
    gatherMemory();
}

namespace {

/// B and BW are one.
std::uint64_t keyOf(const Pass& pass)
{
    const std::uint64_t kind = pass.kind == PassKind::F ? 0 : pass.kind == PassKind::W ? 2 : 1;
    return (static_cast<std::uint64_t>(pass.stage.index()) << 34) | (pass.microBatch.index() << 2) | kind;
}

struct Measures {
    Ticks longest = 0;
    Ticks lastEnd = 0;
    double mean = 0;
    double busy = 0;
};

Measures measuresOf(std::span<const TimedPass> passes)
{
    Measures made;
    for (const TimedPass& pass : passes) {
        made.longest = std::max(made.longest, pass.end - pass.start);
        made.lastEnd = std::max(made.lastEnd, pass.end);
        made.busy += static_cast<double>(pass.end - pass.start);
    }
    if (!passes.empty())
        made.mean = made.busy / static_cast<double>(passes.size());
    return made;
}

} // namespace

void RunPicture::measureRows()
{
    double busiest = 0;
    std::int32_t microBatches = plan_ ? plan_->pipeline.microBatches : 1;
    for (const TimedPass& pass : actual_.passes)
        microBatches = std::max(microBatches, pass.pass.microBatch.value + 1);
    for (std::size_t d = 0; d < rows_.size(); ++d) {
        Row& row = rows_[d];
        if (plan_) {
            const Measures planned = measuresOf(plan_->timeline.row(DeviceId { d }));
            row.longestPlanned = planned.longest;
            row.meanPlanned = planned.mean;
            row.plannedEnd = planned.lastEnd;
            busiest = std::max(busiest, planned.busy);
        }
        if (step_) {
            const Measures actual = measuresOf(actual_.row(DeviceId { d }));
            row.longestActual = actual.longest;
            row.meanActual = actual.mean;
            row.actualEnd = actual.lastEnd;
            if (!plan_)
                busiest = std::max(busiest, actual.busy);
        }
    }
    period_ = std::max<Ticks>(1, std::llround(busiest / microBatches));
}

void RunPicture::countChunks()
{
    if (!plan_)
        return;
    const auto stages = static_cast<std::size_t>(plan_->pipeline.stages);
    for (std::size_t d = 0; d < rows_.size(); ++d) {
        rows_[d].chunks.assign(stages, 0);
        std::vector<bool> isHeld(stages);
        for (const TimedPass& pass : plan_->timeline.row(DeviceId { d }))
            isHeld[pass.pass.stage.index()] = true;
        std::int32_t chunk = 0;
        for (std::size_t s = 0; s < stages; ++s)
            if (isHeld[s])
                rows_[d].chunks[s] = chunk++;
    }
}

void RunPicture::match()
{
    grades_.assign(actual_.passes.size(), onTime);
    if (!plan_)
        return;
    actualOf_.assign(plan_->timeline.passes.size(), -1);
    const auto scale = static_cast<double>(std::max<Ticks>(latenessScale(), 1));
    for (std::size_t i = 0; i < actual_.passes.size(); ++i) {
        const std::int32_t planned = plan_->find(actual_.passes[i].pass);
        if (planned < 0)
            continue;
        actualOf_[static_cast<std::size_t>(planned)] = static_cast<std::int32_t>(i);
        const Ticks late = actual_.passes[i].start - plan_->timeline.passes[static_cast<std::size_t>(planned)].start;
        const double share = std::clamp(static_cast<double>(late) / scale, -1.0, 1.0);
        grades_[i] = static_cast<std::int8_t>(onTime + std::lround(share * onTime));
    }
}

void RunPicture::splitGap(Row& row, Ticks from, Ticks to, std::int32_t before, const Pass* next)
{
    if (to <= from)
        return;
    const auto add = [&](Ticks start, Ticks end, RunGap::Why why) {
        if (end > start)
            row.gaps.push_back({ start, end, why, before });
    };
    const std::optional<Pass> made = next ? input(*next) : std::nullopt;
    const auto found = made ? transferOf_.find(keyOf(*made)) : transferOf_.end();
    if (found == transferOf_.end()) {
        // Where the plan is not known it cannot be told whether all inputs were there.
        add(from, to, next && plan_ && !made ? RunGap::Why::Own : RunGap::Why::Waiting);
        return;
    }
    const TimedTransfer& transfer = actual_.transfers[static_cast<std::size_t>(found->second)];
    const Ticks sent = std::clamp(transfer.start, from, to);
    const Ticks arrived = std::clamp(transfer.end, sent, to);
    add(from, sent, RunGap::Why::Waiting);
    add(sent, arrived, RunGap::Why::Transfer);
    add(arrived, to, RunGap::Why::Own);
}

void RunPicture::findGaps()
{
    if (!step_)
        return;
    for (std::size_t i = 0; i < actual_.transfers.size(); ++i)
        transferOf_[keyOf(actual_.transfers[i].pass)] = static_cast<std::int32_t>(i);
    Ticks lastOfAll = 0;
    for (const TimedPass& pass : actual_.passes)
        lastOfAll = std::max(lastOfAll, pass.end);
    for (std::size_t d = 0; d < rows_.size(); ++d) {
        Row& row = rows_[d];
        const std::span<const TimedPass> passes = actual_.row(DeviceId { d });
        Ticks free = 0;
        for (std::size_t i = 0; i < passes.size(); ++i) {
            splitGap(row, free, passes[i].start, static_cast<std::int32_t>(i), &passes[i].pass);
            free = std::max(free, passes[i].end);
        }
        // After its last pass a device waits for the others' last; what comes then is its own.
        const bool hasAll = step_->rows[d].ended || step_->ended;
        const auto behind = static_cast<std::int32_t>(passes.size());
        const Ticks met = hasAll ? std::max(free, lastOfAll) : end_;
        splitGap(row, free, met, behind, nullptr);
        if (end_ > met)
            row.gaps.push_back({ met, end_, RunGap::Why::Own, behind });
    }
}

void RunPicture::gatherMemory()
{
    for (std::size_t d = 0; d < rows_.size(); ++d) {
        RunMemory& memory = rows_[d].memory;
        if (plan_) {
            if (d < plan_->memory.size())
                memory.predicted = plan_->memory[d];
            if (d < plan_->peaks.size())
                memory.predictedPeak = plan_->peaks[d];
            if (d < plan_->limits.size())
                memory.limit = plan_->limits[d];
        }
        if (step_) {
            memory.measured = step_->memory(DeviceId { d });
            memory.measuredPeak = step_->rows[d].peak;
            for (const LevelChange& change : memory.measured)
                memory.measuredPeak = std::max(memory.measuredPeak.value_or(0), change.level);
        }
        memoryScale_ = std::max({ memoryScale_, memory.predictedPeak.value_or(0), memory.measuredPeak.value_or(0),
            memory.limit.value_or(0) });
        for (const LevelChange& change : memory.predicted)
            memoryScale_ = std::max(memoryScale_, change.level);
    }
}

TimelineRow RunPicture::planned(DeviceId device) const
{
    if (!plan_)
        return {};
    const Row& row = rows_[device.index()];
    const std::span<const TimedPass> passes = plan_->timeline.row(device);
    const Ticks first = passes.empty() ? 0 : passes.front().start;
    return { passes, row.longestPlanned, first, row.plannedEnd, row.meanPlanned, period_, row.chunks, {} };
}

TimelineRow RunPicture::actual(DeviceId device, bool graded) const
{
    if (!step_)
        return {};
    const Row& row = rows_[device.index()];
    const std::span<const TimedPass> passes = actual_.row(device);
    const Ticks first = passes.empty() ? 0 : passes.front().start;
    const auto begin = static_cast<std::size_t>(actual_.deviceBegin[device.index()]);
    return { passes, row.longestActual, first, row.actualEnd, row.meanActual, period_, row.chunks,
        graded ? std::span(grades_).subspan(begin, passes.size()) : std::span<const std::int8_t>() };
}

PassPlace RunPicture::placeIn(const Timeline& timeline, std::int32_t index) const
{
    const auto next = std::ranges::upper_bound(timeline.deviceBegin, index);
    const auto device = static_cast<std::int32_t>(next - timeline.deviceBegin.begin()) - 1;
    return { DeviceId { device }, index - timeline.deviceBegin[static_cast<std::size_t>(device)] };
}

PassPlace RunPicture::findPlanned(const Pass& pass) const
{
    const std::int32_t found = plan_ ? plan_->find(pass) : -1;
    return found < 0 ? PassPlace {} : placeIn(plan_->timeline, found);
}

PassPlace RunPicture::findActual(const Pass& pass) const
{
    if (const std::int32_t planned = plan_ ? plan_->find(pass) : -1; planned >= 0) {
        const std::int32_t found = actualOf_[static_cast<std::size_t>(planned)];
        return found < 0 ? PassPlace {} : placeIn(actual_, found);
    }
    const auto found = std::ranges::find(actual_.passes, pass, &TimedPass::pass);
    return found == actual_.passes.end() ? PassPlace {}
                                         : placeIn(actual_, static_cast<std::int32_t>(found - actual_.passes.begin()));
}

const TimedPass& RunPicture::plannedAt(PassPlace place) const
{
    return plan_->timeline.row(place.device)[static_cast<std::size_t>(place.at)];
}

const TimedPass& RunPicture::actualAt(PassPlace place) const
{
    return actual_.row(place.device)[static_cast<std::size_t>(place.at)];
}

std::optional<Ticks> RunPicture::lateness(const Pass& pass) const
{
    const PassPlace planned = findPlanned(pass);
    const PassPlace actual = findActual(pass);
    if (!planned.isThere() || !actual.isThere())
        return std::nullopt;
    return actualAt(actual).start - plannedAt(planned).start;
}

Ticks RunPicture::latenessScale() const
{
    return plan_ ? std::llround(static_cast<double>(plan_->makespan) * latenessShare) : 0;
}

std::optional<Pass> RunPicture::named(std::int32_t stage, MicroBatch microBatch, PassKind kind) const
{
    const Pass pass { StageId { stage }, microBatch, kind };
    if (const PassPlace place = findPlanned(pass); place.isThere())
        return plannedAt(place).pass; // which may be a BW
    if (findActual(pass).isThere())
        return pass;
    return kind == PassKind::B ? named(stage, microBatch, PassKind::BW) : std::nullopt;
}

std::vector<Pass> RunPicture::needs(const Pass& pass) const
{
    const std::int32_t stage = pass.stage.value;
    std::vector<Pass> found;
    const auto add = [&](std::int32_t of, PassKind kind) {
        if (const std::optional<Pass> other = named(of, pass.microBatch, kind))
            found.push_back(*other);
    };
    if (pass.kind == PassKind::F) {
        add(stage - 1, PassKind::F);
    } else if (pass.kind == PassKind::W) {
        add(stage, PassKind::B);
    } else {
        add(stage + 1, PassKind::B);
        add(stage, PassKind::F);
    }
    return found;
}

std::vector<Pass> RunPicture::feeds(const Pass& pass) const
{
    const std::int32_t stage = pass.stage.value;
    std::vector<Pass> found;
    const auto add = [&](std::int32_t of, PassKind kind) {
        if (const std::optional<Pass> other = named(of, pass.microBatch, kind))
            found.push_back(*other);
    };
    if (pass.kind == PassKind::F) {
        add(stage + 1, PassKind::F);
        add(stage, PassKind::B);
    } else if (givesInputGradient(pass.kind)) {
        add(stage - 1, PassKind::B);
        if (pass.kind == PassKind::B)
            add(stage, PassKind::W);
    }
    return found;
}

std::optional<Pass> RunPicture::input(const Pass& pass) const
{
    if (!plan_) {
        if (pass.kind == PassKind::W)
            return std::nullopt;
        return Pass { StageId { pass.stage.value + (pass.kind == PassKind::F ? -1 : 1) }, pass.microBatch,
            pass.kind == PassKind::F ? PassKind::F : PassKind::B };
    }
    const std::int32_t planned = plan_->find(pass);
    const std::int32_t message = planned < 0 ? -1 : plan_->inputs[static_cast<std::size_t>(planned)];
    if (message < 0)
        return std::nullopt;
    return plan_->program.messages[static_cast<std::size_t>(message)].pass;
}

std::optional<Bytes> RunPicture::measuredLevel(DeviceId device, Ticks time) const
{
    const std::vector<LevelChange>& levels = memory(device).measured;
    const auto after = std::ranges::upper_bound(levels, time, {}, &LevelChange::time);
    if (after == levels.begin() || time > end_)
        return std::nullopt;
    return (after - 1)->level;
}

std::optional<Ticks> RunPicture::now() const { return step_ && !step_->isWhole() ? std::optional(end_) : std::nullopt; }

Ticks RunPicture::last() const { return std::max(end_, plan_ ? plan_->makespan : 0); }

} // namespace pipeloom::designer
