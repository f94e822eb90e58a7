// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The border between the rank loop, which executes programs and knows no tensor, and the model, which knows LibTorch and
// no program. The rank loop's own tests stand a fake model behind the same border.

#include "core/pipeline/pass.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace pipeloom::executor {

namespace gpu {
enum class Event : std::uintptr_t;
}

/// What a device's memory is used for. Receive buffers and results waiting to be sent count as `Passing`.
enum class MemoryClass : std::uint8_t { Weights, Gradients, Optimizer, Activations, Passing };
inline constexpr std::size_t memoryClasses = 5;

/// Bytes live on a device, or their highest values.
struct MemoryUse {
    std::array<Bytes, memoryClasses> byClass {}; ///< each class's own highest, where highest values are meant
    Bytes total = 0;                             ///< the highest of the sum, which is not the sum of the highest
};

/// Bytes in front of a payload's data that belong to whoever transports it.
inline constexpr std::size_t frameBytes = 64;

/// A tensor on its way from pass to pass, seen from code that does not know LibTorch. Handing it over moves no data.
struct Payload {
    std::shared_ptr<void> tensor; ///< empty: nothing
    Bytes bytes = 0;
    /// Its `bytes` in host memory, in one piece, with frameBytes more before them; null if it never leaves the process.
    std::byte* data = nullptr;
    void* onGpu = nullptr; ///< its bytes in the memory of a GPU, in one piece; then `data` is null
    /// On a GPU: the tensor holds its values after this event, or its memory is free to be written. Null: now.
    std::shared_ptr<const gpu::Event> ready = nullptr;

    explicit operator bool() const { return tensor != nullptr; }
};

/// A pass that has run, with its own times.
struct RanPass {
    Pass pass;
    bool joined = false; ///< the second of an overlapped slot
    std::chrono::steady_clock::time_point started;
    std::chrono::steady_clock::time_point ended;
};

/// Sums of one stage over the micro-batches of a step that this device ran.
struct StageSums {
    StageId stage;
    double squaredGradientNorm = 0; ///< over the stage's parameters, summed in double; the same on all that hold it
    double lossSum = 0;      ///< last stage only: sum over this device's tokens of the step, in micro-batch order
    std::int64_t tokens = 0; ///< last stage only; of this device
};

/// One device's share of the model: all its stages. Made and used by that device's thread alone, except where it says.
/// Errors are exceptions (LibTorch's own, std::bad_alloc, std::runtime_error); the rank loop catches them at its border.
class DeviceWork {
public:
    virtual ~DeviceWork() = default;

    /// Before the first pass of a step: batches follow from (seed, step, micro-batch). Drops what passes of a step that was
    /// broken off have left.
    virtual void beginStep(std::int64_t step) = 0;

    /// Runs one pass. `input`: F the activation of the stage before (nothing for stage 0); B and BW the gradient of the
    /// stage's output (nothing for the last stage, whose B follows its own F's loss); W nothing.
    /// Gives: F the activation for the next stage (nothing at the last); B and BW the gradient of the stage's input
    /// (nothing at stage 0); W nothing. What a pass leaves for later passes is keyed by (stage, micro-batch).
    virtual Payload run(const Pass& pass, Payload input) = 0;

    /// After the passes of a slot: on a GPU its end; slots run one after the other.
    virtual void endSlot() { }
    /// Whether passes may go on after run(), as on a GPU, and are timed by what runs them; then takeEnded() gives them.
    [[nodiscard]] virtual bool timesItself() const { return false; }
    /// Passes that have ended and were not yet given, in the order they were run. Never waits.
    [[nodiscard]] virtual std::vector<RanPass> takeEnded() { return {}; }

    /// The gradients of all parameters of a stage in one piece, counted as `Passing`: after its last W or BW, for the other
    /// devices that hold it. The same payload goes to each of them.
    [[nodiscard]] virtual Payload packGradients(StageId stage) = 0;
    /// Makes the stage's gradients the sum of what its holders packed, added up in the order given; one of them is its own.
    virtual void setGradients(StageId stage, const std::vector<Payload>& gradients) = 0;

    /// After the last W or BW of the step, stages ascending.
    virtual std::vector<StageSums> sums() = 0;

    /// The optimizer's step with all gradients multiplied by `scale` (clipping), at the learning rate of the step; then
    /// gradients are cleared.
    virtual void optimizerStep(std::int64_t step, double scale) = 0;

    /// Forgets a step that was run: gradients are cleared as by optimizerStep, and nothing else changes.
    virtual void discardStep() = 0;
    /// The optimizer's step as if all gradients were right as they are, before that is known. Keeps copies of parameters and
    /// moments, and the gradients, until one of the next two is called; until then no pass may change gradients.
    virtual void optimizerStepAhead(std::int64_t step) = 0;
    /// They were: gradients are cleared.
    virtual void confirmStep() = 0;
    /// They were not: parameters and moments have every bit of before the step, and the gradients wait for optimizerStep or
    /// discardStep.
    virtual void undoStep() = 0;
    /// Name of the stage's first parameter whose gradient has a number that is not finite; empty: none has.
    [[nodiscard]] virtual std::string notFinite(StageId stage) const = 0;

    /// What the result of another device's pass is received into, counted as `Passing`; of a W: another holder's gradients of
    /// the stage (message_kind.h).
    [[nodiscard]] virtual Payload receiveBuffer(const Pass& of) = 0;
    /// Counts the payload as this device's, in `use`, from now on. Called by the receiving device's thread.
    virtual void adopt(const Payload& payload, MemoryClass use) = 0;

    /// Bytes live now.
    [[nodiscard]] virtual MemoryUse memoryNow() const = 0;
    /// Highest since the last resetMemoryPeaks.
    [[nodiscard]] virtual MemoryUse memoryPeaks() const = 0;
    virtual void resetMemoryPeaks() = 0;
};

} // namespace pipeloom::executor
