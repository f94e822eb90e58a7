// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/event_feed.h"
#include "app/designer/run/run_session.h"
#include "tests/designer/run/event_text.h"
#include "tests/designer/run/panel_run.h"
#include "tests/designer/window_test_main.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>

#include <mutex>

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;
using State = RunSession::State;

namespace {

constexpr int patienceMs = 20'000;

void append(const QString& path, const std::string& text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::Append));
    QCOMPARE(file.write(text.data(), static_cast<qint64>(text.size())), static_cast<qint64>(text.size()));
}

std::string run(std::int64_t steps)
{
    RunRecipe recipe;
    recipe.steps = steps;
    return linesOf(runEvents(recipe));
}

/// What a feed gives, taken as a window would, under a clock that stands still until it is moved.
class Taken {
public:
    EventFeed::OnBatch onBatch()
    {
        return [this](const std::shared_ptr<EventBatch>& batch) {
            const std::lock_guard held(mutex_);
            for (const RunEvent& event : batch->events)
                if (const auto* pass = std::get_if<PassEnded>(&event))
                    ends_.push_back(pass->end);
            atEnd_ = atEnd_ || batch->atEnd;
            ++batches_;
        };
    }
    std::vector<Nanos> ends()
    {
        const std::lock_guard held(mutex_);
        return ends_;
    }
    bool atEnd()
    {
        const std::lock_guard held(mutex_);
        return atEnd_;
    }
    int batches()
    {
        const std::lock_guard held(mutex_);
        return batches_;
    }

private:
    std::mutex mutex_;
    std::vector<Nanos> ends_;
    bool atEnd_ = false;
    int batches_ = 0;
};

} // namespace

class RunSessionTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { failOnWarnings(); }
    void aGrowingFileIsFollowedInTornPieces();
    void garbledLinesAreCountedAndPassedOver();
    void theFileNeedNotBeThereYet();
    void anotherRunInTheSameFileBeginsAnew();
    void aFolderIsReadTogether();
    void showingAStepLeavesTheNewest();
    void oldStepsAreReadFromTheFileAgain();
    void aReplayFollowsItsClock();
    void noMoreThanTwoBatchesAreUnderWay();
    void aStandstillNamesWhoWaits();
    void closingAndOpeningInTheMiddleIsFine();

private:
    QTemporaryDir folder_;
};

void RunSessionTest::aGrowingFileIsFollowedInTornPieces()
{
    const QString path = folder_.filePath("torn.jsonl");
    const std::string all = run(3);
    append(path, all.substr(0, 40));
    RunSession session;
    session.follow(path);
    QCOMPARE(session.state(), State::Waiting);
    constexpr std::size_t piece = 4099; // no line ends there
    for (std::size_t at = 40; at < all.size(); at += piece) {
        append(path, all.substr(at, piece));
        QTest::qWait(1);
    }
    QTRY_COMPARE_WITH_TIMEOUT(session.log().summaries().size(), std::size_t { 3 }, patienceMs);
    QCOMPARE(session.state(), State::Running);
    QCOMPARE(session.counts().garbled, 0);
    QCOMPARE(session.counts().cut, 0);
    QCOMPARE(session.log().faults().lostPasses, 0);
    QCOMPARE(session.log().passesTold(), std::int64_t { 3 * 8 * 8 * 3 });
    QVERIFY(session.reference());
    append(path,
        R"({"event":"end","outcome":"finished"})"
        "\n");
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), State::Ended, patienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(session.shownNumber(), 2, patienceMs);
    QVERIFY(session.shown()->isWhole());
}

void RunSessionTest::garbledLinesAreCountedAndPassedOver()
{
    const QString path = folder_.filePath("garbled.jsonl");
    append(path, run(1) + "no event\n{\"event\":\"of tomorrow\"}\n{\"event\":\"step\"}\n");
    RunSession session;
    session.follow(path);
    QTRY_COMPARE_WITH_TIMEOUT(session.counts().garbled, 2, patienceMs);
    QCOMPARE(session.counts().unknown, 1);
    QCOMPARE(session.log().summaries().size(), std::size_t { 1 });
}

void RunSessionTest::theFileNeedNotBeThereYet()
{
    const QString path = folder_.filePath("later.jsonl");
    RunSession session;
    QSignalSpy problems(&session, &RunSession::problem);
    session.follow(path);
    QTest::qWait(100);
    QCOMPARE(session.state(), State::Waiting);
    QCOMPARE(problems.size(), 0);
    append(path, run(1));
    QTRY_COMPARE_WITH_TIMEOUT(session.state(), State::Running, patienceMs);
    // Who has it open reads on, though it is gone.
    QVERIFY(QFile::remove(path));
    QTRY_COMPARE_WITH_TIMEOUT(session.log().summaries().size(), std::size_t { 1 }, patienceMs);
}

