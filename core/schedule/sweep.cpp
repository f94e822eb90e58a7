// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/schedule/sweep.h"

#include <algorithm>
#include <limits>

namespace pipeloom {

namespace {

constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();

} // namespace

const std::vector<Item>& Sweep::run(const PassTables& tables, Direction direction, std::span<const Item> reference,
    std::span<const Ticks> usableFrom, std::span<const Bytes> limit, Fillers fillers)
{
    tables_ = &tables;
    facts_ = tables.facts(direction).data();
    reference_ = reference;
    direction_ = direction;
    fillers_ = fillers;
    listRun_.run(tables, direction, reference, usableFrom, listed_);
    prepare(usableFrom, limit);
    prepareClasses();

    const auto later = [](const Event& a, const Event& b) { return a.time > b.time; };
    while (!heap_.empty()) {
        const Ticks now = heap_.front().time;
        awake_.clear();
        while (!heap_.empty() && heap_.front().time == now) {
            const std::int32_t device = heap_.front().device;
            std::pop_heap(heap_.begin(), heap_.end(), later);
            heap_.pop_back();
            const auto d = static_cast<std::size_t>(device);
            if (seen_[d] != now && rows_[d].free <= now && rows_[d].head != none) {
                seen_[d] = now;
                awake_.push_back(device);
            }
        }
        // Heads first on all devices: what they start tells the fillers of other devices how long they have.
        std::size_t idle = 0;
        for (const std::int32_t device : awake_) {
            seen_[static_cast<std::size_t>(device)] = ListTimes::unknown;
            if (!startHead(device, now))
                awake_[idle++] = device;
        }
        for (std::size_t i = 0; i < idle; ++i)
            startFiller(awake_[i], now);
    }
    return order_;
}

void Sweep::prepare(std::span<const Ticks> usableFrom, std::span<const Bytes> limit)
{
    const auto devices = static_cast<std::size_t>(tables_->devices());
    const std::vector<std::int32_t>& begin = tables_->deviceBegin();
    end_.assign(tables_->ids(), ListTimes::unknown);
    started_.assign(reference_.size(), 0);
    order_.resize(reference_.size());
    seen_.assign(devices, ListTimes::unknown);
    rows_.assign(devices, {});
    heap_.clear();
    for (std::size_t d = 0; d < devices; ++d) {
        Row& row = rows_[d];
        row.free = usableFrom[d];
        row.limit = limit[d];
        row.written = begin[d];
        row.head = begin[d] < begin[d + 1] ? begin[d] : none;
        push(usableFrom[d], static_cast<std::int32_t>(d));
    }
}

void Sweep::prepareClasses()
{
    const std::vector<std::int32_t>& begin = tables_->deviceBegin();
    classOf_.assign(static_cast<std::size_t>(tables_->locals()), -1);
    classNext_.clear();
    nextSame_.resize(reference_.size());
    for (std::size_t d = 0; d < rows_.size(); ++d) {
        Row& row = rows_[d];
        row.firstClass = static_cast<std::int32_t>(classNext_.size());
        for (std::int32_t position = begin[d + 1] - 1; position >= begin[d]; --position) {
            const auto at = static_cast<std::size_t>(position);
            std::int32_t& ofClass = classOf_[static_cast<std::size_t>(reference_[at].local)];
            if (ofClass < 0) {
                ofClass = static_cast<std::int32_t>(classNext_.size());
                classNext_.push_back(none);
            }
            nextSame_[at] = classNext_[static_cast<std::size_t>(ofClass)];
            classNext_[static_cast<std::size_t>(ofClass)] = position;
        }
        row.endClass = static_cast<std::int32_t>(classNext_.size());
        // Mirrored, the row begins where the step ends: with what its passes leak, which is nothing in a sound design.
        if (direction_ == Direction::Mirrored)
            for (std::int32_t position = begin[d]; position < begin[d + 1]; ++position)
                row.level -= factsAt(position).change;
    }
}

void Sweep::push(Ticks time, std::int32_t device)
{
    heap_.push_back({ time, device });
    std::push_heap(heap_.begin(), heap_.end(), [](const Event& a, const Event& b) { return a.time > b.time; });
}

Ticks Sweep::ready(std::int32_t position) const
{
    const Item item = reference_[static_cast<std::size_t>(position)];
    std::int32_t missing = -1;
    if (!tables_->isPair(item.local))
        return inputsReady(facts_[static_cast<std::size_t>(item.local)], item.id, end_.data(), missing);
    const PairLocal both = tables_->pair(item.local);
    const Ticks first = inputsReady(facts_[static_cast<std::size_t>(both.first)], item.id, end_.data(), missing);
    const Ticks second
        = inputsReady(facts_[static_cast<std::size_t>(both.second)], tables_->mate(item.id), end_.data(), missing);
    return first < 0 || second < 0 ? ListTimes::unknown : std::max(first, second);
}

bool Sweep::startHead(std::int32_t device, Ticks now)
{
    const Row& row = rows_[static_cast<std::size_t>(device)];
    const Ticks at = ready(row.head);
    if (at < 0 || at > now)
        return false;
    start(device, row.head, classOf_[static_cast<std::size_t>(reference_[static_cast<std::size_t>(row.head)].local)],
        now);
    return true;
}

void Sweep::startFiller(std::int32_t device, Ticks now)
{
    const Row& row = rows_[static_cast<std::size_t>(device)];
    Ticks until = listed_.start[static_cast<std::size_t>(row.head)];
    if (const Ticks headReady = ready(row.head); headReady >= 0)
        until = std::min(until, headReady);
    std::int32_t best = none;
    std::int32_t bestClass = -1;
    for (std::int32_t ofClass = row.firstClass; ofClass < row.endClass; ++ofClass) {
        const std::int32_t position = classNext_[static_cast<std::size_t>(ofClass)];
        if (position >= best || position == row.head)
            continue;
        const LocalFacts& fact = factsAt(position);
        if (now + fact.cost > until || (fillers_ == Fillers::WeightsOnly && fact.kind != PassKind::W))
            continue;
        if (const Ticks at = ready(position); at < 0 || at > now)
            continue;
        if (!keepsLimit(row, fact, position))
            continue;
        best = position;
        bestClass = ofClass;
    }
    if (best != none)
        start(device, best, bestClass, now);
}

bool Sweep::keepsLimit(const Row& row, const LocalFacts& fact, std::int32_t position) const
{
    if (fact.rise > 0 && row.level + fact.rise > row.limit)
        return false;
    if (fact.change <= 0)
        return true;
    Bytes level = row.level + fact.change;
    for (std::int32_t before = row.head; before < position; ++before) {
        if (started_[static_cast<std::size_t>(before)])
            continue;
        const LocalFacts& overtaken = factsAt(before);
        if (level + overtaken.rise > row.limit)
            return false;
        level += overtaken.change;
    }
    return level <= row.limit;
}

void Sweep::start(std::int32_t device, std::int32_t position, std::int32_t ofClass, Ticks now)
{
    const auto at = static_cast<std::size_t>(position);
    Row& row = rows_[static_cast<std::size_t>(device)];
    const Item item = reference_[at];
    const LocalFacts& fact = facts_[static_cast<std::size_t>(item.local)];
    const Ticks end = now + fact.cost;
    started_[at] = 1;
    classNext_[static_cast<std::size_t>(ofClass)] = nextSame_[at];
    order_[static_cast<std::size_t>(row.written++)] = item;
    row.level += fact.change;
    row.free = end;
    const std::int32_t last = tables_->deviceBegin()[static_cast<std::size_t>(device) + 1];
    while (row.head < last && started_[static_cast<std::size_t>(row.head)])
        ++row.head;
    if (row.head == last)
        row.head = none;
    if (tables_->isPair(item.local)) {
        const PairLocal both = tables_->pair(item.local);
        finish(facts_[static_cast<std::size_t>(both.first)], item.id, end, device);
        finish(facts_[static_cast<std::size_t>(both.second)], tables_->mate(item.id), end, device);
    } else {
        finish(fact, item.id, end, device);
    }
    if (row.head != none)
        push(end, device);
}

void Sweep::finish(const LocalFacts& fact, std::int32_t id, Ticks end, std::int32_t device)
{
    end_[static_cast<std::size_t>(id)] = end;
    if (fact.fed == 0 || fact.fedDevice == device)
        return;
    // A device that is busy beyond the arrival looks again when it becomes free.
    if (const Row& fed = rows_[static_cast<std::size_t>(fact.fedDevice)];
        fed.free < end + fact.fedLag || fed.free <= end)
        push(end + fact.fedLag, fact.fedDevice);
}

} // namespace pipeloom
