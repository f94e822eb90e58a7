// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/run_status.h"
#include "app/designer/run/run_texts.h"
#include "tests/designer/run/panel_run.h"
#include "tests/designer/window_test_main.h"

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;

class RunStatusTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { failOnWarnings(); }

    void withoutARunThereIsNothingToSay();
    void aRunUnderWaySaysStepWhoAndHowLong();
    void aLocalRunHasDevicesAndNoProcesses();
    void theEndIsSaid();
    void eventsAreCountedAndWhatIsLostToo();

private:
    static QString dots(const char* text) { return QString::fromUtf8(text); }
};

void RunStatusTest::withoutARunThereIsNothingToSay()
{
    const RunSession session;
    QCOMPARE(runSentence(session), QString());
    QCOMPARE(feedSentence(session), QString());
    QVERIFY(!secondsLeft(session));
}

void RunStatusTest::aRunUnderWaySaysStepWhoAndHowLong()
{
    RunSession session;
    RunRecipe recipe;
    recipe.steps = 25;
    recipe.ofSteps = 3025;
    session.take(openingEvents(recipe));
    QCOMPARE(runSentence(session), dots("3\u202F025 steps, none has begun · 4 processes (gloo)"));
    session.take(runEvents(recipe));
    // A step takes 59 ms and 2 more to the next: 3000 of them three minutes and three seconds.
    QVERIFY(secondsLeft(session));
    QVERIFY(std::abs(*secondsLeft(session) - 183) < 0.01);
    QCOMPARE(runSentence(session), dots("step 24 of 3025 · 4 processes (gloo) · 3 min 3 s left"));
}

void RunStatusTest::aLocalRunHasDevicesAndNoProcesses()
{
    RunSession session;
    RunRecipe recipe;
    recipe.ranks = false;
    recipe.transport = "local";
    recipe.emulated = true;
    recipe.ofSteps = 4;
    session.take(runEvents(recipe));
    QCOMPARE(runSentence(session), dots("step 2 of 4 · 4 devices (local) · emulated · under 1 s left"));
}

void RunStatusTest::theEndIsSaid()
{
    RunSession session;
    session.take(runEvents({}));
    session.take({ RunEnded { "finished" } });
    QCOMPARE(runSentence(session), dots("finished after 3 steps · 4 processes (gloo)"));
    RunSession other;
    other.take(runEvents({}));
    RunFailed failed;
    failed.message = "Rank 2 is gone.";
    other.take({ failed, RunEnded { "failed" } });
    QCOMPARE(runSentence(other), dots("failed at step 2 · 4 processes (gloo)"));
    QVERIFY(!secondsLeft(other));
}

void RunStatusTest::eventsAreCountedAndWhatIsLostToo()
{
    RunSession session;
    RunRecipe recipe;
    session.take(openingEvents(recipe));
    const Plan slow = slowPlan(recipe);
    std::vector<RunEvent> events = stepEvents(recipe, slow, 0, 1'000'000, 3);
    QCOMPARE(feedSentence(session), dots("events 6 · 0 lost · window current within 10 ms"));
    // One pass is never told.
    const auto pass = std::find_if(
        events.begin(), events.end(), [](const RunEvent& event) { return std::holds_alternative<PassEnded>(event); });
    events.erase(pass);
    const auto told = static_cast<qulonglong>(events.size());
    session.take(std::move(events));
    for (std::int64_t step = 1; step <= 3; ++step) // then it is closed for good
        session.take(stepEvents(recipe, slow, step, step * 90'000'000, 3));
    const QString said = feedSentence(session);
    const auto all = static_cast<std::int64_t>(6 + 4 * told + 3);
    QVERIFY2(said.startsWith("events " + countText(all) + " "), qPrintable(said));
    QVERIFY2(said.contains(dots("· 1 lost ·")), qPrintable(said));
}

PIPELOOM_WINDOW_TEST_MAIN(RunStatusTest)
#include "run_status_test.moc"
