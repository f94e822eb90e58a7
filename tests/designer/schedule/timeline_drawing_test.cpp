// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/schedule/row_labels.h"
#include "app/designer/schedule/row_strip.h"
#include "app/designer/schedule/timeline_hit.h"
#include "app/designer/schedule/timeline_painter.h"
#include "tests/designer/schedule/schedule_fixture.h"

#include <cmath>

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;

class TimelineDrawingTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsDrawnCanBeHitAndWhatIsHitIsDrawn_data();
    void whatIsDrawnCanBeHitAndWhatIsHitIsDrawn();
    void everyPassHasTheColourOfItsKindInItsMiddle();
    void aPairIsTwoSubLanesInOneSlot();
    void neighboursMeetWithoutASeamAtEveryScale_data();
    void neighboursMeetWithoutASeamAtEveryScale();
    void stripSharesAddUpToTheBusyTicks_data();
    void stripSharesAddUpToTheBusyTicks();
    void anIdleStretchStaysIdleInAStrip();
    void theMemoryCurveIsTheLevel();
    void levelsAboveTheLimitTakeItsColour();
    void labelsAreTheLongestThatFit();
    void rowsOfALowHeightShowStripsThenLines();
    void transfersAreDrawnInALaneOfTheirReceiver();
    void secondChunksAreUnderlined();
};

namespace {

struct Drawn {
    explicit Drawn(const TimelineScene& of)
        : scene(of)
    {
        TimelinePainter().paint(image, scene);
    }
    QColor at(double x, double y) const
    {
        return image.pixelColor(
            static_cast<int>(std::floor(x * scene.ratio)), static_cast<int>(std::floor(y * scene.ratio)));
    }
    TimelineScene scene;
    QImage image;
};

} // namespace

void TimelineDrawingTest::whatIsDrawnCanBeHitAndWhatIsHitIsDrawn_data()
{
    QTest::addColumn<double>("ratio");
    QTest::addColumn<double>("pixelsPerTick");
    QTest::addColumn<double>("rowHeight");
    QTest::addColumn<bool>("paired");
    for (const double ratio : { 1.0, 1.25, 1.5, 2.0 })
        for (const double scale : { 1.7, 2.9, 3.3, 9.1, 16.9, 61.3 })
            for (const double height : { 3.0, 9.0, 20.0, 80.0 })
                QTest::addRow("ratio %.2f, %.1f px a tick, rows of %.0f", ratio, scale, height)
                    << ratio << scale << height << false;
    QTest::newRow("pairs") << 1.0 << 40.0 << 80.0 << true;
    QTest::newRow("pairs at 1.5") << 1.5 << 33.3 << 60.0 << true;
}

void TimelineDrawingTest::whatIsDrawnCanBeHitAndWhatIsHitIsDrawn()
{
    QFETCH(double, ratio);
    QFETCH(double, pixelsPerTick);
    QFETCH(double, rowHeight);
    QFETCH(bool, paired);
    const ScheduleData data(figuresOf(paired ? pairedDesign() : libraryDesign("v-half")));
    TimelineScene scene = sceneOf(data, rowHeight, ratio);
    scene.map = { 0.37, pixelsPerTick };
    Theme theme = lightTheme(); // in which no label has the colour of the empty panel
    theme.panel = QColor("#ff00ff");
    theme.idle = QColor("#ff00f0");
    scene.theme = &theme;
    const Drawn drawn(scene);
    const QColor idle = theme.idle;
    const QColor panel = theme.panel;
    int passes = 0;
    for (std::int32_t row = 0; row < data.devices(); ++row) {
        const RowBands bands = scene.bandsAt(row);
        const auto top = static_cast<int>(std::lround(bands.passTop * ratio));
        const auto bottom = static_cast<int>(std::lround((bands.passTop + bands.passHeight) * ratio));
        const auto left = static_cast<int>(std::lround(scene.labelWidth * ratio));
        for (int y = top; y < bottom; y += std::max(1, (bottom - top) / 7))
            for (int x = left; x < static_cast<int>(scene.width * ratio); ++x) {
                const QPointF at((x + 0.5) / ratio, (y + 0.5) / ratio);
                const TimelineHit hit = hitTest(scene, at);
                const QColor colour = drawn.image.pixelColor(x, y);
                const bool isEmpty = colour == idle || colour == panel;
                const bool isHit = hit.what == TimelineHit::What::Pass || hit.what == TimelineHit::What::Merged;
                passes += isHit ? 1 : 0;
                if (!isEmpty && !isHit)
                    QFAIL(qPrintable(QString("drawn but not hit at %1, %2").arg(x).arg(y)));
                // In a strip the idle part of a column is empty, whatever it is hit as.
                if (isHit && isEmpty && data.meanTicks(DeviceId { row }) * pixelsPerTick >= 3)
                    QFAIL(qPrintable(QString("hit but not drawn at %1, %2").arg(x).arg(y)));
            }
    }
    QVERIFY(passes > 0);
}

