// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/schedule/pass_search.h"
#include "core/library/library.h"
#include "core/plan/plan.h"

#include <QTest>

using namespace pipeloom;
using namespace pipeloom::designer;

class PassSearchTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void aTextFindsWhatItSays_data();
    void aTextFindsWhatItSays();
    void whatIsNoTermIsNamed_data();
    void whatIsNoTermIsNamed();
    void hitsComeByStart();
    void anEmptyTextIsNoQuestion();

private:
    Plan plan_;
};

void PassSearchTest::initTestCase()
{
    plan_ = plan(*findInLibrary("v-half")->make({}).design, { Form::Squeezed, std::nullopt });
    QVERIFY(plan_.simulated());
}

void PassSearchTest::aTextFindsWhatItSays_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("hits"); // of V-Half, p 4, m 8: 8 stages, so 64 passes of each kind, 48 passes a device
    QTest::newRow("kind and micro-batch") << "F3" << 8;
    QTest::newRow("one pass") << "7B3" << 1;
    QTest::newRow("small letters") << "7b3" << 1;
    QTest::newRow("kind") << "w" << 64;
    QTest::newRow("stage and kind") << "2F" << 8;
    QTest::newRow("on a device") << "F3 @dev2" << 2;
    QTest::newRow("device alone") << "@2" << 48;
    QTest::newRow("fields") << "mb:7 kind:W" << 8;
    QTest::newRow("equals sign") << "stage=2 kind=B" << 8;
    QTest::newRow("none lasts longer") << "dur>1" << 0;
    QTest::newRow("all last one") << "dur>=1 dur<=1" << 192;
    QTest::newRow("at the start") << "start:0" << 1;
    QTest::newRow("before") << "end<=2 @0" << 2;
    QTest::newRow("whole backward") << "BW" << 0;
    QTest::newRow("blanks") << "   F3    @dev2 " << 2;
}

void PassSearchTest::aTextFindsWhatItSays()
{
    QFETCH(QString, text);
    QFETCH(int, hits);
    const ParsedQuery parsed = parsePassQuery(text.toStdString());
    QVERIFY2(parsed.query.has_value(), parsed.problem.c_str());
    QCOMPARE(static_cast<int>(findPasses(plan_.timeline, *parsed.query).size()), hits);
}

void PassSearchTest::whatIsNoTermIsNamed_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("named");
    QTest::newRow("word") << "F3 hello"
                          << "\"hello\"";
    QTest::newRow("number alone") << "17"
                                  << "\"17\"";
    QTest::newRow("device without number") << "@dev"
                                           << "\"@dev\"";
    QTest::newRow("field without number") << "mb:"
                                          << "\"mb:\"";
    QTest::newRow("no kind") << "kind:X"
                             << "\"kind:X\"";
    QTest::newRow("kind cannot be more") << "kind>F"
                                         << "\"kind>F\"";
    QTest::newRow("rest") << "F3x"
                          << "\"F3x\"";
    QTest::newRow("too many digits") << "F99999999999999999999"
                                     << "\"F99999999999999999999\"";
}

void PassSearchTest::whatIsNoTermIsNamed()
{
    QFETCH(QString, text);
    QFETCH(QString, named);
    const ParsedQuery parsed = parsePassQuery(text.toStdString());
    QVERIFY(!parsed.query.has_value());
    QVERIFY2(QString::fromStdString(parsed.problem).startsWith(named), parsed.problem.c_str());
}

void PassSearchTest::hitsComeByStart()
{
    const std::vector<std::int32_t> hits = findPasses(plan_.timeline, *parsePassQuery("F").query);
    for (std::size_t i = 1; i < hits.size(); ++i)
        QVERIFY(plan_.timeline.passes[static_cast<std::size_t>(hits[i - 1])].start
            <= plan_.timeline.passes[static_cast<std::size_t>(hits[i])].start);
}

void PassSearchTest::anEmptyTextIsNoQuestion()
{
    const ParsedQuery parsed = parsePassQuery("  ");
    QVERIFY(!parsed.query.has_value());
    QVERIFY(parsed.problem.empty());
}

QTEST_APPLESS_MAIN(PassSearchTest)
#include "pass_search_test.moc"
