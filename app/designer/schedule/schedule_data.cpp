// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/schedule/schedule_data.h"

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

ScheduleData::ScheduleData(FiguresPtr figures)
    : figures_(std::move(figures))
{
    if (isEmpty())
        return;
    indexPasses();
    followMemory();
    sortTransfers();
    Ticks busiest = 0;
    for (const DeviceMetrics& device : metrics().devices)
        busiest = std::max(busiest, device.busy);
    period_ = std::max<Ticks>(1, (busiest + pipeline().microBatches / 2) / std::max(pipeline().microBatches, 1));
    const auto stages = static_cast<std::size_t>(pipeline().stages);
    chunk_.assign(static_cast<std::size_t>(devices()) * stages, 0);
    for (std::size_t d = 0; d < static_cast<std::size_t>(devices()); ++d) {
        std::int32_t number = 0;
        for (const StageId stage : pipeline().stagesOn(DeviceId { d }))
            chunk_[d * stages + stage.index()] = number++;
    }
}

std::size_t ScheduleData::idOf(const Pass& pass) const
{
    const std::size_t work = pass.kind == PassKind::F ? 0 : pass.kind == PassKind::W ? 2 : 1;
    return (pass.microBatch.index() * static_cast<std::size_t>(pipeline().stages) + pass.stage.index()) * 3 + work;
}

void ScheduleData::indexPasses()
{
    const auto cells = static_cast<std::size_t>(pipeline().stages) * static_cast<std::size_t>(pipeline().microBatches);
    place_.assign(cells * 3, -1);
    const auto rows = static_cast<std::size_t>(devices());
    meanTicks_.assign(rows, 0);
    longest_.assign(rows, 0);
    for (std::size_t d = 0; d < rows; ++d) {
        Ticks sum = 0;
        for (PassIndex i = rowBegin(DeviceId { d }); i < rowEnd(DeviceId { d }); ++i) {
            const TimedPass& pass = at(i);
            if (const std::size_t id = idOf(pass.pass); id < place_.size())
                place_[id] = i;
            sum += pass.end - pass.start;
            longest_[d] = std::max(longest_[d], pass.end - pass.start);
        }
        if (const std::int32_t count = rowEnd(DeviceId { d }) - rowBegin(DeviceId { d }); count > 0)
            meanTicks_[d] = static_cast<double>(sum) / count;
    }
}

void ScheduleData::followMemory()
{
    const MemoryModel& memory = design().memory;
    level_.resize(timeline().passes.size());
    for (std::int32_t stage = 0; stage < pipeline().stages; ++stage)
        for (const PassKind kind : { PassKind::F, PassKind::B, PassKind::W, PassKind::BW })
            rise_.push_back(std::max<Bytes>(0, memory.change.of(kind, StageId { stage }))
                + memory.transient.of(kind, StageId { stage }));
    for (std::size_t d = 0; d < static_cast<std::size_t>(devices()); ++d) {
        Bytes level = memory.fixed[d] + memory.communication[d];
        for (PassIndex i = rowBegin(DeviceId { d }); i < rowEnd(DeviceId { d }); ++i) {
            level_[static_cast<std::size_t>(i)] = level;
            level += memory.change.of(at(i).pass.kind, at(i).pass.stage);
        }
        blockBegin_.push_back(blockMost_.size());
        for (PassIndex i = rowBegin(DeviceId { d }); i < rowEnd(DeviceId { d }); ++i) {
            if ((i - rowBegin(DeviceId { d })) % passesInBlock == 0)
                blockMost_.push_back(levelDuring(i));
            else
                blockMost_.back() = std::max(blockMost_.back(), levelDuring(i));
        }
        memoryScale_ = std::max({ memoryScale_, metrics().devices[d].peak, memory.limit[d].value_or(0) });
    }
}

void ScheduleData::sortTransfers()
{
    const std::vector<TimedTransfer>& transfers = timeline().transfers;
    for (std::size_t i = 0; i < transfers.size(); ++i)
        if (transfers[i].end > transfers[i].start)
            transferOrder_.push_back(static_cast<std::int32_t>(i));
    if (transferOrder_.empty())
        return;
    std::sort(transferOrder_.begin(), transferOrder_.end(), [&](std::int32_t a, std::int32_t b) {
        const TimedTransfer& first = transfers[static_cast<std::size_t>(a)];
        const TimedTransfer& second = transfers[static_cast<std::size_t>(b)];
        return std::tuple(first.to, first.start, a) < std::tuple(second.to, second.start, b);
    });
    transferBegin_.assign(static_cast<std::size_t>(devices()) + 1, 0);
    for (const std::int32_t i : transferOrder_)
        ++transferBegin_[transfers[static_cast<std::size_t>(i)].to.index() + 1];
    for (std::size_t d = 1; d < transferBegin_.size(); ++d)
        transferBegin_[d] += transferBegin_[d - 1];
}

DeviceId ScheduleData::deviceOf(PassIndex pass) const
{
    const std::vector<std::int32_t>& begin = timeline().deviceBegin;
    const auto next = std::upper_bound(begin.begin(), begin.end(), pass);
    return DeviceId { static_cast<std::int32_t>(next - begin.begin()) - 1 };
}

