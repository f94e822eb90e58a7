// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/measured/measured_costs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace pipeloom {

namespace {

constexpr std::array<PassKind, passKinds> kinds { PassKind::F, PassKind::B, PassKind::W, PassKind::BW };

/// Sum and number, for a mean.
struct Mean {
    double sum = 0;
    int count = 0;

    void add(double value)
    {
        sum += value;
        ++count;
    }
    void appendTo(std::vector<double>& means) const
    {
        if (count > 0)
            means.push_back(sum / count);
    }
};

std::size_t boundaryOf(const Pass& pass)
{
    return static_cast<std::size_t>(pass.kind == PassKind::F ? pass.stage.value : pass.stage.value - 1);
}

/// Medians; where there is none, that of the others' medians.
std::vector<double> usual(const std::vector<Spread>& places)
{
    std::vector<double> known;
    for (const Spread& place : places)
        if (place.count > 0)
            known.push_back(place.median);
    const double others = spreadOf(std::move(known)).median;
    std::vector<double> medians;
    for (const Spread& place : places)
        medians.push_back(place.count > 0 ? place.median : others);
    return medians;
}

/// Calls `visit(pass, index, isPair)` for every Compute; index as in StepTimes::passes.
template <class Visit> void forEachPass(const Program& program, Visit visit)
{
    std::size_t i = 0;
    for (std::size_t at = 0; at < program.instructions.size(); ++at) {
        const Instruction& instruction = program.instructions[at];
        if (instruction.op != Op::Compute)
            continue;
        const bool joinedNext = at + 1 < program.instructions.size() && program.instructions[at + 1].op == Op::Compute
            && program.instructions[at + 1].joined;
        visit(instruction.pass, i++, instruction.joined || joinedNext);
    }
}

} // namespace

BetweenPasses MeasuredCosts::between() const { return { usual(loop), usual(handOver) }; }

bool MeasuredCosts::hasAllOf(const Program& program) const
{
    bool all = true;
    forEachPass(program, [&](const Pass& pass, std::size_t, bool isPair) {
        all = all && (isPair ? pair.count > 0 : passes.of(pass.kind, pass.stage).count > 0);
    });
    return all;
}

void MeasuredCosts::complete(const MeasuredCosts& other)
{
    const auto take = [](Spread& to, const Spread& from) {
        if (to.count == 0)
            to = from;
    };
    for (std::size_t kind = 0; kind < passKinds; ++kind)
        for (std::size_t s = 0; s < passes.values[kind].size(); ++s) {
            if (passes.values[kind][s].count == 0)
                eachPass.values[kind][s] = other.eachPass.values[kind][s];
            take(passes.values[kind][s], other.passes.values[kind][s]);
        }
    for (std::size_t boundary = 0; boundary < handOver.size(); ++boundary)
        take(handOver[boundary], other.handOver[boundary]);
}

std::vector<Ticks> MeasuredCosts::passTimes(const Program& program) const
{
    std::vector<Ticks> times;
    forEachPass(program, [&](const Pass& pass, std::size_t, bool isPair) {
        times.push_back(std::llround(isPair ? pair.median : passes.of(pass.kind, pass.stage).median));
    });
    return times;
}

std::vector<Ticks> MeasuredCosts::drawnPassTimes(const Program& program, std::uint32_t draw) const
{
    std::minstd_rand random(draw + 1);
    std::vector<Ticks> times;
    Ticks ofPair = 0;
    bool isSecond = false;
    forEachPass(program, [&](const Pass& pass, std::size_t, bool isPair) {
        const auto& from = isPair ? eachPair : eachPass.of(pass.kind, pass.stage);
        const bool takesTheFirsts = isPair && isSecond; // both halves of a pair have its whole time
        const Ticks time = takesTheFirsts ? ofPair : std::llround(from[random() % from.size()]);
        ofPair = time;
        isSecond = isPair && !isSecond;
        times.push_back(time);
    });
    return times;
}

CostSamples::CostSamples(const Pipeline& pipeline)
    : loop_(static_cast<std::size_t>(pipeline.devices))
    , handOver_(static_cast<std::size_t>(std::max(pipeline.stages - 1, 0)))
{
    for (auto* table : { &passes_, &eachPass_ })
        for (auto& byStage : table->values)
            byStage.resize(static_cast<std::size_t>(pipeline.stages));
}

