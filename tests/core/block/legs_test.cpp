// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/block/legs.h"
#include "core/block/weights.h"
#include "core/library/library.h"
#include "tests/support/random_legal_design.h"

#include <QTest>

#include <algorithm>

using namespace pipeloom;

namespace {

Design made(const char* name, std::int32_t devices, std::int32_t microBatches = 8, std::int32_t chunks = 0)
{
    LibraryRequest request;
    request.devices = devices;
    request.microBatches = microBatches;
    request.chunks = chunks;
    return findInLibrary(name)->make(request).design.value();
}

/// `δF0=2 δF1=1 ...`, `?` where there is no common offset.
template <class Part> QString written(const std::vector<Part>& parts)
{
    QStringList texts;
    for (const Part& part : parts)
        texts << QString::fromStdString(part.name) + "=" + (part.offset ? QString::number(*part.offset) : QString("?"));
    return texts.join(' ');
}

QString offsetsOf(const Design& design) { return written(legs(*design.block(), design.pipeline)); }
QString turnsOf(const Design& design) { return written(turns(*design.block(), design.pipeline)); }

Shifted shift(const Design& design, std::size_t leg, Ticks by, AfterShift after = AfterShift::Fit)
{
    return shiftLeg(*design.block(), design.pipeline, RouteId { 0 }, leg, by, after);
}

} // namespace

class LegsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void legsAndTurnsOfAVAreThoseThatTheLibraryMadeItFrom_data();
    void legsAndTurnsOfAVAreThoseThatTheLibraryMadeItFrom();
    void otherPlacementsHaveLegsToo_data();
    void otherPlacementsHaveLegsToo();
    void anUnevenLegIsMixedAndStaysUnevenWhenShifted();
    void aLegThatLacksAPassIsNotWhole();
    void shiftingALegMovesWhatIsDownstream();
    void shiftingALegThereAndBackGivesTheLibrarysBlock_data();
    void shiftingALegThereAndBackGivesTheLibrarysBlock();
    void everyShiftThatFitsIsLegal();
    void aShiftStopsWhereAPassWouldStartBelowZero();
    void shiftingATurnKeepsItAndMovesTheOthers();
    void refitFindsTheTurnsOfVHalfAgain();
    void refitLeavesABlockThatFitsAlone();
    void refitChangesLegsOnlyIfNoTurnsDo();
    void refitGivesNothingForAnIntervalThatIsTooShort();
    void aShiftByNothingChangesNothing();
    void aRouteIsShiftedWithoutTheOther();
    void allMembersOfAGroupMoveAlike();
    void aPairGoesWithItsF();
    void anyShiftThatIsLeftComesBack();
    void whateverIsRefittedIsLegal();
    void longIntervalsAreFittedToo();
};

void LegsTest::legsAndTurnsOfAVAreThoseThatTheLibraryMadeItFrom_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("devices");
    QTest::addColumn<QString>("offsets");
    QTest::addColumn<QString>("turnsBetween");
    for (int p = 3; p <= 8; ++p) {
        // Tables 8 and 9 of arXiv 2405.15362, as core/library/v_min.cpp, v_half.cpp and v_zb.cpp have them.
        QTest::addRow("v-min %d", p) << "v-min" << p << "δF0=1 δF1=1 δB1=1 δB0=1"
                                     << QString("F0→F1=1 F1→B1=%1 B1→B0=1").arg(p % 3 == 0 ? 3 : 1);
        QTest::addRow("v-half %d", p) << "v-half" << p << "δF0=2 δF1=1 δB1=2 δB0=1"
                                      << QString("F0→F1=2 F1→B1=%1 B1→B0=1").arg(p % 2 == 0 ? 4 : 1);
        QTest::addRow("v-zb %d", p) << "v-zb" << p << "δF0=4 δF1=2 δB1=4 δB0=2"
                                    << "F0→F1=1 F1→B1=1 B1→B0=1";
    }
}

void LegsTest::legsAndTurnsOfAVAreThoseThatTheLibraryMadeItFrom()
{
    QFETCH(QString, name);
    QFETCH(int, devices);
    QFETCH(QString, offsets);
    QFETCH(QString, turnsBetween);
    const Design design = made(name.toUtf8().constData(), devices);
    QCOMPARE(offsetsOf(design), offsets);
    QCOMPARE(turnsOf(design), turnsBetween);
    const std::vector<Leg> all = legs(*design.block(), design.pipeline);
    QCOMPARE(all[0].first, StageId { 0 });
    QCOMPARE(all[0].last, StageId { devices - 1 });
    QCOMPARE(all[1].from, DeviceId { devices - 1 });
    QCOMPARE(all[1].to, DeviceId { 0 });
    QCOMPARE(all[2].kind, PassKind::B);
    QCOMPARE(all[2].first, StageId { 2 * devices - 1 });
    QCOMPARE(all[3].boundaries, devices - 1);
}

