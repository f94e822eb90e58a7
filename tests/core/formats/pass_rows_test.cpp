// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pass_rows.h"

#include <QtTest>

#include <string>
#include <vector>

using namespace pipeloom;
using namespace pipeloom::formats;

namespace {

/// Three stages; a block, a group of two, a schedule of twenty micro-batches.
RowGrammar grammar(const QString& name)
{
    if (name == "block")
        return blockGrammar(3, 1);
    return name == "group" ? blockGrammar(3, 2) : scheduleGrammar(3, 20);
}

/// `1F@3`, or `?7` for a fault in column 7, one after the other.
QString readBack(const QString& row, const QString& kind)
{
    const std::string text = row.toStdString();
    const RowGrammar rules = grammar(kind);
    RowParser parser(text, rules);
    QStringList words;
    while (parser.next()) {
        if (parser.slot().has_value())
            words << QString::fromStdString(pipeloom::text(parser.slot()->slot)) + '@'
                    + QString::number(parser.slot()->start);
        else
            words << '?' + QString::number(parser.fault().column);
    }
    return words.join(' ');
}

} // namespace

class PassRowsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rowsAreReadSlotBySlot_data();
    void rowsAreReadSlotBySlot();
    void faultsSayWhatIsWrong_data();
    void faultsSayWhatIsWrong();
    void aFaultDoesNotHideTheNextSlot();
    void blockRowsStandByStartThenStage();
    void membersAreWrittenOnlyInAGroup();
    void everyDeviceOfAScheduleHasARow();
    void slotsAreCountedByBlanks();
};

void PassRowsTest::rowsAreReadSlotBySlot_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("row");
    QTest::addColumn<QString>("slotsRead");
    // The slot's own text always names a micro-batch: 0 in a block.
    QTest::newRow("block") << "block"
                           << "0F@0 2B@15 1W@16"
                           << "0F0@0 2B0@15 1W0@16";
    QTest::newRow("fused") << "block"
                           << "2BW@1099511627775"
                           << "2BW0@1099511627775";
    QTest::newRow("pair") << "block"
                          << "(2F+0BW)@14"
                          << "(2F0+0BW0)@14";
    QTest::newRow("group") << "group"
                           << "0F0@0 0F1@1 (0BW1+2F0)@3"
                           << "0F0@0 0F1@1 (0BW1+2F0)@3";
    QTest::newRow("schedule") << "schedule"
                              << "0F0 0F19 (2F7+1BW3) 2W0"
                              << "0F0@0 0F19@0 (2F7+1BW3)@0 2W0@0";
    QTest::newRow("two passes of one kind") << "schedule"
                                            << "(2F7+1F3) (0W0+1W1)"
                                            << "(2F7+1F3)@0 (0W0+1W1)@0";
    QTest::newRow("blanks") << "schedule"
                            << "   0F0    0F1 "
                            << "0F0@0 0F1@0";
    QTest::newRow("empty") << "schedule"
                           << ""
                           << "";
    QTest::newRow("only blanks") << "block"
                                 << "   "
                                 << "";
}

void PassRowsTest::rowsAreReadSlotBySlot()
{
    QFETCH(QString, kind);
    QFETCH(QString, row);
    QTEST(readBack(row, kind), "slotsRead");
}

void PassRowsTest::faultsSayWhatIsWrong_data()
{
    QTest::addColumn<QString>("kind");
    QTest::addColumn<QString>("row");
    QTest::addColumn<QString>("rule");
    QTest::addColumn<int>("column");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* kind, const char* text, const char* rule, int column, const char* words) {
        QTest::newRow(qPrintable(QString("%1: %2").arg(kind, text))) << kind << text << rule << column << words;
    };
    row("block", "F@0", "file/row", 1, "the stage is missing");
    row("block", "-1F@0", "file/row", 1, "none is below 0");
    row("block", "01F@0", "file/row", 1, "a 0 in front");
    row("block", "3F@0", "file/range", 1, "there is no stage 3; the last one is 2");
    row("block", "99999999999999999999F@0", "file/range", 1, "the stage is too great");
    row("block", "0@0", "file/row", 2, "the kind is missing");
    row("block", "0", "file/row", 2, "the kind is missing");
    row("block", "0G@0", "file/row", 2, "`G` is no kind of pass");
    row("block", "0FB@0", "file/row", 2, "`FB` is no kind of pass");
    row("block", "0f@0", "file/row", 2, "kinds are written in capitals");
    row("block", "0bw@0", "file/row", 2, "kinds are written in capitals");
    row("block", "0I@0", "file/row", 2, "PyTorch's name for the input gradient");
    row("block", "0F1@0", "file/row", 3, "the block has no group");
    row("block", "0F", "file/row", 3, "the start is missing");
    row("block", "0F@", "file/row", 4, "the start is missing");
    row("block", "0F@-3", "file/range", 4, "below 0");
    row("block", "0F@03", "file/row", 4, "a 0 in front");
    row("block", "0F@1.5", "file/row", 5, "`.5` does not belong here");
    row("block", "0F@1099511627776", "file/range", 4, "2^40");
    row("block", "0F@99999999999999999999", "file/range", 4, "the start is too great");
    row("block", "0F#0", "file/row", 3, "`#0` does not belong here");
    row("block", "0F,1F@0", "file/row", 3, "does not belong here");
    row("block", "(0F+1B@0", "file/row", 7, "not closed");
    row("block", "(0F)@0", "file/row", 4, "needs + between");
    row("block", "(0F+)@0", "file/row", 5, "the stage is missing");
    row("block", "(0F;1B)@0", "file/row", 4, "needs + between");
    row("block", "(0F@0+1B@0)", "file/row", 4, "needs + between");
    row("block", "(0F+1B+2B)@0", "file/row", 7, "not closed");
    row("block", "()@0", "file/row", 2, "the stage is missing");
    row("block", "\t0F@0", "file/row", 1, "the stage is missing");
    row("group", "0F@0", "file/row", 3, "the micro-batch of the group is missing");
    row("group", "0F2@0", "file/range", 3, "there is no micro-batch 2; the last one is 1");
    row("group", "0F0", "file/row", 4, "the start is missing");
    row("schedule", "0F", "file/row", 3, "the micro-batch is missing");
    row("schedule", "0F20", "file/range", 3, "there is no micro-batch 20; the last one is 19");
    row("schedule", "0F7@3", "file/row", 4, "no start times");
    row("schedule", "2I7", "file/row", 2, "PyTorch's B is BW here");
    row("schedule", "(0F3;2B1)OVERLAP_F_B", "file/row", 5, "needs + between");
    row("schedule", "0SEND_F1", "file/row", 2, "`SEND` is no kind of pass");
    row("schedule", "0F7 Größe", "file/row", 5, "the stage is missing");
}

