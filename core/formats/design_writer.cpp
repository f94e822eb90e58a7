// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/canonical_json.h"
#include "core/formats/design_file.h"
#include "core/formats/design_keys.h"
#include "core/formats/pass_rows.h"

#include <algorithm>
#include <array>

namespace pipeloom::formats {

namespace {

template <class Enum, std::size_t Size>
std::string nameText(Enum value, const std::array<std::string_view, Size>& names)
{
    return textOf(names[static_cast<std::size_t>(value)]);
}

/// The list of an id's numbers.
template <class Id> std::string idsText(const std::vector<Id>& ids)
{
    std::vector<std::int64_t> numbers;
    numbers.reserve(ids.size());
    for (const Id id : ids)
        numbers.push_back(id.value);
    return listOf(numbers);
}

bool allAre(const std::vector<std::int64_t>& numbers, std::int64_t number)
{
    return std::ranges::all_of(numbers, [number](std::int64_t n) { return n == number; });
}

void addUnlessDefault(
    ObjectText& object, std::string_view key, const std::vector<std::int64_t>& numbers, std::int64_t number)
{
    if (!allAre(numbers, number))
        object.add(key, numberOrListOf(numbers));
}

void addUnlessEmpty(ObjectText& object, std::string_view key, const ObjectText& section)
{
    if (!section.empty())
        object.add(key, section.onOneLine());
}

void addKinds(
    ObjectText& object, const ByKindAndStage<std::int64_t>& table, const std::array<std::int64_t, passKinds>& defaults)
{
    for (std::size_t kind = 0; kind < kindKeys.size(); ++kind)
        addUnlessDefault(object, kindKeys[kind], table.values[kind], defaults[kind]);
}

std::string routesText(const Pipeline& pipeline)
{
    std::vector<std::string> placements;
    placements.reserve(pipeline.routes.size());
    for (const Placement& placement : pipeline.routes)
        placements.push_back(idsText(placement));
    ObjectText routes;
    routes.add("placements", listOf(placements));
    routes.add("of_micro_batch",
        pipeline.rule == RouteRule::List
            ? idsText(pipeline.routeOfMicroBatch)
            : textOf(
                routeRuleNames[static_cast<std::size_t>(pipeline.rule) - static_cast<std::size_t>(RouteRule::Halves)]));
    return routes.onOneLine();
}

std::string pipelineText(const Pipeline& pipeline)
{
    ObjectText section;
    section.add("devices", textOf(std::int64_t { pipeline.devices }));
    section.add("stages", textOf(std::int64_t { pipeline.stages }));
    section.add("micro_batches", textOf(std::int64_t { pipeline.microBatches }));
    if (pipeline.rule != RouteRule::Single) {
        section.add("routes", routesText(pipeline));
        return section.onOneLine();
    }
    // A name is written only as long as it says the truth.
    const Placement& route = pipeline.routes.front();
    const bool named
        = pipeline.kind != PlacementKind::List && route == placement(pipeline.kind, pipeline.devices, pipeline.stages);
    section.add("placement", named ? nameText(pipeline.kind, placementNames) : idsText(route));
    return section.onOneLine();
}

/// F, B, W, BW and the rest that is neither memory nor network.
ObjectText ticksText(const Costs& costs)
{
    ObjectText section;
    if (costs.tickUs != 1000)
        section.add("tick_us", textOf(costs.tickUs));
    const auto& [f, b, w, bw] = costs.ticks.values;
    addUnlessDefault(section, "F", f, 1);
    addUnlessDefault(section, "B", b, 1);
    addUnlessDefault(section, "W", w, 1);
    bool isSum = true;
    for (std::size_t stage = 0; stage < bw.size(); ++stage)
        isSum = isSum && bw[stage] == b[stage] + w[stage];
    if (!isSum)
        section.add("BW", numberOrListOf(bw));
    if (costs.pair.has_value())
        section.add("pair", textOf(*costs.pair));
    return section;
}

void addLimit(ObjectText& section, const std::vector<std::optional<Bytes>>& limit)
{
    if (std::ranges::none_of(limit, [](const auto& one) { return one.has_value(); }))
        return;
    if (std::ranges::adjacent_find(limit, std::ranges::not_equal_to()) == limit.end()) {
        section.add("limit", textOf(limit.front()));
        return;
    }
    std::vector<std::string> entries;
    entries.reserve(limit.size());
    for (const auto& one : limit)
        entries.push_back(textOf(one));
    section.add("limit", listOf(entries));
}

/// Adds what is not default; over several lines if it holds a section of its own. True if there was something to add.
bool addMemory(ObjectText& costs, const MemoryModel& memory, int indent)
{
    ObjectText section;
    if (memory.unit != MemoryUnit::Activation)
        section.add("unit", nameText(memory.unit, unitNames));
    addKinds(section, memory.change, { 1, 0, -1, -1 });
    ObjectText transient;
    addKinds(transient, memory.transient, { 0, 0, 0, 0 });
    addUnlessEmpty(section, "transient", transient);
    addUnlessDefault(section, "static", memory.fixed, 0);
    addUnlessDefault(section, "communication", memory.communication, 0);
    addLimit(section, memory.limit);
    if (!section.empty())
        costs.add("memory", transient.empty() ? section.onOneLine() : section.overLines(indent));
    return !section.empty();
}

ObjectText networkText(const Network& network)
{
    ObjectText section;
    if (network.queue != QueueModel::Directed)
        section.add("queue", nameText(network.queue, queueNames));
    if (network.bytesPerTick == 0)
        addUnlessDefault(section, "transfer", network.transfer, 0);
    if (network.latency != 0)
        section.add("latency", textOf(network.latency));
    if (network.bytesPerTick != 0)
        section.add("bytes_per_tick", textOf(network.bytesPerTick));
    if (!network.bytes.empty())
        section.add("bytes", numberOrListOf(network.bytes));
    if (network.window != 4)
        section.add("window", textOf(std::int64_t { network.window }));
    return section;
}

/// Over several lines if it holds sections of its own, which are one step further in.
void addCosts(ObjectText& design, const Design& from)
{
    constexpr int indent = 2; // of the keys of a design
    ObjectText section = ticksText(from.costs);
    const ObjectText network = networkText(from.network);
    const bool hasMemory = addMemory(section, from.memory, 2 * indent);
    addUnlessEmpty(section, "network", network);
    if (hasMemory || !network.empty())
        design.add("costs", section.overLines(indent));
    else
        addUnlessEmpty(design, "costs", section);
}

std::string blockText(const BuildingBlock& block, std::int32_t devices)
{
    ObjectText section;
    section.add("interval", textOf(block.interval));
    if (block.group != 1)
        section.add("group", textOf(std::int64_t { block.group }));
    ObjectText durations;
    addKinds(durations, block.durations, { 1, 1, 1, 2 });
    addUnlessEmpty(section, "durations", durations);
    section.add("rows", linesOf(rowsOf(block, devices), 4));
    return section.overLines(2);
}

std::string scheduleText(const Schedule& schedule)
{
    ObjectText section;
    section.add("rows", linesOf(rowsOf(schedule), 4));
    return section.overLines(2);
}

std::string reorderText(const Reorder& reorder)
{
    ObjectText section;
    section.add("rule", nameText(reorder.rule, ruleNames));
    if (reorder.aim != ReorderAim::Makespan)
        section.add("aim", nameText(reorder.aim, aimNames));
    return section.onOneLine();
}

std::string modelText(const Model& model)
{
    ObjectText section;
    section.add("layers", textOf(std::int64_t { model.layers }));
    section.add("hidden", textOf(std::int64_t { model.hidden }));
    section.add("heads", textOf(std::int64_t { model.heads }));
    section.add("sequence", textOf(std::int64_t { model.sequence }));
    section.add("micro_batch_size", textOf(std::int64_t { model.microBatchSize }));
    if (model.vocabulary != 256)
        section.add("vocabulary", textOf(std::int64_t { model.vocabulary }));
    return section.onOneLine();
}

template <class Number> void addIfSet(ObjectText& section, std::string_view key, const std::optional<Number>& number)
{
    if (number.has_value())
        section.add(key, textOf(*number));
}

std::string trainingText(const Training& training)
{
    ObjectText section;
    addIfSet(section, "steps", training.steps);
    addIfSet(section, "seed", training.seed);
    addIfSet(section, "learning_rate", training.learningRate);
    addIfSet(section, "warmup", training.warmup);
    addIfSet(section, "decay", training.decay);
    addIfSet(section, "weight_decay", training.weightDecay);
    addIfSet(section, "clip", training.clip);
    addIfSet(section, "accumulate", training.accumulate);
    if (training.precision.has_value())
        section.add("precision", nameText(*training.precision, precisionNames));
    addIfSet(section, "evaluate_every", training.evaluateEvery);
    addIfSet(section, "checkpoint_every", training.checkpointEvery);
    if (!training.layersPerStage.empty())
        section.add("layers_per_stage",
            listOf(std::vector<std::int64_t>(training.layersPerStage.begin(), training.layersPerStage.end())));
    std::vector<std::string> files;
    files.reserve(training.data.size());
    for (const std::string& file : training.data)
        files.push_back(textOf(file));
    if (!files.empty())
        section.add("data", listOf(files));
    return section.onOneLine();
}

std::string designText(const Design& design)
{
    ObjectText file;
    file.add("pipeloom", textOf(formatNumber));
    if (!design.name.empty())
        file.add("name", textOf(design.name));
    if (!design.notes.empty())
        file.add("notes", textOf(design.notes));
    file.add("pipeline", pipelineText(design.pipeline));
    addCosts(file, design);
    if (const BuildingBlock* block = design.block())
        file.add("block", blockText(*block, design.pipeline.devices));
    if (const Schedule* schedule = design.schedule())
        file.add("schedule", scheduleText(*schedule));
    if (design.reorder.has_value())
        file.add("reorder", reorderText(*design.reorder));
    if (design.model.has_value())
        file.add("model", modelText(*design.model));
    if (design.training.has_value())
        file.add("training", trainingText(*design.training));
    if (!design.view.empty())
        file.add("view", design.view);
    return file.overLines(0) + "\n";
}

} // namespace

} // namespace pipeloom::formats

namespace pipeloom {

std::string writeDesign(const Design& design) { return formats::designText(design); }

} // namespace pipeloom
