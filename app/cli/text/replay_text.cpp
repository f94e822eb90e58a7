// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "app/cli/text/replay_text.h"

#include "app/cli/text/paint.h"
#include "app/cli/text/quantity.h"
#include "app/cli/text/table.h"
#include "app/cli/text/wrap.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace pipeloom::cli {

namespace {

constexpr std::array<PassKind, passKinds> kinds { PassKind::F, PassKind::B, PassKind::W, PassKind::BW };

std::string ms(double nanos) { return fmt::format("{:.2f}", nanos / 1e6); }
std::string ms(Nanos nanos) { return ms(static_cast<double>(nanos)); }

std::string paragraph(const std::string& text, const Terminal& terminal)
{
    std::string wrapped;
    for (const std::string& line : wrap(printable(text), terminal.width))
        wrapped += line + '\n';
    return wrapped;
}

std::string bytesText(Bytes bytes) { return bytes > 0 ? memoryText(bytes, MemoryUnit::Byte) : "-"; }

double medianStepMs(const RunLog& log)
{
    std::vector<double> times;
    for (const StepSummary& step : log.summaries())
        times.push_back(step.stepMs);
    if (times.empty())
        return 0;
    std::ranges::sort(times);
    const std::size_t half = times.size() / 2;
    return times.size() % 2 == 1 ? times[half] : (times[half - 1] + times[half]) / 2;
}

std::string headText(const Replayed& run, const Terminal& terminal)
{
    const RunBegan& began = *run.log->began();
    std::string text = headline(*began.design);
    text += fmt::format(": {}{}", counted(began.devices, "device"),
        began.replicas > 1 ? fmt::format(" in {} replicas", began.replicas) : "");
    if (!began.transport.empty())
        text += " over " + began.transport;
    text += fmt::format(", {} of {} steps told", run.log->summaries().size(), began.steps);
    if (began.emulated)
        text += "; a rehearsal: passes computed nothing";
    text += '.';
    const auto& ended = run.log->ended();
    if (run.log->failed())
        text += " It failed: " + run.log->failed()->message;
    else if (ended)
        text += fmt::format(" It {}.", ended->outcome == "interrupted" ? "was stopped" : ended->outcome);
    else
        text += " Its end was not told.";
    return paragraph(text, terminal);
}

/// First, slowest and last steps, in order.
std::vector<StepSummary> stepsToShow(const std::vector<StepSummary>& all)
{
    constexpr std::size_t most = 12;
    if (all.size() <= most)
        return all;
    constexpr std::size_t ends = 4;
    std::vector<StepSummary> rest(all.begin() + ends, all.end() - ends);
    std::ranges::partial_sort(rest, rest.begin() + ends, std::ranges::greater {}, &StepSummary::stepMs);
    std::vector<StepSummary> shown(all.begin(), all.begin() + ends);
    shown.insert(shown.end(), rest.begin(), rest.begin() + ends);
    shown.insert(shown.end(), all.end() - ends, all.end());
    std::ranges::sort(shown, {}, &StepSummary::step);
    return shown;
}

std::string stepsText(const Replayed& run, const Terminal& terminal)
{
    const RunLog& log = *run.log;
    const auto& all = log.summaries();
    if (all.empty())
        return "No step has ended.\n";
    Table table;
    for (const char* heading : { "step", "loss", "ms" })
        table.columns.push_back({ .heading = heading, .align = Align::Right });
    const std::vector<StepSummary> shown = stepsToShow(all);
    for (const StepSummary& step : shown)
        table.rows.push_back(
            { std::to_string(step.step), std::isfinite(step.loss) ? fmt::format("{:.6f}", step.loss) : std::string("-"),
                fmt::format("{:.2f}", step.stepMs) });
    std::string text = table.text(terminal);
    const RunPlanPtr plan = run.plan();
    const std::string planned = !plan ? std::string()
        : run.planFactor() == 1       ? fmt::format(", planned {} ms", ms(plan->makespan))
                                : fmt::format(", planned {} ms (its units fitted to the run)", ms(plan->makespan));
    text += fmt::format("  Median {:.2f} ms{}.{}\n", medianStepMs(log), planned,
        shown.size() < all.size() ? fmt::format(" Shown are the first, the slowest and the last of {}.", all.size())
                                  : "");
    return text;
}

std::string splitsText(const std::vector<TimeSplit>& splits, const std::string& of, const Terminal& terminal)
{
    Table table;
    for (const char* heading : { "device", "compute", "transfer", "waiting", "own", "step" })
        table.columns.push_back({ .heading = heading, .align = Align::Right });
    for (std::size_t d = 0; d < splits.size(); ++d) {
        const TimeSplit& split = splits[d];
        const auto part = [&](Nanos time) {
            return fmt::format("{} {:>5.1f} %", ms(time),
                split.step > 0 ? 100 * static_cast<double>(time) / static_cast<double>(split.step) : 0.0);
        };
        table.rows.push_back({ std::to_string(d), part(split.compute), part(split.transfer), part(split.waiting),
            part(split.own), ms(split.step) });
    }
    return table.text(terminal)
        + paragraph(
            fmt::format(
                "  Milliseconds of {}. Transfer: the next pass's input was on its way; waiting: it was not yet sent, "
                "or others had not finished; own: the rank loop between passes, batches, sums, the optimizer.",
                of),
            terminal);
}

std::string memoryTable(const Replayed& run, const Terminal& terminal)
{
    const auto& peaks = run.log->peaks();
    if (std::ranges::all_of(peaks, [](Bytes peak) { return peak == 0; }))
        return "";
    const RunPlan* plan = run.log->plan().get();
    Table table;
    for (const char* heading : { "device", "measured", "predicted", "limit" })
        table.columns.push_back({ .heading = heading, .align = Align::Right });
    for (std::size_t d = 0; d < peaks.size(); ++d) {
        const bool hasLimit = plan && d < plan->limits.size() && plan->limits[d].has_value();
        table.rows.push_back(
            { std::to_string(d), bytesText(peaks[d]), plan && d < plan->peaks.size() ? bytesText(plan->peaks[d]) : "-",
                hasLimit ? bytesText(plan->limits[d].value_or(0)) : "-" });
    }
    return table.text(terminal) + "  Memory at its highest.\n";
}

std::string driftText(const Drift& drift, const RunPlan& plan, double factor, const Terminal& terminal)
{
    Table table;
    table.columns.push_back({ .heading = "stage", .align = Align::Right });
    table.columns.push_back({ .heading = "device", .align = Align::Right });
    std::vector<PassKind> shown;
    for (const PassKind kind : kinds)
        if (std::ranges::any_of(drift.ratio.values[index(kind)], [](double ratio) { return ratio > 0; })) {
            shown.push_back(kind);
            table.columns.push_back({ .heading = text(kind), .align = Align::Right });
        }
    for (std::int32_t s = 0; s < plan.pipeline.stages; ++s) {
        const StageId stage { s };
        std::string devices;
        for (const DeviceId device : plan.pipeline.devicesOf(stage))
            devices += (devices.empty() ? "" : ",") + std::to_string(device.value);
        std::vector<std::string> cells { std::to_string(s), devices };
        for (const PassKind kind : shown) {
            const double ratio = drift.ratio.of(kind, stage);
            cells.push_back(ratio > 0 ? fmt::format("{:.2f} x", ratio) : "-");
        }
        table.rows.push_back(std::move(cells));
    }
    std::string note = fmt::format("  Measured over planned time, median of {}", counted(drift.steps, "step"));
    if (factor != 1)
        note += fmt::format("; the plan's times are units, and were multiplied by {:.4g}", factor);
    return table.text(terminal) + paragraph(note + ".", terminal);
}

} // namespace