void TimelineDrawingTest::everyPassHasTheColourOfItsKindInItsMiddle()
{
    const ScheduleData data(figuresOf(libraryDesign("v-half")));
    const Drawn drawn(sceneOf(data));
    for (PassIndex pass = 0; pass < static_cast<PassIndex>(data.timeline().passes.size()); ++pass) {
        const QRectF rect = drawn.scene.rectOf(pass);
        // Above the label, inside the edge.
        QCOMPARE(drawn.at(rect.center().x(), rect.top() + 3), lightTheme().of(data.at(pass).pass.kind).fill);
        QCOMPARE(drawn.at(rect.left() + 0.5, rect.center().y()), lightTheme().of(data.at(pass).pass.kind).edge);
    }
}

void TimelineDrawingTest::aPairIsTwoSubLanesInOneSlot()
{
    const ScheduleData data(figuresOf(pairedDesign()));
    QVERIFY(!data.isEmpty());
    const PassIndex forward = data.find({ StageId { 0 }, MicroBatch { 1 }, PassKind::F });
    const PassIndex backward = data.find({ StageId { 0 }, MicroBatch { 0 }, PassKind::BW });
    QVERIFY(data.at(backward).joined);
    QCOMPARE(data.at(backward).start, data.at(forward).start);
    const Drawn drawn(sceneOf(data));
    const QRectF above = drawn.scene.rectOf(forward);
    const QRectF below = drawn.scene.rectOf(backward);
    QCOMPARE(above.bottom(), below.top());
    QCOMPARE(above.left(), below.left());
    QCOMPARE(drawn.at(above.left() + 4, above.center().y()), lightTheme().forward.fill);
    QCOMPARE(drawn.at(below.left() + 4, below.center().y()), lightTheme().backward.fill);
    QCOMPARE(hitTest(drawn.scene, above.center()).pass, forward);
    QCOMPARE(hitTest(drawn.scene, below.center()).pass, backward);
}

void TimelineDrawingTest::neighboursMeetWithoutASeamAtEveryScale_data()
{
    QTest::addColumn<double>("ratio");
    for (const double ratio : { 1.0, 1.25, 1.5, 1.75, 2.0 })
        QTest::addRow("%.2f", ratio) << ratio;
}

void TimelineDrawingTest::neighboursMeetWithoutASeamAtEveryScale()
{
    QFETCH(double, ratio);
    const ScheduleData data(figuresOf(libraryDesign("v-half")));
    TimelineScene scene = sceneOf(data, 80, ratio);
    scene.map.pixelsPerTick = 13.37;
    const Drawn drawn(scene);
    // Device 0 is busy from 24 to 41 in V-Half without a gap: no pixel of its band is idle.
    const DeviceId device { 0 };
    PassIndex first = data.rowBegin(device);
    PassIndex last = first;
    for (PassIndex i = data.rowBegin(device); i + 1 < data.rowEnd(device); ++i) {
        PassIndex end = i;
        while (end + 1 < data.rowEnd(device) && data.at(end + 1).start == data.at(end).end)
            ++end;
        if (end - i > last - first) {
            first = i;
            last = end;
        }
    }
    QVERIFY(last - first > 8);
    const QRectF from = scene.rectOf(first);
    const QRectF to = scene.rectOf(last);
    const auto y = static_cast<int>((from.top() + 4) * ratio);
    for (auto x = static_cast<int>(std::lround(from.left() * ratio)); x < std::lround(to.right() * ratio); ++x)
        QVERIFY(drawn.image.pixelColor(x, y) != lightTheme().idle);
}

void TimelineDrawingTest::stripSharesAddUpToTheBusyTicks_data()
{
    QTest::addColumn<double>("scale");
    QTest::addColumn<qlonglong>("period");
    for (const double scale : { 0.05, 0.31, 0.77, 1.9 })
        for (const qlonglong period : { 1, 6, 48 })
            QTest::addRow("%.2f px a tick, period %lld", scale, period) << scale << period;
}

