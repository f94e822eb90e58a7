// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/design_file.h"
#include "core/formats/read_sections.h"
#include "core/formats/utf8.h"

#include <fmt/format.h>

#include <new>
#include <utility>

namespace pipeloom::formats {

namespace {

void reportInvalidUtf8(std::string_view text, std::size_t offset, Reports& reports)
{
    const TextPosition position = positionOf(text, offset);
    Place place;
    place.row = position.row;
    place.column = position.column;
    reports.error("file/utf8", std::move(place),
        fmt::format("Row {}, column {}: the byte {:#04x} is not UTF-8.", position.row, position.column,
            static_cast<unsigned>(static_cast<unsigned char>(text[offset]))),
        "Save the file as UTF-8, or see whether this is a text at all.");
}

/// The text without a byte order mark, which is told of.
std::string_view withoutMark(std::string_view text, Reports& reports)
{
    constexpr std::string_view mark = "\xEF\xBB\xBF";
    if (!text.starts_with(mark))
        return text;
    Place place;
    place.row = 1;
    place.column = 1;
    reports.warning("file/bom", std::move(place), "The file starts with a byte order mark, which UTF-8 does not need.",
        "Nothing is to be done: it is left out when the design is saved.");
    return text.substr(mark.size());
}

/// True if this is a file that we can read: `pipeloom` comes first and is ours.
bool checkFormatNumber(const JsonObject& object, const SectionReader& root)
{
    const JsonValue* value = root.require("pipeloom");
    if (value == nullptr)
        return true; // the rest is looked at all the same
    const JsonPath path = root.path("pipeloom");
    if (const auto* number = value->as<std::int64_t>(); number != nullptr && *number > formatNumber) {
        root.reports().error("file/version", path.place(),
            fmt::format("The file is of pipeloom format {}; this Pipeloom reads format {}.", *number, formatNumber),
            "Open it with a newer Pipeloom, and save it from there in the older format if it offers that.");
        return false;
    }
    (void)root.integer("pipeloom", { formatNumber, formatNumber });
    if (object.members.front().key != "pipeloom")
        root.reports().error("file/order", path.place(),
            fmt::format(
                "`pipeloom` is not the first key; {} stands before it.", quotedText(object.members.front().key)),
            "Move it to the top, so that any program sees at once what file this is.");
    return true;
}

void readPlan(const SectionReader& root, const Sizes& sizes, Design& design)
{
    const SectionReader block = root.section("block", Section::Block);
    const SectionReader schedule = root.section("schedule", Section::Schedule);
    const SectionReader reorder = root.section("reorder", Section::Reorder);
    if (block.present() && schedule.present())
        root.reports().add({ "file/conflict", Severity::Error, { block.path().place(), schedule.path().place() }, {},
            "The design has both a `block` and a `schedule`.", "Keep the one that it is to be made from." });
    else if (!block.present() && !schedule.present())
        root.reports().error("file/missing", root.path().place(), "The design has neither a `block` nor a `schedule`.",
            "Add one; a block that is still empty has an `interval` and an empty row for each device.");
    if (schedule.present() && reorder.present())
        root.reports().add({ "file/conflict", Severity::Error, { reorder.path().place(), schedule.path().place() }, {},
            "The design has a `reorder` section, but the order of `schedule` rows is the order.",
            "Remove `reorder`, or give a `block` to be reordered." });
    if (block.present())
        design.plan = readBlock(block, sizes);
    if (schedule.present())
        design.plan = readSchedule(schedule, sizes);
    design.reorder = readReorder(reorder);
}

/// The text of the `view` object as it stands.
std::string readView(const SectionReader& root, std::string_view text)
{
    const JsonValue* value = root.find("view");
    if (value == nullptr)
        return {};
    if (const auto* object = value->as<JsonObject>())
        return std::string(text.substr(object->begin, object->end - object->begin));
    reportType(*value, root.path("view"), "an object in braces", root.reports());
    return {};
}

std::optional<Design> readTree(const JsonValue& tree, std::string_view text, Reports& reports)
{
    const SectionReader root(&tree, JsonPath(), Section::Design, reports);
    const auto* object = tree.as<JsonObject>();
    if (object == nullptr || !checkFormatNumber(*object, root))
        return std::nullopt;
    Design design;
    design.name = root.text("name").value_or("");
    design.notes = root.text("notes").value_or("");
    (void)root.require("pipeline");
    PipelineSection pipeline = readPipeline(root.section("pipeline", Section::Pipeline));
    design.pipeline = std::move(pipeline.pipeline);
    CostsSection costs = readCosts(root.section("costs", Section::Costs), pipeline.sizes);
    design.costs = std::move(costs.costs);
    design.memory = std::move(costs.memory);
    design.network = std::move(costs.network);
    readPlan(root, pipeline.sizes, design);
    design.model = readModel(root.section("model", Section::Model));
    design.training = readTraining(root.section("training", Section::Training), pipeline.sizes);
    design.view = readView(root, text);
    if (!reports.hasErrors())
        checkSums(design, reports);
    return reports.hasErrors() ? std::nullopt : std::optional(std::move(design));
}

std::optional<Design> readChecked(std::string_view text, Reports& reports)
{
    if (text.size() > maxFileBytes) {
        reports.error("file/size", Place {},
            fmt::format("The text has {} bytes; {} is the most that is read.", text.size(), maxFileBytes),
            "See whether this is a design; one of 16 million passes needs a third of that.");
        return std::nullopt;
    }
    text = withoutMark(text, reports);
    if (const auto offset = firstInvalidUtf8(text)) {
        reportInvalidUtf8(text, *offset, reports);
        return std::nullopt;
    }
    const std::optional<JsonValue> tree = parseJson(text, reports);
    return tree.has_value() ? readTree(*tree, text, reports) : std::nullopt;
}

} // namespace

} // namespace pipeloom::formats

namespace pipeloom {

ReadDesign readDesign(std::string_view text)
{
    formats::Reports reports;
    ReadDesign result;
    try {
        result.design = formats::readChecked(text, reports);
    } catch (const std::bad_alloc&) {
        reports.error("file/size", Place {}, "There is not enough memory to read the design.",
            "Close other programs, or take fewer stages and micro-batches.");
    }
    result.findings = reports.take();
    return result;
}

ReadDesign loadDesign(const std::string& path)
{
    ReadText file = readTextFile(path, maxFileBytes);
    if (!file.text.has_value())
        return { std::nullopt, std::move(file.findings) };
    return readDesign(*file.text);
}

} // namespace pipeloom
