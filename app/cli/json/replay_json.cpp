// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/json/replay_json.h"

#include "app/cli/json/findings_json.h"

#include <cmath>

namespace pipeloom::cli {

namespace {

double ms(Nanos nanos) { return static_cast<double>(nanos) / 1e6; }

std::optional<std::int64_t> told(Bytes bytes) { return bytes > 0 ? std::optional(bytes) : std::nullopt; }

const char* text(RunNotice::Kind kind)
{
    switch (kind) {
    case RunNotice::Kind::Began:
        return "began";
    case RunNotice::Kind::Rank:
        return "rank";
    case RunNotice::Kind::Step:
        return "step";
    case RunNotice::Kind::Stall:
        return "stall";
    case RunNotice::Kind::Rollback:
        return "rollback";
    case RunNotice::Kind::Skip:
        return "skip";
    case RunNotice::Kind::Checkpoint:
        return "checkpoint";
    case RunNotice::Kind::Verified:
        return "verified";
    case RunNotice::Kind::Failed:
        return "failed";
    case RunNotice::Kind::Ended:
        return "ended";
    case RunNotice::Kind::Straggler:
        return "straggler";
    case RunNotice::Kind::Memory:
        return "memory";
    case RunNotice::Kind::Slow:
        return "slow";
    case RunNotice::Kind::Overhead:
        return "overhead";
    }
    return "";
}

const char* text(RunNotice::Level level)
{
    switch (level) {
    case RunNotice::Level::Info:
        return "info";
    case RunNotice::Level::Good:
        return "good";
    case RunNotice::Level::Warning:
        return "warning";
    case RunNotice::Level::Error:
        return "error";
    }
    return "";
}

void writeSplit(JsonWriter& json, std::size_t device, const TimeSplit& split)
{
    json.member("device", static_cast<std::int64_t>(device));
    json.member("compute_ms", ms(split.compute));
    json.member("transfer_ms", ms(split.transfer));
    json.member("waiting_ms", ms(split.waiting));
    json.member("own_ms", ms(split.own));
    json.member("step_ms", ms(split.step));
}

void writeDevices(JsonWriter& json, const Replayed& run)
{
    const RunPlan* plan = run.log->plan().get();
    const auto steps = run.lastWhole();
    const auto splits = plan && !steps.empty() ? timeSplit(steps, *plan) : std::vector<TimeSplit>();
    json.key("devices");
    json.beginArray();
    for (std::size_t d = 0; d < run.log->peaks().size(); ++d) {
        json.beginObject();
        writeSplit(json, d, d < splits.size() ? splits[d] : TimeSplit {});
        json.member("peak_bytes", told(run.log->peaks()[d]));
        json.member("predicted_bytes", plan && d < plan->peaks.size() ? told(plan->peaks[d]) : std::nullopt);
        json.member("limit_bytes", plan && d < plan->limits.size() ? plan->limits[d] : std::nullopt);
        json.endObject();
    }
    json.endArray();
}

void writeDrift(JsonWriter& json, const Replayed& run)
{
    json.key("drift");
    json.beginArray();
    const RunPlanPtr plan = run.plan();
    const auto steps = run.lastWhole();
    if (plan && !steps.empty()) {
        const Drift found = drift(steps, *plan);
        for (std::int32_t s = 0; s < plan->pipeline.stages; ++s) {
            json.beginObject();
            json.member("stage", s);
            for (const PassKind kind : { PassKind::F, PassKind::B, PassKind::W, PassKind::BW }) {
                const double ratio = found.ratio.of(kind, StageId { s });
                json.member(pipeloom::text(kind), ratio > 0 ? std::optional(ratio) : std::nullopt);
            }
            json.endObject();
        }
    }
    json.endArray();
}

void writeNotices(JsonWriter& json, const RunLog& log)
{
    json.key("notices");
    json.beginArray();
    for (const RunNotice& notice : log.notices()) {
        if (notice.kind == RunNotice::Kind::Step)
            continue;
        json.beginObject();
        json.member("kind", text(notice.kind));
        json.member("level", text(notice.level));
        json.member("step", notice.step >= 0 ? std::optional(notice.step) : std::nullopt);
        json.member("at_ms", notice.at >= 0 ? std::optional(ms(notice.at)) : std::nullopt);
        json.key("devices");
        json.beginArray();
        for (const DeviceId device : notice.devices)
            json.value(device.value);
        json.endArray();
        json.member("text", notice.text);
        json.member("advice", notice.advice);
        json.endObject();
    }
    json.endArray();
}

void writeCounts(JsonWriter& json, const Replayed& run)
{
    json.key("events");
    json.beginObject();
    json.member("lines", run.counts.lines);
    json.member("garbled", run.counts.garbled);
    json.member("unknown", run.counts.unknown);
    json.member("cut", run.counts.cut);
    json.member("late", run.log->faults().late);
    json.member("lost_passes", run.log->faults().lostPasses);
    json.member("lost_lines", run.log->faults().lostLines);
    json.member("strange", run.log->faults().strange);
    json.endObject();
}

} // namespace

void writeReplay(JsonWriter& json, const Replayed& run)
{
    const RunLog& log = *run.log;
    json.beginObject();
    const bool ok = log.ended() && log.ended()->outcome == "finished";
    writeFindingMembers(json, ok, run.findings);
    json.member("outcome", log.ended() ? std::optional(log.ended()->outcome) : std::nullopt);
    json.member("emulated", log.began()->emulated);
    json.member("planned_ms", log.plan() ? std::optional(ms(log.plan()->makespan)) : std::nullopt);
    json.member("plan_factor", run.planFactor());
    json.key("steps");
    json.beginArray();
    for (const StepSummary& step : log.summaries()) {
        json.beginObject();
        json.member("step", step.step);
        json.member("loss", std::isfinite(step.loss) ? std::optional(step.loss) : std::nullopt);
        json.member("ms", step.stepMs);
        json.endObject();
    }
    json.endArray();
    writeDevices(json, run);
    writeDrift(json, run);
    writeNotices(json, log);
    writeCounts(json, run);
    json.endObject();
}

void writeStep(JsonWriter& json, const MeasuredStep& step, const RunPlan& plan)
{
    const Nanos zero = step.began().value_or(0);
    json.beginObject();
    json.member("step", step.step);
    json.key("passes");
    json.beginArray();
    for (const MeasuredRow& row : step.rows)
        for (const PassEnded& pass : row.passes) {
            const std::int32_t at = plan.find(pass.pass);
            const auto planned = [&](Ticks TimedPass::*time) {
                return at < 0 ? std::nullopt
                              : std::optional(ms(plan.timeline.passes[static_cast<std::size_t>(at)].*time));
            };
            json.beginObject();
            json.member("pass", pipeloom::text(pass.pass));
            json.member("device", pass.device.value);
            json.member("start_ms", ms(pass.start - zero));
            json.member("end_ms", ms(pass.end - zero));
            json.member("planned_start_ms", planned(&TimedPass::start));
            json.member("planned_end_ms", planned(&TimedPass::end));
            json.endObject();
        }
    json.endArray();
    json.key("devices");
    json.beginArray();
    const auto splits = timeSplit(step, plan);
    for (std::size_t d = 0; d < splits.size(); ++d) {
        json.beginObject();
        writeSplit(json, d, splits[d]);
        json.member("peak_bytes", told(splits[d].peak));
        json.endObject();
    }
    json.endArray();
    json.endObject();
}

void writeDiff(JsonWriter& json, const Replayed& run, const Replayed& other)
{
    json.beginObject();
    json.key("a");
    writeReplay(json, run);
    json.key("b");
    writeReplay(json, other);
    json.endObject();
}

} // namespace pipeloom::cli