TimelineRow ScheduleData::row(DeviceId device) const
{
    const auto stages = static_cast<std::size_t>(pipeline().stages);
    const DeviceMetrics& own = metrics().devices[device.index()];
    return { timeline().row(device), longest_[device.index()], own.firstStart, own.lastEnd, meanTicks(device), period_,
        std::span(chunk_).subspan(device.index() * stages, stages), {} };
}

PassIndex ScheduleData::find(const Pass& pass) const
{
    const std::size_t id = idOf(pass);
    return id < place_.size() ? place_[id] : -1;
}

PassIndex ScheduleData::findAt(std::int32_t stage, MicroBatch microBatch, PassKind kind) const
{
    if (stage < 0 || stage >= pipeline().stages)
        return -1;
    return find({ StageId { stage }, microBatch, kind });
}

std::vector<PassIndex> ScheduleData::needs(PassIndex pass) const
{
    const Pass& of = at(pass).pass;
    std::vector<PassIndex> found;
    const auto add = [&](std::int32_t stage, PassKind kind) {
        if (const PassIndex at = findAt(stage, of.microBatch, kind); at >= 0)
            found.push_back(at);
    };
    if (of.kind == PassKind::F) {
        add(of.stage.value - 1, PassKind::F);
    } else if (of.kind == PassKind::W) {
        add(of.stage.value, PassKind::B);
    } else {
        add(of.stage.value + 1, PassKind::B);
        add(of.stage.value, PassKind::F);
    }
    return found;
}

std::vector<PassIndex> ScheduleData::feeds(PassIndex pass) const
{
    const Pass& of = at(pass).pass;
    std::vector<PassIndex> found;
    const auto add = [&](std::int32_t stage, PassKind kind) {
        if (const PassIndex at = findAt(stage, of.microBatch, kind); at >= 0)
            found.push_back(at);
    };
    if (of.kind == PassKind::F) {
        add(of.stage.value + 1, PassKind::F);
        add(of.stage.value, PassKind::B);
    } else if (givesInputGradient(of.kind)) {
        add(of.stage.value - 1, PassKind::B);
        if (of.kind == PassKind::B)
            add(of.stage.value, PassKind::W);
    }
    return found;
}

std::vector<PassIndex> ScheduleData::chain(PassIndex pass) const
{
    // Passes of one micro-batch only, so a list that is searched is short enough.
    std::vector<PassIndex> found;
    const auto walk = [&](auto&& next) {
        std::vector<PassIndex> open { pass };
        while (!open.empty()) {
            const PassIndex from = open.back();
            open.pop_back();
            for (const PassIndex to : next(from))
                if (std::find(found.begin(), found.end(), to) == found.end()) {
                    found.push_back(to);
                    open.push_back(to);
                }
        }
    };
    walk([&](PassIndex from) { return needs(from); });
    walk([&](PassIndex from) { return feeds(from); });
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<PassIndex> ScheduleData::ofMicroBatch(MicroBatch microBatch) const
{
    std::vector<PassIndex> found;
    for (std::int32_t stage = 0; stage < pipeline().stages; ++stage)
        for (const PassKind kind : { PassKind::F, PassKind::B, PassKind::W })
            if (const PassIndex at = findAt(stage, microBatch, kind); at >= 0)
                found.push_back(at);
    return found;
}

PassIndex ScheduleData::firstAfter(DeviceId device, double time) const
{
    return rowBegin(device) + static_cast<PassIndex>(row(device).firstAfter(time));
}

PassIndex ScheduleData::runningAt(DeviceId device, double time) const
{
    PassIndex found = -1;
    for (PassIndex i = firstAfter(device, time); i < rowEnd(device); ++i) {
        if (static_cast<double>(at(i).start) > time)
            break;
        if (static_cast<double>(at(i).end) > time)
            found = i;
    }
    return found;
}

Bytes ScheduleData::levelAfter(PassIndex pass) const
{
    if (static_cast<std::size_t>(pass) + 1 < timeline().passes.size() && at(pass + 1).joined)
        ++pass;
    return levelBefore(pass) + design().memory.change.of(at(pass).pass.kind, at(pass).pass.stage);
}

std::int32_t ScheduleData::chunk(StageId stage, DeviceId device) const
{
    return chunk_[device.index() * static_cast<std::size_t>(pipeline().stages) + stage.index()];
}

std::span<const std::int32_t> ScheduleData::transfersTo(DeviceId device) const
{
    if (transferBegin_.empty())
        return {};
    const auto first = static_cast<std::size_t>(transferBegin_[device.index()]);
    const auto last = static_cast<std::size_t>(transferBegin_[device.index() + 1]);
    return { transferOrder_.data() + first, last - first };
}

std::size_t ScheduleData::ownBytes() const
{
    return place_.capacity() * sizeof(PassIndex) + (level_.capacity() + blockMost_.capacity()) * sizeof(Bytes)
        + transferOrder_.capacity() * sizeof(std::int32_t) + transferBegin_.capacity() * sizeof(std::int32_t)
        + chunk_.capacity() * sizeof(std::int32_t) + longest_.capacity() * sizeof(Ticks);
}

} // namespace pipeloom::designer