std::string noticeText(const RunNotice& notice, const Terminal& terminal)
{
    using Level = RunNotice::Level;
    const Ink ink = notice.level == Level::Error ? Ink::Error
        : notice.level == Level::Warning         ? Ink::Warning
                                                 : Ink::Plain;
    const std::string when
        = notice.at >= 0 ? fmt::format("{:>9.3f} s", static_cast<double>(notice.at) / 1e9) : std::string(11, ' ');
    std::string line
        = paint(when, Ink::Faint, terminal.colours) + "  " + paint(printable(notice.text), ink, terminal.colours);
    if (!notice.advice.empty())
        line += "\n             " + paint(printable(notice.advice), Ink::Faint, terminal.colours);
    return line + '\n';
}

std::string replayText(const Replayed& run, const Terminal& terminal)
{
    std::string text = headText(run, terminal) + '\n' + stepsText(run, terminal);
    const std::vector<MeasuredStepPtr> steps = run.lastWhole();
    if (const RunPlanPtr plan = run.plan(); plan && !steps.empty()) {
        const std::string of
            = steps.size() == 1 ? std::string("one step") : fmt::format("the last {} steps, medians", steps.size());
        text += '\n' + splitsText(timeSplit(steps, *plan), of, terminal);
        text += '\n' + driftText(drift(steps, *plan), *plan, run.planFactor(), terminal);
    }
    if (const std::string memory = memoryTable(run, terminal); !memory.empty())
        text += '\n' + memory;
    std::string notices;
    for (const RunNotice& notice : run.log->notices())
        if (notice.kind != RunNotice::Kind::Step)
            notices += noticeText(notice, terminal);
    return text + '\n' + notices;
}

