// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/processes/wire.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>

namespace pipeloom::executor {

namespace {

using Json = nlohmann::json;
using Milliseconds = std::chrono::milliseconds;

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t mostAgeMs = std::int64_t { 1 } << 40; ///< 34 years; as nanoseconds it still fits

/// Does not leave this file.
struct Garbled : std::runtime_error {
    using std::runtime_error::runtime_error;
};

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

template <class Read> auto parsed(std::string_view text, Read read) -> std::optional<decltype(read(Json()))>
{
    try {
        const auto json = Json::parse(text, nullptr, false);
        return json.is_discarded() ? std::nullopt : std::optional(read(json));
    } catch (const Json::exception&) {
        return std::nullopt;
    } catch (const Garbled&) {
        return std::nullopt;
    }
}

std::int64_t whole(const Json& json, std::int64_t low, std::int64_t high)
{
    // A number above the highest signed one would turn negative.
    if (!json.is_number_integer()
        || (json.is_number_unsigned() && json.get<std::uint64_t>() > static_cast<std::uint64_t>(most)))
        throw Garbled("not a whole number");
    const auto value = json.get<std::int64_t>();
    if (value < low || value > high)
        throw Garbled("out of range");
    return value;
}

std::int64_t anyWhole(const Json& json) { return whole(json, std::numeric_limits<std::int64_t>::min(), most); }

std::int32_t count(const Json& json)
{
    return static_cast<std::int32_t>(whole(json, 0, std::numeric_limits<std::int32_t>::max()));
}

template <class Choice> Choice choice(const Json& json, Choice last)
{
    return static_cast<Choice>(whole(json, 0, static_cast<std::int64_t>(last)));
}

std::string string(const Json& json) { return json.get_ref<const std::string&>(); }

bool yesOrNo(const Json& json) { return json.get_ref<const bool&>(); }

const Json& list(const Json& json)
{
    if (!json.is_array())
        throw Garbled("not a list");
    return json;
}

/// A list of so many.
const Json& list(const Json& json, std::size_t size)
{
    if (list(json).size() != size)
        throw Garbled("too short or too long");
    return json;
}

/// A flat list of groups of so many numbers; gives the number of groups.
std::size_t groups(const Json& json, std::size_t size)
{
    if (list(json).size() % size != 0)
        throw Garbled("too short or too long");
    return json.size() / size;
}

Json bits(double value) { return std::bit_cast<std::uint64_t>(value); }

double bitsOf(const Json& json)
{
    if (!json.is_number_unsigned())
        throw Garbled("not the bits of a number");
    return std::bit_cast<double>(json.get<std::uint64_t>());
}

Json toJson(const Place& place);
Json toJson(const Finding& finding);

template <class Item> Json listOf(const std::vector<Item>& items)
{
    auto json = Json::array();
    for (const auto& item : items)
        json.push_back(toJson(item));
    return json;
}

Json toJson(const Pass& pass)
{
    return Json::array({ static_cast<int>(pass.kind), pass.stage.value, pass.microBatch.value });
}

Pass passOf(const Json& kind, const Json& stage, const Json& microBatch)
{
    return { StageId { count(stage) }, MicroBatch { count(microBatch) }, choice(kind, PassKind::None) };
}

Pass passOf(const Json& json)
{
    list(json, 3);
    return passOf(json.at(0), json.at(1), json.at(2));
}

Json toJson(const DeviceStatus& status, Clock::time_point now)
{
    const auto age = std::chrono::duration_cast<Milliseconds>(now - status.since).count();
    auto json = Json::array({ status.device.value, static_cast<int>(status.doing),
        std::clamp<std::int64_t>(age, 0, mostAgeMs), toJson(status.pass), toJson(status.needs), status.from.value });
    json.push_back(status.finished ? toJson(*status.finished) : Json());
    return json;
}

DeviceStatus statusOf(const Json& json, Clock::time_point now)
{
    list(json, 7);
    DeviceStatus status;
    status.device = DeviceId { count(json.at(0)) };
    status.doing = choice(json.at(1), Doing::Ended);
    status.since = now - Milliseconds { whole(json.at(2), 0, mostAgeMs) };
    status.pass = passOf(json.at(3));
    status.needs = passOf(json.at(4));
    status.from = DeviceId { count(json.at(5)) };
    if (!json.at(6).is_null())
        status.finished = passOf(json.at(6));
    return status;
}

Json toJson(const Place& place)
{
    auto json = Json::object();
    if (place.device)
        json["device"] = place.device->value;
    if (place.slot)
        json["slot"] = *place.slot;
    if (!place.pass.empty())
        json["pass"] = place.pass;
    if (place.route)
        json["route"] = place.route->value;
    if (!place.pointer.empty())
        json["pointer"] = place.pointer;
    if (place.row)
        json["row"] = *place.row;
    if (place.column)
        json["column"] = *place.column;
    return json;
}

Place placeOf(const Json& json)
{
    if (!json.is_object())
        throw Garbled("not a place");
    const auto read = [&json](const char* key, const auto& take) {
        if (const auto found = json.find(key); found != json.end())
            take(*found);
    };
    Place place;
    read("device", [&](const Json& value) { place.device = DeviceId { count(value) }; });
    read("slot", [&](const Json& value) { place.slot = count(value); });
    read("pass", [&](const Json& value) { place.pass = string(value); });
    read("route", [&](const Json& value) { place.route = RouteId { count(value) }; });
    read("pointer", [&](const Json& value) { place.pointer = string(value); });
    read("row", [&](const Json& value) { place.row = count(value); });
    read("column", [&](const Json& value) { place.column = count(value); });
    return place;
}

Json toJson(const Finding& finding)
{
    return { { "rule", finding.rule }, { "severity", static_cast<int>(finding.severity) },
        { "where", listOf(finding.where) }, { "queue", finding.queue }, { "message", finding.message },
        { "remedy", finding.remedy } };
}

Finding findingOf(const Json& json)
{
    Finding finding;
    finding.rule = string(json.at("rule"));
    finding.severity = choice(json.at("severity"), Severity::Note);
    for (const auto& place : list(json.at("where")))
        finding.where.push_back(placeOf(place));
    finding.queue = string(json.at("queue"));
    finding.message = string(json.at("message"));
    finding.remedy = string(json.at("remedy"));
    return finding;
}

Json toJson(const MemoryUse& use)
{
    auto json = Json::array();
    for (const auto bytes : use.byClass)
        json.push_back(bytes);
    json.push_back(use.total);
    return json;
}

MemoryUse memoryOf(const Json& json)
{
    list(json, memoryClasses + 1);
    MemoryUse use;
    for (std::size_t i = 0; i < memoryClasses; ++i)
        use.byClass[i] = anyWhole(json.at(i));
    use.total = anyWhole(json.at(memoryClasses));
    return use;
}

Json toJson(const StepRecord& record)
{
    auto passes = Json::array();
    for (const auto& [start, end, pass, joined] : record.passes)
        for (const std::int64_t number : { start, end, static_cast<std::int64_t>(pass.kind),
                 std::int64_t { pass.stage.value }, std::int64_t { pass.microBatch.value }, std::int64_t { joined } })
            passes.push_back(number);
    auto transfers = Json::array();
    for (const auto& [start, end, pass, from, to] : record.transfers)
        for (const std::int64_t number :
            { start, end, static_cast<std::int64_t>(pass.kind), std::int64_t { pass.stage.value },
                std::int64_t { pass.microBatch.value }, std::int64_t { from.value }, std::int64_t { to.value } })
            transfers.push_back(number);
    return { { "passes", std::move(passes) }, { "transfers", std::move(transfers) }, { "busy", record.busy.count() },
        { "processor", record.processor.count() }, { "loop", record.loop.count() },
        { "loop_processor", record.loopProcessor.count() }, { "around", record.around.count() },
        { "offset", record.offset.count() }, { "transfer", record.transfer.count() }, { "wait", record.wait.count() },
        { "peak", toJson(record.peak) } };
}

StepRecord recordOf(const Json& json)
{
    StepRecord record;
    const auto& passes = json.at("passes");
    for (std::size_t i = 0, n = groups(passes, 6); i < n; ++i) {
        const auto at = [&](std::size_t k) -> const Json& { return passes[6 * i + k]; };
        record.passes.push_back(
            { anyWhole(at(0)), anyWhole(at(1)), passOf(at(2), at(3), at(4)), whole(at(5), 0, 1) == 1 });
    }
    const auto& transfers = json.at("transfers");
    for (std::size_t i = 0, n = groups(transfers, 7); i < n; ++i) {
        const auto at = [&](std::size_t k) -> const Json& { return transfers[7 * i + k]; };
        record.transfers.push_back({ anyWhole(at(0)), anyWhole(at(1)), passOf(at(2), at(3), at(4)),
            DeviceId { count(at(5)) }, DeviceId { count(at(6)) } });
    }
    record.busy = Nanoseconds { anyWhole(json.at("busy")) };
    record.processor = Nanoseconds { anyWhole(json.at("processor")) };
    record.loop = Nanoseconds { anyWhole(json.at("loop")) };
    record.loopProcessor = Nanoseconds { anyWhole(json.at("loop_processor")) };
    record.around = Nanoseconds { anyWhole(json.at("around")) };
    record.offset = Nanoseconds { anyWhole(json.at("offset")) };
    record.transfer = Nanoseconds { anyWhole(json.at("transfer")) };
    record.wait = Nanoseconds { anyWhole(json.at("wait")) };
    record.peak = memoryOf(json.at("peak"));
    return record;
}

} // namespace

std::string toWire(const Beat& beat, Clock::time_point now)
{
    auto statuses = Json::array();
    for (const auto& status : beat.statuses)
        statuses.push_back(toJson(status, now));
    return dump({ { "number", beat.number }, { "ended", beat.ended }, { "statuses", std::move(statuses) } });
}

std::optional<Beat> beatFrom(std::string_view text, Clock::time_point now)
{
    return parsed(text, [now](const Json& json) {
        Beat beat;
        beat.number = whole(json.at("number"), 0, most);
        beat.ended = yesOrNo(json.at("ended"));
        for (const auto& status : list(json.at("statuses")))
            beat.statuses.push_back(statusOf(status, now));
        return beat;
    });
}

std::string toWire(const Finding& finding) { return dump(toJson(finding)); }
std::optional<Finding> findingFrom(std::string_view text) { return parsed(text, findingOf); }

std::string toWire(const Hello& hello)
{
    return dump(
        { { "digest", hello.digest }, { "version", hello.version }, { "host", hello.host }, { "pid", hello.pid },
            { "world", hello.world }, { "device", hello.device.value }, { "message_bytes", hello.messageBytes } });
}

std::optional<Hello> helloFrom(std::string_view text)
{
    return parsed(text, [](const Json& json) {
        return Hello { string(json.at("digest")), string(json.at("version")), string(json.at("host")),
            whole(json.at("pid"), 0, most), count(json.at("world")), DeviceId { count(json.at("device")) },
            whole(json.at("message_bytes"), 0, most) };
    });
}

std::string toWire(const StepReport& report)
{
    return dump(Json::array({ report.step, bits(report.loss), bits(report.stepMs) }));
}

std::optional<StepReport> stepReportFrom(std::string_view text)
{
    return parsed(text, [](const Json& json) {
        list(json, 3);
        return StepReport { whole(json.at(0), 0, most), bitsOf(json.at(1)), bitsOf(json.at(2)) };
    });
}

std::string toWire(const StepRecord& record) { return dump(toJson(record)); }
std::optional<StepRecord> stepRecordFrom(std::string_view text) { return parsed(text, recordOf); }

std::string toWire(const MemoryUse& use) { return dump(toJson(use)); }
std::optional<MemoryUse> memoryUseFrom(std::string_view text) { return parsed(text, memoryOf); }

std::string toWire(std::span<const StageSums> sums)
{
    auto json = Json::array();
    for (const auto& stage : sums)
        json.push_back(
            Json::array({ stage.stage.value, bits(stage.squaredGradientNorm), bits(stage.lossSum), stage.tokens }));
    return dump(json);
}

std::optional<std::vector<StageSums>> stageSumsFrom(std::string_view text)
{
    return parsed(text, [](const Json& json) {
        std::vector<StageSums> sums;
        for (const auto& stage : list(json)) {
            list(stage, 4);
            sums.push_back({ StageId { count(stage.at(0)) }, bitsOf(stage.at(1)), bitsOf(stage.at(2)),
                whole(stage.at(3), 0, most) });
        }
        return sums;
    });
}

std::string toWire(const RankReport& report)
{
    return dump({ { "device", report.device.value },
        { "last_step", report.lastStep ? toJson(*report.lastStep) : Json() },
        { "last_step_time", report.lastStepTime.count() }, { "peak", toJson(report.peak) },
        { "counts", Json::array({ report.counts.ahead, report.counts.rolledBack, report.counts.skipped }) },
        { "warnings", listOf(report.warnings) }, { "finding", report.finding ? toJson(*report.finding) : Json() } });
}

std::optional<RankReport> rankReportFrom(std::string_view text)
{
    return parsed(text, [](const Json& json) {
        RankReport report;
        report.device = DeviceId { count(json.at("device")) };
        if (const auto& record = json.at("last_step"); !record.is_null())
            report.lastStep = recordOf(record);
        report.lastStepTime = Nanoseconds { anyWhole(json.at("last_step_time")) };
        report.peak = memoryOf(json.at("peak"));
        const auto& counts = list(json.at("counts"), 3);
        report.counts = { whole(counts.at(0), 0, most), whole(counts.at(1), 0, most), whole(counts.at(2), 0, most) };
        for (const auto& warning : list(json.at("warnings")))
            report.warnings.push_back(findingOf(warning));
        if (const auto& finding = json.at("finding"); !finding.is_null())
            report.finding = findingOf(finding);
        return report;
    });
}

} // namespace pipeloom::executor
