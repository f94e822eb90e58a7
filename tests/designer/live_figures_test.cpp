// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/figures/live_figures.h"
#include "core/library/library.h"
#include "tests/designer/window_test_main.h"

#include <QSignalSpy>

using namespace pipeloom;
using namespace pipeloom::designer;

class LiveFiguresTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aSmallDesignIsPlannedAtOnce();
    void whatDoesNotFitTheFrameComesFromTheWorkerAndTheNewestWins();
    void ifOnlyReorderingIsTooSlowTheSqueezedFormStandsIn();
    void brokenBlocksKeepFiguresOfTheirOrder();
    void aBlockThatLacksPassesKeepsTheLastFiguresWithTheReason();
    void figuresOfAnEarlierDesignAreMarkedWhileNewOnesAreMade();
    void givenUpWorkLeavesTheEarlierFigures();
    void whatIfIsAViewUntilItIsApplied();
    void onePerCentIsOnePerCentWhateverTheTick();

private:
    static Design vHalf(std::int32_t devices, std::int32_t microBatches)
    {
        LibraryRequest request;
        request.devices = devices;
        request.microBatches = microBatches;
        return *findInLibrary("v-half")->make(request).design;
    }
};

void LiveFiguresTest::aSmallDesignIsPlannedAtOnce()
{
    Document document;
    LiveFigures live(document);
    document.reset(vHalf(4, 8), {});
    QVERIFY(!live.isBusy());
    QCOMPARE(live.figures()->standing, Standing::Whole);
    QCOMPARE(live.figures()->plan.form, Form::Reordered);
    QCOMPARE(live.figures()->plan.metrics.makespan(), Ticks { 53 });
    QCOMPARE(live.figures()->squeezedTicks, Ticks { 59 });
}

void LiveFiguresTest::whatDoesNotFitTheFrameComesFromTheWorkerAndTheNewestWins()
{
    Document document;
    LiveFigures live(document);
    live.setBudgetUs(0);
    document.reset(vHalf(8, 64), {});
    QVERIFY(live.isBusy());
    for (const std::int32_t m : { 65, 66, 67 })
        document.apply({ vHalf(8, m), "Another", {} });
    QTRY_VERIFY(!live.isBusy());
    QCOMPARE(live.figures()->design->pipeline.microBatches, 67);
    QCOMPARE(live.figures()->planned->pipeline.microBatches, 67);
    QCOMPARE(live.figures()->standing, Standing::Whole);
}

void LiveFiguresTest::ifOnlyReorderingIsTooSlowTheSqueezedFormStandsIn()
{
    Document document;
    LiveFigures live(document);
    const Design design = vHalf(8, 64);
    live.setBudgetUs(450LL * 8 * 2 * 3 * 64 / 1000); // between what squeezing and reordering are taken to cost at first
    document.reset(design, {});
    QVERIFY(live.figures()->pending);
    QCOMPARE(live.figures()->plan.form, Form::Squeezed);
    QTRY_VERIFY(!live.figures()->pending);
    QCOMPARE(live.figures()->plan.form, Form::Reordered);
}

void LiveFiguresTest::brokenBlocksKeepFiguresOfTheirOrder()
{
    Document document;
    LiveFigures live(document);
    Design broken = vHalf(4, 8);
    for (BlockPass& placed : std::get<BuildingBlock>(broken.plan).passes)
        if (placed.slot.first.stage.value == 7 && placed.slot.first.kind == PassKind::W)
            placed.start = 18;
    document.reset(broken, {});
    QCOMPARE(live.figures()->standing, Standing::OfItsOrder);
    QVERIFY(live.figures()->plan.simulated());
}

void LiveFiguresTest::aBlockThatLacksPassesKeepsTheLastFiguresWithTheReason()
{
    Document document;
    LiveFigures live(document);
    document.reset(vHalf(4, 8), {});
    Design lacking = vHalf(4, 8);
    std::get<BuildingBlock>(lacking.plan).passes.pop_back();
    document.apply({ lacking, "Delete", {} });
    QCOMPARE(live.figures()->standing, Standing::Earlier);
    QVERIFY(live.figures()->plan.simulated());
    QVERIFY(live.figures()->reason.find("23 of 24 passes are placed") != std::string::npos);
    // Another document starts without them.
    document.reset(lacking, {});
    QCOMPARE(live.figures()->standing, Standing::None);
}

