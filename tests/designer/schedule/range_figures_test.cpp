// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/schedule/range_figures.h"
#include "app/designer/schedule/schedule_csv.h"
#include "tests/designer/schedule/schedule_fixture.h"

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;

class RangeFiguresTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theWholeStepIsWhatCoreMeasures_data();
    void theWholeStepIsWhatCoreMeasures();
    void partsAddUpToTheWhole_data();
    void partsAddUpToTheWhole();
    void idleAndTransferByHand();
    void theLevelIsThatOfCoreAtEveryTick();
    void aTableHasALineForEachDevice();
};

void RangeFiguresTest::theWholeStepIsWhatCoreMeasures_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<qlonglong>("transfer");
    for (const LibraryEntry& entry : library())
        for (const qlonglong transfer : { 0, 2 })
            QTest::addRow("%s, transfer %lld", entry.name.data(), transfer)
                << QString::fromLatin1(entry.name.data()) << transfer;
}

void RangeFiguresTest::theWholeStepIsWhatCoreMeasures()
{
    QFETCH(QString, name);
    QFETCH(qlonglong, transfer);
    const ScheduleData data(figuresOf(libraryDesign(qPrintable(name), 4, 8, transfer)));
    const Metrics& metrics = data.metrics();
    const RangeFigures figures = rangeFigures(data, { metrics.firstStart, metrics.lastEnd });
    QCOMPARE(figures.busy, metrics.busy);
    QCOMPARE(figures.busy + figures.idle + figures.transfer, metrics.makespan() * data.devices());
    QCOMPARE(figures.passes, static_cast<std::int32_t>(data.timeline().passes.size()));
    for (std::size_t d = 0; d < metrics.devices.size(); ++d) {
        QCOMPARE(figures.devices[d].busy, metrics.devices[d].busy);
        QCOMPARE(figures.devices[d].peak, metrics.devices[d].peak);
    }
    QVERIFY(transfer > 0 ? figures.transfer > 0 : figures.transfer == 0);
}

void RangeFiguresTest::partsAddUpToTheWhole_data() { theWholeStepIsWhatCoreMeasures_data(); }

void RangeFiguresTest::partsAddUpToTheWhole()
{
    QFETCH(QString, name);
    QFETCH(qlonglong, transfer);
    const ScheduleData data(figuresOf(libraryDesign(qPrintable(name), 4, 8, transfer)));
    const TimeRange all { data.metrics().firstStart, data.metrics().lastEnd };
    const RangeFigures whole = rangeFigures(data, all);
    for (Ticks cut = all.from + 1; cut < all.to; cut += 3) {
        const RangeFigures before = rangeFigures(data, { all.from, cut });
        const RangeFigures after = rangeFigures(data, { cut, all.to });
        QCOMPARE(before.busy + after.busy, whole.busy);
        QCOMPARE(before.idle + after.idle, whole.idle);
        QCOMPARE(before.transfer + after.transfer, whole.transfer);
        QCOMPARE(std::max(before.peak, after.peak), whole.peak);
    }
}

// 1F1B of 2 devices and 2 micro-batches, transfers of 2: device 0 runs 0F0 0-1 and 0F1 1-2; 0F0 is on its way from 1 to 3,
// device 1 runs 1F0 3-4 and 1BW0 4-6, whose gradient is on its way from 6 to 8.
void RangeFiguresTest::idleAndTransferByHand()
{
    const ScheduleData data(figuresOf(libraryDesign("1f1b", 2, 2, 2)));
    const RangeFigures figures = rangeFigures(data, { 0, 8 });
    QCOMPARE(figures.devices[0].busy, Ticks { 2 });
    QCOMPARE(figures.devices[0].idle, Ticks { 4 });
    QCOMPARE(figures.devices[0].transfer, Ticks { 2 });
    const RangeFigures start = rangeFigures(data, { 0, 3 });
    QCOMPARE(start.devices[1].busy, Ticks { 0 });
    QCOMPARE(start.devices[1].idle, Ticks { 1 });
    QCOMPARE(start.devices[1].transfer, Ticks { 2 });
}

void RangeFiguresTest::theLevelIsThatOfCoreAtEveryTick()
{
    const ScheduleData data(figuresOf(libraryDesign("v-half")));
    for (std::int32_t d = 0; d < data.devices(); ++d) {
        const std::vector<LevelChange> changes = memoryOverTime(data.timeline(), data.design().memory, DeviceId { d });
        std::size_t at = 0;
        for (Ticks time = changes.front().time; time <= data.metrics().lastEnd; ++time) {
            while (at + 1 < changes.size() && changes[at + 1].time <= time)
                ++at;
            QCOMPARE(levelAt(data, DeviceId { d }, static_cast<double>(time)), changes[at].level);
        }
    }
}

void RangeFiguresTest::aTableHasALineForEachDevice()
{
    const ScheduleData data(figuresOf(libraryDesign("1f1b", 2, 2, 2)));
    QCOMPARE(rangeCsv(rangeFigures(data, { 0, 3 })),
        QString("device,from,to,busy,idle,transfer,peak,passes\n0,0,3,2,1,0,2,2\n1,0,3,0,1,2,0,0\n"));
    QCOMPARE(passesCsv(data, { 0 }), QString("pass,device,stage,micro_batch,kind,start,end\n0F0,0,0,0,F,0,1\n"));
    QVERIFY(passesCsv(data, {}).isEmpty());
}

PIPELOOM_WINDOW_TEST_MAIN(RangeFiguresTest)
#include "range_figures_test.moc"
