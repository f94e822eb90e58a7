// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// One sweep of reordering (DESIGN.md 3.8): list execution that fills idle time with passes before their turn.

#include "core/schedule/list_run.h"
#include "core/schedule/pass_tables.h"

#include <span>
#include <vector>

namespace pipeloom {

/// Which passes may be started before their turn.
enum class Fillers : std::uint8_t { All, WeightsOnly };

class Sweep {
public:
    /// Executes `reference` in `direction`, device d usable from usableFrom[d], its running sum of memory at most limit[d]
    /// (static memory taken off) for what is started before its turn. Whenever a device becomes free or an input arrives:
    /// if the first pass of its reference not yet started is ready, that one; else the first in reference order, among the
    /// next of each (kind, stage), that is ready, ends before the first one can start in any case, and keeps the memory of
    /// all that it overtakes within the limit. Gives the order, rows as in tables.deviceBegin().
    /// `reference` must run to its end as a list.
    const std::vector<Item>& run(const PassTables& tables, Direction direction, std::span<const Item> reference,
        std::span<const Ticks> usableFrom, std::span<const Bytes> limit, Fillers fillers);

private:
    struct Event {
        Ticks time;
        std::int32_t device;
    };
    /// The row of a device as the sweep works it off.
    struct Row {
        Ticks free = 0;
        Bytes level = 0;
        Bytes limit = 0;
        std::int32_t firstClass = 0; ///< its classes are [firstClass, endClass) of classNext_
        std::int32_t endClass = 0;
        std::int32_t head = 0;    ///< position of the first pass of the reference not yet started
        std::int32_t written = 0; ///< where the next started pass is written
    };

    void prepare(std::span<const Ticks> usableFrom, std::span<const Bytes> limit);
    void prepareClasses();
    void push(Ticks time, std::int32_t device);
    void start(std::int32_t device, std::int32_t position, std::int32_t ofClass, Ticks now);
    void finish(const LocalFacts& fact, std::int32_t id, Ticks end, std::int32_t device);
    [[nodiscard]] bool startHead(std::int32_t device, Ticks now);
    void startFiller(std::int32_t device, Ticks now);
    [[nodiscard]] bool keepsLimit(const Row& row, const LocalFacts& fact, std::int32_t position) const;
    [[nodiscard]] Ticks ready(std::int32_t position) const;
    [[nodiscard]] const LocalFacts& factsAt(std::int32_t position) const
    {
        return facts_[static_cast<std::size_t>(reference_[static_cast<std::size_t>(position)].local)];
    }

    const PassTables* tables_ = nullptr;
    const LocalFacts* facts_ = nullptr;
    std::span<const Item> reference_;
    Direction direction_ = Direction::Forward;
    Fillers fillers_ = Fillers::All;
    ListRun listRun_;
    ListTimes listed_;       ///< R: starts when the reference is executed as a list
    std::vector<Ticks> end_; ///< by id
    std::vector<Row> rows_;
    std::vector<std::int32_t> classOf_;   ///< by local: class on its device, of the reference in hand
    std::vector<std::int32_t> classNext_; ///< by class: position of its next pass not yet started, or `none`
    std::vector<std::int32_t> nextSame_;  ///< by position: position of the next pass of the same class, or `none`
    std::vector<std::uint8_t> started_;   ///< by position
    std::vector<Event> heap_;
    std::vector<std::int32_t> awake_; ///< devices to look at now
    std::vector<Ticks> seen_;         ///< by device: time at which it was put among those
    std::vector<Item> order_;
};

} // namespace pipeloom
