// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/read_event.h"

#include "core/formats/design_file.h"
#include "core/formats/read_event_fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>
#include <limits>

namespace pipeloom {

using formats::EventFields;
using json = nlohmann::ordered_json; // a design's keys have an order

std::optional<Pass> readPass(std::string_view text)
{
    const auto number = [&text](std::int32_t& value) {
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        const bool ok = error == std::errc() && value >= 0;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        return ok;
    };
    Pass pass;
    if (!number(pass.stage.value) || text.empty())
        return std::nullopt;
    const char kind = text.front();
    text.remove_prefix(1);
    if (kind == 'F')
        pass.kind = PassKind::F;
    else if (kind == 'W')
        pass.kind = PassKind::W;
    else if (kind != 'B')
        return std::nullopt;
    else if (!text.empty() && text.front() == 'W') {
        pass.kind = PassKind::BW;
        text.remove_prefix(1);
    } else
        pass.kind = PassKind::B;
    if (!number(pass.microBatch.value) || !text.empty())
        return std::nullopt;
    return pass;
}

namespace {

PassEnded passEnded(const EventFields& fields)
{
    PassEnded event;
    event.step = fields.integer("step");
    event.device = fields.device("device");
    event.pass = fields.pass("pass");
    event.start = fields.integer("start_ns");
    event.end = fields.integer("end_ns");
    event.joined = fields.flag("pair");
    event.bytes = fields.integerOr("bytes", -1);
    fields.require(event.end >= event.start, "end_ns is before start_ns");
    return event;
}

TransferEnded transferEnded(const EventFields& fields)
{
    TransferEnded event;
    event.step = fields.integer("step");
    event.pass = fields.pass("pass");
    event.from = fields.device("from");
    event.to = fields.device("to");
    event.start = fields.integer("start_ns");
    event.end = fields.integer("end_ns");
    fields.require(event.end >= event.start, "end_ns is before start_ns");
    return event;
}

/// Reads what has lists or sections in it, from a tree. Missing keys and wrong types throw json::exception, caught by readEvent.
std::vector<DeviceId> devices(const json& list)
{
    std::vector<DeviceId> found;
    for (const json& device : list)
        found.emplace_back(device.get<std::int32_t>());
    return found;
}

std::int32_t sizeOf(const json& tree, const char* key, std::int64_t most)
{
    const auto size = tree.at(key).get<std::int64_t>();
    if (size < 1 || size > most)
        throw std::invalid_argument(fmt::format("{} is {}", key, size));
    return static_cast<std::int32_t>(size);
}

RunBegan runBegan(const json& tree)
{
    RunBegan event;
    event.version = tree.at("version").get<std::int64_t>();
    if (event.version != 1)
        throw std::invalid_argument(fmt::format("version {} is not known here", event.version));
    event.devices = sizeOf(tree, "devices", maxDevices);
    event.stages = sizeOf(tree, "stages", maxPasses);
    event.microBatches = sizeOf(tree, "micro_batches", maxPasses);
    event.replicas = tree.contains("replicas") ? sizeOf(tree, "replicas", maxDevices) : 1;
    event.firstStep = tree.value("first_step", std::int64_t { 0 });
    event.steps = tree.value("steps", std::int64_t { 0 });
    event.emulated = tree.value("emulated", false);
    event.transport = tree.value("transport", std::string());
    event.tokensPerStep = tree.value("tokens_per_step", std::int64_t { 0 });
    event.beganUnixNs = tree.value("began_unix_ns", std::int64_t { 0 });
    ReadDesign read = readDesign(tree.at("design").dump());
    if (!read.design)
        throw std::invalid_argument("its design cannot be read: " + read.findings.front().message);
    event.design = std::make_shared<const Design>(std::move(*read.design));
    return event;
}

RankBegan rankBegan(const json& tree)
{
    return { DeviceId { tree.at("device").get<std::int32_t>() }, tree.at("rank").get<std::int32_t>(),
        tree.value("pid", std::int64_t { 0 }), tree.value("host", std::string()) };
}

std::vector<Slot> slotsOf(std::string_view row)
{
    std::vector<Slot> slots;
    while (!row.empty()) {
        const std::size_t end = std::min(row.find(' '), row.size());
        const std::string_view token = row.substr(0, end);
        row.remove_prefix(std::min(end + 1, row.size()));
        if (token.empty())
            continue;
        const std::size_t plus = token.find('+');
        const auto first = readPass(token.substr(0, plus));
        const auto second = plus == std::string_view::npos ? std::optional(Pass {}) : readPass(token.substr(plus + 1));
        if (!first || !second)
            throw std::invalid_argument(fmt::format("`{}` is no pass", token.substr(0, 40)));
        slots.push_back({ *first, *second });
    }
    return slots;
}

ByKindAndStage<Bytes> bytesByKind(const json& tree)
{
    ByKindAndStage<Bytes> table;
    for (const PassKind kind : { PassKind::F, PassKind::B, PassKind::W, PassKind::BW })
        table.values[index(kind)] = tree.at(text(kind)).get<std::vector<Bytes>>();
    return table;
}

RunPlanned runPlanned(const json& tree)
{
    RunPlanned event;
    event.stepMs = tree.at("step_ms").get<double>();
    for (const json& row : tree.at("rows"))
        event.rows.push_back(slotsOf(row.get_ref<const std::string&>()));
    if (tree.contains("predicted_bytes"))
        event.predictedBytes = tree.at("predicted_bytes").get<std::vector<Bytes>>();
    if (tree.contains("memory")) {
        const json& memory = tree.at("memory");
        MemoryModel model;
        model.unit = MemoryUnit::Byte;
        model.change = bytesByKind(memory);
        model.transient = bytesByKind(memory.at("transient"));
        model.fixed = memory.at("fixed").get<std::vector<Bytes>>();
        model.communication.assign(model.fixed.size(), 0);
        model.limit.assign(model.fixed.size(), std::nullopt);
        event.memory = std::move(model);
    }
    return event;
}

StepEnded stepEnded(const json& tree)
{
    StepEnded event { tree.at("step").get<std::int64_t>(), std::nullopt, tree.at("step_ms").get<double>() };
    if (tree.contains("loss"))
        event.loss
            = tree.at("loss").is_null() ? std::numeric_limits<double>::quiet_NaN() : tree.at("loss").get<double>();
    return event;
}

StepUndone stepUndone(const json& tree, bool rolledBack)
{
    StepUndone event;
    event.step = tree.at("step").get<std::int64_t>();
    event.rolledBack = rolledBack;
    if (tree.at("reason").get<std::string>() == "clip") {
        event.reason = StepUndone::Reason::Clipped;
        event.scale = tree.at("scale").get<double>();
    } else {
        event.device = DeviceId { tree.at("device").get<std::int32_t>() };
        event.stage = StageId { tree.at("stage").get<std::int32_t>() };
        event.parameter = tree.value("parameter", std::string());
    }
    return event;
}

DeviceStalled deviceStalled(const json& tree)
{
    DeviceStalled event;
    event.device = DeviceId { tree.at("device").get<std::int32_t>() };
    event.at = tree.at("at_ns").get<std::int64_t>();
    if (tree.contains("pass"))
        event.pass = readPass(tree.at("pass").get<std::string>());
    event.forMs = tree.at("for_ms").get<double>();
    event.waiting = devices(tree.at("waiting"));
    event.message = tree.value("message", std::string());
    return event;
}

/// None: not known.
std::optional<RunEvent> fromTree(const json& tree)
{
    const auto& kind = tree.at("event").get_ref<const std::string&>();
    if (kind == "run")
        return runBegan(tree);
    if (kind == "rank")
        return rankBegan(tree);
    if (kind == "plan")
        return runPlanned(tree);
    if (kind == "step_begin")
        return StepBegan { tree.at("step").get<std::int64_t>(), DeviceId { tree.at("device").get<std::int32_t>() },
            tree.at("at_ns").get<std::int64_t>() };
    if (kind == "memory")
        return MemoryPeaked { tree.at("step").get<std::int64_t>(), DeviceId { tree.at("device").get<std::int32_t>() },
            tree.at("peak_bytes").get<std::int64_t>() };
    if (kind == "step")
        return stepEnded(tree);
    if (kind == "rollback" || kind == "skip")
        return stepUndone(tree, kind == "rollback");
    if (kind == "stall")
        return deviceStalled(tree);
    if (kind == "checkpoint")
        return CheckpointSaved { tree.at("steps").get<std::int64_t>(), tree.value("ms", 0.0) };
    if (kind == "verify")
        return RunVerified { tree.at("worst").is_null() ? std::numeric_limits<double>::infinity()
                                                        : tree.at("worst").get<double>(),
            tree.value("parameter", std::string()) };
    if (kind == "error")
        return RunFailed { tree.value("rule", std::string()), tree.at("message").get<std::string>(),
            tree.value("remedy", std::string()), devices(tree.value("devices", json::array())) };
    if (kind == "device_end")
        return DeviceEnded { DeviceId { tree.at("device").get<std::int32_t>() }, tree.at("lines").get<std::int64_t>() };
    if (kind == "end")
        return RunEnded { tree.at("outcome").get<std::string>() };
    return std::nullopt;
}

} // namespace

std::optional<RunEvent> readEvent(std::string_view line, std::string& problem)
{
    problem.clear();
    EventFields fields;
    if (fields.read(line) && (fields.text("event") == "pass" || fields.text("event") == "transfer")) {
        RunEvent event;
        if (fields.text("event") == "pass")
            event = passEnded(fields);
        else
            event = transferEnded(fields);
        if (fields.problem().empty())
            return event;
        problem = fields.problem();
        return std::nullopt;
    }
    try {
        // Nesting beyond what a design has is nobody's event, and deep trees are costly to destroy.
        constexpr int deepest = 64;
        bool isTooDeep = false;
        const json tree = json::parse(line.begin(), line.end(), [&](int depth, json::parse_event_t, json&) {
            isTooDeep = isTooDeep || depth > deepest;
            return !isTooDeep;
        });
        if (isTooDeep)
            throw std::invalid_argument("nested too deep");
        if (!tree.is_object())
            throw std::invalid_argument("no JSON object");
        auto event = fromTree(tree);
        if (event && !isSane(*event))
            throw std::invalid_argument("a device, stage or step that cannot be");
        return event;
    } catch (const std::exception& error) {
        problem = error.what();
        return std::nullopt;
    }
}

} // namespace pipeloom
