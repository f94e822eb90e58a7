// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// What holds for every design, tried on random ones (SCHEDULES.md 3.4, DESIGN.md 3.8).

#include "core/check/program_check.h"
#include "core/check/schedule_check.h"
#include "core/plan/plan.h"
#include "core/program/lower.h"
#include "core/program/program_memory.h"
#include "core/schedule/reorder.h"
#include "core/schedule/repeat.h"
#include "core/schedule/squeeze.h"
#include "core/simulate/critical_path.h"
#include "core/simulate/simulator.h"
#include "tests/support/random_legal_design.h"
#include "tests/support/sanitizers.h"

#include <QtTest>

#include <algorithm>
#include <map>

using namespace pipeloom;
using namespace pipeloom::test;

namespace {

constexpr int designs = sanitized ? 300 : 3000;
constexpr QueueModel allQueues[] = { QueueModel::Ideal, QueueModel::Directed, QueueModel::Pair, QueueModel::Device };

std::string sentence(const Findings& findings) { return findings.empty() ? std::string() : text(findings.front()); }

/// Times of a schedule worked out in the plainest way: sweep over all slots until nothing changes. None if it stops.
std::optional<std::map<std::string, Ticks>> endsByRelaxation(const Schedule& schedule, const Design& design)
{
    std::map<std::string, Ticks> end;
    std::vector<std::size_t> next(static_cast<std::size_t>(schedule.devices()), 0);
    std::vector<Ticks> free(next.size(), 0);
    const auto& pipeline = design.pipeline;
    const auto arrival = [&](int stage, MicroBatch j, bool forward, DeviceId at, int boundary) -> std::optional<Ticks> {
        for (const PassKind kind : { PassKind::F, PassKind::B, PassKind::BW }) {
            if (forward != (kind == PassKind::F))
                continue;
            const Pass made { StageId { stage }, j, kind };
            if (const auto found = end.find(text(made)); found != end.end())
                return found->second
                    + (pipeline.deviceOf(made) == at ? 0 : design.network.transferTicks(StageId { boundary }));
        }
        return std::nullopt;
    };
    for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t d = 0; d < next.size(); ++d) {
            const auto row = schedule.row(DeviceId { d });
            if (next[d] == row.size())
                continue;
            const Pass& pass = row[next[d]].first;
            Ticks start = free[d];
            bool ready = true;
            const auto need = [&](int stage, bool forward, int boundary) {
                if (stage < 0 || stage >= pipeline.stages)
                    return;
                const auto at = arrival(stage, pass.microBatch, forward, DeviceId { d }, boundary);
                ready = ready && at;
                start = std::max(start, at.value_or(0));
            };
            if (pass.kind == PassKind::F)
                need(pass.stage.value - 1, true, pass.stage.value - 1);
            else
                need(pass.stage.value, pass.kind != PassKind::W, 0);
            if (givesInputGradient(pass.kind))
                need(pass.stage.value + 1, false, pass.stage.value);
            if (!ready)
                continue;
            free[d] = end[text(pass)] = start + design.costs.of(pass);
            ++next[d];
            moved = true;
        }
    }
    for (std::size_t d = 0; d < next.size(); ++d)
        if (next[d] != schedule.row(DeviceId { d }).size())
            return std::nullopt;
    return end;
}

/// Hands on a random legal or illegal order: the slots of each device of a sound one, some of them moved.
Schedule disturbed(const Schedule& sound, RandomLegalDesign& random)
{
    std::vector<std::vector<Slot>> rows;
    for (std::int32_t d = 0; d < sound.devices(); ++d) {
        const auto row = sound.row(DeviceId { d });
        rows.emplace_back(row.begin(), row.end());
        for (int i = random.within(0, 3); i > 0; --i) {
            const int from = random.within(0, static_cast<int>(row.size()) - 1);
            const int to = random.within(0, static_cast<int>(row.size()) - 1);
            const Slot moved = rows.back()[static_cast<std::size_t>(from)];
            rows.back().erase(rows.back().begin() + from);
            rows.back().insert(rows.back().begin() + to, moved);
        }
    }
    return schedule(rows);
}

} // namespace

class PropertyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rawTimelinesAreLegalAndWithinBounds()
    {
        for (unsigned seed = 0; seed < designs; ++seed) {
            const Design design = RandomLegalDesign(seed).design();
            const BuildingBlock& block = *design.block();
            const Findings findings = check(block, design.pipeline);
            QVERIFY2(findings.empty(), sentence(findings).c_str());
            const Timeline raw = repeat(block, design.pipeline);
            const Metrics figures = metrics(raw, design.memory);
            MemoryModel still = design.memory;
            for (auto& kind : still.transient.values)
                std::fill(kind.begin(), kind.end(), 0); // the bound does not speak of transients
            const Metrics held = metrics(raw, still);
            const auto bound = bounds(block, design.pipeline, design.memory);
            for (std::int32_t d = 0; d < design.pipeline.devices; ++d) {
                const auto row = raw.row(DeviceId { d });
                for (std::size_t i = 1; i < row.size(); ++i)
                    QVERIFY(row[i].start >= row[i - 1].end);
                QVERIFY(held.devices[static_cast<std::size_t>(d)].peak <= bound[static_cast<std::size_t>(d)].value());
            }
            QVERIFY(figures.makespan() >= figures.ownSpan);
            QCOMPARE(
                check(repeatedOrder(block, design.pipeline), design.pipeline, design.costs).size(), std::size_t { 0 });
        }
    }

    void squeezingIsPlainListExecution()
    {
        for (unsigned seed = 0; seed < designs / 10; ++seed) {
            const Design design = RandomLegalDesign(seed).design();
            const Schedule order = repeatedOrder(*design.block(), design.pipeline);
            const auto timeline = squeeze(order, design.pipeline, design.costs, design.network);
            const auto ends = endsByRelaxation(order, design);
            QVERIFY(timeline && ends);
            for (const TimedPass& pass : timeline->passes)
                QCOMPARE(pass.end, ends->at(text(pass.pass)));
        }
    }

    void squeezingNeverStartsAPassLaterThanItIsDrawn()
    {
        for (unsigned seed = 0; seed < designs; ++seed) {
            Design design = RandomLegalDesign(seed).design();
            const BuildingBlock& block = *design.block();
            design.costs.ticks = block.durations;
            std::fill(design.network.transfer.begin(), design.network.transfer.end(), 0);
            const Timeline raw = repeat(block, design.pipeline);
            const auto squeezed
                = squeeze(repeatedOrder(block, design.pipeline), design.pipeline, design.costs, design.network);
            QVERIFY(squeezed);
            for (std::size_t i = 0; i < raw.passes.size(); ++i) {
                QCOMPARE(squeezed->passes[i].pass, raw.passes[i].pass);
                QVERIFY(squeezed->passes[i].start <= raw.passes[i].start);
            }
            const auto bound = bounds(block, design.pipeline, design.memory);
            MemoryModel still = design.memory;
            for (auto& kind : still.transient.values)
                std::fill(kind.begin(), kind.end(), 0);
            const Metrics held = metrics(*squeezed, still);
            for (std::size_t d = 0; d < bound.size(); ++d)
                QVERIFY(held.devices[d].peak <= bound[d].value());
        }
    }

    void reorderingIsNeverSlowerNorHoldsMoreThanItMay()
    {
        int faster = 0;
        for (unsigned seed = 0; seed < designs; ++seed) {
            const Design design = RandomLegalDesign(seed).design();
            const Schedule order = repeatedOrder(*design.block(), design.pipeline);
            Reorderer reorderer;
            reorderer.prepare(design.pipeline, design.costs, design.memory, design.network);
            OrderFigures squeezed, reordered;
            QVERIFY(reorderer.squeeze(order, squeezed));
            const Schedule made = reorderer.reorder(order, *design.reorder, reordered);
            const Findings findings = check(made, design.pipeline, design.costs);
            QVERIFY2(findings.empty(), sentence(findings).c_str());
            QVERIFY(reordered.makespan <= squeezed.makespan);
            faster += reordered.makespan < squeezed.makespan;
            const Bytes highest = *std::max_element(squeezed.peak.begin(), squeezed.peak.end());
            for (std::size_t d = 0; d < squeezed.peak.size(); ++d)
                QVERIFY(reordered.peak[d] <= std::max(design.memory.limit[d].value_or(highest), squeezed.peak[d]));
            OrderFigures again;
            QVERIFY(reorderer.squeeze(made, again));
            QCOMPARE(again.makespan, reordered.makespan);
            QCOMPARE(again.peak, reordered.peak);
            if (design.reorder->rule == ReorderRule::Weights)
                for (std::int32_t d = 0; d < design.pipeline.devices; ++d)
                    QCOMPARE(withoutW(made, d), withoutW(order, d));
        }
        QVERIFY2(faster > designs / 20, "reordering found next to nothing");
    }

    void plansKeepThePromisesUnderEveryQueueModel()
    {
        for (unsigned seed = 0; seed < designs / 5; ++seed) {
            const Design design = RandomLegalDesign(seed).design();
            for (const QueueModel queue : allQueues) {
                const Plan squeezed = plan(design, { Form::Squeezed, queue });
                const Plan reordered = plan(design, { Form::Reordered, queue });
                QVERIFY(squeezed.simulated() && reordered.simulated());
                QVERIFY(reordered.metrics.makespan() <= squeezed.metrics.makespan());
                Bytes highest = 0;
                for (const DeviceMetrics& device : squeezed.metrics.devices)
                    highest = std::max(highest, device.peak);
                for (std::size_t d = 0; d < squeezed.metrics.devices.size(); ++d)
                    QVERIFY(reordered.metrics.devices[d].peak
                        <= std::max(design.memory.limit[d].value_or(highest), squeezed.metrics.devices[d].peak));
            }
        }
    }

    void everyLoweringRunsAndMoreQueuesAreNeverFaster()
    {
        for (unsigned seed = 0; seed < designs / 5; ++seed) {
            const Design design = RandomLegalDesign(seed).design();
            const Schedule order = repeatedOrder(*design.block(), design.pipeline);
            std::map<QueueModel, Ticks> step;
            for (const QueueModel queue : allQueues) {
                const auto program = lower(order, design.pipeline, design.network, queue);
                QVERIFY(program);
                const Findings findings = check(*program, design.pipeline, queue);
                QVERIFY2(findings.empty(), sentence(findings).c_str());
                const auto timeline = simulate(*program, design.pipeline, design.costs, design.network, queue);
                QVERIFY(timeline);
                step[queue] = metrics(*timeline, design.memory).makespan();
                const std::vector<PathStep> path = criticalPath(*timeline, design.pipeline);
                QCOMPARE(path.back().end, metrics(*timeline, design.memory).lastEnd);
                for (std::size_t i = 1; i < path.size(); ++i)
                    QCOMPARE(path[i].start, path[i - 1].end);
                QCOMPARE(path.front().start, Ticks { 0 });
            }
            QVERIFY(step[QueueModel::Ideal] <= step[QueueModel::Directed]);
            QVERIFY(step[QueueModel::Ideal] <= step[QueueModel::Pair]);
            QVERIFY(step[QueueModel::Pair] <= step[QueueModel::Device]);
            const auto ideal = squeeze(order, design.pipeline, design.costs, design.network);
            QCOMPARE(metrics(ideal.value(), design.memory).makespan(), step[QueueModel::Ideal]);
        }
    }

    void aWrongOrderIsRefusedIfAndOnlyIfItCannotRun()
    {
        int refused = 0;
        for (unsigned seed = 0; seed < designs; ++seed) {
            RandomLegalDesign random(seed);
            const Design design = random.design();
            const Schedule order = disturbed(repeatedOrder(*design.block(), design.pipeline), random);
            const Findings findings = check(order, design.pipeline, design.costs);
            const bool runs = endsByRelaxation(order, design).has_value();
            QVERIFY2(runs == !hasErrors(findings), sentence(findings).c_str());
            refused += !runs;
            QCOMPARE(squeeze(order, design.pipeline, design.costs, design.network).has_value(), runs);
            for (const Finding& finding : findings) {
                QVERIFY(finding.rule == "schedule/order" || finding.rule == "schedule/deadlock");
                QVERIFY(!finding.where.empty() && !finding.remedy.empty());
            }
        }
        QVERIFY2(refused > designs / 10 && refused < designs, "the orders were not disturbed enough, or too much");
    }

private:
    static std::vector<std::string> withoutW(const Schedule& schedule, std::int32_t device)
    {
        std::vector<std::string> names;
        for (const Slot& slot : schedule.row(DeviceId { device }))
            if (slot.first.kind != PassKind::W)
                names.push_back(text(slot));
        return names;
    }
};

QTEST_APPLESS_MAIN(PropertyTest)
#include "property_test.moc"
