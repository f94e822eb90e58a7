// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/edit/measured_costs_edit.h"

#include "app/designer/edit/finished.h"

#include <fmt/format.h>

namespace pipeloom::designer {

namespace {

/// Why costs of one pipeline are none of the other; empty: they are.
std::string difference(const Pipeline& design, const Pipeline& run)
{
    if (design.devices != run.devices)
        return fmt::format("The run was on {} devices, the design has {}.", run.devices, design.devices);
    if (design.stages != run.stages)
        return fmt::format("The run had {} stages, the design has {}.", run.stages, design.stages);
    if (design.routes != run.routes)
        return "The run had its stages on other devices than the design.";
    return {};
}

} // namespace

Edited useMeasuredCosts(const Design& design, const RunCosts& costs, const Pipeline& ofRun, const RunPlanned* memory)
{
    if (costs.steps < 1)
        return refused("No step of the run has ended yet.");
    if (std::string why = difference(design.pipeline, ofRun); !why.empty())
        return refused(std::move(why));
    DesignWithCosts made = withMeasuredCosts(design, costs.costs, memory);
    if (!made.design)
        return refused(made.findings.front().message);
    return finished(std::move(*made.design),
        costs.steps == 1 ? std::string("Costs measured in 1 step")
                         : fmt::format("Costs measured in {} steps", costs.steps));
}

} // namespace pipeloom::designer
