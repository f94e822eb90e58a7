// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/pass_tables.h"

#include <algorithm>

namespace pipeloom {

namespace {

/// The facts of one pass looked at the other way round in time, but for what it waits for and feeds.
LocalFacts mirroredFacts(const LocalFacts& facts)
{
    LocalFacts mirrored = facts;
    mirrored.change = -facts.change;
    mirrored.rise = facts.rise - facts.change;
    return mirrored;
}

} // namespace

void PassTables::build(const Pipeline& pipeline, const Costs& costs, const MemoryModel& memory, const Network& network)
{
    devices_ = pipeline.devices;
    stages_ = pipeline.stages;
    singles_ = pipeline.routeCount() * stages_ * passKinds;
    ids_ = static_cast<std::size_t>(pipeline.microBatches) * static_cast<std::size_t>(stages_) * 3;
    pairTicks_ = costs.pair;
    pairs_.clear();
    mate_.clear();
    routeOf_.clear();
    if (pipeline.routeCount() > 1)
        for (std::int32_t j = 0; j < pipeline.microBatches; ++j)
            routeOf_.push_back(pipeline.routeOf(MicroBatch { j }).value);

    forward_.assign(static_cast<std::size_t>(singles_), {});
    mirrored_.assign(static_cast<std::size_t>(singles_), {});
    std::size_t local = 0;
    for (std::int32_t route = 0; route < pipeline.routeCount(); ++route)
        for (std::int32_t s = 0; s < stages_; ++s) {
            const auto deviceOf
                = [&](std::int32_t stage) { return pipeline.deviceOf(StageId { stage }, RouteId { route }).value; };
            const std::int32_t device = deviceOf(s);
            const bool hasUp = s > 0;
            const bool hasDown = s + 1 < stages_;
            const std::int32_t upDevice = hasUp ? deviceOf(s - 1) : -1;
            const std::int32_t downDevice = hasDown ? deviceOf(s + 1) : -1;
            const Ticks upLag = hasUp && upDevice != device ? network.transferTicks(StageId { s - 1 }) : 0;
            const Ticks downLag = hasDown && downDevice != device ? network.transferTicks(StageId { s }) : 0;
            for (const PassKind kind : { PassKind::F, PassKind::B, PassKind::W, PassKind::BW }) {
                LocalFacts f;
                f.kind = kind;
                f.device = device;
                f.cost = costs.ticks.of(kind, StageId { s });
                f.change = memory.change.of(kind, StageId { s });
                f.rise = std::max<Bytes>(f.change, 0) + memory.transient.of(kind, StageId { s });
                LocalFacts b = mirroredFacts(f);
                const bool isF = kind == PassKind::F;
                const bool isBackward = givesInputGradient(kind);
                f.ownInput = isF ? 0 : -1;
                if (isF || isBackward) {
                    // The chain of a micro-batch runs down with F, up with B; mirrored, the other way round.
                    const bool down = isF;
                    f.chainInput = (down ? hasUp : hasDown) ? (down ? -3 : 3) : 0;
                    f.chainLag = down ? upLag : downLag;
                    f.fed = (down ? hasDown : hasUp) ? (down ? 3 : -3) : 0;
                    f.fedDevice = down ? downDevice : upDevice;
                    f.fedLag = down ? downLag : upLag;
                    b.chainInput = f.fed;
                    b.chainLag = f.fedLag;
                    b.fed = f.chainInput;
                    b.fedDevice = down ? upDevice : downDevice;
                    b.fedLag = f.chainLag;
                }
                b.ownInput = isF || kind == PassKind::B ? 1 : 0;
                forward_[local] = f;
                mirrored_[local] = b;
                ++local;
            }
        }
}

void PassTables::read(const Schedule& order)
{
    items_.resize(order.slots.size());
    deviceBegin_ = order.deviceBegin;
    mate_.clear();
    for (std::size_t i = 0; i < order.slots.size(); ++i) {
        const Slot& slot = order.slots[i];
        const auto idOf = [&](const Pass& pass) {
            return (pass.microBatch.value * stages_ + pass.stage.value) * 3
                + (pass.kind == PassKind::F ? 0 : (pass.kind == PassKind::W ? 2 : 1));
        };
        items_[i] = { idOf(slot.first), localOf(slot.first) };
        if (!slot.isPair())
            continue;
        if (mate_.empty())
            mate_.assign(ids_, -1);
        mate_[static_cast<std::size_t>(items_[i].id)] = idOf(slot.second);
        items_[i].local = pairLocal(items_[i].local, localOf(slot.second));
    }
}

std::int32_t PassTables::localOf(const Pass& pass) const
{
    const std::int32_t route = routeOf_.empty() ? 0 : routeOf_[pass.microBatch.index()];
    return (route * stages_ + pass.stage.value) * passKinds + static_cast<std::int32_t>(pass.kind);
}

std::int32_t PassTables::pairLocal(std::int32_t first, std::int32_t second)
{
    for (std::size_t i = 0; i < pairs_.size(); ++i)
        if (pairs_[i].first == first && pairs_[i].second == second)
            return singles_ + static_cast<std::int32_t>(i);
    pairs_.push_back({ first, second });
    for (std::vector<LocalFacts>* facts : { &forward_, &mirrored_ }) {
        const LocalFacts& f = (*facts)[static_cast<std::size_t>(first)];
        const LocalFacts& b = (*facts)[static_cast<std::size_t>(second)];
        LocalFacts both;
        both.kind = PassKind::None;
        both.device = f.device;
        both.cost = pairTicks_.value_or(f.cost + b.cost);
        both.change = f.change + b.change;
        both.rise = f.rise + b.rise;
        facts->push_back(both);
    }
    return static_cast<std::int32_t>(forward_.size()) - 1;
}

Pass PassTables::passOf(std::int32_t id, std::int32_t local) const
{
    const std::int32_t cell = id / 3;
    return { StageId { cell % stages_ }, MicroBatch { cell / stages_ }, static_cast<PassKind>(local % passKinds) };
}

Slot PassTables::slot(Item item) const
{
    if (!isPair(item.local))
        return { passOf(item.id, item.local), {} };
    const PairLocal both = pair(item.local);
    return { passOf(item.id, both.first), passOf(mate(item.id), both.second) };
}

Schedule PassTables::schedule(const std::vector<Item>& items) const
{
    Schedule made;
    made.slots.reserve(items.size());
    for (const Item item : items)
        made.slots.push_back(slot(item));
    made.deviceBegin = deviceBegin_;
    return made;
}

} // namespace pipeloom