void LegsTest::otherPlacementsHaveLegsToo_data()
{
    QTest::addColumn<Pipeline>("pipeline");
    QTest::addColumn<QString>("legNames");
    QTest::addColumn<QString>("turnNames");
    const auto list = [](std::vector<int> devices) {
        const int stages = static_cast<int>(devices.size());
        Pipeline made = pipeline(PlacementKind::List, *std::max_element(devices.begin(), devices.end()) + 1, stages, 8);
        made.routes = { {} };
        for (const int device : devices)
            made.routes.front().emplace_back(device);
        return made;
    };
    QTest::newRow("linear") << pipeline(PlacementKind::Linear, 4, 4, 8) << "δF δB"
                            << "F→B";
    QTest::newRow("interleaved") << pipeline(PlacementKind::Interleaved, 4, 12, 8) << "δF0 δF1 δF2 δB2 δB1 δB0"
                                 << "F0→F1 F1→F2 F2→B2 B2→B1 B1→B0";
    QTest::newRow("interleaved on two devices") << pipeline(PlacementKind::Interleaved, 2, 4, 8) << "δF0 δF1 δB1 δB0"
                                                << "F0→F1 F1→B1 B1→B0";
    QTest::newRow("there and back") << list({ 0, 1, 2, 1, 0 }) << "δF0 δF1 δB1 δB0"
                                    << "F1→B1";
    QTest::newRow("leaps") << list({ 0, 2, 3, 1, 0 }) << "δF0 δF1 δB1 δB0"
                           << "F1→B1";
    QTest::newRow("pairs of stages") << list({ 0, 0, 1, 1 }) << "δF δB"
                                     << "0F→1F 2F→3F 3F→3B 3B→2B 1B→0B";
    QTest::newRow("one device") << list({ 0, 0 }) << ""
                                << "0F→1F 1F→1B 1B→0B";
    QTest::newRow("one stage") << list({ 0 }) << ""
                               << "0F→0B";
}

void LegsTest::otherPlacementsHaveLegsToo()
{
    QFETCH(Pipeline, pipeline);
    QFETCH(QString, legNames);
    QFETCH(QString, turnNames);
    BuildingBlock block;
    block.durations = unitDurations(pipeline.stages);
    QStringList found;
    for (const Leg& leg : legs(block, pipeline)) {
        found << QString::fromStdString(leg.name);
        QVERIFY(!leg.whole && !leg.offset);
    }
    QCOMPARE(found.join(' '), legNames);
    found.clear();
    for (const Turn& turn : turns(block, pipeline))
        found << QString::fromStdString(turn.name);
    QCOMPARE(found.join(' '), turnNames);
}

void LegsTest::anUnevenLegIsMixedAndStaysUnevenWhenShifted()
{
    Design design = made("v-half", 4);
    auto& block = std::get<BuildingBlock>(design.plan);
    for (BlockPass& placed : block.passes)
        if (placed.slot.first.stage == StageId { 1 } && placed.slot.first.kind == PassKind::F)
            placed.start += 1; // 0, 3, 4, 6
    const Leg before = legs(block, design.pipeline).front();
    QVERIFY(before.whole);
    QVERIFY(!before.offset.has_value());
    const BuildingBlock after = shift(design, 0, 2, AfterShift::Leave).block;
    std::vector<Ticks> starts(4);
    for (const BlockPass& placed : after.passes)
        if (placed.slot.first.kind == PassKind::F && placed.slot.first.stage.value < 4)
            starts[placed.slot.first.stage.index()] = placed.start;
    QCOMPARE(starts, (std::vector<Ticks> { 0, 5, 8, 12 }));
}

void LegsTest::aLegThatLacksAPassIsNotWhole()
{
    Design design = made("v-half", 4);
    auto& block = std::get<BuildingBlock>(design.plan);
    std::erase_if(block.passes, [](const BlockPass& placed) {
        return placed.slot.first.stage == StageId { 1 } && placed.slot.first.kind == PassKind::F;
    });
    const std::vector<Leg> all = legs(block, design.pipeline);
    QVERIFY(!all[0].whole);
    QVERIFY(!all[0].offset.has_value());
    QVERIFY(all[1].whole);
}

