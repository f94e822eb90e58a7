// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/checkpoint.h"

#include "core/formats/text_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>

namespace pipeloom::executor {

namespace {

namespace files = std::filesystem;

constexpr std::size_t mostManifestBytes = std::size_t { 16 } << 20;
constexpr int version = 1;
constexpr std::string_view stageSuffix = ".stage";

std::string_view text(Precision precision) { return precision == Precision::Bf16 ? "bf16" : "fp32"; }

std::string manifestPath(const std::string& folder) { return (files::path(folder) / "checkpoint.json").string(); }

/// FNV-1a, 64 bits: to notice a difference, not to defend against one made on purpose.
std::string digest(std::string_view bytes)
{
    std::uint64_t hash = 14695981039346656037ULL;
    for (const char byte : bytes)
        hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211ULL;
    return fmt::format("{:016x}", hash);
}

Finding finding(const char* rule, Severity severity, std::string message, std::string remedy)
{
    return { rule, severity, {}, "", std::move(message), std::move(remedy) };
}

nlohmann::ordered_json toJson(const Checkpoint& checkpoint)
{
    const auto& identity = checkpoint.identity;
    const auto& model = identity.model;
    const auto& training = identity.training;
    return {
        { "pipeloom_checkpoint", version },
        { "steps", checkpoint.steps },
        { "model",
            { { "layers", model.layers }, { "hidden", model.hidden }, { "heads", model.heads },
                { "sequence", model.sequence }, { "micro_batch_size", model.microBatchSize },
                { "vocabulary", model.vocabulary } } },
        { "micro_batches", identity.microBatches },
        { "layers_per_stage", identity.layersPerStage },
        { "training",
            { { "seed", training.seed }, { "learning_rate", training.learningRate }, { "warmup", training.warmup },
                { "decay", training.decay }, { "weight_decay", training.weightDecay }, { "clip", training.clip },
                { "precision", text(training.precision) } } },
        { "text", identity.text },
        { "order", identity.order },
        { "intra_op_threads", identity.intraOpThreads },
        { "processor", identity.processor },
        { "files", checkpoint.files },
    };
}

/// Never throws, whatever bytes a processor's name may have.
std::string dump(const nlohmann::ordered_json& json)
{
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

/// Throws nlohmann's exceptions where something is missing or of another type.
Checkpoint fromJson(const nlohmann::json& json)
{
    Checkpoint checkpoint;
    auto& identity = checkpoint.identity;
    json.at("steps").get_to(checkpoint.steps);
    const auto& model = json.at("model");
    model.at("layers").get_to(identity.model.layers);
    model.at("hidden").get_to(identity.model.hidden);
    model.at("heads").get_to(identity.model.heads);
    model.at("sequence").get_to(identity.model.sequence);
    model.at("micro_batch_size").get_to(identity.model.microBatchSize);
    model.at("vocabulary").get_to(identity.model.vocabulary);
    json.at("micro_batches").get_to(identity.microBatches);
    json.at("layers_per_stage").get_to(identity.layersPerStage);
    const auto& training = json.at("training");
    training.at("seed").get_to(identity.training.seed);
    training.at("learning_rate").get_to(identity.training.learningRate);
    training.at("warmup").get_to(identity.training.warmup);
    training.at("decay").get_to(identity.training.decay);
    training.at("weight_decay").get_to(identity.training.weightDecay);
    training.at("clip").get_to(identity.training.clip);
    // Checkpoints from before there was a choice do not have it.
    identity.training.precision = training.value("precision", "fp32") == "bf16" ? Precision::Bf16 : Precision::Fp32;
    json.at("text").get_to(identity.text);
    json.at("order").get_to(identity.order);
    json.at("intra_op_threads").get_to(identity.intraOpThreads);
    json.at("processor").get_to(identity.processor);
    json.at("files").get_to(checkpoint.files);
    return checkpoint;
}

Findings unreadable(const std::string& path, const std::string& why)
{
    return { finding("checkpoint/unreadable", Severity::Error, fmt::format("{} is no checkpoint: {}.", path, why),
        "Name the folder that an earlier run wrote with --checkpoint.") };
}

/// Names of stage files that are in the folder and not among `kept`.
std::vector<files::path> olderFiles(const std::string& folder, const std::vector<std::string>& kept)
{
    std::vector<files::path> older;
    std::error_code error;
    for (const auto& entry : files::directory_iterator(folder, error)) {
        const auto name = entry.path().filename().string();
        const bool isStage = name.starts_with("step-") && name.ends_with(stageSuffix) && entry.is_regular_file(error);
        if (isStage && std::find(kept.begin(), kept.end(), name) == kept.end())
            older.push_back(entry.path());
    }
    return older;
}

/// Of a stage file's name; 0: it is none.
std::int64_t stepsOf(std::string_view name)
{
    constexpr std::string_view before = "step-";
    std::int64_t steps = 0;
    if (name.starts_with(before))
        std::from_chars(name.data() + before.size(), name.data() + name.size(), steps);
    return steps;
}

template <class Value>
void appendDifference(std::vector<std::string>& differences, const char* name, const Value& then, const Value& now)
{
    if (!(then == now))
        differences.push_back(fmt::format("{} {} (now {})", name, then, now));
}

} // namespace

RunIdentity identityOf(const ModelSetup& setup, const Program& program, const std::string& processor)
{
    std::string order;
    for (std::int32_t d = 0; d < program.devices(); ++d) {
        for (const auto& instruction : program.row(DeviceId { d }))
            if (instruction.op == Op::Compute)
                order += (instruction.joined ? "+" : " ") + text(instruction.pass);
        order += '\n';
    }
    RunIdentity identity;
    identity.model = setup.model;
    identity.microBatches = setup.microBatches;
    identity.layersPerStage = setup.layersPerStage;
    identity.training = setup.training;
    identity.text = digest(*setup.text);
    identity.order = digest(order);
    identity.intraOpThreads = setup.intraOpThreads;
    identity.processor = processor;
    return identity;
}

std::string digestOf(RunIdentity identity, std::int64_t firstStep, std::int64_t steps)
{
    identity.processor.clear();
    return digest(dump(toJson({ firstStep, std::move(identity), {} })) + std::to_string(steps));
}

Findings prepareFolder(const std::string& folder)
{
    std::error_code error;
    files::create_directories(folder, error);
    if (error)
        return { finding("checkpoint/write", Severity::Error,
            fmt::format("The folder {} for checkpoints cannot be made: {}.", folder, error.message()),
            "Name a folder that can be written to.") };
    const auto probe = (files::path(folder) / "step-probe").string() + std::string(stageSuffix);
    if (auto findings = saveText(probe, "x"); hasErrors(findings))
        return findings;
    files::remove(probe, error);
    if (files::exists(manifestPath(folder), error))
        return { finding("checkpoint/replaced", Severity::Warning,
            fmt::format(
                "The folder {} holds a checkpoint already, and the first one of this run will replace it.", folder),
            "Name another folder with --checkpoint to keep both.") };
    return {};
}

std::string stageFileName(std::int64_t steps, StageId stage)
{
    return fmt::format("step-{:08}-stage-{:04}{}", steps, stage.value, stageSuffix);
}

Findings writeCheckpoint(const std::string& folder, const Checkpoint& checkpoint)
{
    auto findings = saveText(manifestPath(folder), dump(toJson(checkpoint)) + "\n");
    if (hasErrors(findings))
        return findings;
    // What cannot be taken away only takes room; the checkpoint does not name it.
    std::error_code ignored;
    for (const auto& path : olderFiles(folder, checkpoint.files))
        files::remove(path, ignored);
    return findings;
}

void removeUnfinished(const std::string& folder, std::int64_t from, std::int64_t to)
{
    std::error_code ignored;
    const auto read = readCheckpoint(folder);
    if (!read.checkpoint && files::exists(manifestPath(folder), ignored))
        return;
    for (const auto& path :
        olderFiles(folder, read.checkpoint ? read.checkpoint->files : std::vector<std::string> {})) {
        const std::int64_t steps = stepsOf(path.filename().string());
        if (steps > from && steps <= to)
            files::remove(path, ignored);
    }
}

ReadCheckpoint readCheckpoint(const std::string& folder)
{
    const auto path = manifestPath(folder);
    auto read = readTextFile(path, mostManifestBytes);
    if (!read.text) {
        auto why = read.findings.empty() ? std::string("it cannot be read") : read.findings.front().message;
        while (why.ends_with('.'))
            why.pop_back();
        return { {}, unreadable(folder, why) };
    }
    try {
        const auto json = nlohmann::json::parse(*read.text);
        const auto written = json.at("pipeloom_checkpoint").get<int>();
        if (written != version)
            return { {},
                unreadable(path, fmt::format("it is of version {}, and this program reads {}", written, version)) };
        auto checkpoint = fromJson(json);
        for (auto& file : checkpoint.files) {
            if (files::path(file).has_parent_path())
                return { {}, unreadable(path, fmt::format("it names the file {}, which is outside its folder", file)) };
            if (std::error_code error; !files::is_regular_file(files::path(folder) / file, error))
                return { {}, unreadable(path, fmt::format("the file {} that belongs to it is missing", file)) };
        }
        return { std::move(checkpoint), {} };
    } catch (const nlohmann::json::exception& error) {
        return { {}, unreadable(path, fmt::format("its text is damaged ({})", error.what())) };
    }
}

Findings compare(const RunIdentity& checkpoint, const RunIdentity& now)
{
    const auto weights = [](Model model) {
        model.microBatchSize = 1;
        return model;
    };
    const auto& then = checkpoint.model;
    if (!(weights(then) == weights(now.model)))
        return { finding("checkpoint/model", Severity::Error,
            fmt::format("The checkpoint is of a model with {} layers, hidden {}, {} heads, sequence {}, vocabulary {}; "
                        "this one has "
                        "{}, {}, {}, {}, {}.",
                then.layers, then.hidden, then.heads, then.sequence, then.vocabulary, now.model.layers,
                now.model.hidden, now.model.heads, now.model.sequence, now.model.vocabulary),
            "Resume with the model that the checkpoint was made with.") };

    std::vector<std::string> differences;
    appendDifference(differences, "processor", checkpoint.processor, now.processor);
    appendDifference(differences, "intra-op threads", checkpoint.intraOpThreads, now.intraOpThreads);
    appendDifference(differences, "micro-batches", checkpoint.microBatches, now.microBatches);
    appendDifference(differences, "micro-batch size", then.microBatchSize, now.model.microBatchSize);
    appendDifference(differences, "seed", checkpoint.training.seed, now.training.seed);
    appendDifference(differences, "learning rate", checkpoint.training.learningRate, now.training.learningRate);
    appendDifference(differences, "warm-up", checkpoint.training.warmup, now.training.warmup);
    appendDifference(differences, "decay", checkpoint.training.decay, now.training.decay);
    appendDifference(differences, "weight decay", checkpoint.training.weightDecay, now.training.weightDecay);
    appendDifference(differences, "clip", checkpoint.training.clip, now.training.clip);
    appendDifference(differences, "precision", text(checkpoint.training.precision), text(now.training.precision));
    if (checkpoint.layersPerStage != now.layersPerStage)
        differences.push_back(fmt::format("layers per stage {} (now {})", fmt::join(checkpoint.layersPerStage, " "),
            fmt::join(now.layersPerStage, " ")));
    if (checkpoint.order != now.order)
        differences.emplace_back("another order of passes");
    if (checkpoint.text != now.text)
        differences.emplace_back("another text");
    if (differences.empty())
        return {};
    return { finding("checkpoint/differs", Severity::Warning,
        fmt::format("The run goes on, but not bit for bit as if it had never stopped: the checkpoint was made with {}.",
            fmt::join(differences, ", ")),
        "Resume with the same design, data, processor and threads for equal bits.") };
}

} // namespace pipeloom::executor
