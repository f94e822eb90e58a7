// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/reorder.h"

#include <algorithm>
#include <tuple>

namespace pipeloom {

void Reorderer::prepare(const Pipeline& pipeline, const Costs& costs, const MemoryModel& memory, const Network& network)
{
    pipeline_ = &pipeline;
    tables_.build(pipeline, costs, memory, network);
    const auto devices = static_cast<std::size_t>(pipeline.devices);
    zero_.assign(devices, 0);
    base_.resize(devices);
    for (std::size_t d = 0; d < devices; ++d)
        base_[d] = memory.fixed[d] + memory.communication[d];
    limits_ = memory.limit;
}

bool Reorderer::measure(const std::vector<Item>& items, OrderFigures& figures)
{
    if (!listRun_.run(tables_, Direction::Forward, items, zero_, times_))
        return false;
    const std::vector<LocalFacts>& facts = tables_.facts(Direction::Forward);
    Ticks firstStart = 0;
    Ticks lastEnd = 0;
    bool any = false;
    figures.ownSpan = 0;
    figures.peak.assign(base_.begin(), base_.end());
    for (std::size_t d = 0; d < base_.size(); ++d) {
        const auto begin = static_cast<std::size_t>(tables_.deviceBegin()[d]);
        const auto end = static_cast<std::size_t>(tables_.deviceBegin()[d + 1]);
        if (begin == end)
            continue;
        Bytes level = base_[d];
        for (std::size_t i = begin; i < end; ++i) {
            const LocalFacts& fact = facts[static_cast<std::size_t>(items[i].local)];
            figures.peak[d] = std::max(figures.peak[d], level + fact.rise);
            level += fact.change;
        }
        const Ticks first = times_.start[begin];
        const Ticks last = times_.start[end - 1] + facts[static_cast<std::size_t>(items[end - 1].local)].cost;
        firstStart = any ? std::min(firstStart, first) : first;
        lastEnd = std::max(lastEnd, last);
        figures.ownSpan = std::max(figures.ownSpan, last - first);
        any = true;
    }
    figures.makespan = lastEnd - firstStart;
    return true;
}

bool Reorderer::squeeze(const Schedule& order, OrderFigures& figures)
{
    tables_.read(order);
    return measure(tables_.items(), figures);
}

std::vector<Ticks> Reorderer::stagger() const
{
    // Earliest possible first F of each device: the way of a micro-batch through the stages before.
    std::vector<Ticks> first(base_.size(), -1);
    const std::vector<LocalFacts>& facts = tables_.facts(Direction::Forward);
    for (std::int32_t route = 0; route < pipeline_->routeCount(); ++route) {
        Ticks at = 0;
        for (std::int32_t s = 0; s < pipeline_->stages; ++s) {
            const auto local = static_cast<std::size_t>((route * pipeline_->stages + s) * passKinds);
            const LocalFacts& f = facts[local];
            at += f.chainLag;
            Ticks& earliest = first[static_cast<std::size_t>(f.device)];
            if (earliest < 0 || at < earliest)
                earliest = at;
            at += f.cost;
        }
    }
    const Ticks latest = *std::max_element(first.begin(), first.end());
    for (Ticks& ticks : first)
        ticks = latest - std::max<Ticks>(ticks, 0);
    return first;
}

void Reorderer::mirror(const std::vector<Item>& items, std::vector<Item>& mirrored) const
{
    mirrored.resize(items.size());
    for (std::size_t d = 0; d < base_.size(); ++d) {
        const auto begin = tables_.deviceBegin()[d];
        const auto end = tables_.deviceBegin()[d + 1];
        std::reverse_copy(items.begin() + begin, items.begin() + end, mirrored.begin() + begin);
    }
}

void Reorderer::sweepTwice(const std::vector<Ticks>& stagger, Fillers fillers)
{
    mirror(tables_.items(), mirrored_);
    mirror(sweep_.run(tables_, Direction::Mirrored, mirrored_, stagger, room_, fillers), swept_);
    swept_ = sweep_.run(tables_, Direction::Forward, swept_, zero_, room_, fillers);
}

Schedule Reorderer::reorder(const Schedule& order, Reorder how, OrderFigures& figures)
{
    const Fillers fillers = how.rule == ReorderRule::Weights ? Fillers::WeightsOnly : Fillers::All;
    if (!squeeze(order, figures))
        return order;
    const Bytes highest = *std::max_element(figures.peak.begin(), figures.peak.end());
    room_.resize(base_.size());
    for (std::size_t d = 0; d < base_.size(); ++d)
        room_[d] = limits_[d].value_or(highest) - base_[d];

    const auto key = [&](const OrderFigures& f) {
        return how.aim == ReorderAim::Makespan ? std::tuple(f.makespan, f.ownSpan) : std::tuple(f.ownSpan, f.makespan);
    };
    std::vector<Item> best;
    OrderFigures candidate;
    const auto consider = [&](const std::vector<Ticks>& stagger) {
        sweepTwice(stagger, fillers);
        if (measure(swept_, candidate) && key(candidate) < key(figures)) {
            best = swept_;
            std::swap(figures, candidate);
        }
    };
    consider(zero_);
    if (const std::vector<Ticks> staggered = stagger(); staggered != zero_)
        consider(staggered);
    return best.empty() ? order : tables_.schedule(best);
}

Schedule reorder(const Schedule& order, const Pipeline& pipeline, const Costs& costs, const MemoryModel& memory,
    const Network& network, Reorder how)
{
    Reorderer reorderer;
    reorderer.prepare(pipeline, costs, memory, network);
    OrderFigures figures;
    return reorderer.reorder(order, how, figures);
}

} // namespace pipeloom
