// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// Whole profiles of a small model.

#include "core/formats/design_file.h"
#include "executor/profile/profile.h"
#include "tests/executor/training_designs.h"

#include <QTest>

#include <cmath>
#include <thread>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::test;

class ProfileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void allFourKindsAreMeasuredWhicheverTheDesignHas_data();
    void allFourKindsAreMeasuredWhicheverTheDesignHas();
    void theWrittenDesignTakesTheForecastTimeAndTheDryPassesMemory();
    void othersAreForetoldAndMustHaveTheSamePasses();
    void limitsInActivationsAreLeftOutWithAWarning();
    void aDesignThatCannotRunIsRefusedAsARunIs();
    void dataThatCannotBeReadEndsIt();
    void anInterruptEndsIt_data();
    void anInterruptEndsIt();
};

namespace {

ProfileOptions options(std::int64_t steps)
{
    ProfileOptions options;
    options.steps = steps;
    options.data = { sourceFile("README.md") };
    return options;
}

QString said(const ProfileResult& result)
{
    for (const Finding& finding : result.findings)
        if (finding.severity == Severity::Error)
            return QString::fromStdString(text(finding));
    return "no error";
}

bool has(const ProfileResult& result, const std::string& rule)
{
    return std::ranges::any_of(result.findings, [&](const Finding& finding) { return finding.rule == rule; });
}

} // namespace

void ProfileTest::allFourKindsAreMeasuredWhicheverTheDesignHas_data()
{
    QTest::addColumn<QString>("schedule");
    QTest::addColumn<QString>("kindsOfDesign");
    QTest::addColumn<bool>("isSent");
    QTest::newRow("fused") << "1f1b"
                           << "F BW" << false;
    QTest::newRow("split") << "v-half"
                           << "F B W" << false;
    QTest::newRow("split, over the loopback network") << "v-half"
                                                      << "F B W" << true;
}

void ProfileTest::allFourKindsAreMeasuredWhicheverTheDesignHas()
{
    QFETCH(QString, schedule);
    QFETCH(QString, kindsOfDesign);
    QFETCH(bool, isSent);
    std::int64_t told = 0;
    ProfileOptions how = options(4);
    how.transport = isSent ? TransportKind::Gloo : TransportKind::Local;
    how.onStep = [&](std::int64_t done, std::int64_t all) {
        QCOMPARE(done, told + 1);
        QCOMPARE(all, 12); // two orders, two steps that warm up
        told = done;
    };
    const Design design = trainingDesign(schedule.toUtf8().constData(), 2, 4);
    const auto result = profile(design, {}, how);
    QVERIFY2(result.ok(), qPrintable(said(result)));
    QCOMPARE(told, 12);
    QVERIFY(result.transport == how.transport);
    QCOMPARE(result.passes.size(), static_cast<std::size_t>(4 * design.pipeline.stages));
    for (const PassProfile& pass : result.passes) {
        QVERIFY(pass.ms.count >= 1 && pass.ms.median > 0);
        QVERIFY(pass.ms.low <= pass.ms.median && pass.ms.median <= pass.ms.high);
        QCOMPARE(pass.ofDesign, kindsOfDesign.split(' ').contains(text(pass.kind)));
        QVERIFY(result.design->costs.ticks.of(pass.kind, pass.stage) >= 100);
    }
    QCOMPARE(result.loop.size(), std::size_t { 2 });
    for (const LoopProfile& device : result.loop)
        QVERIFY(device.us.median > 0);
    for (const TransferProfile& transfer : result.transfers) {
        QVERIFY(transfer.from != transfer.to);
        QCOMPARE(transfer.bytes, 2 * 16 * 32 * 4);
        QVERIFY(transfer.aStep % design.pipeline.microBatches == 0);
    }
    QCOMPARE(result.foretold.size(), std::size_t { 1 });
    QCOMPARE(result.foretold.front().steps, 4);
    QVERIFY(result.foretold.front().measured.median > 0);
}

