// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json/findings_json.h"

namespace pipeloom::cli {

namespace {

template <class Tag> void idMember(JsonWriter& json, std::string_view name, const std::optional<Id<Tag>>& id)
{
    json.member(name, id ? std::optional(id->value) : std::nullopt);
}

void textMember(JsonWriter& json, std::string_view name, const std::string& text)
{
    json.member(name, text.empty() ? std::nullopt : std::optional<std::string_view>(text));
}

void writePlace(JsonWriter& json, const Place& place)
{
    json.beginObject();
    idMember(json, "device", place.device);
    json.member("slot", place.slot);
    textMember(json, "pass", place.pass);
    idMember(json, "route", place.route);
    textMember(json, "pointer", place.pointer);
    json.member("row", place.row);
    json.member("column", place.column);
    json.endObject();
}

void writeFinding(JsonWriter& json, const Finding& finding)
{
    json.beginObject();
    json.member("rule", finding.rule);
    json.member("severity", text(finding.severity));
    json.key("where");
    json.beginArray();
    for (const Place& place : finding.where)
        writePlace(json, place);
    json.endArray();
    textMember(json, "queue", finding.queue);
    json.member("message", finding.message);
    json.member("remedy", finding.remedy);
    json.endObject();
}

} // namespace

void writeFindings(JsonWriter& json, const Findings& findings)
{
    json.beginObject();
    writeFindingMembers(json, !hasErrors(findings), findings);
    json.endObject();
}

void writeFindingMembers(JsonWriter& json, bool ok, const Findings& findings)
{
    json.member("ok", ok);
    json.key("findings");
    json.beginArray();
    for (const Finding& finding : findings)
        writeFinding(json, finding);
    json.endArray();
}

} // namespace pipeloom::cli
