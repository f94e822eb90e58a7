// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/edit/costs_edits.h"
#include "app/designer/edit/finished.h"
#include "app/designer/edit/following.h"
#include "app/designer/edit/tables.h"

#include <fmt/format.h>

namespace pipeloom::designer {

namespace {

Edited withDeviceEntry(const Design& design, std::vector<Bytes> MemoryModel::*table, const char* name,
    std::optional<DeviceId> device, Bytes held)
{
    Design edited = design;
    if (std::string why = setEntry(edited.memory.*table, device, held, heldRange); !why.empty())
        return refused(std::move(why));
    return finished(std::move(edited), fmt::format("{} = {}", entryName(name, device), held));
}

} // namespace

Edited setMemoryUnit(const Design& design, MemoryUnit unit)
{
    Design edited = design;
    edited.memory.unit = unit;
    return finished(std::move(edited), unit == MemoryUnit::Byte ? "Memory in bytes" : "Memory in activations");
}

Edited setMemoryChange(const Design& design, PassKind kind, std::optional<StageId> stage, Bytes change)
{
    if (kind == PassKind::None)
        return refusedWithoutKind();
    Design edited = design;
    if (std::string why = setEntry(edited.memory.change.values[index(kind)], stage, change, changeRange); !why.empty())
        return refused(std::move(why));
    if (kind != PassKind::BW)
        followMemory(edited, design);
    return finished(std::move(edited), fmt::format("Memory of {} = {}", entryName(text(kind), stage), change));
}

Edited setTransient(const Design& design, PassKind kind, std::optional<StageId> stage, Bytes held)
{
    if (kind == PassKind::None)
        return refusedWithoutKind();
    Design edited = design;
    if (std::string why = setEntry(edited.memory.transient.values[index(kind)], stage, held, heldRange); !why.empty())
        return refused(std::move(why));
    return finished(std::move(edited), fmt::format("Transient memory of {} = {}", entryName(text(kind), stage), held));
}

Edited setFixed(const Design& design, std::optional<DeviceId> device, Bytes held)
{
    return withDeviceEntry(design, &MemoryModel::fixed, "Static memory", device, held);
}

Edited setCommunication(const Design& design, std::optional<DeviceId> device, Bytes held)
{
    return withDeviceEntry(design, &MemoryModel::communication, "Communication memory", device, held);
}

Edited setLimit(const Design& design, std::optional<DeviceId> device, std::optional<Bytes> limit)
{
    if (std::string why = outOfRange(limit.value_or(0), heldRange); !why.empty())
        return refused(std::move(why));
    Design edited = design;
    auto& limits = edited.memory.limit;
    if (!device)
        limits.assign(limits.size(), limit);
    else if (device->value < 0 || device->index() >= limits.size())
        return refused(noEntry(*device));
    else
        limits[device->index()] = limit;
    return finished(
        std::move(edited), fmt::format("{} = {}", entryName("Limit", device), limit ? fmt::to_string(*limit) : "none"));
}

} // namespace pipeloom::designer
