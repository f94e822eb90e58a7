// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The transformer that is trained, as seen from code that does not know LibTorch: what a design makes of it, its shares
// per device, what its passes do to memory, and the same model unpipelined to hold it to.
//
// Decoder only: embedding and positions, layers of (norm, causal attention, norm, mlp of four times the width), norm,
// head. Embedding and head are untied; no dropout, no biases. Stage 0 holds embedding and positions, the last stage the
// last norm, the head and the loss.

#include "core/formats/design.h"
#include "executor/device_work.h"
#include "executor/gpu/place.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pipeloom::executor {

/// How it is trained, with every default filled in.
struct TrainingSettings {
    std::int64_t steps = 20;
    std::int64_t seed = 1;
    double learningRate = 1e-3;
    std::int64_t warmup = 0;          ///< steps of linear warm-up
    std::int64_t decay = 0;           ///< steps of cosine decay after the warm-up, down to a tenth; 0: none
    double weightDecay = 0.01;        ///< not on norms
    double clip = 1;                  ///< global gradient norm; 0: none
    std::int64_t checkpointEvery = 0; ///< steps; 0: never
    /// Bf16: passes compute and send in bf16, from rounded copies of the matrices; weights, gradients, moments, norms, the
    /// embedding and the loss are in fp32.
    Precision precision = Precision::Fp32;

    friend bool operator==(const TrainingSettings&, const TrainingSettings&) = default;
};

/// Of the step counted from 0: warm-up, then decay, then constant.
[[nodiscard]] double learningRate(const TrainingSettings& training, std::int64_t step);

/// What a parameter is, which decides its first values and whether it decays.
enum class ParameterKind : std::uint8_t { Matrix, ResidualMatrix, Embedding, Norm };

/// A parameter of the whole model. Its first values depend on the seed and its name only, not on the cut.
struct ParameterPlan {
    std::string name; ///< `embedding`, `positions`, `layer 3 qkv`, `last norm`, `head`
    StageId stage;
    ParameterKind kind = ParameterKind::Matrix;
    std::vector<std::int64_t> shape;

    [[nodiscard]] std::int64_t elements() const;
    friend bool operator==(const ParameterPlan&, const ParameterPlan&) = default;
};

/// What is trained when the design has no model: small, with at least one layer per stage, the same for every stage.
[[nodiscard]] Model defaultModel(std::int32_t stages);

struct ModelOptions {
    std::vector<std::string> data;     ///< files read as bytes, one after another; wins over the design's training.data
    std::optional<std::int64_t> steps; ///< wins over the design's
    std::optional<std::int64_t> seed;  ///< wins over the design's
    int intraOpThreads = 1;            ///< of each device's thread
    bool stepsAhead = false;           ///< room is made to undo an optimizer's step
};

/// All that a device needs to make its share. Plain data; shared between threads unchanged.
struct ModelSetup {
    Model model;
    bool defaultModel = false; ///< the design has none
    TrainingSettings training;
    std::int32_t stages = 1;
    std::int32_t microBatches = 1;
    std::vector<std::int32_t> layersPerStage;
    std::vector<ParameterPlan> parameters; ///< of the whole model, stages ascending
    std::shared_ptr<const std::string> text;
    int intraOpThreads = 1;
    gpu::Place place;        ///< where the devices compute
    bool stepsAhead = false; ///< copies of weights and moments are kept, to undo an optimizer's step

    /// Of one message over any boundary, either way.
    [[nodiscard]] Bytes messageBytes() const;
    [[nodiscard]] std::int64_t tokensPerStep() const;
    [[nodiscard]] std::int64_t tokensPerMicroBatch() const;
    /// Numbers that a stage learns.
    [[nodiscard]] std::int64_t parametersOf(StageId stage) const;
    /// Of a stage: weights, gradients and what the optimizer keeps.
    [[nodiscard]] Bytes staticBytes(StageId stage) const;
    /// Of a parameter's weights: fp32, and the copy that passes multiply by if that is another.
    [[nodiscard]] Bytes weightBytes(const ParameterPlan& plan) const;
    /// How often the optimizer keeps the size of the weights: two moments, and copies of all three where a step may be undone.
    [[nodiscard]] std::int64_t optimizerCopies() const { return stepsAhead ? 5 : 2; }
};

struct SetupResult {
    std::optional<ModelSetup> setup; ///< none if there is an error
    Findings findings;
};

/// The model of a design, or a small default one with at least one layer per stage; its cut into stages by cost (or as
/// training.layers_per_stage says); its text. Does not touch LibTorch.
/// Errors: fewer layers than stages, layers_per_stage that does not fit, heads that do not divide hidden, sizes out of
/// range (model/...); more static memory than the machine has (model/memory); evaluate_every: not
/// offered yet (training/...); text that cannot be read (file/...), no, empty or too short text, bytes beyond the
/// vocabulary (data/...).
[[nodiscard]] SetupResult setup(const Design& design, const ModelOptions& options);