void LiveFiguresTest::figuresOfAnEarlierDesignAreMarkedWhileNewOnesAreMade()
{
    Document document;
    LiveFigures live(document);
    document.reset(vHalf(4, 8), {});
    live.markEarlier(); // nothing is being made
    QCOMPARE(live.figures()->standing, Standing::Whole);
    live.setBudgetUs(0);
    document.apply({ vHalf(16, 512), "Large", {} });
    live.markEarlier();
    QCOMPARE(live.figures()->standing, Standing::Earlier);
    QCOMPARE(live.figures()->plan.metrics.makespan(), Ticks { 53 });
    QTRY_COMPARE(live.figures()->standing, Standing::Whole);
    QCOMPARE(live.figures()->planned->pipeline.devices, 16);
}

void LiveFiguresTest::givenUpWorkLeavesTheEarlierFigures()
{
    Document document;
    LiveFigures live(document);
    document.reset(vHalf(4, 8), {});
    live.setBudgetUs(0);
    document.apply({ vHalf(16, 512), "Large", {} });
    QVERIFY(live.isBusy());
    live.cancel();
    QCOMPARE(live.figures()->standing, Standing::Earlier);
    QCOMPARE(live.figures()->planned->pipeline.devices, 4);
    QTRY_VERIFY(!live.isBusy());
    QCOMPARE(live.figures()->standing, Standing::Earlier);
}

void LiveFiguresTest::whatIfIsAViewUntilItIsApplied()
{
    Document document;
    LiveFigures live(document);
    document.reset(vHalf(4, 8), {});
    WhatIf slower;
    slower.devicePercent = { 0, 0, 100, 0 };
    live.setWhatIf(slower);
    QVERIFY(live.figures()->plan.metrics.makespan() > 53);
    QCOMPARE(document.undoStack().count(), 0);
    document.apply({ applied(slower, *document.committed()), "Slower", {} });
    live.setWhatIf({});
    QCOMPARE(document.committed()->costs.ticks.of(PassKind::F, StageId { 2 }), Ticks { 2 });
    QCOMPARE(document.undoStack().count(), 1);
}

void LiveFiguresTest::onePerCentIsOnePerCentWhateverTheTick()
{
    Document document;
    LiveFigures live(document);
    live.setForm(Form::Squeezed);
    document.reset(vHalf(4, 8), {}); // a tick of 1 ms for every pass
    WhatIf slower;
    slower.devicePercent = { 1 };
    live.setWhatIf(slower);
    const Design& shown = *live.figures()->design;
    QCOMPARE(shown.costs.tickUs, 10.0);
    QCOMPARE(shown.costs.ticks.of(PassKind::F, StageId { 0 }), Ticks { 101 });
    QCOMPARE(shown.costs.ticks.of(PassKind::BW, StageId { 7 }), Ticks { 202 });
    QCOMPARE(shown.costs.ticks.of(PassKind::F, StageId { 1 }), Ticks { 100 });
    // 48 passes of the slower device, each 0.01 ms longer: the step is longer by that at most.
    const double ms = static_cast<double>(live.figures()->plan.metrics.makespan()) * shown.costs.tickUs / 1000;
    QVERIFY2(ms > 59 && ms <= 59 + 0.48 + 1e-9, qPrintable(QString::number(ms)));
    // Large ticks need no cutting, and are rounded up.
    Design fine = vHalf(4, 8);
    for (auto& byStage : fine.costs.ticks.values)
        for (Ticks& ticks : byStage)
            ticks *= 1234;
    QCOMPARE(cutsFor(slower, fine), Ticks { 1 });
    QCOMPARE(applied(slower, fine).costs.ticks.of(PassKind::F, StageId { 0 }), Ticks { 1247 });
}

PIPELOOM_WINDOW_TEST_MAIN(LiveFiguresTest)
#include "live_figures_test.moc"
