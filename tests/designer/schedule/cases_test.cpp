// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Cases from practice (CASES.md) that the timeline answers for, named by their numbers.
#include "tests/designer/schedule/schedule_fixture.h"

#include <QElapsedTimer>

#include <cmath>

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;

class CasesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void case13ALargeScheduleIsDrawnPannedZoomedAndHovered();
    void case37EveryPassStartsAfterItsProducersAndTheirTransfers_data();
    void case37EveryPassStartsAfterItsProducersAndTheirTransfers();
    void case37APairTakesItsOwnTimeAndItsBubblesStay_data();
    void case37APairTakesItsOwnTimeAndItsBubblesStay();
};

/// p=64, m=512, one stage a device, split backward: 98,304 blocks. First paint within 1 s, a frame within 50 ms, hover picks
/// the right block, shown totals stay exact, memory is bounded. Sanitizers and busy machines make times longer, so the limit
/// is one of the median over all frames.
void CasesTest::case13ALargeScheduleIsDrawnPannedZoomedAndHovered()
{
    Design design = libraryDesign("zb-h1", 64, 512);
    QElapsedTimer clock;
    ShownPanel panel(emptyDesign(pipeline(PlacementKind::Linear, 4, 4, 4)), { 1920, 1040 });
    panel.document.reset(design, {});
    clock.start();
    panel.view().grab();
    QVERIFY2(clock.elapsed() < 1000, qPrintable(QString::number(clock.elapsed())));
    QCOMPARE(panel.data().timeline().passes.size(), std::size_t { 98304 });
    QVERIFY(panel.data().ownBytes() < panel.data().timeline().passes.size() * 32);
    std::vector<qint64> frames;
    const auto frame = [&](auto change) {
        change();
        clock.restart();
        panel.view().grab();
        frames.push_back(clock.elapsed());
    };
    for (int i = 0; i < 12; ++i)
        frame([&] { wheel(&panel.view(), { 900, 400 }, 120, Qt::ControlModifier); });
    for (int i = 0; i < 12; ++i)
        frame([&] { wheel(&panel.view(), { 900, 400 }, -120, Qt::ShiftModifier); });
    frame([&] { panel.view().fit(); });
    std::sort(frames.begin(), frames.end());
    QVERIFY2(frames[frames.size() / 2] < 50, qPrintable(QString::number(frames[frames.size() / 2])));
    // Zoom to one block, then hover it.
    const PassIndex pass = panel.find(31, PassKind::B, 300);
    panel.panel.showPass(panel.data().at(pass).pass);
    panel.view().focusSelection();
    panel.view().focusSelection();
    const QPoint middle = panel.middleOf(pass);
    QCOMPARE(hitTest(panel.view().scene(), middle).pass, pass);
    // Totals of the whole step are those of core, however it is shown.
    const Metrics& metrics = panel.data().metrics();
    const RangeFigures all = rangeFigures(panel.data(), { metrics.firstStart, metrics.lastEnd });
    QCOMPARE(all.busy, metrics.busy);
    QCOMPARE(all.passes, 98304);
}

void CasesTest::case37EveryPassStartsAfterItsProducersAndTheirTransfers_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<qlonglong>("transfer");
    QTest::addColumn<int>("form");
    for (const LibraryEntry& entry : library())
        for (const qlonglong transfer : { 0, 1, 4 })
            for (const Form form : { Form::Squeezed, Form::Reordered })
                QTest::addRow("%s, transfer %lld, %s", entry.name.data(), transfer, text(form))
                    << QString::fromLatin1(entry.name.data()) << transfer << static_cast<int>(form);
}

void CasesTest::case37EveryPassStartsAfterItsProducersAndTheirTransfers()
{
    QFETCH(QString, name);
    QFETCH(qlonglong, transfer);
    QFETCH(int, form);
    const ScheduleData data(figuresOf(libraryDesign(qPrintable(name), 4, 8, transfer), static_cast<Form>(form)));
    QVERIFY(!data.isEmpty());
    const TimelineScene scene = sceneOf(data);
    std::size_t producers = 0;
    for (PassIndex pass = 0; pass < static_cast<PassIndex>(data.timeline().passes.size()); ++pass)
        for (const PassIndex need : data.needs(pass)) {
            const bool crosses = data.deviceOf(need) != data.deviceOf(pass);
            const Ticks ready = data.at(need).end + (crosses ? transfer : 0);
            QVERIFY(data.at(pass).start >= ready);
            // And so it is drawn: its left edge is at or behind that time.
            QVERIFY(scene.rectOf(pass).left() >= std::round(scene.map.xOf(ready)) + scene.labelWidth - 1e-6);
            ++producers;
        }
    QVERIFY(producers > data.timeline().passes.size() / 2);
}

void CasesTest::case37APairTakesItsOwnTimeAndItsBubblesStay_data()
{
    QTest::addColumn<qlonglong>("pair");
    for (const qlonglong pair : { 3, 4, 6, 8 }) // F = 2, B = 4: 1.5, 2, 3 and 4 of the case, doubled to whole ticks
        QTest::addRow("%lld", pair) << pair;
}

void CasesTest::case37APairTakesItsOwnTimeAndItsBubblesStay()
{
    QFETCH(qlonglong, pair);
    Design design = pairedDesign();
    design.costs = unitCosts(2, 2, 4, 1, 4);
    design.costs.pair = pair;
    const FiguresPtr figures = figuresOf(design);
    if (pair < 4) { // shorter than the longer of its two passes
        QVERIFY(hasErrors(figures->findings));
        QVERIFY(!figures->plan.simulated());
        return;
    }
    QCOMPARE(std::any_of(figures->findings.begin(), figures->findings.end(),
                 [](const Finding& finding) { return finding.rule == "costs/pair"; }),
        pair > 6);
    const ScheduleData data(figures);
    const PassIndex forward = data.find({ StageId { 0 }, MicroBatch { 1 }, PassKind::F });
    QCOMPARE(data.at(forward).end - data.at(forward).start, static_cast<Ticks>(pair));
    // The pair waits for 1BW0, made at 2 + 2 + 4; until then device 0 is idle, and is drawn so.
    QCOMPARE(data.at(forward).start, Ticks { 8 });
    const TimelineScene scene = sceneOf(data);
    const TimelineHit hit
        = hitTest(scene, { scene.labelWidth + scene.map.xOf(5.0), scene.rectOf(forward).center().y() });
    QCOMPARE(hit.what, TimelineHit::What::Idle);
}

PIPELOOM_WINDOW_TEST_MAIN(CasesTest)
#include "cases_test.moc"
