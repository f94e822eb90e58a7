// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/read_sections.h"

#include <utility>

namespace pipeloom::formats {

namespace {

constexpr Range tickRange { 0, maxTicks - 1 };
constexpr Range heldRange { 0, maxBytes - 1 };
constexpr Range changeRange { -(maxBytes - 1), maxBytes - 1 };

std::size_t tableSize(const Count& count) { return static_cast<std::size_t>(count.number.value_or(1)); }

/// The default for every entry, if the key is left out or wrong.
std::vector<std::int64_t> numbersOr(
    const SectionReader& section, std::string_view key, const Count& count, Range range, std::int64_t otherwise)
{
    auto numbers = section.numberOrList(key, count, range);
    return numbers.has_value() ? std::move(*numbers) : std::vector(tableSize(count), otherwise);
}

Costs readTicks(const SectionReader& section, const Sizes& sizes)
{
    Costs costs;
    if (const auto us = section.real("tick_us", SectionReader::Zero::Refused))
        costs.tickUs = *us;
    costs.ticks = readKinds(section, sizes, tickRange, { 1, 1, 1, 2 });
    if (section.find("BW") == nullptr) {
        const auto& b = costs.ticks.values[index(PassKind::B)];
        const auto& w = costs.ticks.values[index(PassKind::W)];
        auto& bw = costs.ticks.values[index(PassKind::BW)];
        for (std::size_t stage = 0; stage < bw.size() && stage < b.size() && stage < w.size(); ++stage)
            bw[stage] = b[stage] + w[stage];
    }
    costs.pair = section.integer("pair", tickRange);
    return costs;
}

/// A number or null for all devices, or a list of these.
std::vector<std::optional<Bytes>> readLimit(const SectionReader& section, const Sizes& sizes)
{
    const Count devices = sizes.perDevice();
    std::vector<std::optional<Bytes>> limits(tableSize(devices));
    const JsonValue* value = section.find("limit");
    if (value == nullptr)
        return limits;
    const JsonPath path = section.path("limit");
    const auto one = [&](const JsonValue& entry, const JsonPath& at) -> std::optional<Bytes> {
        if (entry.as<std::nullptr_t>() != nullptr)
            return std::nullopt;
        return readInteger(entry, at, heldRange, section.reports());
    };
    if (value->as<JsonList>() == nullptr) {
        limits.assign(limits.size(), one(*value, path));
        return limits;
    }
    const JsonList* list = readList(*value, path, devices, section.reports());
    for (std::size_t i = 0; list != nullptr && i < list->size() && i < limits.size(); ++i)
        limits[i] = one((*list)[i], path.entry(i));
    return limits;
}

MemoryModel readMemory(const SectionReader& section, const Sizes& sizes)
{
    MemoryModel memory;
    if (const auto unit = section.oneOf("unit", unitNames))
        memory.unit = static_cast<MemoryUnit>(*unit);
    memory.change = readKinds(section, sizes, changeRange, { 1, 0, -1, -1 });
    memory.transient = readKinds(section.section("transient", Section::Transient), sizes, heldRange, { 0, 0, 0, 0 });
    memory.fixed = numbersOr(section, "static", sizes.perDevice(), heldRange, 0);
    memory.communication = numbersOr(section, "communication", sizes.perDevice(), heldRange, 0);
    memory.limit = readLimit(section, sizes);
    return memory;
}

void readBandwidth(const SectionReader& section, Network& network)
{
    network.latency = section.integer("latency", tickRange).value_or(0);
    network.bytesPerTick = section.integer("bytes_per_tick", { 1, maxBytes - 1 }).value_or(0);
    if (section.find("transfer") != nullptr) {
        const char* other = section.find("latency") != nullptr ? "latency" : "bytes_per_tick";
        section.reports().add(
            { "file/conflict", Severity::Error, { section.path("transfer").place(), section.path(other).place() }, {},
                "The network gives the time of a transfer twice, as `transfer` and by `latency` and `bytes_per_tick`.",
                "Keep `transfer` if its ticks are known, else the other two." });
    } else if (section.find("bytes_per_tick") == nullptr) {
        section.reports().error("file/missing", section.path("bytes_per_tick").place(),
            "`network` has a `latency` and no `bytes_per_tick`.",
            "Add it, or give the ticks of a transfer as `transfer` if they do not depend on its bytes.");
    }
}

Network readNetwork(const SectionReader& section, const Sizes& sizes)
{
    Network network;
    if (const auto queue = section.oneOf("queue", queueNames))
        network.queue = static_cast<QueueModel>(*queue);
    const bool byBandwidth = section.find("latency") != nullptr || section.find("bytes_per_tick") != nullptr;
    if (byBandwidth)
        readBandwidth(section, network);
    const std::vector<Ticks> transfer = numbersOr(section, "transfer", sizes.perBoundary(), tickRange, 0);
    if (!byBandwidth)
        network.transfer = transfer;
    if (auto bytes = section.numberOrList("bytes", sizes.perBoundary(), heldRange))
        network.bytes = std::move(*bytes);
    if (const auto window = section.integer("window", { 0, maxPasses }))
        network.window = static_cast<std::int32_t>(*window);
    return network;
}

} // namespace

ByKindAndStage<std::int64_t> readKinds(
    const SectionReader& section, const Sizes& sizes, Range range, const std::array<std::int64_t, passKinds>& defaults)
{
    ByKindAndStage<std::int64_t> table;
    for (std::size_t kind = 0; kind < kindKeys.size(); ++kind)
        table.values[kind] = numbersOr(section, kindKeys[kind], sizes.perStage(), range, defaults[kind]);
    return table;
}

CostsSection readCosts(const SectionReader& section, const Sizes& sizes)
{
    CostsSection result;
    result.costs = readTicks(section, sizes);
    result.memory = readMemory(section.section("memory", Section::Memory), sizes);
    result.network = readNetwork(section.section("network", Section::Network), sizes);
    return result;
}

} // namespace pipeloom::formats
