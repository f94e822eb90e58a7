// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/compare/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace pipeloom::designer {

namespace {

std::int64_t total(const std::vector<std::int64_t>& byStage)
{
    return std::accumulate(byStage.begin(), byStage.end(), std::int64_t { 0 });
}

double workUs(const Design& design, PassKind kind)
{
    return static_cast<double>(total(design.costs.ticks.values[index(kind)])) * design.costs.tickUs;
}

std::string timeText(double us)
{
    return us >= 1e6 ? fmt::format("{:.4g} s", us / 1e6)
        : us >= 1000 ? fmt::format("{:.4g} ms", us / 1000)
                     : fmt::format("{:.4g} us", us);
}

/// The different texts among the designs, in their order.
template <class Text> std::vector<std::string> different(const std::vector<DesignPtr>& designs, Text text)
{
    std::vector<std::string> found;
    for (const DesignPtr& design : designs)
        if (std::string value = text(*design); std::find(found.begin(), found.end(), value) == found.end())
            found.push_back(std::move(value));
    return found;
}

} // namespace

double activationShare(const Design& design)
{
    const Bytes held = total(design.memory.change.values[index(PassKind::F)]);
    return design.pipeline.devices > 0 && held > 0 ? static_cast<double>(held) / design.pipeline.devices : 1;
}

std::optional<ComparedFigures> comparedFigures(const Figures& figures)
{
    if (!figures.plan.simulated() || !figures.planned || figures.standing != Standing::Whole)
        return std::nullopt;
    const Design& design = *figures.planned;
    const Metrics& metrics = figures.plan.metrics;
    const double unit = design.memory.unit == MemoryUnit::Activation ? activationShare(design) : 1;
    ComparedFigures made;
    made.stepUs = static_cast<double>(metrics.makespan()) * design.costs.tickUs;
    made.ownSpanUs = static_cast<double>(metrics.ownSpan) * design.costs.tickUs;
    made.idleShare = metrics.idleShare();
    made.ownSpanBubble = metrics.ownSpanBubble();
    for (std::size_t d = 0; d < metrics.devices.size(); ++d) {
        made.peak = std::max(made.peak, static_cast<double>(metrics.devices[d].peak) / unit);
        if (d < figures.bounds.size() && figures.bounds[d])
            made.bound = std::max(made.bound.value_or(0), static_cast<double>(*figures.bounds[d]) / unit);
        if (const std::optional<Bytes> limit = design.memory.limit[d])
            made.limitKept = made.limitKept.value_or(true) && metrics.devices[d].peak <= *limit;
    }
    return made;
}

Basis basisOf(const std::vector<DesignPtr>& designs)
{
    Basis basis;
    if (designs.empty())
        return basis;
    std::vector<std::string> equal;
    std::vector<std::string> unequal;
    const auto look = [&](auto&& text, const std::string& same, const std::string& other) {
        const std::vector<std::string> values = different(designs, text);
        if (values.size() == 1)
            equal.push_back(fmt::format(fmt::runtime(same), values[0]));
        else
            unequal.push_back(fmt::format("{} ({})", other, fmt::join(values, ", ")));
    };
    look([](const Design& d) { return fmt::format("{}", d.pipeline.devices); }, "{} devices", "devices");
    look([](const Design& d) { return fmt::format("{}", d.pipeline.microBatches); }, "{} micro-batches",
        "micro-batches");
    look(
        [](const Design& d) {
            return fmt::format("F {}, B {}, W {}, BW {}", timeText(workUs(d, PassKind::F)),
                timeText(workUs(d, PassKind::B)), timeText(workUs(d, PassKind::W)), timeText(workUs(d, PassKind::BW)));
        },
        "work of a micro-batch {}", "work of a micro-batch");
    look(
        [](const Design& d) { return std::string(d.memory.unit == MemoryUnit::Byte ? "bytes" : "micro-batches held"); },
        "memory in {}", "unit of memory");
    const std::vector<std::string> queues
        = different(designs, [](const Design& d) { return std::string(text(d.network.queue)); });
    if (queues.size() > 1)
        unequal.push_back(fmt::format("queues ({})", fmt::join(queues, ", ")));
    basis.isOne = unequal.empty();
    basis.sentence = basis.isOne
        ? fmt::format("Equal devices and equal model: {}.", fmt::join(equal, " · "))
        : fmt::format("Not on one basis, so nothing is called better: they differ in {}.", fmt::join(unequal, "; "));
    return basis;
}

LibraryDesign libraryLike(const LibraryEntry& entry, std::int32_t chunks, const Design& like)
{
    LibraryRequest request;
    request.devices = like.pipeline.devices;
    request.microBatches = like.pipeline.microBatches;
    request.chunks = chunks;
    const LibraryDesign trial = entry.make(request);
    if (!trial.design)
        return trial;
    const std::int64_t stages = trial.design->pipeline.stages;
    // Ticks are cut into `finer` parts, so that every pass of every chunk takes a whole number of them.
    std::array<std::int64_t, passKinds> work {};
    std::int64_t finer = 1;
    for (std::size_t kind = 0; kind < work.size(); ++kind) {
        work[kind] = total(like.costs.ticks.values[kind]);
        finer = std::lcm(finer, stages / std::gcd(stages, work[kind]));
    }
    const auto share = [&](PassKind kind) { return work[index(kind)] * finer / stages; };
    request.f = share(PassKind::F);
    request.b = share(PassKind::B);
    request.w = share(PassKind::W);
    request.bw = share(PassKind::BW);
    for (std::int32_t s = 0; s + 1 < like.pipeline.stages; ++s)
        request.transfer = std::max(request.transfer, like.network.transferTicks(StageId { s }) * finer);
    LibraryDesign made = entry.make(request);
    if (!made.design)
        return made;
    Design& design = *made.design;
    design.costs.tickUs = like.costs.tickUs / static_cast<double>(finer);
    design.network.queue = like.network.queue;
    design.network.window = like.network.window;
    const auto devices = static_cast<std::size_t>(design.pipeline.devices);
    if (like.memory.unit == MemoryUnit::Byte) {
        design.memory.unit = MemoryUnit::Byte;
        const auto set = [&](PassKind kind, Bytes bytes) {
            design.memory.change.values[index(kind)].assign(static_cast<std::size_t>(stages), bytes);
        };
        const Bytes held = total(like.memory.change.values[index(PassKind::F)]) / stages;
        const Bytes kept = total(like.memory.change.values[index(PassKind::B)]) / stages;
        set(PassKind::F, held);
        set(PassKind::B, kept);
        set(PassKind::W, -(held + kept));
        set(PassKind::BW, -held);
    }
    const double scale = like.memory.unit == MemoryUnit::Byte ? 1 : activationShare(design) / activationShare(like);
    const auto scaled
        = [scale](Bytes amount) { return static_cast<Bytes>(std::floor(static_cast<double>(amount) * scale)); };
    for (std::size_t d = 0; d < devices; ++d) {
        design.memory.fixed[d] = scaled(like.memory.fixed[d]);
        design.memory.communication[d] = scaled(like.memory.communication[d]);
        if (like.memory.limit[d])
            design.memory.limit[d] = scaled(*like.memory.limit[d]);
    }
    return made;
}

} // namespace pipeloom::designer
