// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/lateness.h"
#include "app/designer/run/plan_hit.h"
#include "app/designer/run/plan_painter.h"
#include "tests/designer/run/plan_fixture.h"

#include <cmath>

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;

namespace {

/// A picture of a step, drawn at a scale and a ratio.
struct Drawn {
    explicit Drawn(std::vector<RunEvent> events, double ratio = 1, double width = 1200)
    {
        for (RunEvent& event : events)
            log.add(std::move(event));
        picture = RunPicture(log.newest(), log.plan());
        for (std::int32_t d = 0; d < picture.devices(); ++d)
            labels.push_back({ QString("dev %1").arg(d), {}, {} });
        scene.picture = &picture;
        scene.labels = &labels;
        scene.width = width;
        scene.height = PlanScene::rulerHeight + picture.devices() * scene.rowHeight;
        scene.map = { 0, scene.plotWidth() / (static_cast<double>(picture.last()) * 1.05) };
        scene.ratio = ratio;
        scene.memory = picture.hasMemory();
        scene.theme = &lightTheme();
        paint();
    }
    void paint() { painter.paint(image, scene); }
    QRgb at(QPointF place) const
    {
        return image.pixel(static_cast<int>(std::floor(place.x() * scene.ratio)),
            static_cast<int>(std::floor(place.y() * scene.ratio)));
    }
    /// Inside of a pass that ran, above its label.
    QRgb insideOf(const Pass& pass) const
    {
        const QRectF rect = scene.actualRect(picture.findActual(pass));
        return at({ rect.center().x(), rect.top() + 3 });
    }
    int count(const QRectF& area, QRgb colour) const
    {
        int found = 0;
        for (double y = area.top(); y < area.bottom(); y += 1 / scene.ratio)
            for (double x = area.left(); x < area.right(); x += 1 / scene.ratio)
                found += at({ x, y }) == colour ? 1 : 0;
        return found;
    }

