// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/run_preparation.h"

#include "core/check/memory_check.h"
#include "core/check/program_check.h"
#include "core/program/lower.h"
#include "core/program/program_memory.h"
#include "core/schedule/replicas.h"
#include "core/schedule/rounds.h"
#include "executor/gpu/open_place.h"
#include "executor/guarded.h"
#include "executor/local_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <thread>

namespace pipeloom::executor {

namespace {

Bytes& of(MemoryUse& use, MemoryClass memoryClass) { return use.byClass[static_cast<std::size_t>(memoryClass)]; }

Finding optionError(std::string message, std::string remedy)
{
    return { "run/options", Severity::Error, {}, "", std::move(message), std::move(remedy) };
}

Findings checkOptions(const RunOptions& options)
{
    Findings findings;
    if (!(options.timeoutSeconds > 0) || options.timeoutSeconds > 1e9)
        findings.push_back(optionError(fmt::format("A time limit of {} s cannot be kept.", options.timeoutSeconds),
            "Give a number of seconds above 0."));
    if (options.intraOpThreads < 1)
        findings.push_back(optionError(
            fmt::format("{} intra-op threads per device cannot compute.", options.intraOpThreads), "Give at least 1."));
    if (options.optimizer == OptimizerMode::PostValidation && options.transport == TransportKind::Nccl)
        findings.push_back(
            optionError("By NCCL messages on their way cannot be dropped, so no step can be rolled back.",
                "Leave --optimizer out, or take --transport gloo or local."));
    return findings;
}

/// The steps of preparing, each of which may end it.
class Preparing {
public:
    Preparing(Design design, const RunOptions& options, RunResult& result)
        : design_(std::move(design))
        , options_(options)
        , result_(result)
    {
    }

    std::shared_ptr<const RunPreparation> run()
    {
        const bool ready = refuseOn(checkOptions(options_)) && makePlan() && unfold() && setUpModel() && openGpu()
            && measure() && makeProgram() && limitsAreKept() && readCheckpointToResume() && prepareCheckpointFolder();
        if (!ready)
            return nullptr;
        describe();
        return preparation_;
    }

private:
    /// Adds the findings; false if one of them is an error.
    bool refuseOn(Findings findings, Outcome outcome = Outcome::Refused)
    {
        const bool refused = hasErrors(findings);
        append(result_.findings, std::move(findings));
        if (refused)
            result_.outcome = outcome;
        return !refused;
    }

    /// In the design's own units: memory, if that is in bytes, is replaced when the dry pass has measured it.
    bool makePlan()
    {
        PlanOptions options { options_.form, options_.queue };
        if (options.form == Form::Raw) {
            options.form = Form::Squeezed;
            result_.notes.emplace_back("The raw form is a drawing; its order was run squeezed.");
        }
        result_.plan = pipeloom::plan(design_, options);
        return refuseOn(result_.plan.findings);
    }

    bool unfold();
    bool setUpModel();
    bool openGpu();
    bool measure();
    bool makeProgram();
    [[nodiscard]] Findings checkDrill() const;
    bool limitsAreKept();
    [[nodiscard]] std::string processor() const;
    void describeProcessor();
    bool readCheckpointToResume();
    bool prepareCheckpointFolder();
    void describe();