void LegsTest::shiftingALegMovesWhatIsDownstream()
{
    const Design design = made("v-half", 4);
    const BuildingBlock& before = *design.block();
    const BuildingBlock after = shift(design, 1, 1, AfterShift::Leave).block; // δF1, stages 4..7
    for (std::size_t i = 0; i < before.passes.size(); ++i) {
        const Pass& pass = before.passes[i].slot.first;
        Ticks moved = 3; // all of B and W
        if (pass.kind == PassKind::F)
            moved = pass.stage.value < 4 ? 0 : pass.stage.value - 4;
        QCOMPARE(after.passes[i].start - before.passes[i].start, moved);
    }
}

void LegsTest::shiftingALegThereAndBackGivesTheLibrarysBlock_data()
{
    QTest::addColumn<int>("leg");
    QTest::newRow("δF0 2 -> 3 -> 2") << 0;
    QTest::newRow("δF1 1 -> 2 -> 1") << 1;
    QTest::newRow("δB1 2 -> 3 -> 2") << 2;
    QTest::newRow("δB0 1 -> 2 -> 1") << 3;
}

void LegsTest::shiftingALegThereAndBackGivesTheLibrarysBlock()
{
    QFETCH(int, leg);
    const Design design = made("v-half", 4);
    Design moved = design;
    const Shifted there = shift(design, static_cast<std::size_t>(leg), 1);
    QVERIFY(there.fits);
    moved.plan = there.block;
    QVERIFY(check(there.block, design.pipeline).empty());
    QVERIFY(there.block != *design.block());
    QCOMPARE(*legs(there.block, design.pipeline)[static_cast<std::size_t>(leg)].offset,
        *legs(*design.block(), design.pipeline)[static_cast<std::size_t>(leg)].offset + 1);
    const Shifted back = shift(moved, static_cast<std::size_t>(leg), -1);
    QVERIFY(back.fits);
    QCOMPARE(back.block, *design.block());
}

void LegsTest::everyShiftThatFitsIsLegal()
{
    int fitted = 0;
    for (const char* name : { "1f1b", "zb-h1", "zb-h2", "v-min", "v-half", "v-zb", "interleaved-1f1b" })
        for (const int p : { 2, 3, 4, 5, 8 }) {
            const Design design = made(name, p, 2 * p);
            for (std::size_t leg = 0; leg < legs(*design.block(), design.pipeline).size(); ++leg)
                for (const Ticks by : { -2, -1, 1, 2, 3 }) {
                    const Shifted shifted = shift(design, leg, by);
                    QCOMPARE(shifted.fits, check(shifted.block, design.pipeline).empty());
                    fitted += shifted.fits;
                }
        }
    QVERIFY2(fitted > 150, QByteArray::number(fitted).constData());
}

void LegsTest::aShiftStopsWhereAPassWouldStartBelowZero()
{
    const Design design = made("v-half", 4);
    const BuildingBlock block = shift(design, 0, -100, AfterShift::Leave).block;
    Ticks first = 100;
    for (const BlockPass& placed : block.passes)
        first = std::min(first, placed.start);
    QCOMPARE(first, Ticks { 0 });
    QCOMPARE(legs(block, design.pipeline).front().offset, std::optional<Ticks>(0)); // 0, 2, 4, 6 stop at 0, 0, 0, 0
}

void LegsTest::shiftingATurnKeepsItAndMovesTheOthers()
{
    Design design = made("v-half", 4);
    const Shifted shifted = shiftTurn(*design.block(), design.pipeline, RouteId { 0 }, 0, -1);
    QVERIFY(shifted.fits);
    design.plan = shifted.block;
    QCOMPARE(offsetsOf(design), QString("δF0=2 δF1=1 δB1=2 δB0=1"));
    QCOMPARE(turnsOf(design).section(' ', 0, 0), QString("F0→F1=1"));
    QVERIFY(check(shifted.block, design.pipeline).empty());
}

void LegsTest::refitFindsTheTurnsOfVHalfAgain()
{
    const Design library = made("v-half", 4);
    for (const Ticks first : { -1, 0, 2, 9 })
        for (const Ticks second : { -3, -1, 1, 3 })
            for (const Ticks third : { 0, 1, 4 }) {
                BuildingBlock broken = *library.block();
                for (const auto& [turn, by] : { std::pair<std::size_t, Ticks>(0, first), { 1, second }, { 2, third } })
                    broken = shiftTurn(broken, library.pipeline, RouteId { 0 }, turn, by, AfterShift::Leave).block;
                if (check(broken, library.pipeline).empty())
                    continue; // it fits as it is
                if (check(placeWeights(broken, library.pipeline), library.pipeline).empty())
                    continue;
                QCOMPARE(refit(broken, library.pipeline, 6), std::optional(*library.block()));
            }
}