void RunSessionTest::anotherRunInTheSameFileBeginsAnew()
{
    const QString path = folder_.filePath("again.jsonl");
    append(path, run(4));
    RunSession session;
    session.follow(path);
    QTRY_COMPARE_WITH_TIMEOUT(session.log().summaries().size(), std::size_t { 4 }, patienceMs);
    session.showStep(1);
    QVERIFY(!session.isLive());
    QSignalSpy opened(&session, &RunSession::opened);
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly)); // empties it
        QVERIFY(file.write(QByteArray::fromStdString(run(2))) > 0);
    }
    QTRY_VERIFY_WITH_TIMEOUT(!opened.isEmpty(), patienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(session.log().summaries().size(), std::size_t { 2 }, patienceMs);
    QVERIFY(session.isLive()); // the step that was shown is of another run
    QTRY_VERIFY_WITH_TIMEOUT(session.shown(), patienceMs);

    // By another file under its name.
    const QString other = folder_.filePath("other.jsonl");
    append(other, run(3));
    QVERIFY(QFile::remove(path) && QFile::rename(other, path));
    QTRY_COMPARE_WITH_TIMEOUT(session.log().summaries().size(), std::size_t { 3 }, patienceMs);
}

void RunSessionTest::aFolderIsReadTogether()
{
    const QString events = folder_.filePath("ranks");
    QVERIFY(QDir().mkpath(events));
    RunRecipe recipe;
    recipe.steps = 3;
    std::vector<std::vector<RunEvent>> files(4);
    for (RunEvent& event : runEvents(recipe)) {
        const auto device = deviceOf(event);
        files[device ? device->index() : 0].push_back(event);
    }
    RunSession session;
    session.follow(events);
    append(events + "/events-rank-3.jsonl", linesOf(files[3])); // before the run's first line is there
    QTest::qWait(50);
    append(events + "/events.jsonl", linesOf(files[0]));
    append(events + "/events-rank-1.jsonl", linesOf(files[1]));
    append(events + "/events-rank-2.jsonl", linesOf(files[2]));
    QTRY_COMPARE_WITH_TIMEOUT(session.log().passesTold(), std::int64_t { 3 * 8 * 8 * 3 }, patienceMs);
    QCOMPARE(session.log().summaries().size(), std::size_t { 3 });
    QCOMPARE(session.log().faults().strange, 0);
}

void RunSessionTest::showingAStepLeavesTheNewest()
{
    const QString path = folder_.filePath("show.jsonl");
    append(path, run(5));
    RunSession session;
    session.follow(path);
    QTRY_COMPARE_WITH_TIMEOUT(session.log().summaries().size(), std::size_t { 5 }, patienceMs);
    QVERIFY(session.isLive());
    QCOMPARE(session.steps(), (std::pair<std::int64_t, std::int64_t>(0, 4)));
    QSignalSpy live(&session, &RunSession::liveChanged);
    session.showStep(1);
    QCOMPARE(live.size(), 1);
    QCOMPARE(session.shownNumber(), 1);
    session.showNext(1);
    QCOMPARE(session.shown()->step, 2);
    session.showNext(-10);
    QCOMPARE(session.shown()->step, 0);
    session.setLive(true);
    QCOMPARE(session.shownNumber(), 4);
}

void RunSessionTest::oldStepsAreReadFromTheFileAgain()
{
    // 400,000 passes are kept: 192 of them and some transfers are a step.
    constexpr std::int64_t steps = 2200;
    const QString path = folder_.filePath("long.jsonl");
    append(path, run(steps));
    RunSession session;
    session.follow(path);
    QTRY_COMPARE_WITH_TIMEOUT(session.steps().second, steps - 1, 2 * patienceMs);
    QTRY_COMPARE_WITH_TIMEOUT(session.log().passesTold(), steps * 192, 2 * patienceMs);
    QVERIFY(!session.log().step(7));
    session.showStep(3);
    session.showStep(7); // the newest wish counts
    QVERIFY(!session.shown());
    QTRY_VERIFY_WITH_TIMEOUT(session.shown(), patienceMs);
    QCOMPARE(session.shown()->step, 7);
    QCOMPARE(session.shownNumber(), 7);
    QVERIFY(session.shown()->isWhole());
    QCOMPARE(session.shown()->passes(), 192);
}

