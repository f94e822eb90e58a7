// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// A program with the fake model behind it, ready to be run.

#include "core/pipeline/pipeline.h"
#include "executor/local_run.h"
#include "tests/executor/fake_work.h"

namespace pipeloom::test {

inline executor::Job fakeJob(Program program, const Pipeline& pipeline, const std::shared_ptr<FakeModel>& model)
{
    model->stages = pipeline.stages;
    executor::Job job;
    job.program = std::move(program);
    job.stages = pipeline.stages;
    job.limit = std::chrono::seconds(20);
    job.makeWork = [model, pipeline](DeviceId device) -> std::unique_ptr<executor::DeviceWork> {
        return std::make_unique<FakeWork>(model, device, pipeline.stagesOn(device));
    };
    return job;
}

/// The gradient of a stage's weight, unpipelined: every micro-batch's text times the weights of all other stages.
inline double expectedGradient(std::int32_t stage, const Pipeline& pipeline)
{
    double others = 1;
    for (std::int32_t s = 0; s < pipeline.stages; ++s)
        others *= s == stage ? 1 : FakeWork::weight(s);
    double sum = 0;
    for (std::int32_t j = 0; j < pipeline.microBatches; ++j)
        sum += FakeWork::text(j) * others;
    return sum;
}

} // namespace pipeloom::test