void TimelineDrawingTest::stripSharesAddUpToTheBusyTicks()
{
    QFETCH(double, scale);
    QFETCH(qlonglong, period);
    const ScheduleData data(figuresOf(libraryDesign("v-half", 8, 64)));
    const TimeMap map { 0, scale };
    const auto columns = static_cast<std::size_t>(std::ceil(map.xOf(data.metrics().lastEnd)));
    for (std::int32_t d = 0; d < data.devices(); ++d) {
        std::vector<ColumnShares> shares;
        TimelineRow row = data.row(DeviceId { d });
        row.period = period;
        averagedShares(row, map, columns, shares);
        std::array<double, 3> sum {};
        std::array<double, 3> expected {};
        for (const ColumnShares& column : shares) {
            QVERIFY(column.busy() <= 1.0001F);
            for (std::size_t k = 0; k < 3; ++k)
                sum[k] += static_cast<double>(column.of[k]);
        }
        for (const TimedPass& pass : data.timeline().row(DeviceId { d })) {
            const std::size_t kind = pass.pass.kind == PassKind::F ? 0 : pass.pass.kind == PassKind::W ? 2 : 1;
            expected[kind] += static_cast<double>(pass.end - pass.start);
        }
        for (std::size_t k = 0; k < 3; ++k)
            QVERIFY2(std::abs(sum[k] / scale - expected[k]) < expected[k] * 1e-4,
                qPrintable(QString("%1 instead of %2").arg(sum[k] / scale).arg(expected[k])));
    }
}

void TimelineDrawingTest::anIdleStretchStaysIdleInAStrip()
{
    // Device 0 of V-Half waits from 2 to 7: at two columns a tick those ten columns are empty, though each of its
    // neighbours is one full pass.
    const ScheduleData data(figuresOf(libraryDesign("v-half")));
    QCOMPARE(data.at(1).end, Ticks { 2 });
    QCOMPARE(data.at(2).start, Ticks { 7 });
    std::vector<ColumnShares> shares;
    columnShares(data.row(DeviceId { 0 }), { 0, 2 }, 118, shares);
    for (std::size_t x = 0; x < 20; ++x)
        QCOMPARE(shares[x].busy(), x < 4 || x >= 14 ? 1.0F : 0.0F);
}

void TimelineDrawingTest::theMemoryCurveIsTheLevel()
{
    for (const Ticks transfer : { 0, 3 }) {
        const ScheduleData data(figuresOf(libraryDesign("v-half", 4, 8, transfer)));
        for (std::int32_t d = 0; d < data.devices(); ++d) {
            const DeviceId device { d };
            const std::vector<LevelChange> changes = memoryOverTime(data.timeline(), data.design().memory, device);
            std::vector<ColumnLevel> levels;
            const auto columns = static_cast<std::size_t>(data.metrics().lastEnd);
            columnLevels(data, device, { 0, 1 }, columns, levels);
            Bytes most = 0;
            for (const ColumnLevel& level : levels)
                most = std::max(most, level.most);
            QCOMPARE(most, data.metrics().devices[device.index()].peak);
            std::size_t at = 0;
            for (Ticks time = changes.front().time; time < changes.back().time; ++time) {
                while (at + 1 < changes.size() && changes[at + 1].time <= time)
                    ++at;
                QVERIFY(levels[static_cast<std::size_t>(time)].most >= changes[at].level);
            }
            QVERIFY(!levels[static_cast<std::size_t>(data.metrics().lastEnd) - 1].inside()
                || data.metrics().devices[device.index()].lastEnd == data.metrics().lastEnd);
        }
    }
}

void TimelineDrawingTest::levelsAboveTheLimitTakeItsColour()
{
    Design design = libraryDesign("v-half");
    design.memory.limit[0] = 5; // it peaks at 6
    const ScheduleData data(figuresOf(design));
    const Drawn drawn(sceneOf(data));
    const auto redPixels = [&](std::int32_t row) {
        const RowBands bands = drawn.scene.bandsAt(row);
        int count = 0;
        for (double x = drawn.scene.labelWidth; x < drawn.scene.width; ++x) {
            const QColor colour = drawn.at(x, bands.memoryTop + bands.memoryHeight - 2);
            count += colour.red() > colour.blue() + 20 ? 1 : 0;
        }
        return count;
    };
    QVERIFY(redPixels(0) > 100);
    QCOMPARE(redPixels(1), 0);
}

