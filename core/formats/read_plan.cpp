// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pass_rows.h"
#include "core/formats/read_sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace pipeloom::formats {

namespace {

void reportFault(const RowFault& fault, std::size_t row, const JsonPath& path, Reports& reports)
{
    Place place = path.place();
    place.device = DeviceId(row);
    place.pass = fault.token.size() <= 40 ? fault.token : std::string();
    place.column = static_cast<std::int32_t>(std::min<std::size_t>(fault.column, INT32_MAX));
    reports.error(fault.rule, std::move(place),
        fmt::format("Device {}, column {}: {}", row, fault.column, fault.message), fault.remedy);
}

/// The rows of a section, one per device; nothing if they are no list of texts.
std::vector<std::string_view> readRows(const SectionReader& section, const Sizes& sizes)
{
    std::vector<std::string_view> rows;
    const JsonValue* value = section.require("rows");
    const JsonPath path = section.path("rows");
    const JsonList* list = value == nullptr ? nullptr : readList(*value, path, sizes.perDevice(), section.reports());
    for (std::size_t i = 0; list != nullptr && i < list->size() && !section.reports().full(); ++i) {
        const std::string* row = readText((*list)[i], path.entry(i), section.reports());
        rows.push_back(row == nullptr ? std::string_view() : std::string_view(*row));
    }
    return rows;
}

/// Gives every slot of the rows to `take(device, slot)`, as long as their passes are not too many.
template <class Take>
void readSlots(const SectionReader& section, const std::vector<std::string_view>& rows, const RowGrammar& grammar,
    std::int64_t mostPasses, Take take)
{
    const JsonPath path = section.path("rows");
    std::int64_t passes = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        RowParser parser(rows[i], grammar);
        while (!section.reports().full() && parser.next()) {
            if (!parser.slot().has_value()) {
                reportFault(parser.fault(), i, path.entry(i), section.reports());
                continue;
            }
            passes += parser.slot()->slot.isPair() ? 2 : 1;
            if (passes > mostPasses) {
                section.reports().error("file/size", path.entry(i).place(),
                    fmt::format(
                        "The rows hold more than {} passes, so a step would have more than {}.", mostPasses, maxPasses),
                    "Take fewer micro-batches.");
                return;
            }
            take(DeviceId(i), *parser.slot());
        }
    }
}

std::size_t slotsIn(const std::vector<std::string_view>& rows)
{
    std::size_t slots = 0;
    for (const std::string_view row : rows)
        slots += formats::slotsIn(row);
    return std::min(slots, static_cast<std::size_t>(maxPasses));
}

} // namespace

BuildingBlock readBlock(const SectionReader& section, const Sizes& sizes)
{
    BuildingBlock block;
    if (section.require("interval") != nullptr)
        block.interval = section.integer("interval", { 1, maxTicks - 1 }).value_or(1);
    const auto group = section.find("group") == nullptr ? 1 : section.integer("group", { 1, maxPasses / 2 });
    block.durations
        = readKinds(section.section("durations", Section::Durations), sizes, { 0, maxTicks - 1 }, { 1, 1, 1, 2 });
    const auto rows = readRows(section, sizes);
    if (!group.has_value())
        return block; // whether passes name a micro-batch depends on it
    block.group = static_cast<std::int32_t>(*group);
    const std::int64_t copies = (sizes.microBatches.value_or(1) + *group - 1) / *group;
    block.passes.reserve(slotsIn(rows));
    readSlots(section, rows, blockGrammar(sizes.stages, *group), maxPasses / copies,
        [&block](DeviceId device, const RowSlot& slot) {
            block.passes.push_back({ device, slot.slot, slot.start });
        });
    sortForRows(block.passes);
    return block;
}

Schedule readSchedule(const SectionReader& section, const Sizes& sizes)
{
    const auto rows = readRows(section, sizes);
    Schedule schedule;
    schedule.slots.reserve(slotsIn(rows));
    std::vector<std::int32_t> slotsOf(rows.size(), 0);
    readSlots(section, rows, scheduleGrammar(sizes.stages, sizes.microBatches), maxPasses,
        [&](DeviceId device, const RowSlot& slot) {
            schedule.slots.push_back(slot.slot);
            ++slotsOf[device.index()];
        });
    for (const std::int32_t slots : slotsOf)
        schedule.deviceBegin.push_back(schedule.deviceBegin.back() + slots);
    return schedule;
}

std::optional<Reorder> readReorder(const SectionReader& section)
{
    if (!section.present())
        return std::nullopt;
    Reorder reorder;
    if (section.require("rule") != nullptr)
        reorder.rule = static_cast<ReorderRule>(section.oneOf("rule", ruleNames).value_or(0));
    reorder.aim = static_cast<ReorderAim>(section.oneOf("aim", aimNames).value_or(0));
    return reorder;
}

} // namespace pipeloom::formats