void RunSessionTest::aReplayFollowsItsClock()
{
    const QString path = folder_.filePath("replay.jsonl");
    append(path, run(3));
    std::atomic<std::int64_t> ms = 0;
    Taken taken;
    EventFeed::Settings settings;
    settings.path = path.toStdString();
    settings.speed = 2;
    settings.poll = std::chrono::milliseconds(1);
    settings.now = [&ms] { return EventFeed::Clock::time_point(std::chrono::milliseconds(ms)); };
    EventFeed* feed = nullptr;
    int done = 0;
    EventFeed made(settings, taken.onBatch(), [](std::int64_t, const MeasuredStepPtr&) {});
    feed = &made;
    const auto serve = [&] {
        for (; done < taken.batches(); ++done)
            feed->done();
    };
    // All that has ended by a time, and nothing of what comes later.
    const auto expected = [&](Nanos until) {
        RunRecipe recipe;
        std::size_t count = 0;
        for (const RunEvent& event : runEvents(recipe))
            if (const auto* pass = std::get_if<PassEnded>(&event))
                count += pass->end <= until ? 1 : 0;
        return count;
    };
    constexpr Nanos msNs = 1'000'000;
    QTest::qWait(30);
    serve();
    QVERIFY(taken.ends().empty()); // the clock stands
    Nanos position = 0;
    const auto go = [&](std::int64_t by, Nanos speed) {
        ms += by;
        position += by * speed * msNs;
        QTRY_VERIFY_WITH_TIMEOUT((serve(), !taken.ends().empty()), patienceMs);
        // Time may pass before a line that was not due: passes of a file stand in the order of devices.
        const auto isOnTime
            = [&] { return std::ranges::all_of(taken.ends(), [&](Nanos end) { return end <= position; }); };
        QTest::qWait(30);
        serve();
        QVERIFY(isOnTime());
        QVERIFY(taken.ends().size() <= expected(position));
    };
    go(15, 2);
    const std::size_t before = taken.ends().size();
    made.setPaused(true);
    QTest::qWait(20); // it sees the pause by the clock as it stands
    ms += 1000;
    QTest::qWait(50);
    serve();
    QCOMPARE(taken.ends().size(), before);
    made.setPaused(false);
    QTest::qWait(30);
    serve();
    QCOMPARE(taken.ends().size(), before); // what passed meanwhile is not made up for
    made.setSpeed(100);
    ms += 1000;
    QTRY_VERIFY_WITH_TIMEOUT((serve(), taken.atEnd()), patienceMs);
    QCOMPARE(taken.ends().size(), expected(std::numeric_limits<Nanos>::max()));
}

void RunSessionTest::noMoreThanTwoBatchesAreUnderWay()
{
    const QString path = folder_.filePath("many.jsonl");
    append(path, run(400)); // some 100,000 lines
    Taken taken;
    EventFeed::Settings settings;
    settings.path = path.toStdString();
    settings.poll = std::chrono::milliseconds(1);
    EventFeed feed(settings, taken.onBatch(), [](std::int64_t, const MeasuredStepPtr&) {});
    QTRY_COMPARE_WITH_TIMEOUT(taken.batches(), 2, patienceMs);
    QTest::qWait(100);
    QCOMPARE(taken.batches(), 2); // nobody has dealt with them
    feed.done();
    QTRY_COMPARE_WITH_TIMEOUT(taken.batches(), 3, patienceMs);
    QTest::qWait(50);
    QCOMPARE(taken.batches(), 3);
}

void RunSessionTest::aStandstillNamesWhoWaits()
{
    RunRecipe recipe;
    recipe.steps = 1;
    std::vector<RunEvent> events = openingEvents(recipe);
    for (const RunEvent& event : stepEvents(recipe, slowPlan(recipe), 0, 0, 1)) {
        const auto* pass = std::get_if<PassEnded>(&event);
        if (std::holds_alternative<StepBegan>(event)
            || (pass && pass->device == DeviceId { 0 } && pass->pass.stage.value == 0 && pass->pass.kind == PassKind::F
                && pass->pass.microBatch.value < 2))
            events.push_back(event);
    }
    RunSession session;
    session.take(std::move(events));
    QVERIFY(!session.standstill()); // something came just now
    QTRY_VERIFY_WITH_TIMEOUT(session.standstill(), patienceMs);
    const QString said = *session.standstill();
    QVERIFY2(said.contains("has not finished") && said.contains("wait"), qPrintable(said));
}

void RunSessionTest::closingAndOpeningInTheMiddleIsFine()
{
    const QString path = folder_.filePath("busy.jsonl");
    append(path, run(200));
    RunSession session;
    for (int i = 0; i < 20; ++i) {
        if (i % 3 == 0)
            session.replay(path, 100);
        else
            session.follow(path);
        QTest::qWait(i % 5);
        if (i % 4 == 0)
            session.close();
    }
    session.follow(path);
    QTRY_COMPARE_WITH_TIMEOUT(session.log().summaries().size(), std::size_t { 200 }, patienceMs);
    QCOMPARE(session.log().passesTold(), std::int64_t { 200 * 192 });
    session.close();
    QCOMPARE(session.state(), State::Empty);
    QVERIFY(!session.shown());
}

PIPELOOM_WINDOW_TEST_MAIN(RunSessionTest)
#include "run_session_test.moc"