void TimelineDrawingTest::labelsAreTheLongestThatFit()
{
    const ScheduleData data(figuresOf(libraryDesign("v-half")));
    const QFontMetricsF metrics(uiFont(PassLabels::fontPixels));
    const double full = metrics.horizontalAdvance("0W0") + 4; // judged by wide digits and the widest kind
    const auto inkOf = [&](double width) {
        TimelineScene scene = sceneOf(data);
        const PassIndex pass = data.find({ StageId { 7 }, MicroBatch { 3 }, PassKind::F });
        scene.map = { static_cast<double>(data.at(pass).start) - 1, width };
        const Drawn drawn(scene);
        const QRectF rect = scene.rectOf(pass);
        int first = 0;
        int last = 0;
        for (int x = static_cast<int>(rect.left()) + 2; x < static_cast<int>(rect.right()) - 2; ++x)
            for (int y = static_cast<int>(rect.top()) + 2; y < static_cast<int>(rect.bottom()) - 8; ++y)
                if (drawn.image.pixelColor(x, y) != lightTheme().forward.fill) {
                    first = first == 0 ? x : first;
                    last = x;
                }
        return last - first;
    };
    const int three = inkOf(std::ceil(full) + 4);
    const int two = inkOf(std::ceil(full) - 2);
    const int one = inkOf(15);
    QVERIFY2(three > two && two > one && one > 2, qPrintable(QString("%1 %2 %3").arg(three).arg(two).arg(one)));
    QCOMPARE(inkOf(13), 0); // plain boxes below
}

void TimelineDrawingTest::rowsOfALowHeightShowStripsThenLines()
{
    RowLayout layout { 4, 52, true, true };
    QCOMPARE(layout.detail(), RowDetail::Curve);
    layout.rowHeight = 51;
    QCOMPARE(layout.detail(), RowDetail::Level);
    QCOMPARE(layout.bands(0).memoryHeight, 4.0);
    layout.rowHeight = 16;
    QCOMPARE(layout.detail(), RowDetail::Level);
    layout.rowHeight = 15;
    QCOMPARE(layout.detail(), RowDetail::Line);
    QCOMPARE(layout.bands(0).memoryHeight, 0.0);
    for (double height = RowLayout::leastHeight; height <= RowLayout::mostHeight; ++height)
        for (const bool memory : { false, true })
            for (const bool transfers : { false, true }) {
                const RowBands bands = RowLayout { 4, height, memory, transfers }.bands(2);
                QVERIFY(bands.passHeight >= 1);
                QVERIFY(bands.passTop >= bands.top);
                QVERIFY(bands.laneTop + bands.laneHeight <= bands.top + bands.height);
                QVERIFY(bands.passTop + bands.passHeight <= bands.top + bands.height);
                if (bands.memoryHeight > 0) {
                    QVERIFY(bands.memoryTop >= bands.laneTop + bands.laneHeight);
                    QVERIFY(bands.memoryTop + bands.memoryHeight <= bands.top + bands.height);
                }
            }
}

void TimelineDrawingTest::transfersAreDrawnInALaneOfTheirReceiver()
{
    const ScheduleData none(figuresOf(libraryDesign("1f1b")));
    QVERIFY(!none.hasTransfers());
    const ScheduleData data(figuresOf(libraryDesign("1f1b", 4, 8, 2)));
    QVERIFY(data.hasTransfers());
    const Drawn drawn(sceneOf(data));
    std::size_t seen = 0;
    for (std::int32_t d = 0; d < data.devices(); ++d)
        for (const std::int32_t i : data.transfersTo(DeviceId { d })) {
            const TimedTransfer& transfer = data.timeline().transfers[static_cast<std::size_t>(i)];
            const RowBands bands = drawn.scene.bandsAt(d);
            const double x = (drawn.scene.xOf(transfer.start) + drawn.scene.xOf(transfer.end)) / 2;
            QVERIFY(drawn.at(x, bands.laneTop + 1) != lightTheme().panel);
            const TimelineHit hit = hitTest(drawn.scene, { x, bands.laneTop + 1 });
            QCOMPARE(hit.what, TimelineHit::What::Transfer);
            ++seen;
        }
    QCOMPARE(seen, data.timeline().transfers.size());
}

void TimelineDrawingTest::secondChunksAreUnderlined()
{
    const ScheduleData data(figuresOf(libraryDesign("v-half")));
    QCOMPARE(data.chunk(StageId { 0 }, DeviceId { 0 }), 0);
    QCOMPARE(data.chunk(StageId { 7 }, DeviceId { 0 }), 1);
    TimelineScene scene = sceneOf(data);
    const Drawn drawn(scene);
    const auto under = [&](std::int32_t stage) {
        const PassIndex pass = data.find({ StageId { stage }, MicroBatch { 2 }, PassKind::B });
        const QRectF rect = scene.rectOf(pass);
        return drawn.at(rect.center().x(), rect.bottom() - 3);
    };
    QCOMPARE(under(7), lightTheme().backward.text);
    QCOMPARE(under(0), lightTheme().backward.fill);
}

PIPELOOM_WINDOW_TEST_MAIN(TimelineDrawingTest)
#include "timeline_drawing_test.moc"