/// Layers per stage, each at least one: the highest cost of a stage is least, and what is left is spread evenly. The
/// first stage also has the embedding to do, the last the head. `model.layers` >= stages.
[[nodiscard]] std::vector<std::int32_t> cut(const Model& model, std::int32_t stages);

/// Values of a parameter or of its gradient, for comparing.
struct NamedValues {
    std::string name;
    std::vector<float> values;

    friend bool operator==(const NamedValues&, const NamedValues&) = default;
};

/// A device's share of the model. While its thread runs passes only that thread may use it; between steps any one may.
class ModelWork : public DeviceWork {
public:
    /// Of all its stages, as ModelSetup::parameters is ordered.
    [[nodiscard]] virtual std::vector<NamedValues> parameters() const = 0;
    /// As accumulated so far in this step: to be read after the last W and before optimizerStep.
    [[nodiscard]] virtual std::vector<NamedValues> gradients() const = 0;

    /// Writes parameters and moments of one of its stages: to a temporary name beside `path`, synced and renamed. An
    /// error (file/write) says what failed; then nothing is left behind.
    [[nodiscard]] virtual Findings save(StageId stage, const std::string& path) const = 0;
    /// Takes parameters and moments of all its stages from files that `save` wrote: all those of a checkpoint, whatever
    /// its cut was. Errors: unreadable (file/...), damaged, a parameter missing or of another shape (checkpoint/...);
    /// then nothing is changed.
    [[nodiscard]] virtual Findings load(std::span<const std::string> paths) = 0;
};

/// What a device has, for comparing it elsewhere.
struct ModelValues {
    std::vector<NamedValues> parameters;
    std::vector<NamedValues> gradients;
};
[[nodiscard]] ModelValues valuesOf(const ModelWork& work);

/// To be called on the device's own thread, as it also sets the thread's number of intra-op threads, and at the first
/// call of the process puts the counting allocator in place. `stages` ascending. Parameters have their first values,
/// gradients are zero.
[[nodiscard]] std::unique_ptr<ModelWork> makeModelWork(
    const ModelSetup& setup, DeviceId device, std::vector<StageId> stages);

/// Bytes that passes take and release, from a dry pass of each kind of stage on the calling thread: changes at the ends
/// of F, B, W and BW, transients inside, static bytes per device (weights, gradients, moments). `communication` and
/// `limit` are those of the design. Of a message the pass that takes it counts it from its start on (as change if it
/// keeps it, else as transient), the pass that makes it until its end (as transient); in between it is a buffer of
/// messageBytes.
[[nodiscard]] MemoryModel measureMemory(const ModelSetup& setup, const Pipeline& pipeline, const MemoryModel& ofDesign);

struct Verification {
    double loss = 0;          ///< per token, pipelined
    double referenceLoss = 0; ///< unpipelined
    double worst = 0;      ///< the largest relative error of the loss and of every parameter's gradient; NaN if one is
    std::string parameter; ///< that it belongs to; `loss` if it is the loss

    double tolerance = toleranceOf(Precision::Fp32);

    /// The most that an error may be. Both models round at the same places. In fp32 only the order of additions differs,
    /// which leaves a few units of roundoff (6e-8). In bf16 (8 bits, unit roundoff 2^-9) a last bit of an addition may tip a
    /// rounding, so single elements may be off by 2^-8 and what is made of them again: 2^-7 is allowed. That is half of
    /// what one micro-batch of 64 makes if all are alike, so a missing one is still seen.
    [[nodiscard]] static double toleranceOf(Precision precision)
    {
        return precision == Precision::Bf16 ? 0x1p-7 : 1e-5;
    }
    /// Relative errors are |a - b| / |b|, for gradients of the parameter's Euclidean norms.
    [[nodiscard]] bool ok() const { return worst <= tolerance; }
};

/// Runs the step again unpipelined: the parameters that the devices have, micro-batches 0..m-1 in a plain loop with
/// LibTorch's own gradients; and compares the loss and the gradients that the devices have, of a stage on several
/// devices those of each. To be called when all devices have done their last W of `step` and summed, before
/// optimizerStep; `lossSum` is that of the last stage's StageSums.
[[nodiscard]] Verification verify(
    const ModelSetup& setup, std::int64_t step, std::span<const ModelValues> devices, double lossSum);

/// What the bits of a result depend on beside the design; a checkpoint records it. E.g. `Intel(R) Xeon(R) ...
/// (AVX512)`.
[[nodiscard]] std::string processorType();

} // namespace pipeloom::executor
