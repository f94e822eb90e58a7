// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json/profile_json.h"

#include "app/cli/json/findings_json.h"

#include <cstddef>
#include <string>

namespace pipeloom::cli {

namespace {

using executor::Foretold;
using executor::ProfileResult;

void writeSpread(JsonWriter& json, const std::string& name, const Spread& spread)
{
    json.member(name, spread.median);
    json.member(name + "_low", spread.low);
    json.member(name + "_high", spread.high);
}

void writePasses(JsonWriter& json, const ProfileResult& result)
{
    json.key("passes");
    json.beginArray();
    for (const executor::PassProfile& pass : result.passes) {
        json.beginObject();
        json.member("stage", pass.stage.value);
        json.member("kind", text(pass.kind));
        writeSpread(json, "ms", pass.ms);
        json.member("steps", pass.ms.count);
        json.member("of_design", pass.ofDesign);
        json.member("memory_bytes", result.memory.change.of(pass.kind, pass.stage));
        json.member("transient_bytes", result.memory.transient.of(pass.kind, pass.stage));
        json.endObject();
    }
    json.endArray();
    json.member("pair_ms", result.pairMs ? std::optional(result.pairMs->median) : std::nullopt);
}

void writeDevices(JsonWriter& json, const ProfileResult& result)
{
    json.key("devices");
    json.beginArray();
    for (const executor::LoopProfile& device : result.loop) {
        json.beginObject();
        json.member("device", device.device.value);
        writeSpread(json, "loop_us", device.us);
        json.member("static_bytes", result.memory.fixed[device.device.index()]);
        json.endObject();
    }
    json.endArray();
    json.member("loop_share", result.loopShare);
    json.member("waiting_share", result.waitingShare);
}

void writeTransfers(JsonWriter& json, const ProfileResult& result)
{
    json.key("transfers");
    json.beginArray();
    for (const executor::TransferProfile& transfer : result.transfers) {
        json.beginObject();
        json.member("from", transfer.from.value);
        json.member("to", transfer.to.value);
        json.member("data", transfer.activations ? "activations" : "gradients");
        json.member("bytes", transfer.bytes);
        json.member("a_step", transfer.aStep);
        json.member("waited_for", transfer.us.count);
        writeSpread(json, "us", transfer.us);
        json.endObject();
    }
    json.endArray();
}

void writeOrders(JsonWriter& json, const ProfileResult& result)
{
    json.key("orders");
    json.beginArray();
    for (const Foretold& order : result.foretold) {
        json.beginObject();
        json.member("name", order.name);
        json.member("steps", order.steps);
        json.member("disturbed", order.disturbed);
        writeSpread(json, "measured_ms", order.measured);
        json.member("around_ms", order.around.median);
        json.member("replay_median", order.replayMedian);
        json.member("replay_worst", order.replayWorst);
        writeSpread(json, "passes_ms", order.passes);
        writeSpread(json, "loop_ms", order.loop);
        writeSpread(json, "hand_over_ms", order.handOver);
        writeSpread(json, "rest_ms", order.rest);
        json.member("forecast_ms", order.forecast);
        json.member("forecast_with_scatter_ms", order.forecastWithScatter);
        json.member("with_its_own_costs_ms", order.withItsOwnCosts);
        json.endObject();
    }
    json.endArray();
}

} // namespace

void writeProfile(JsonWriter& json, const ProfileResult& result, bool ok, const Findings& findings)
{
    json.beginObject();
    writeFindingMembers(json, ok, findings);
    json.member("transport", executor::text(result.transport));
    json.member("tick_us", result.design ? std::optional(result.design->costs.tickUs) : std::nullopt);
    writePasses(json, result);
    writeDevices(json, result);
    writeTransfers(json, result);
    writeOrders(json, result);
    json.key("notes");
    json.beginArray();
    for (const std::string& note : result.notes)
        json.value(note);
    json.endArray();
    json.endObject();
}

} // namespace pipeloom::cli