void CostSamples::add(const Program& program, const StepTimes& step)
{
    ByKindAndStage<Mean> means;
    for (std::size_t kind = 0; kind < passKinds; ++kind)
        means.values[kind].resize(passes_.values[kind].size());
    Mean pairs;
    forEachPass(program, [&](const Pass& pass, std::size_t i, bool isPair) {
        const auto time = static_cast<double>(step.passes[i]);
        (isPair ? pairs : means.values[index(pass.kind)][pass.stage.index()]).add(time);
        auto& each = isPair ? eachPair_ : eachPass_.values[index(pass.kind)][pass.stage.index()];
        if (each.size() < MeasuredCosts::mostSamples)
            each.push_back(time);
    });
    for (std::size_t kind = 0; kind < passKinds; ++kind)
        for (std::size_t s = 0; s < passes_.values[kind].size(); ++s)
            means.values[kind][s].appendTo(passes_.values[kind][s]);
    pairs.appendTo(pairs_);
    for (std::size_t d = 0; d < loop_.size(); ++d)
        if (step.loop[d])
            loop_[d].push_back(*step.loop[d]);
    for (const MeasuredHandOver& handOver : step.handOvers) {
        const Message& message = program.messages[static_cast<std::size_t>(handOver.message)];
        handOver_[boundaryOf(message.pass)].push_back(static_cast<double>(handOver.time));
    }
}

MeasuredCosts CostSamples::costs() const
{
    MeasuredCosts costs;
    for (std::size_t kind = 0; kind < passKinds; ++kind)
        for (const auto& steps : passes_.values[kind])
            costs.passes.values[kind].push_back(spreadOf(steps));
    costs.eachPass = eachPass_;
    costs.pair = spreadOf(pairs_);
    costs.eachPair = eachPair_;
    for (const auto& device : loop_)
        costs.loop.push_back(spreadOf(device));
    for (const auto& boundary : handOver_)
        costs.handOver.push_back(spreadOf(boundary));
    return costs;
}

double tickFor(double shortest)
{
    const double most = shortest / 1000 / 100;
    const double exponent = std::floor(std::log10(most));
    // Divided by whole powers of ten, so that it reads back as the short number that it is.
    const auto times = [&](double digit) {
        return exponent < 0 ? digit / std::pow(10.0, -exponent) : digit * std::pow(10.0, exponent);
    };
    for (const double digit : { 5.0, 2.0 })
        if (times(digit) <= most)
            return times(digit);
    return times(1.0);
}

Design withCosts(Design design, const MeasuredCosts& costs)
{
    double shortest = std::numeric_limits<double>::max();
    for (const PassKind kind : kinds)
        for (const Spread& pass : costs.passes.values[index(kind)])
            shortest = std::min(shortest, pass.median);
    design.costs.tickUs = tickFor(std::max(shortest, 1.0));
    const auto ticks = [&](double nanoseconds) { return std::llround(nanoseconds / 1000 / design.costs.tickUs); };

    const BetweenPasses between = costs.between();
    for (std::int32_t s = 0; s < design.pipeline.stages; ++s) {
        const StageId stage { s };
        double loop = 0;
        const auto devices = design.pipeline.devicesOf(stage);
        for (const DeviceId device : devices)
            loop += between.loop[device.index()] / static_cast<double>(devices.size());
        for (const PassKind kind : kinds)
            design.costs.ticks.values[index(kind)][stage.index()] = ticks(costs.passes.of(kind, stage).median + loop);
    }
    const double mostLoop = between.loop.empty() ? 0 : *std::ranges::max_element(between.loop);
    design.costs.pair.reset();
    if (costs.pair.count > 0)
        design.costs.pair = ticks(costs.pair.median + mostLoop);

    Network network;
    network.queue = design.network.queue;
    network.window = design.network.window;
    network.bytes = std::move(design.network.bytes);
    for (const double handOver : between.handOver)
        network.transfer.push_back(ticks(std::max(0.0, handOver - mostLoop)));
    design.network = std::move(network);
    return design;
}

Design withCosts(Design design, const MeasuredCosts& costs, const MemoryModel& memory, Bytes messageBytes)
{
    Design made = withCosts(std::move(design), costs);
    made.network.bytes.assign(made.network.transfer.size(), messageBytes);
    made.memory = memory;
    return made;
}

} // namespace pipeloom