void ProfileTest::theWrittenDesignTakesTheForecastTimeAndTheDryPassesMemory()
{
    const Design design = trainingDesign("zb-h1", 2, 8);
    const auto result = profile(design, {}, options(3));
    QVERIFY2(result.ok(), qPrintable(said(result)));
    QVERIFY(result.design->memory.unit == MemoryUnit::Byte);
    QVERIFY(result.design->memory == result.memory);
    QVERIFY(result.design->plan == design.plan && result.design->model == design.model);
    const auto read = readDesign(writeDesign(*result.design));
    QVERIFY(read.design);
    const Plan planned = plan(*read.design);
    QVERIFY2(
        planned.ok(), qPrintable(QString::fromStdString(planned.findings.empty() ? "" : text(planned.findings[0]))));
    const double ms = static_cast<double>(planned.metrics.makespan()) * read.design->costs.tickUs / 1000;
    const double forecast = result.foretold.front().forecast;
    QVERIFY2(std::abs(ms / forecast - 1) < 0.02, qPrintable(QString("%1, not %2").arg(ms).arg(forecast)));
}

void ProfileTest::othersAreForetoldAndMustHaveTheSamePasses()
{
    const Design design = trainingDesign("1f1b", 2, 4);
    const Design others[] { trainingDesign("zb-h1", 2, 4) };
    const auto result = profile(design, others, options(3));
    QVERIFY2(result.ok(), qPrintable(said(result)));
    QCOMPARE(result.foretold.size(), std::size_t { 2 });
    QVERIFY(result.foretold[1].forecast > 0);
    QVERIFY(result.foretold[1].name != result.foretold[0].name);
    for (const Foretold& order : result.foretold) {
        const double parts = order.passes.median + order.loop.median + order.handOver.median;
        QVERIFY(order.passes.median > 0 && parts >= order.passes.median);
    }

    const Design unlike[] { trainingDesign("zb-h1", 2, 5) };
    const auto refused = profile(design, unlike, options(3));
    QVERIFY(refused.outcome == Outcome::Refused);
    QVERIFY(has(refused, "profile/others"));
    QVERIFY(!refused.design);
}

void ProfileTest::limitsInActivationsAreLeftOutWithAWarning()
{
    Design design = trainingDesign("1f1b", 2, 4);
    design.memory.limit[0] = 4;
    const auto result = profile(design, {}, options(1));
    QVERIFY2(result.ok(), qPrintable(said(result)));
    QVERIFY(has(result, "profile/limits"));
    QVERIFY(!result.design->memory.limit[0]);
}

void ProfileTest::aDesignThatCannotRunIsRefusedAsARunIs()
{
    Design design = trainingDesign("1f1b", 2, 4);
    design.model->layers = 1;
    const auto result = profile(design, {}, options(1));
    QVERIFY(result.outcome == Outcome::Refused);
    QVERIFY(hasErrors(result.findings));
    QVERIFY(result.passes.empty() && !result.design);
}

void ProfileTest::dataThatCannotBeReadEndsIt()
{
    ProfileOptions how = options(1);
    how.data = { "no such file" };
    QVERIFY(profile(trainingDesign("1f1b", 2, 4), {}, how).outcome == Outcome::Unreadable);
}

void ProfileTest::anInterruptEndsIt_data()
{
    QTest::addColumn<bool>("isSent");
    QTest::newRow("handed over") << false;
    QTest::newRow("sent") << true;
}

void ProfileTest::anInterruptEndsIt()
{
    QFETCH(bool, isSent);
    std::stop_source stop;
    ProfileOptions how = options(1'000'000);
    how.transport = isSent ? TransportKind::Gloo : TransportKind::Local;
    how.stop = stop.get_token();
    how.onStep = [&](std::int64_t done, std::int64_t) {
        if (done == 3)
            stop.request_stop();
    };
    const auto result = profile(trainingDesign("1f1b", 2, 4), {}, how);
    QVERIFY(result.outcome == Outcome::Interrupted);
    QVERIFY(!result.design);
}

QTEST_APPLESS_MAIN(ProfileTest)
#include "profile_test.moc"