    RunLog log;
    RunPicture picture;
    std::vector<PlanLabel> labels;
    PlanScene scene;
    PlanPainter painter;
    QImage image;
};

double luminance(QRgb colour)
{
    const auto linear = [](int part) {
        const double share = part / 255.0;
        return share <= 0.03928 ? share / 12.92 : std::pow((share + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(qRed(colour)) + 0.7152 * linear(qGreen(colour)) + 0.0722 * linear(qBlue(colour));
}

double contrast(QRgb a, QRgb b)
{
    const double high = std::max(luminance(a), luminance(b));
    const double low = std::min(luminance(a), luminance(b));
    return (high + 0.05) / (low + 0.05);
}

} // namespace

class PlanDrawingTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { failOnWarnings(); }
    void everyDrawnPassCanBeHit_data();
    void everyDrawnPassCanBeHit();
    void colourTellsEarlyOnTimeAndLate();
    void textOnLatenessCanBeRead();
    void thePlanIsAnOutlineAndWhatRanIsFilled();
    void whatIsOnItsWayIsHatchedAndWaitingIsNot();
    void memoryIsFilledThePlanDashedAndTheLimitRed();
    void narrowPassesBecomeStripsThatCountThem();
    void theRulerHasNiceTimes();
};

void PlanDrawingTest::everyDrawnPassCanBeHit_data()
{
    QTest::addColumn<double>("ratio");
    QTest::addColumn<double>("width");
    QTest::addColumn<double>("rowHeight");
    for (const double ratio : { 1.0, 1.5, 2.0 })
        for (const double width : { 420.0, 1200.0, 4000.0 })
            for (const double rowHeight : { 20.0, 116.0 })
                QTest::addRow("ratio %g, width %g, rows %g", ratio, width, rowHeight) << ratio << width << rowHeight;
}

void PlanDrawingTest::everyDrawnPassCanBeHit()
{
    QFETCH(double, ratio);
    QFETCH(double, width);
    QFETCH(double, rowHeight);
    RunRecipe recipe = recipeOfMs();
    recipe.slower = { 1, 1.3, 1, 0.8 };
    Drawn drawn(eventsOf(recipe), ratio, width);
    drawn.scene.rowHeight = rowHeight;
    for (std::int32_t d = 0; d < drawn.picture.devices(); ++d) {
        const TimelineRow planned = drawn.scene.planned(d);
        for (std::size_t i = 0; i < planned.passes.size(); ++i) {
            const PassPlace place { DeviceId { d }, static_cast<std::int32_t>(i) };
            const PlanHit hit = hitTest(drawn.scene, drawn.scene.plannedRect(place).center());
            QCOMPARE(hit.what, PlanHit::What::Planned);
            QCOMPARE(hit.pass, place);
        }
        const TimelineRow actual = drawn.scene.actual(d);
        for (std::size_t i = 0; i < actual.passes.size(); ++i) {
            const PassPlace place { DeviceId { d }, static_cast<std::int32_t>(i) };
            const QRectF rect = drawn.scene.actualRect(place);
            for (const QPointF& point : { rect.center(), rect.topLeft() + QPointF(0.01, 0.01) }) {
                const PlanHit hit = hitTest(drawn.scene, point);
                QCOMPARE(hit.what, PlanHit::What::Actual);
                QCOMPARE(hit.pass, place);
            }
        }
    }
}

void PlanDrawingTest::colourTellsEarlyOnTimeAndLate()
{
    const Pass early = pass(3, PassKind::F, 0); // planned at 3 ms
    const Pass late = pass(0, PassKind::W, 7);
    const Drawn drawn(eventsOf(recipeOfMs(), [&](RunEvent& event) {
        if (auto* ran = std::get_if<PassEnded>(&event)) {
            const Nanos by = ran->pass == early ? -2'600'000 : ran->pass == late ? 20 * ms : 0;
            ran->start += by;
            ran->end += by;
        }
        return true;
    }));
    const std::vector<PassTone> tones = latenessTones(lightTheme());
    QCOMPARE(drawn.insideOf(pass(0, PassKind::F, 0)), tones[RunPicture::onTime].fill);
    QCOMPARE(drawn.insideOf(late), tones.back().fill);
    // 2.6 of 5.9 ms: three or four of the eight steps to the earliest.
    const QRgb seen = drawn.insideOf(early);
    QVERIFY(seen == tones[4].fill || seen == tones[5].fill);
    QVERIFY(qBlue(seen) > qRed(seen));
    QVERIFY(qRed(tones.back().fill) > qBlue(tones.back().fill));
}

void PlanDrawingTest::textOnLatenessCanBeRead()
{
    for (const Theme* theme : { &lightTheme(), &darkTheme() })
        for (const PassTone& tone : latenessTones(*theme))
            QVERIFY2(
                contrast(tone.fill, tone.text) >= 4.5, qPrintable(QString::number(contrast(tone.fill, tone.text))));
}

void PlanDrawingTest::thePlanIsAnOutlineAndWhatRanIsFilled()
{
    Drawn drawn(eventsOf(recipeOfMs()));
    drawn.scene.colours = RunColours::Kind;
    drawn.paint();
    for (const Pass& each : { pass(0, PassKind::F, 0), pass(0, PassKind::B, 3), pass(0, PassKind::W, 3) }) {
        const QRectF rect = drawn.scene.plannedRect(drawn.picture.findPlanned(each));
        const QRgb edge = lightTheme().of(each.kind).edge.rgb();
        QCOMPARE(drawn.at(rect.center()), lightTheme().idle.rgb());
        QCOMPARE(drawn.at({ rect.left(), rect.center().y() }), edge);
        QCOMPARE(drawn.at({ rect.right() - 1, rect.center().y() }), edge);
        QCOMPARE(drawn.at({ rect.center().x(), rect.top() }), edge);
        QCOMPARE(drawn.insideOf(each), lightTheme().of(each.kind).fill.rgb());
    }
    const Drawn cut(eventsOf(recipeOfMs(), cutStep(0, 20 * ms)));
    const QPointF after(cut.scene.xOf(30 * ms), cut.scene.bandsAt(0).passTop + 5);
    QCOMPARE(cut.at(after), lightTheme().panel.rgb()); // not yet: not even idle
}

void PlanDrawingTest::whatIsOnItsWayIsHatchedAndWaitingIsNot()
{
    const Drawn drawn(eventsOf(recipeOfMs(), [began = Nanos { 0 }](RunEvent& event) mutable {
        if (const auto* begin = std::get_if<StepBegan>(&event))
            began = begin->at;
        if (auto* ran = std::get_if<PassEnded>(&event); ran && ran->pass == pass(3, PassKind::F, 0)) {
            ran->start = began + 4 * ms - 100'000; // planned at 3 ms
            ran->end = began + 4 * ms;
        }
        if (auto* moved = std::get_if<TransferEnded>(&event); moved && moved->pass == pass(2, PassKind::F, 0)) {
            moved->start = began + 2 * ms;
            moved->end = began + 4 * ms - 100'000;
        }
        return true;
    }));
    const PlanBands bands = drawn.scene.bandsAt(3);
    const auto band = [&](Ticks from, Ticks to) {
        return QRectF(QPointF(drawn.scene.xOf(from) + 2, bands.passTop + 1),
            QPointF(drawn.scene.xOf(to) - 2, bands.passTop + bands.passHeight - 1));
    };
    const QRgb line = lightTheme().transfer.rgb();
    const QRectF onItsWay = band(2 * ms, 4 * ms - 100'000);
    QVERIFY(drawn.count(onItsWay, line) > onItsWay.width() * onItsWay.height() / 6);
    QCOMPARE(drawn.count(band(0, 2 * ms), line), 0);
    QVERIFY(drawn.count(band(0, 2 * ms), lightTheme().idle.rgb()) > 100);
}

void PlanDrawingTest::memoryIsFilledThePlanDashedAndTheLimitRed()
{
    RunRecipe recipe = recipeOfMs();
    recipe.design.memory.unit = MemoryUnit::Byte;
    recipe.design.memory.limit.assign(4, Bytes { 10 });
    const auto told = [](RunEvent& event) {
        if (auto* ran = std::get_if<PassEnded>(&event))
            ran->bytes = 4;
        if (auto* peak = std::get_if<MemoryPeaked>(&event))
            peak->peak = 4;
        return true;
    };
    const Drawn drawn(eventsOf(recipe, told));
    const PlanBands bands = drawn.scene.bandsAt(1);
    const double y = bands.memoryTop + bands.memoryHeight;
    const auto levelAt = [&](double level) { return y - level / 10 * bands.memoryHeight; };
    const double x = drawn.scene.xOf(30 * ms);
    QCOMPARE(drawn.at({ x, levelAt(2) }), lightTheme().memoryFill.rgb());
    QVERIFY(drawn.at({ x, levelAt(8) }) == lightTheme().panel.rgb());
    const QRectF top(drawn.scene.labelWidth, bands.memoryTop, drawn.scene.plotWidth(), 1);
    const int dashes = drawn.count(top, mixed(lightTheme().limit, lightTheme().panel, 0.25).rgb());
    QVERIFY(dashes > top.width() / 3 && dashes < top.width() * 2 / 3);
    const QRectF all(drawn.scene.labelWidth, bands.memoryTop, drawn.scene.plotWidth(), bands.memoryHeight);
    QVERIFY(drawn.count(all, lightTheme().muted.rgb()) > 100); // the plan

    // Without bytes told with the passes: a line at the peak.
    const Drawn peakOnly(eventsOf(recipe, [&](RunEvent& event) {
        told(event);
        if (auto* ran = std::get_if<PassEnded>(&event))
            ran->bytes = -1;
        return true;
    }));
    QCOMPARE(peakOnly.count(all, lightTheme().memoryFill.rgb()), 0);
    QVERIFY(peakOnly.count({ all.left(), levelAt(4) - 1, all.width(), 3 }, lightTheme().memoryLine.rgb()) > 500);
}

void PlanDrawingTest::narrowPassesBecomeStripsThatCountThem()
{
    RunRecipe recipe = recipeOfMs();
    recipe.design = libraryDesign("v-half", 4, 200);
    const Drawn drawn(eventsOf(recipe), 1, 500);
    const PlanBands bands = drawn.scene.bandsAt(2);
    const double x = drawn.scene.xOf(drawn.picture.last() / 2);
    for (const auto& [y, what] : { std::pair(bands.planTop + bands.planHeight - 2, PlanHit::What::MergedPlanned),
             std::pair(bands.passTop + bands.passHeight - 2, PlanHit::What::MergedActual) }) {
        const PlanHit hit = hitTest(drawn.scene, { x, y });
        QCOMPARE(hit.what, what);
        QVERIFY(hit.count > 1);
    }
    const PlanHit hit = hitTest(drawn.scene, { x, bands.passTop + bands.passHeight - 2 });
    QCOMPARE(tipLines(drawn.picture, hit), QStringList { QString("%1 passes, zoom in").arg(hit.count) });
    // Busy all over, in the tone of passes on time.
    QCOMPARE(
        drawn.at({ x, bands.passTop + bands.passHeight - 2 }), latenessTones(lightTheme())[RunPicture::onTime].fill);
}

void PlanDrawingTest::theRulerHasNiceTimes()
{
    QCOMPARE(rulerSteps({ 0, 1000.0 / 62e6 }).step, Ticks { 5'000'000 });
    QCOMPARE(rulerSteps({ 0, 1000.0 / 1e6 }).step, Ticks { 100'000 });
    QCOMPARE(rulerSteps({ 0, 1000.0 / 3e10 }).step, Ticks { 2'000'000'000 });
    QCOMPARE(unitFor(62'000'000).name, QString("ms"));
    QCOMPARE(unitFor(900'000).name, QString("µs"));
    QCOMPARE(unitFor(30'000'000'000).name, QString("s"));
    QCOMPARE(nanosText(12'345'678), QString("12.3\u00a0ms"));
    QCOMPARE(nanosSpan(12'000'000, 13'100'000), QString("12.0\u201313.1\u00a0ms"));
}

PIPELOOM_WINDOW_TEST_MAIN(PlanDrawingTest)
#include "plan_drawing_test.moc"
