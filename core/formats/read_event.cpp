// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/read_event.h"

#include "core/formats/design_file.h"
#include "core/formats/read_event_fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
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
    fields.require(event.bytes >= -1, "bytes is negative");
    fields.require(event.step >= 0, "step is negative");
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
    fields.require(event.step >= 0, "step is negative");
    fields.require(event.end >= event.start, "end_ns is before start_ns");
    return event;
}

// What follows reads from a tree: missing keys throw json::exception, what is not as it must be std::invalid_argument, caught by
// readEvent. (The library's own conversions would cut 1.5 to 1 and let numbers wrap.)

constexpr std::int64_t mostNumber = (std::int64_t { 1 } << 61) - 1; // differences of times must not overflow

struct Limits {
    std::int64_t least = 0;
    std::int64_t most = mostNumber;
};

std::int64_t integer(const json& value, const char* what, Limits limits)
{
    const bool isWhole
        = value.is_number_unsigned() ? value.get<std::uint64_t>() <= mostNumber : value.is_number_integer();
    const std::int64_t number = isWhole ? value.get<std::int64_t>() : 0;
    if (!isWhole || number < limits.least || number > limits.most)
        throw std::invalid_argument(fmt::format("{} is no whole number in range", what));
    return number;
}

std::int64_t integerAt(const json& tree, const char* key, Limits limits = {})
{
    return integer(tree.at(key), key, limits);
}

std::int64_t integerAt(const json& tree, const char* key, std::int64_t otherwise, Limits limits)
{
    return tree.contains(key) ? integerAt(tree, key, limits) : otherwise;
}

constexpr Limits anyTime { -mostNumber, mostNumber };

DeviceId deviceAt(const json& tree, const char* key)
{
    return DeviceId { static_cast<std::int32_t>(integerAt(tree, key, { 0, maxDevices - 1 })) };
}

double realAt(const json& tree, const char* key)
{
    const json& value = tree.at(key);
    if (!value.is_number())
        throw std::invalid_argument(fmt::format("{} is no number", key));
    return value.get<double>();
}

Pass passAt(const json& tree, const char* key)
{
    const auto pass = readPass(tree.at(key).get_ref<const std::string&>());
    if (!pass)
        throw std::invalid_argument(fmt::format("{} is no pass", key));
    return *pass;
}

PassEnded passEnded(const json& tree)
{
    PassEnded event;
    event.step = integerAt(tree, "step");
    event.device = deviceAt(tree, "device");
    event.pass = passAt(tree, "pass");
    event.start = integerAt(tree, "start_ns", anyTime);
    event.end = integerAt(tree, "end_ns", { event.start, mostNumber });
    event.joined = tree.value("pair", false);
    event.bytes = integerAt(tree, "bytes", -1, { -1, mostNumber });
    return event;
}

TransferEnded transferEnded(const json& tree)
{
    TransferEnded event;
    event.step = integerAt(tree, "step");
    event.pass = passAt(tree, "pass");
    event.from = deviceAt(tree, "from");
    event.to = deviceAt(tree, "to");
    event.start = integerAt(tree, "start_ns", anyTime);
    event.end = integerAt(tree, "end_ns", { event.start, mostNumber });
    return event;
}

std::vector<DeviceId> devices(const json& list)
{
    std::vector<DeviceId> found;
    for (const json& device : list)
        found.emplace_back(static_cast<std::int32_t>(integer(device, "a device", { 0, maxDevices - 1 })));
    return found;
}

std::int32_t sizeOf(const json& tree, const char* key, std::int64_t most)
{
    return static_cast<std::int32_t>(integerAt(tree, key, { 1, most }));
}

RunBegan runBegan(const json& tree)
{
    RunBegan event;
    event.version = integerAt(tree, "version");
    if (event.version != 1)
        throw std::invalid_argument(fmt::format("version {} is not known here", event.version));
    event.devices = sizeOf(tree, "devices", maxDevices);
    event.stages = sizeOf(tree, "stages", maxPasses);
    event.microBatches = sizeOf(tree, "micro_batches", maxPasses);
    event.replicas = tree.contains("replicas") ? sizeOf(tree, "replicas", maxDevices) : 1;
    event.stepsAreKnown = tree.contains("first_step") && tree.contains("steps");
    event.firstStep = integerAt(tree, "first_step", 0, {});
    event.steps = integerAt(tree, "steps", 0, {});
    event.emulated = tree.value("emulated", false);
    event.transport = tree.value("transport", std::string());
    event.tokensPerStep = integerAt(tree, "tokens_per_step", 0, {});
    event.beganUnixNs = integerAt(tree, "began_unix_ns", 0, { 0, std::numeric_limits<std::int64_t>::max() });
    ReadDesign read = readDesign(tree.at("design").dump());
    if (!read.design)
        throw std::invalid_argument("its design cannot be read: " + read.findings.front().message);
    event.design = std::make_shared<const Design>(std::move(*read.design));
    return event;
}