void LegsTest::refitLeavesABlockThatFitsAlone()
{
    for (const char* name : { "1f1b", "zb-h1", "v-min", "v-half", "v-zb" }) {
        const Design design = made(name, 4);
        QCOMPARE(refit(*design.block(), design.pipeline, design.block()->interval), std::optional(*design.block()));
    }
}

void LegsTest::refitChangesLegsOnlyIfNoTurnsDo()
{
    // δF0 = 3 and the rest of V-Half: with T = 7 the legs stay.
    Design design = made("v-half", 4);
    for (const Ticks interval : { 7, 8, 9, 10, 11, 12 }) {
        const auto fitted = refit(*design.block(), design.pipeline, interval);
        QVERIFY2(fitted.has_value(), QByteArray::number(qlonglong(interval)).constData());
        QVERIFY(check(*fitted, design.pipeline).empty());
        QCOMPARE(written(legs(*fitted, design.pipeline)), QString("δF0=2 δF1=1 δB1=2 δB0=1"));
    }
    // V-ZB's offsets of 4 put two F of neighbours on top of each other every 4 ticks... on one device they never meet, but
    // offsets of 6 and 6 repeat with the interval: F of both chunks would take the same tick on some device.
    design.plan = shiftLeg(*design.block(), design.pipeline, RouteId { 0 }, 0, 1, AfterShift::Leave).block;
    design.plan = shiftLeg(*design.block(), design.pipeline, RouteId { 0 }, 1, 4, AfterShift::Leave).block;
    const auto fitted = refit(*design.block(), design.pipeline, 6);
    QVERIFY(fitted.has_value());
    QVERIFY(check(*fitted, design.pipeline).empty());
}

void LegsTest::refitGivesNothingForAnIntervalThatIsTooShort()
{
    const Design design = made("v-half", 4);
    QVERIFY(!refit(*design.block(), design.pipeline, 5).has_value());
    QVERIFY(!refit(*design.block(), design.pipeline, 1).has_value());
}

void LegsTest::aShiftByNothingChangesNothing()
{
    Design design = made("v-half", 4);
    auto& block = std::get<BuildingBlock>(design.plan);
    for (BlockPass& placed : block.passes)
        if (placed.slot.first.kind == PassKind::W)
            placed.start += block.interval; // legal, but not the first free tick
    const Shifted shifted = shift(design, 0, 0);
    QVERIFY(shifted.fits);
    QCOMPARE(shifted.block, block);
}

void LegsTest::aRouteIsShiftedWithoutTheOther()
{
    // Two routes against each other on two devices: 0F0 0, 1F0 1, 1BW0 2, 0BW0 4, and the other way round for member 1.
    Pipeline both = pipeline(PlacementKind::List, 2, 2, 4);
    both.routes = { { DeviceId { 0 }, DeviceId { 1 } }, { DeviceId { 1 }, DeviceId { 0 } } };
    both.rule = RouteRule::Alternate;
    BuildingBlock block;
    block.interval = 100;
    block.group = 2;
    block.durations = unitDurations(2);
    for (const std::int32_t member : { 0, 1 }) {
        const auto add = [&](int stage, PassKind kind, Ticks start) {
            block.passes.push_back({ both.deviceOf(StageId { stage }, RouteId { member }),
                { { StageId { stage }, MicroBatch { member }, kind }, {} }, start + Ticks { 20 } * member });
        };
        add(0, PassKind::F, 0);
        add(1, PassKind::F, 1);
        add(1, PassKind::BW, 2);
        add(0, PassKind::BW, 4);
    }
    QCOMPARE(legs(block, both, RouteId { 1 })[0].from, DeviceId { 1 });
    QCOMPARE(written(legs(block, both, RouteId { 1 })), QString("δF=1 δB=2"));
    const Shifted shifted = shiftLeg(block, both, RouteId { 1 }, 0, 3);
    QVERIFY(shifted.fits);
    QCOMPARE(written(legs(shifted.block, both, RouteId { 1 })), QString("δF=4 δB=2"));
    QCOMPARE(written(turns(shifted.block, both, RouteId { 1 })), QString("F→B=1"));
    for (std::size_t i = 0; i < 4; ++i)
        QCOMPARE(shifted.block.passes[i], block.passes[i]);
}

