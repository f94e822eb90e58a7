// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/edit/schedule_edits.h"

#include "core/check/schedule_check.h"
#include "core/formats/design_file.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace pipeloom::designer {

namespace {

using Json = nlohmann::ordered_json;
const char* const formerBlockKey = "formerBlock";

/// What the window remembers; an empty object where there is nothing, or nothing that is one.
Json viewOf(const Design& design)
{
    Json view = Json::parse(design.view.empty() ? "{}" : design.view, nullptr, false);
    return view.is_object() ? view : Json::object();
}

std::string textOf(const Json& view) { return view.empty() ? std::string() : view.dump(); }

/// The block as a design of its own: the file's own reader and writer then take care of it.
std::string blockText(const Design& design)
{
    Design alone = emptyDesign(design.pipeline);
    alone.plan = *design.block();
    alone.reorder = design.reorder;
    return writeDesign(alone);
}

} // namespace

Edited toExplicit(const Design& design, const Schedule& shownOrder)
{
    if (!design.block())
        return refused("The design is an explicit schedule already.");
    if (shownOrder.devices() != design.pipeline.devices || shownOrder.slots.empty())
        return refused("There is no order to edit yet: the block must be whole first.");
    Edited edited { design, "Edit the order by hand", {} };
    Json view = viewOf(design);
    view[formerBlockKey] = Json::parse(blockText(design));
    edited.design->view = textOf(view);
    edited.design->plan = shownOrder;
    edited.design->reorder.reset();
    return edited;
}

Edited moveSlot(const Design& design, DeviceId device, std::int32_t from, std::int32_t to)
{
    const Schedule* schedule = design.schedule();
    if (!schedule)
        return refused("Only an explicit schedule has an order to edit.");
    if (device.value < 0 || device.value >= schedule->devices())
        return refused("There is no such device.");
    const std::int32_t begin = schedule->deviceBegin[device.index()];
    const std::int32_t count = schedule->deviceBegin[device.index() + 1] - begin;
    if (from < 0 || from >= count || to < 0 || to >= count)
        return refused("There is no such place on the device.");
    Schedule moved = *schedule;
    const auto row = moved.slots.begin() + begin;
    const std::string name = text(row[from]);
    if (from < to)
        std::rotate(row + from, row + from + 1, row + to + 1);
    else
        std::rotate(row + to, row + from, row + from + 1);
    for (const Finding& finding : check(moved, design.pipeline, design.costs))
        if (finding.severity == Severity::Error)
            return refused(finding.message);
    Edited edited { design, "Move " + name, {} };
    edited.design->plan = std::move(moved);
    return edited;
}

bool hasFormerBlock(const Design& design)
{
    return design.schedule() && design.view.find(formerBlockKey) != std::string::npos
        && viewOf(design).contains(formerBlockKey);
}

Edited backToBlock(const Design& design)
{
    if (!hasFormerBlock(design))
        return refused("The schedule does not remember a block.");
    Json view = viewOf(design);
    const ReadDesign former = readDesign(view[formerBlockKey].dump());
    if (!former.design || !former.design->block())
        return refused("The block that the file remembers cannot be read.");
    if (former.design->pipeline != design.pipeline)
        return refused("The block that the file remembers is for another pipeline.");
    Edited edited { design, "Back to the block", {} };
    edited.design->plan = *former.design->block();
    edited.design->reorder = former.design->reorder;
    view.erase(formerBlockKey);
    edited.design->view = textOf(view);
    return edited;
}

std::optional<std::string> sizesLocked(const Design& design)
{
    if (!design.schedule())
        return std::nullopt;
    return hasFormerBlock(design)
        ? "The order is edited by hand, so devices, stages and micro-batches stay. Go back to the block to change them."
        : "An explicit schedule is for these devices, stages and micro-batches only.";
}

} // namespace pipeloom::designer
