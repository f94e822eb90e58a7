// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// Whatever design a file holds: all checks end, and a design that they accept is simulated to its end. Designs that would
// only take long are left out.

#include "core/formats/design_file.h"
#include "core/plan/plan.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace pipeloom;
    const ReadDesign read = readDesign({ reinterpret_cast<const char*>(data), size });
    if (!read.design.has_value())
        return 0;
    const Pipeline& pipeline = read.design->pipeline;
    constexpr std::int64_t mostWork = 10'000;
    if (pipeline.devices > 64 || std::int64_t { pipeline.stages } * pipeline.microBatches > mostWork)
        return 0;
    if (const BuildingBlock* block = read.design->block();
        block != nullptr && std::int64_t { block->group } * pipeline.stages > mostWork)
        return 0;
    for (const Form form : { Form::Raw, Form::Squeezed, Form::Reordered })
        for (const QueueModel queue :
            { QueueModel::Ideal, QueueModel::Directed, QueueModel::Pair, QueueModel::Device }) {
            const Plan made = plan(*read.design, { form, queue });
            if (made.ok() && !made.simulated()) {
                std::fputs("not so: what has no errors is simulated\n", stderr);
                std::abort();
            }
        }
    return 0;
}