std::string stepText(const MeasuredStep& step, const RunPlan& plan, const Terminal& terminal)
{
    double worst = 0;
    const PassEnded* latest = nullptr;
    for (const MeasuredRow& row : step.rows)
        for (const PassEnded& pass : row.passes)
            if (const auto late = lateness(pass, step, plan); late && static_cast<double>(*late) > worst) {
                worst = static_cast<double>(*late);
                latest = &pass;
            }
    std::string text = splitsText(timeSplit(step, plan), fmt::format("step {}", step.step), terminal);
    if (latest)
        text += fmt::format("  Latest against plan: {} on device {}, {} ms.\n", pipeloom::text(latest->pass),
            latest->device.value, ms(worst));
    return text;
}

std::string diffText(const Replayed& run, const Replayed& other, const Terminal& terminal)
{
    std::string text = fmt::format("A: {}\nB: {}\n\n", printable(run.path), printable(other.path));
    Table table;
    table.columns = { { .heading = "" }, { .heading = "A", .align = Align::Right },
        { .heading = "B", .align = Align::Right }, { .heading = "B / A", .align = Align::Right } };
    const auto row = [&](const std::string& name, double a, double b, const char* digits) {
        const auto number
            = [&](double value) { return value > 0 ? fmt::format(fmt::runtime(digits), value) : std::string("-"); };
        table.rows.push_back({ name, number(a), number(b), a > 0 && b > 0 ? fmt::format("{:.3f} x", b / a) : "-" });
    };
    row("steps", static_cast<double>(run.log->summaries().size()), static_cast<double>(other.log->summaries().size()),
        "{:.0f}");
    row("median step, ms", medianStepMs(*run.log), medianStepMs(*other.log), "{:.2f}");
    const RunPlanPtr plan = run.log->plan();
    const RunPlanPtr otherPlan = other.log->plan();
    const auto steps = run.lastWhole();
    const auto otherSteps = other.lastWhole();
    if (plan && otherPlan && !steps.empty() && !otherSteps.empty()) {
        const auto splits = timeSplit(steps, *plan);
        const auto otherSplits = timeSplit(otherSteps, *otherPlan);
        for (std::size_t d = 0; d < std::max(splits.size(), otherSplits.size()); ++d) {
            const TimeSplit a = d < splits.size() ? splits[d] : TimeSplit {};
            const TimeSplit b = d < otherSplits.size() ? otherSplits[d] : TimeSplit {};
            row(fmt::format("device {} compute, ms", d), static_cast<double>(a.compute) / 1e6,
                static_cast<double>(b.compute) / 1e6, "{:.2f}");
            row(fmt::format("device {} waiting and transfer, ms", d), static_cast<double>(a.waiting + a.transfer) / 1e6,
                static_cast<double>(b.waiting + b.transfer) / 1e6, "{:.2f}");
            row(fmt::format("device {} peak, MB", d), static_cast<double>(a.peak) / 1e6,
                static_cast<double>(b.peak) / 1e6, "{:.2f}");
        }
    }
    text += table.text(terminal);
    const auto& losses = run.log->summaries();
    const auto& others = other.log->summaries();
    std::string same = "\nNo step of both has a loss.\n";
    for (const StepSummary& step : losses) {
        const auto at = std::ranges::lower_bound(others, step.step, {}, &StepSummary::step);
        if (at == others.end() || at->step != step.step || !std::isfinite(step.loss) || !std::isfinite(at->loss))
            continue;
        same = "\nLosses are the same in all steps that both have.\n";
        if (step.loss != at->loss) {
            same
                = fmt::format("\nLosses differ first in step {}: {:.6f} and {:.6f}.\n", step.step, step.loss, at->loss);
            break;
        }
    }
    return text + same;
}

} // namespace pipeloom::cli