RankBegan rankBegan(const json& tree)
{
    return { deviceAt(tree, "device"), static_cast<std::int32_t>(integerAt(tree, "rank", { 0, maxDevices - 1 })),
        integerAt(tree, "pid", 0, {}), tree.value("host", std::string()) };
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

std::vector<Bytes> bytesOf(const json& list, const char* what, Limits limits)
{
    std::vector<Bytes> found;
    for (const json& number : list)
        found.push_back(integer(number, what, limits));
    return found;
}

ByKindAndStage<Bytes> bytesByKind(const json& tree)
{
    constexpr Bytes most = Bytes { 1 } << 36; // so that no sum over maxPasses overflows
    ByKindAndStage<Bytes> table;
    for (const PassKind kind : { PassKind::F, PassKind::B, PassKind::W, PassKind::BW })
        table.values[index(kind)] = bytesOf(tree.at(text(kind)), text(kind), { -most, most });
    return table;
}

RunPlanned runPlanned(const json& tree)
{
    RunPlanned event;
    event.stepMs = realAt(tree, "step_ms");
    for (const json& row : tree.at("rows"))
        event.rows.push_back(slotsOf(row.get_ref<const std::string&>()));
    if (tree.contains("predicted_bytes"))
        event.predictedBytes = bytesOf(tree.at("predicted_bytes"), "predicted_bytes", { 0, maxBytes });
    if (tree.contains("memory")) {
        const json& memory = tree.at("memory");
        MemoryModel model;
        model.unit = MemoryUnit::Byte;
        model.change = bytesByKind(memory);
        model.transient = bytesByKind(memory.at("transient"));
        model.fixed = bytesOf(memory.at("fixed"), "fixed", { 0, maxBytes });
        model.communication.assign(model.fixed.size(), 0);
        model.limit.assign(model.fixed.size(), std::nullopt);
        event.memory = std::move(model);
    }
    return event;
}

StepEnded stepEnded(const json& tree)
{
    StepEnded event { integerAt(tree, "step"), std::nullopt, realAt(tree, "step_ms") };
    if (tree.contains("loss"))
        event.loss = tree.at("loss").is_null() ? std::numeric_limits<double>::quiet_NaN() : realAt(tree, "loss");
    return event;
}

StepUndone stepUndone(const json& tree, bool rolledBack)
{
    StepUndone event;
    event.step = integerAt(tree, "step");
    event.rolledBack = rolledBack;
    if (tree.at("reason").get<std::string>() == "clip") {
        event.reason = StepUndone::Reason::Clipped;
        event.scale = realAt(tree, "scale");
    } else {
        event.device = deviceAt(tree, "device");
        event.stage = StageId { static_cast<std::int32_t>(integerAt(tree, "stage", { 0, maxPasses })) };
        event.parameter = tree.value("parameter", std::string());
    }
    return event;
}

DeviceStalled deviceStalled(const json& tree)
{
    DeviceStalled event;
    event.device = deviceAt(tree, "device");
    event.at = integerAt(tree, "at_ns", anyTime);
    if (tree.contains("pass"))
        event.pass = passAt(tree, "pass");
    event.forMs = realAt(tree, "for_ms");
    event.waiting = devices(tree.at("waiting"));
    event.message = tree.value("message", std::string());
    return event;
}

/// Refuses what is nobody's event and costly all the same: nesting beyond what a design has, and objects of very many keys,
/// which an ordered tree looks through for each of them.
class KeyLimits {
public:
    bool allow(int depth, json::parse_event_t what)
    {
        const auto level = static_cast<std::size_t>(depth);
        if (level >= keys_.size())
            throw std::invalid_argument("nested too deep");
        constexpr int mostKeys = 1000;
        if (what == json::parse_event_t::object_start && level + 1 < keys_.size())
            keys_[level + 1] = 0;
        else if (what == json::parse_event_t::key && ++keys_[level] > mostKeys)
            throw std::invalid_argument("too many keys");
        return true;
    }

private:
    std::array<int, 64> keys_ {}; ///< of the object that is read, by depth
};

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
        return StepBegan { integerAt(tree, "step"), deviceAt(tree, "device"), integerAt(tree, "at_ns", anyTime) };
    if (kind == "pass")
        return passEnded(tree);
    if (kind == "transfer")
        return transferEnded(tree);
    if (kind == "memory")
        return MemoryPeaked { integerAt(tree, "step"), deviceAt(tree, "device"),
            integerAt(tree, "peak_bytes", { 0, maxBytes }) };
    if (kind == "step")
        return stepEnded(tree);
    if (kind == "rollback" || kind == "skip")
        return stepUndone(tree, kind == "rollback");
    if (kind == "stall")
        return deviceStalled(tree);
    if (kind == "checkpoint")
        return CheckpointSaved { integerAt(tree, "steps"), tree.contains("ms") ? realAt(tree, "ms") : 0 };
    if (kind == "verify")
        return RunVerified { tree.at("worst").is_null() ? std::numeric_limits<double>::infinity()
                                                        : realAt(tree, "worst"),
            tree.value("parameter", std::string()) };
    if (kind == "error")
        return RunFailed { tree.value("rule", std::string()), tree.at("message").get<std::string>(),
            tree.value("remedy", std::string()), devices(tree.value("devices", json::array())) };
    if (kind == "device_end")
        return DeviceEnded { deviceAt(tree, "device"), integerAt(tree, "lines") };
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
        KeyLimits limits;
        const json tree = json::parse(line.begin(), line.end(),
            [&](int depth, json::parse_event_t what, const json&) { return limits.allow(depth, what); });
        if (!tree.is_object())
            throw std::invalid_argument("no JSON object");
        auto event = fromTree(tree);
        if (event && !isSane(*event))
            throw std::invalid_argument("a device, stage or step that cannot be");
        return event;
    } catch (const json::parse_error& error) {
        problem = fmt::format("no whole JSON, from byte {} on", error.byte);
    } catch (const json::type_error&) {
        problem = "a value of the wrong type";
    } catch (const json::exception& error) {
        const std::string_view what = error.what(); // behind the library's own number
        problem = what.substr(std::min(what.find("] ") + 2, what.size()));
    } catch (const std::exception& error) {
        problem = error.what();
    }
    return std::nullopt;
}

} // namespace pipeloom