    Design design_; ///< of one round and replica; with the memory of the dry pass, once that is measured
    std::int32_t rounds_ = 1;
    Pipeline longer_; ///< of all rounds, of one replica
    const RunOptions& options_;
    RunResult& result_;
    std::shared_ptr<RunPreparation> preparation_ = std::make_shared<RunPreparation>();
};

bool Preparing::unfold()
{
    const std::int64_t rounds = design_.training ? design_.training->accumulate.value_or(1) : 1;
    if (!refuseOn(checkRounds(design_.pipeline, rounds)))
        return false;
    rounds_ = static_cast<std::int32_t>(rounds);
    longer_ = inRounds(design_.pipeline, rounds_);
    if (!refuseOn(checkReplicas(longer_, options_.replicas)))
        return false;
    preparation_->pipeline = replicated(longer_, options_.replicas);
    return true;
}

bool Preparing::setUpModel()
{
    Design all = design_;
    all.pipeline = preparation_->pipeline;
    auto made = setup(all,
        { options_.data, options_.steps, options_.seed, options_.intraOpThreads,
            options_.optimizer == OptimizerMode::PostValidation });
    const bool dataIsAtFault = std::any_of(made.findings.begin(), made.findings.end(), [](const Finding& finding) {
        return finding.severity == Severity::Error
            && (finding.rule.starts_with("data/") || finding.rule.starts_with("file/"));
    });
    if (!refuseOn(std::move(made.findings), dataIsAtFault ? Outcome::Unreadable : Outcome::Refused))
        return false;
    preparation_->setup = std::move(*made.setup);
    return true;
}

bool Preparing::openGpu()
{
    if (options_.processor == Processor::Cpu)
        return true;
    const auto messages = options_.transport == TransportKind::Local ? gpu::Messages::WithinProcess
        : options_.transport == TransportKind::Gloo                  ? gpu::Messages::ThroughHost
                                                                     : gpu::Messages::BetweenGpus;
    auto opened
        = gpu::openPlace(messages, options_.localRank, [](gpu::Kernels kernels) { return gpu::openMachine(kernels); });
    preparation_->setup.place = std::move(opened.place);
    return refuseOn(std::move(opened.findings), Outcome::Failed);
}

bool Preparing::measure()
{
    const MemoryModel measured = measureMemory(preparation_->setup, design_.pipeline, design_.memory);
    preparation_->memory = replicated(measured, options_.replicas);
    if (design_.memory.unit == MemoryUnit::Byte) {
        // The order must keep the limits with what the passes really take.
        design_.memory = measured;
        result_.findings.clear();
        return makePlan();
    }
    // Limits and communication are counted in activations here and mean nothing in bytes.
    for (auto& limit : preparation_->memory.limit)
        limit.reset();
    std::fill(preparation_->memory.communication.begin(), preparation_->memory.communication.end(), 0);
    return true;
}

bool Preparing::makeProgram()
{
    const Schedule order
        = replicated(inRounds(result_.plan.schedule, design_.pipeline, rounds_), longer_, options_.replicas);
    // NCCL may have one communicator per pair of devices, and then both have to come to it in the same order.
    const bool isPaired = options_.transport == TransportKind::Nccl && options_.queue == QueueModel::Pair;
    const auto queue = isPaired ? QueueModel::Pair : QueueModel::Directed;
    auto program = lower(order, preparation_->pipeline, design_.network, queue);
    if (!program)
        return refuseOn({ { "run/lowering", Severity::Error, {}, "",
            "The order cannot be lowered to sends and receives.", "Run `pipeloom check` on the design." } });
    if (!refuseOn(check(*program, preparation_->pipeline, queue)) || !refuseOn(runnable(*program)))
        return false;
    preparation_->program = std::move(*program);
    if (!refuseOn(checkDrill()))
        return false;
    preparation_->predicted = predictedMemory(preparation_->program, preparation_->pipeline, preparation_->memory,
        preparation_->setup, options_.transport == TransportKind::Local ? HandOver::ByReference : HandOver::ByCopy);
    preparation_->identity = identityOf(preparation_->setup, preparation_->program, processor());
    return true;
}

/// A fault that can never happen would look like a run that survived it.
Findings Preparing::checkDrill() const
{
    const auto& list = preparation_->program.instructions;
    const bool happens = !options_.drill || std::any_of(list.begin(), list.end(), [&](const Instruction& instruction) {
        return instruction.op == Op::Compute && instruction.pass == options_.drill->pass;
    });
    if (happens)
        return {};
    return { { "run/drill", Severity::Error, {}, "",
        fmt::format("The order has no pass {}, so the drill would never happen.", text(options_.drill->pass)),
        fmt::format("Name a pass of stages 0 to {} and micro-batches 0 to {}; `pipeloom show` has the kinds.",
            preparation_->pipeline.stages - 1, preparation_->pipeline.microBatches - 1) } };
}

/// The plan knows nothing of what reductions take.
bool Preparing::limitsAreKept()
{
    std::vector<Bytes> totals;
    for (const MemoryUse& device : preparation_->predicted)
        totals.push_back(device.total);
    return refuseOn(checkLimits(totals, preparation_->memory, preparation_->pipeline));
}

std::string Preparing::processor() const
{
    const auto gpu = preparation_->setup.place.of(DeviceId(0));
    return gpu ? gpu->name() : processorType();
}

bool Preparing::readCheckpointToResume()
{
    if (options_.resumeDir.empty())
        return true;
    auto read = readCheckpoint(options_.resumeDir);
    if (!refuseOn(std::move(read.findings), Outcome::Unreadable))
        return false;
    if (!refuseOn(compare(read.checkpoint->identity, preparation_->identity)))
        return false;
    for (const auto& file : read.checkpoint->files)
        preparation_->resumeFiles.push_back((std::filesystem::path(options_.resumeDir) / file).string());
    preparation_->firstStep = read.checkpoint->steps;
    return true;
}

bool Preparing::prepareCheckpointFolder()
{
    preparation_->checkpointFolder = options_.checkpointDir;
    if (options_.checkpointDir.empty())
        return true;
    auto findings = prepareFolder(options_.checkpointDir);
    // A run that goes on from a checkpoint is expected to replace it.
    if (options_.checkpointDir == options_.resumeDir)
        std::erase_if(findings, [](const Finding& finding) { return finding.rule == "checkpoint/replaced"; });
    return refuseOn(std::move(findings), Outcome::Failed);
}

void Preparing::describe()
{
    const auto& setup = preparation_->setup;
    const auto& training = setup.training;
    result_.model = setup.model;
    result_.defaultModel = setup.defaultModel;
    result_.optimizer = options_.optimizer;
    result_.training.steps = training.steps;
    result_.training.seed = training.seed;
    result_.training.learningRate = training.learningRate;
    result_.training.warmup = training.warmup;
    result_.training.decay = training.decay;
    result_.training.weightDecay = training.weightDecay;
    result_.training.clip = training.clip;
    result_.training.precision = training.precision;
    result_.training.checkpointEvery = training.checkpointEvery;
    result_.training.layersPerStage = setup.layersPerStage;
    result_.training.data = options_.data;

    if (setup.defaultModel)
        result_.notes.push_back(
            fmt::format("The design has no model; a small one was trained: {} layers, hidden {}, {} heads, "
                        "sequence {}, {} per micro-batch.",
                setup.model.layers, setup.model.hidden, setup.model.heads, setup.model.sequence,
                setup.model.microBatchSize));
    result_.notes.emplace_back("Embedding and head are untied, and there is no dropout.");
    if (rounds_ > 1) {
        result_.training.accumulate = rounds_;
        result_.notes.push_back(
            fmt::format("{} rounds of {} micro-batches a step; planned figures are those of one round.", rounds_,
                design_.pipeline.microBatches));
    }
    if (options_.replicas > 1)
        result_.notes.push_back(
            fmt::format("{} replicas of {} devices: {} micro-batches a step; planned figures are those of one replica.",
                options_.replicas, design_.pipeline.devices, preparation_->pipeline.microBatches));
    describeProcessor();
    if (preparation_->firstStep > 0)
        result_.notes.push_back(
            fmt::format("Resumed from {} after {} steps.", options_.resumeDir, preparation_->firstStep));
}

/// What it runs on, and whether its times mean anything beside a plan.
void Preparing::describeProcessor()
{
    if (const auto gpu = preparation_->setup.place.of(DeviceId(0))) {
        const bool shared = options_.transport == TransportKind::Local && preparation_->pipeline.devices > 1;
        result_.timesComparable = !shared;
        result_.notes.push_back(shared
                ? fmt::format("{} devices share one GPU ({}): times are not comparable with a plan.",
                    preparation_->pipeline.devices, gpu->name())
                : fmt::format("Run on {}.", gpu->name()));
        return;
    }
    const auto cores = std::max(1U, std::thread::hardware_concurrency());
    const std::int32_t devices = preparation_->pipeline.devices;
    const auto threads = static_cast<std::int64_t>(devices) * options_.intraOpThreads;
    result_.timesComparable = threads <= cores;
    if (!result_.timesComparable)
        result_.notes.push_back(fmt::format(
            "{} devices with {} thread{} each share {} core{}: times are not comparable with a plan.", devices,
            options_.intraOpThreads, options_.intraOpThreads == 1 ? "" : "s", cores, cores == 1 ? "" : "s"));
}

} // namespace

std::shared_ptr<const RunPreparation> prepare(const Design& design, const RunOptions& options, RunResult& result)
{
    try {
        return Preparing(design, options, result).run();
    } catch (const std::exception& error) {
        // LibTorch's own, and memory that is used up.
        result.outcome = Outcome::Failed;
        result.findings.push_back({ "run/failed", Severity::Error, {}, "",
            fmt::format("The run could not be prepared: {}.", firstLine(error.what())),
            "Take a smaller model or shorter sequences if memory is used up." });
        return nullptr;
    }
}

std::vector<MemoryUse> predictedMemory(const Program& program, const Pipeline& pipeline, const MemoryModel& memory,
    const ModelSetup& setup, HandOver handOver)
{
    auto network = freeNetwork(pipeline.stages);
    MemoryModel ofPasses = memory;
    std::fill(ofPasses.fixed.begin(), ofPasses.fixed.end(), 0);
    std::fill(ofPasses.communication.begin(), ofPasses.communication.end(), 0);
    const auto activations = peaks(program, pipeline, ofPasses, network);
    network.bytes.assign(network.transfer.size(), setup.messageBytes());
    std::vector<Bytes> reductions;
    for (std::int32_t s = 0; s < pipeline.stages; ++s) {
        const Bytes packed = setup.parametersOf(StageId { s }) * static_cast<Bytes>(sizeof(float));
        const auto holders = static_cast<Bytes>(pipeline.devicesOf(StageId { s }).size());
        reductions.push_back(handOver == HandOver::ByCopy ? packed * holders : packed);
    }
    const auto totals = peaks(program, pipeline, memory, network, reductions);

    std::vector<MemoryUse> predicted(activations.size());
    for (std::size_t d = 0; d < predicted.size(); ++d) {
        of(predicted[d], MemoryClass::Activations) = activations[d];
        predicted[d].total = totals[d];
    }
    for (const auto& parameter : setup.parameters) {
        const auto bytes = parameter.elements() * static_cast<Bytes>(sizeof(float));
        for (const auto device : pipeline.devicesOf(parameter.stage)) {
            of(predicted[device.index()], MemoryClass::Weights) += setup.weightBytes(parameter);
            of(predicted[device.index()], MemoryClass::Gradients) += bytes;
            of(predicted[device.index()], MemoryClass::Optimizer) += setup.optimizerCopies() * bytes;
        }
    }
    for (std::int32_t d = 0; d < program.devices(); ++d)
        for (const auto& instruction : program.row(DeviceId { d }))
            if (instruction.op == Op::Reduce)
                of(predicted[static_cast<std::size_t>(d)], MemoryClass::Passing)
                    += reductions[instruction.pass.stage.index()];
    for (const auto& channel : program.channels)
        of(predicted[channel.to.index()], MemoryClass::Passing) += channel.buffers * setup.messageBytes();
    return predicted;
}

} // namespace pipeloom::executor