void PassRowsTest::faultsSayWhatIsWrong()
{
    QFETCH(QString, kind);
    QFETCH(QString, row);
    const std::string text = row.toStdString();
    const RowGrammar rules = grammar(kind);
    RowParser parser(text, rules);
    do
        QVERIFY(parser.next());
    while (parser.slot().has_value());
    const RowFault& fault = parser.fault();
    QTEST(QString::fromStdString(fault.rule), "rule");
    QTEST(static_cast<int>(fault.column), "column");
    QFETCH(QString, words);
    QVERIFY2((fault.message + fault.remedy).find(words.toStdString()) != std::string::npos, fault.message.c_str());
    QVERIFY(text.find(fault.token) != std::string::npos);
    QVERIFY(!fault.remedy.empty() && fault.remedy.back() == '.');
}

void PassRowsTest::aFaultDoesNotHideTheNextSlot()
{
    QCOMPARE(readBack("0F@0 xx 1F@1 2F 2B@3", "block"), QString("0F0@0 ?6 1F0@1 ?16 2B0@3"));
}

void PassRowsTest::blockRowsStandByStartThenStage()
{
    BuildingBlock block;
    block.durations = unitDurations(3);
    const auto add = [&block](int device, int stage, PassKind kind, Ticks start) {
        block.passes.push_back({ DeviceId { device }, { { StageId { stage }, MicroBatch {}, kind }, {} }, start });
    };
    add(1, 2, PassKind::W, 9);
    add(1, 2, PassKind::F, 9);
    add(1, 1, PassKind::B, 9);
    add(0, 0, PassKind::F, 10);
    add(1, 0, PassKind::F, 2);
    QCOMPARE(rowsOf(block, 3), (std::vector<std::string> { "0F@10", "0F@2 1B@9 2F@9 2W@9", "" }));
}

void PassRowsTest::membersAreWrittenOnlyInAGroup()
{
    BuildingBlock block;
    block.durations = unitDurations(1);
    const Pass f { StageId { 0 }, MicroBatch { 0 }, PassKind::F };
    const Pass bw { StageId { 0 }, MicroBatch { 0 }, PassKind::BW };
    block.passes = { { DeviceId { 0 }, { f, bw }, 3 } };
    QCOMPARE(rowsOf(block, 1), (std::vector<std::string> { "(0F+0BW)@3" }));
    block.group = 2;
    QCOMPARE(rowsOf(block, 1), (std::vector<std::string> { "(0F0+0BW0)@3" }));
}

void PassRowsTest::everyDeviceOfAScheduleHasARow()
{
    const Pass f { StageId { 1 }, MicroBatch { 12 }, PassKind::F };
    const Pass b { StageId { 0 }, MicroBatch { 3 }, PassKind::B };
    QCOMPARE(rowsOf(schedule({ {}, { { f, {} }, { f, b } } })), (std::vector<std::string> { "", "1F12 (1F12+0B3)" }));
}

void PassRowsTest::slotsAreCountedByBlanks()
{
    QCOMPARE(slotsIn(""), std::size_t { 0 });
    QCOMPARE(slotsIn("   "), std::size_t { 0 });
    QCOMPARE(slotsIn("0F0"), std::size_t { 1 });
    QCOMPARE(slotsIn("  0F0  (1F0+0B0) x"), std::size_t { 3 });
}

QTEST_APPLESS_MAIN(PassRowsTest)
#include "pass_rows_test.moc"
