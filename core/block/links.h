// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which placed passes of a block give a pass its inputs, and which ones it feeds (DESIGN.md 3.1).

#include "core/block/block_index.h"
#include "core/block/building_block.h"

namespace pipeloom {

/// Calls `visit(index)` for the pass of the same member that does the work, if it is placed.
template <class Visit>
void visitWork(
    const Pass& of, std::int32_t stage, Work work, const Pipeline& pipeline, const BlockIndex& index, Visit visit)
{
    if (stage < 0 || stage >= pipeline.stages)
        return;
    if (const auto found = index.find(StageId { stage }, of.microBatch.value, work); found != BlockIndex::none)
        visit(found);
}

/// Calls `visit(index)` for each pass that gives `pass` an input.
template <class Visit>
void forEachInput(const Pass& pass, const Pipeline& pipeline, const BlockIndex& index, Visit visit)
{
    const std::int32_t stage = pass.stage.value;
    if (pass.kind == PassKind::F) {
        visitWork(pass, stage - 1, Work::Forward, pipeline, index, visit);
    } else if (givesInputGradient(pass.kind)) {
        visitWork(pass, stage, Work::Forward, pipeline, index, visit);
        visitWork(pass, stage + 1, Work::InputGradient, pipeline, index, visit);
    } else {
        visitWork(pass, stage, Work::InputGradient, pipeline, index, visit);
    }
}

/// Calls `visit(index)` for each pass that `pass` feeds.
template <class Visit> void forEachFed(const Pass& pass, const Pipeline& pipeline, const BlockIndex& index, Visit visit)
{
    const std::int32_t stage = pass.stage.value;
    if (pass.kind == PassKind::F) {
        visitWork(pass, stage + 1, Work::Forward, pipeline, index, visit);
        visitWork(pass, stage, Work::InputGradient, pipeline, index, visit);
    } else if (givesInputGradient(pass.kind)) {
        visitWork(pass, stage - 1, Work::InputGradient, pipeline, index, visit);
        if (pass.kind == PassKind::B)
            visitWork(pass, stage, Work::WeightGradient, pipeline, index, visit);
    }
}

} // namespace pipeloom