void LegsTest::allMembersOfAGroupMoveAlike()
{
    const Design design = made("interleaved-1f1b", 2, 4, 2);
    QCOMPARE(offsetsOf(design), QString("δF0=3 δF1=3 δB1=3 δB0=3"));
    const BuildingBlock after = shift(design, 1, 6, AfterShift::Leave).block;
    for (std::size_t i = 0; i < after.passes.size(); ++i) {
        const Pass& pass = after.passes[i].slot.first;
        const bool upstream = pass.kind == PassKind::F && pass.stage.value < 3;
        QCOMPARE(after.passes[i].start - design.block()->passes[i].start, Ticks { upstream ? 0 : 6 });
    }
}

void LegsTest::aPairGoesWithItsF()
{
    Design design = made("v-half", 4);
    auto& block = std::get<BuildingBlock>(design.plan);
    const auto find = [&](StageId stage, PassKind kind) {
        return std::find_if(block.passes.begin(), block.passes.end(), [&](const BlockPass& placed) {
            return placed.slot.first.stage == stage && placed.slot.first.kind == kind;
        });
    };
    const Pass backward = find(StageId { 5 }, PassKind::B)->slot.first;
    block.passes.erase(find(StageId { 5 }, PassKind::B));
    find(StageId { 2 }, PassKind::F)->slot.second = backward; // on device 2
    const Ticks start = find(StageId { 2 }, PassKind::F)->start;
    block = shift(design, 0, 1, AfterShift::Leave).block;
    QCOMPARE(find(StageId { 2 }, PassKind::F)->start, start + 2);
}

void LegsTest::anyShiftThatIsLeftComesBack()
{
    for (unsigned seed = 1; seed <= 200; ++seed) {
        test::RandomLegalDesign random(seed);
        const Design design = random.design();
        const auto count = legs(*design.block(), design.pipeline).size();
        if (count == 0)
            continue;
        const auto leg = static_cast<std::size_t>(random.within(0, static_cast<int>(count) - 1));
        const Ticks by = random.within(1, 9);
        Design moved = design;
        moved.plan = shift(design, leg, by, AfterShift::Leave).block;
        QCOMPARE(shift(moved, leg, -by, AfterShift::Leave).block, *design.block());
        const Shifted fitted = shift(design, leg, by);
        QVERIFY(!fitted.fits || check(fitted.block, design.pipeline).empty());
    }
}

void LegsTest::whateverIsRefittedIsLegal()
{
    int fitted = 0;
    for (unsigned seed = 1; seed <= 200; ++seed) {
        test::RandomLegalDesign random(seed);
        const Design design = random.design();
        const BuildingBlock& before = *design.block();
        for (const Ticks interval :
            { before.interval - 1, before.interval, before.interval + 1, before.interval + 3 }) {
            if (interval < 1)
                continue;
            const auto after = refit(before, design.pipeline, interval);
            QVERIFY(after.has_value() || interval != before.interval);
            if (!after)
                continue;
            ++fitted;
            QCOMPARE(after->interval, interval);
            QVERIFY2(check(*after, design.pipeline).empty(), QByteArray::number(seed).constData());
            QCOMPARE(after->passes.size(), before.passes.size());
            for (std::size_t i = 0; i < before.passes.size(); ++i)
                QVERIFY(after->passes[i].slot == before.passes[i].slot
                    && after->passes[i].device == before.passes[i].device);
            QCOMPARE(refit(before, design.pipeline, interval), after);
        }
    }
    QVERIFY2(fitted > 500, QByteArray::number(fitted).constData());
}

void LegsTest::longIntervalsAreFittedToo()
{
    // V-Half drawn with passes of about 100 ticks: too many turns to try them all.
    Design design = made("v-half", 4);
    BuildingBlock block = *design.block();
    for (auto& kind : block.durations.values)
        for (Ticks& ticks : kind)
            ticks *= 97;
    for (BlockPass& placed : block.passes)
        placed.start *= 97;
    for (const auto& [turn, by] : { std::pair<std::size_t, Ticks>(0, 20), { 1, -160 }, { 2, 33 } })
        block = shiftTurn(block, design.pipeline, RouteId { 0 }, turn, by, AfterShift::Leave).block;
    block.interval *= 97;
    QVERIFY(!check(block, design.pipeline).empty());
    const auto fitted = refit(block, design.pipeline, block.interval);
    QVERIFY(fitted.has_value());
    QVERIFY(check(*fitted, design.pipeline).empty());
    QCOMPARE(written(legs(*fitted, design.pipeline)), QString("δF0=194 δF1=97 δB1=194 δB0=97"));
    QVERIFY(refit(block, design.pipeline, 2 * block.interval).has_value());
}

QTEST_APPLESS_MAIN(LegsTest)
#include "legs_test.moc"
