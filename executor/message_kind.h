// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a message carries, told from the pass that it is named by. Weight gradients travel once a step, named by the pass
// {stage, micro-batch 0, W}: what a W makes never travels otherwise.

#include "core/pipeline/pass.h"

#include <cstdint>
#include <string>

namespace pipeloom::executor {

/// Each kind has channels of its own.
enum class MessageKind : std::uint8_t {
    Activation,      ///< of an F, to the next stage
    Gradient,        ///< of a B or BW, to the stage before
    WeightGradients, ///< of a whole stage, to the other devices that hold it
};

[[nodiscard]] constexpr MessageKind messageKind(const Pass& of)
{
    if (of.kind == PassKind::W)
        return MessageKind::WeightGradients;
    return of.kind == PassKind::F ? MessageKind::Activation : MessageKind::Gradient;
}

/// The pass that names the message with a stage's weight gradients.
[[nodiscard]] constexpr Pass weightGradientsOf(StageId stage) { return { stage, MicroBatch {}, PassKind::W }; }

/// `1F3`; `the weight gradients of stage 1`.
[[nodiscard]] inline std::string messageText(const Pass& of)
{
    return messageKind(of) == MessageKind::WeightGradients
        ? "the weight gradients of stage " + std::to_string(of.stage.value)
        : text(of);
}

} // namespace pipeloom::executor
