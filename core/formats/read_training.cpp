// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/read_sections.h"

#include <limits>
#include <utility>

namespace pipeloom::formats {

namespace {

constexpr Range positive { 1, std::numeric_limits<std::int32_t>::max() };
constexpr Range anyCount { 0, std::numeric_limits<std::int64_t>::max() };
constexpr Range oneOrMore { 1, std::numeric_limits<std::int64_t>::max() };

std::int32_t requiredSize(const SectionReader& section, std::string_view key)
{
    if (section.require(key) == nullptr)
        return 1;
    return static_cast<std::int32_t>(section.integer(key, positive).value_or(1));
}

std::vector<std::int32_t> readLayersPerStage(const SectionReader& section, const Sizes& sizes)
{
    std::vector<std::int32_t> layers;
    const JsonValue* value = section.find("layers_per_stage");
    if (value == nullptr)
        return layers;
    const Range range { 0, std::numeric_limits<std::int32_t>::max() };
    const auto list
        = readIntegers(*value, section.path("layers_per_stage"), sizes.perStage(), range, section.reports());
    if (list.has_value()) {
        for (const std::int64_t number : *list)
            layers.push_back(static_cast<std::int32_t>(number));
    }
    return layers;
}

/// File names: a list, or one by itself.
std::vector<std::string> readData(const SectionReader& section)
{
    std::vector<std::string> files;
    const JsonValue* value = section.find("data");
    if (value == nullptr)
        return files;
    const JsonPath path = section.path("data");
    if (const auto* file = value->as<std::string>())
        return { *file };
    const JsonList* list = readList(*value, path, { std::nullopt, "file", "files" }, section.reports());
    for (std::size_t i = 0; list != nullptr && i < list->size() && !section.reports().full(); ++i) {
        if (const std::string* file = readText((*list)[i], path.entry(i), section.reports()))
            files.push_back(*file);
    }
    return files;
}

} // namespace

std::optional<Model> readModel(const SectionReader& section)
{
    if (!section.present())
        return std::nullopt;
    Model model;
    model.layers = requiredSize(section, "layers");
    model.hidden = requiredSize(section, "hidden");
    model.heads = requiredSize(section, "heads");
    model.sequence = requiredSize(section, "sequence");
    model.microBatchSize = requiredSize(section, "micro_batch_size");
    if (const auto vocabulary = section.integer("vocabulary", positive))
        model.vocabulary = static_cast<std::int32_t>(*vocabulary);
    return model;
}

std::optional<Training> readTraining(const SectionReader& section, const Sizes& sizes)
{
    using Zero = SectionReader::Zero;
    if (!section.present())
        return std::nullopt;
    Training training;
    training.steps = section.integer("steps", oneOrMore);
    training.seed = section.integer("seed", anyCount);
    training.learningRate = section.real("learning_rate", Zero::Allowed);
    training.warmup = section.integer("warmup", anyCount);
    training.decay = section.integer("decay", anyCount);
    training.weightDecay = section.real("weight_decay", Zero::Allowed);
    training.clip = section.real("clip", Zero::Allowed);
    training.accumulate = section.integer("accumulate", oneOrMore);
    if (const auto precision = section.oneOf("precision", precisionNames))
        training.precision = static_cast<Precision>(*precision);
    training.evaluateEvery = section.integer("evaluate_every", anyCount);
    training.checkpointEvery = section.integer("checkpoint_every", anyCount);
    training.layersPerStage = readLayersPerStage(section, sizes);
    training.data = readData(section);
    return training;
}

} // namespace pipeloom::formats
