// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/processes/values.h"

#include "executor/processes/process_network.h"

#include <algorithm>

namespace pipeloom::executor {

namespace {

constexpr int tag = static_cast<int>(Tag::Values);

} // namespace

void sendValues(Messages& messages, const ModelValues& values)
{
    for (const auto* entries : { &values.parameters, &values.gradients })
        for (const NamedValues& entry : *entries)
            messages.send(0, tag, std::as_bytes(std::span(entry.values)));
}

ModelValues receiveValues(Messages& messages, int rank, const ModelSetup& setup, const std::vector<StageId>& stages)
{
    ModelValues values;
    for (auto* entries : { &values.parameters, &values.gradients })
        for (const ParameterPlan& plan : setup.parameters) {
            if (std::find(stages.begin(), stages.end(), plan.stage) == stages.end())
                continue;
            NamedValues& entry = entries->emplace_back();
            entry.name = plan.name;
            entry.values.resize(static_cast<std::size_t>(plan.elements()));
            messages.receive(rank, tag, std::as_writable_bytes(std::span(entry.values)));
        }
    return values;
}

} // namespace pipeloom::executor
