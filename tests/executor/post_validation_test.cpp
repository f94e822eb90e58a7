// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// The optimizer's step taken before it is known to be right: whatever turns out to have been wrong, the run has every bit of
// the synchronised one.

#include "core/library/library.h"
#include "core/plan/plan.h"
#include "core/program/lower.h"
#include "executor/events/event_log.h"
#include "executor/optimizer_mode.h"
#include "tests/executor/fake_job.h"
#include "tests/executor/hand_programs.h"

#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

#include <atomic>
#include <cmath>
#include <condition_variable>
#include <fstream>
#include <limits>
#include <random>
#include <thread>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::test;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// A published schedule as it is run.
struct Scheduled {
    Pipeline pipe;
    Program program;
};

Scheduled scheduled(const QString& name, std::int32_t devices, std::int32_t microBatches)
{
    LibraryRequest request;
    request.devices = devices;
    request.microBatches = microBatches;
    const auto design = *findInLibrary(name.toStdString())->make(request).design;
    const auto planned = plan(design, {});
    return { design.pipeline, *lower(planned.schedule, design.pipeline, design.network, QueueModel::Directed) };
}

/// What a run learned, and said on the way.
struct Learnt {
    JobResult run;
    std::map<std::int32_t, double> weights;
    std::vector<double> losses;
    std::vector<std::int64_t> steps;
    std::vector<std::string> log;

    [[nodiscard]] bool hasTheBitsOf(const Learnt& other) const
    {
        if (weights == other.weights && losses == other.losses && steps == other.steps)
            return true;
        for (std::size_t i = 0; i < std::min(losses.size(), other.losses.size()); ++i)
            qWarning("step %d: loss %.17g, not %.17g", static_cast<int>(i), losses[i], other.losses[i]);
        return false;
    }
    [[nodiscard]] std::vector<std::string> of(std::int32_t device) const
    {
        std::vector<std::string> lines;
        const auto prefix = std::to_string(device) + " ";
        for (const auto& line : log)
            if (line.starts_with(prefix))
                lines.push_back(line.substr(prefix.size()));
        return lines;
    }
    [[nodiscard]] int times(const std::string& line) const
    {
        return static_cast<int>(std::count(log.begin(), log.end(), line));
    }
};

using Change = std::function<void(std::int64_t step, StageId stage, double& gradient)>;

struct Course {
    OptimizerMode mode = OptimizerMode::PostValidation;
    std::int64_t steps = 10;
    double clip = 0;
    NanPolicy nanPolicy = NanPolicy::Skip;
    Change change = {};
    std::function<void(DeviceId, const Pass&)> before = {};
    std::function<void(Job&, FakeModel&)> more = {};
    std::stop_token stop = {};
};

/// Global norm of the first step's gradients, unchanged.
double normOf(const Pipeline& pipe)
{
    double squares = 0;
    for (std::int32_t s = 0; s < pipe.stages; ++s)
        squares += std::pow(expectedGradient(s, pipe), 2);
    return std::sqrt(squares);
}

Learnt train(const Scheduled& what, const Course& course)
{
    const auto model = std::make_shared<FakeModel>();
    model->rate = 0.01 / normOf(what.pipe);
    model->change = course.change;
    model->before = course.before;
    auto job = fakeJob(what.program, what.pipe, model);
    job.steps = course.steps;
    job.clip = course.clip;
    job.optimizer = course.mode;
    job.nanPolicy = course.nanPolicy;
    if (course.more)
        course.more(job, *model);
    Learnt learnt;
    learnt.run = runLocally(
        std::move(job),
        [&](const StepReport& step) {
            learnt.losses.push_back(step.loss);
            learnt.steps.push_back(step.step);
        },
        course.stop);
    learnt.weights = model->weights;
    learnt.log = model->log;
    return learnt;
}

QString sentence(const JobResult& run) { return run.finding ? QString::fromStdString(text(*run.finding)) : QString(); }

void addSchedules()
{
    QTest::addColumn<QString>("schedule");
    QTest::addColumn<int>("devices");
    QTest::addColumn<int>("microBatches");
    for (const char* name : { "gpipe", "1f1b", "interleaved-1f1b", "zb-h1", "zb-h2", "v-min", "v-half", "v-zb" })
        QTest::addRow("%s p=4 m=8", name) << QString(name) << 4 << 8;
    QTest::newRow("one device") << QString("gpipe") << 1 << 3;
    QTest::newRow("1f1b p=2 m=1") << QString("1f1b") << 2 << 1;
    QTest::newRow("1f1b p=8 m=3") << QString("1f1b") << 8 << 3;
    QTest::newRow("zb-h2 p=3 m=7") << QString("zb-h2") << 3 << 7;
    QTest::newRow("v-half p=6 m=12") << QString("v-half") << 6 << 12;
}

std::vector<nlohmann::json> eventsOf(const std::string& path, const std::string& kind)
{
    std::vector<nlohmann::json> found;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);)
        if (auto event = nlohmann::json::parse(line); event["event"] == kind)
            found.push_back(std::move(event));
    return found;
}

} // namespace

class PostValidationTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunThatIsNeverWrongHasTheBitsOfTheSynchronisedOne_data() { addSchedules(); }
    void aRunThatIsNeverWrongHasTheBitsOfTheSynchronisedOne();
    void clippedStepsAreRolledBackAndTakenAgain_data() { addSchedules(); }
    void clippedStepsAreRolledBackAndTakenAgain();
    void case14AGradientThatIsNotFiniteIsRolledBackOnAllDevices_data() { addSchedules(); }
    void case14AGradientThatIsNotFiniteIsRolledBackOnAllDevices();
    void forwardsOfTheUndoneWeightsAreRunAgain();
    void anyMixOfFaultsAndDelaysHasTheBitsOfTheSynchronisedRun_data();
    void anyMixOfFaultsAndDelaysHasTheBitsOfTheSynchronisedRun();
    void clippingInARowRollsBackItsFirstStepOnly();
    void whatIsNotFiniteEndsTheRunUnlessSkippingWasAskedFor_data();
    void whatIsNotFiniteEndsTheRunUnlessSkippingWasAskedFor();
    void skippedSynchronisedStepsAreWarnedOf();
    void rollbacksAreEvents();
    void whatIsSavedHasBeenValidated();
    void askedToStopItSavesAStepThatHasBeenValidated();
    void aFailureWhileOthersAreAheadEndsTheRun();
};

void PostValidationTest::aRunThatIsNeverWrongHasTheBitsOfTheSynchronisedOne()
{
    QFETCH(QString, schedule);
    QFETCH(int, devices);
    QFETCH(int, microBatches);
    const auto what = scheduled(schedule, devices, microBatches);
    const auto ahead = train(what, {});
    QVERIFY2(!ahead.run.finding, qPrintable(sentence(ahead.run)));
    const auto synchronised = train(what, { .mode = OptimizerMode::Synchronised });
    QVERIFY(ahead.hasTheBitsOf(synchronised));
    QCOMPARE(ahead.run.counts.ahead, std::int64_t { 9 }); // the last step is synchronised
    QCOMPARE(ahead.run.counts.rolledBack, std::int64_t { 0 });
    QCOMPARE(synchronised.run.counts.ahead, std::int64_t { 0 });
    for (std::int32_t d = 0; d < devices; ++d) {
        const auto device = std::to_string(d);
        QCOMPARE(ahead.times(device + " optimizer ahead"), 9);
        QCOMPARE(ahead.times(device + " confirmed"), 9);
        QCOMPARE(ahead.times(device + " optimizer"), 1);
    }
    QVERIFY(ahead.weights.at(0) != FakeWork::weight(0)); // it learned something
}

void PostValidationTest::clippedStepsAreRolledBackAndTakenAgain()
{
    QFETCH(QString, schedule);
    QFETCH(int, devices);
    QFETCH(int, microBatches);
    const auto what = scheduled(schedule, devices, microBatches);
    Course course;
    course.clip = 2 * normOf(what.pipe);
    // On one stage alone, so that the other devices see nothing of it.
    course.change = [last = what.pipe.stages - 1](std::int64_t step, StageId stage, double& gradient) {
        if ((step == 3 || step == 7) && stage.value == last)
            gradient *= 1000;
    };
    const auto ahead = train(what, course);
    QVERIFY2(!ahead.run.finding, qPrintable(sentence(ahead.run)));
    course.mode = OptimizerMode::Synchronised;
    const auto synchronised = train(what, course);
    QVERIFY(ahead.hasTheBitsOf(synchronised));
    // The first step waits to see its norm; one device alone sees by itself that a step is too long.
    QCOMPARE(ahead.run.counts.rolledBack, std::int64_t { devices == 1 ? 0 : 2 });
    QVERIFY(ahead.run.warnings.empty());
}

void PostValidationTest::case14AGradientThatIsNotFiniteIsRolledBackOnAllDevices()
{
    QFETCH(QString, schedule);
    QFETCH(int, devices);
    QFETCH(int, microBatches);
    const auto what = scheduled(schedule, devices, microBatches);
    const auto device = DeviceId { std::min(2, devices - 1) };
    const auto stage = what.pipe.stagesOn(device).front();
    Course course;
    course.change = [stage](std::int64_t step, StageId of, double& gradient) {
        if (step == 4 && of == stage)
            gradient = notANumber;
    };
    const auto ahead = train(what, course);
    QVERIFY2(!ahead.run.finding, qPrintable(sentence(ahead.run)));
    course.mode = OptimizerMode::Synchronised;
    const auto synchronised = train(what, course);
    QVERIFY2(!synchronised.run.finding, qPrintable(sentence(synchronised.run)));
    QVERIFY(ahead.hasTheBitsOf(synchronised));
    QCOMPARE(ahead.losses.size(), std::size_t { 10 });

    for (std::int32_t d = 0; d < devices; ++d) {
        const auto prefix = std::to_string(d) + " ";
        // The culprit knows it by itself and does not go ahead.
        QCOMPARE(ahead.times(prefix + "undone"), d == device.value ? 0 : 1);
        QCOMPARE(ahead.times(prefix + "skipped"), 1);
        QCOMPARE(synchronised.times(prefix + "skipped"), 1);
    }
    QCOMPARE(ahead.run.counts.skipped, std::int64_t { 1 });
    QCOMPARE(ahead.run.counts.rolledBack, std::int64_t { devices == 1 ? 0 : 1 });
    QCOMPARE(ahead.run.warnings.size(), std::size_t { 1 });
    const auto& warning = ahead.run.warnings.front();
    QCOMPARE(warning.rule, std::string("run/skipped"));
    QCOMPARE(warning.severity, Severity::Warning);
    QCOMPARE(*warning.where.front().device, device);
    const auto names = "stage " + std::to_string(stage.value) + " are not finite in step 4, first that of `weight "
        + std::to_string(stage.value) + "` (device " + std::to_string(device.value) + ")";
    QVERIFY2(warning.message.find(names) != std::string::npos, warning.message.c_str());
}

void PostValidationTest::forwardsOfTheUndoneWeightsAreRunAgain()
{
    const auto what = scheduled("zb-h2", 4, 8);
    // The last device's last pass of step 2 waits until device 0 has run a forward of step 3.
    std::mutex mutex;
    std::condition_variable news;
    int begun = 0;
    int ended = 0;
    Course course;
    course.steps = 6;
    course.change = [](std::int64_t step, StageId stage, double& gradient) {
        if (step == 2 && stage.value == 3)
            gradient = notANumber;
    };
    course.before = [&](DeviceId device, const Pass& pass) {
        std::unique_lock held(mutex);
        if (device.value == 0 && pass == passOf("0F1")) {
            ++begun;
            news.notify_all();
        }
        if (device.value == 3 && pass == passOf("3W7") && ++ended == 3)
            QVERIFY(news.wait_for(held, std::chrono::seconds(10), [&] { return begun == 4; }));
    };
    const auto ahead = train(what, course);
    QVERIFY2(!ahead.run.finding, qPrintable(sentence(ahead.run)));
    QCOMPARE(ahead.times("0 0F0"), 7); // six steps, and one that began again
    QCOMPARE(ahead.times("0 0F1"), 7);

    const auto lines = ahead.of(0);
    const auto undone = std::find(lines.begin(), lines.end(), "undone");
    QVERIFY(undone != lines.end());
    QCOMPARE(*std::next(undone), std::string("skipped"));
    QCOMPARE(*std::next(undone, 2), std::string("0F0"));
    const auto taken = std::find(std::make_reverse_iterator(undone), lines.rend(), "optimizer ahead").base();
    QCOMPARE(*taken, std::string("0F0"));
    for (auto between = taken; between != undone; ++between)
        QVERIFY2(between->find('F') != std::string::npos, between->c_str());

    course.mode = OptimizerMode::Synchronised;
    course.before = {};
    QVERIFY(ahead.hasTheBitsOf(train(what, course)));
}

void PostValidationTest::anyMixOfFaultsAndDelaysHasTheBitsOfTheSynchronisedRun_data()
{
    QTest::addColumn<QString>("schedule");
    QTest::addColumn<int>("seed");
    for (const char* name : { "1f1b", "interleaved-1f1b", "zb-h2", "v-half", "v-zb" })
        for (int seed = 0; seed < 4; ++seed)
            QTest::addRow("%s %d", name, seed) << QString(name) << seed;
}

void PostValidationTest::anyMixOfFaultsAndDelaysHasTheBitsOfTheSynchronisedRun()
{
    QFETCH(QString, schedule);
    QFETCH(int, seed);
    const auto what = scheduled(schedule, 4, 8);
    Course course;
    course.steps = 24;
    course.clip = 2 * normOf(what.pipe);
    course.change = [&, seed](std::int64_t step, StageId stage, double& gradient) {
        std::seed_seq from { seed, static_cast<int>(step), stage.value };
        const auto draw = std::mt19937(from)() % 40;
        if (draw == 0)
            gradient = notANumber;
        else if (draw < 3)
            gradient *= 100;
    };
    course.before = [seed](DeviceId device, const Pass& pass) {
        static thread_local std::mt19937 random(static_cast<unsigned>(seed * 64 + device.value));
        if (pass.kind != PassKind::F && random() % 3 == 0)
            std::this_thread::sleep_for(std::chrono::microseconds(random() % 300));
    };
    const auto ahead = train(what, course);
    QVERIFY2(!ahead.run.finding, qPrintable(sentence(ahead.run)));
    course.mode = OptimizerMode::Synchronised;
    course.before = {};
    const auto synchronised = train(what, course);
    QVERIFY(ahead.hasTheBitsOf(synchronised));
    QCOMPARE(ahead.run.counts.skipped, synchronised.run.counts.skipped);
    QVERIFY(ahead.run.counts.ahead > 0);
}

void PostValidationTest::clippingInARowRollsBackItsFirstStepOnly()
{
    const auto what = scheduled("zb-h1", 4, 8);
    Course course;
    course.steps = 12;
    course.clip = 2 * normOf(what.pipe);
    course.change = [](std::int64_t step, StageId stage, double& gradient) {
        if (step >= 3 && step < 8 && stage.value == 1)
            gradient *= 1000;
    };
    const auto ahead = train(what, course);
    QVERIFY2(!ahead.run.finding, qPrintable(sentence(ahead.run)));
    QCOMPARE(ahead.run.counts.rolledBack, std::int64_t { 1 });
    // Not ahead: the first, 4 to 7 (clipped) and 8 (behind a clipped one), and the last.
    QCOMPARE(ahead.run.counts.ahead, std::int64_t { 5 });
}

void PostValidationTest::whatIsNotFiniteEndsTheRunUnlessSkippingWasAskedFor_data()
{
    QTest::addColumn<bool>("isAhead");
    QTest::newRow("synchronised") << false;
    QTest::newRow("post-validation") << true;
}

void PostValidationTest::whatIsNotFiniteEndsTheRunUnlessSkippingWasAskedFor()
{
    QFETCH(bool, isAhead);
    Course course;
    course.mode = isAhead ? OptimizerMode::PostValidation : OptimizerMode::Synchronised;
    course.nanPolicy = NanPolicy::Stop;
    course.change = [](std::int64_t step, StageId stage, double& gradient) {
        if (step == 4 && stage.value == 2)
            gradient = std::numeric_limits<double>::infinity();
    };
    const auto learnt = train(scheduled("zb-h1", 4, 8), course);
    QVERIFY(learnt.run.finding);
    QCOMPARE(learnt.run.finding->rule, std::string("run/nan"));
    QCOMPARE(*learnt.run.finding->where.front().device, DeviceId { 2 });
    const auto& message = learnt.run.finding->message;
    QVERIFY2(message.find("the gradients of stage 2 are not finite in step 4, first that of `weight 2`")
            != std::string::npos,
        message.c_str());
    QCOMPARE(learnt.losses.size(), std::size_t { 4 });
}

void PostValidationTest::skippedSynchronisedStepsAreWarnedOf()
{
    Course course;
    course.mode = OptimizerMode::Synchronised;
    course.steps = 20;
    course.change = [](std::int64_t, StageId stage, double& gradient) {
        if (stage.value == 1)
            gradient = notANumber;
    };
    const auto learnt = train(scheduled("1f1b", 2, 2), course);
    QVERIFY2(!learnt.run.finding, qPrintable(sentence(learnt.run)));
    QCOMPARE(learnt.run.counts.skipped, std::int64_t { 20 });
    QCOMPARE(learnt.run.warnings.size(), std::size_t { 8 }); // more are counted, not named
    QVERIFY(learnt.weights.empty());                         // nothing was ever learned
}

void PostValidationTest::rollbacksAreEvents()
{
    QTemporaryDir folder;
    const auto path = folder.filePath("events").toStdString();
    const auto what = scheduled("zb-h1", 4, 8);
    Course course;
    course.clip = 2 * normOf(what.pipe);
    course.change = [](std::int64_t step, StageId stage, double& gradient) {
        if (step == 3 && stage.value == 2)
            gradient = notANumber;
        if (step == 6 && stage.value == 1)
            gradient *= 1000;
        if (step == 9 && stage.value == 0) // the last step, which is synchronised
            gradient = notANumber;
    };
    {
        const auto log = EventLog::open(path).log;
        course.more
            = [log](Job& job, FakeModel&) { job.listen = [log](DeviceId device) { return log->device(device); }; };
        QVERIFY(!train(what, course).run.finding);
    }
    const auto rollbacks = eventsOf(path, "rollback");
    QCOMPARE(rollbacks.size(), std::size_t { 2 });
    for (const auto& event : rollbacks) {
        if (event["reason"] == "nan") {
            QCOMPARE(event.dump(),
                std::string(
                    R"({"device":2,"event":"rollback","parameter":"weight 2","reason":"nan","stage":2,"step":3})"));
        } else {
            QCOMPARE(event["reason"].get<std::string>(), std::string("clip"));
            QCOMPARE(event["step"].get<int>(), 6);
            QVERIFY(event["scale"].get<double>() < 1);
        }
    }
    const auto skips = eventsOf(path, "skip");
    QCOMPARE(skips.size(), std::size_t { 1 });
    QCOMPARE(skips.front()["step"].get<int>(), 9);
    QCOMPARE(skips.front()["device"].get<int>(), 0);
}

void PostValidationTest::whatIsSavedHasBeenValidated()
{
    const auto what = scheduled("zb-h2", 4, 8);
    std::map<OptimizerMode, std::map<std::int64_t, std::map<std::int32_t, double>>> saved;
    for (const auto mode : { OptimizerMode::Synchronised, OptimizerMode::PostValidation }) {
        Course course;
        course.mode = mode;
        course.steps = 11;
        course.clip = 2 * normOf(what.pipe);
        course.change = [](std::int64_t step, StageId stage, double& gradient) {
            if (step % 3 == 2 && stage.value == 3)
                gradient = step == 5 ? notANumber : gradient * 1000;
        };
        course.more = [&saved, mode, pipe = what.pipe](Job& job, FakeModel& model) {
            job.saveEvery = 3;
            job.save = [&saved, &model, mode, pipe](DeviceId device, DeviceWork&, std::int64_t step) -> Findings {
                const std::lock_guard held(model.mutex);
                for (const auto stage : pipe.stagesOn(device))
                    saved[mode][step][stage.value] = model.weights[stage.value];
                return {};
            };
        };
        const auto learnt = train(what, course);
        QVERIFY2(!learnt.run.finding, qPrintable(sentence(learnt.run)));
    }
    QCOMPARE(saved[OptimizerMode::Synchronised].size(), std::size_t { 4 }); // steps 2, 5, 8, 10
    QVERIFY(saved[OptimizerMode::Synchronised] == saved[OptimizerMode::PostValidation]);
}

void PostValidationTest::askedToStopItSavesAStepThatHasBeenValidated()
{
    const auto what = scheduled("zb-h2", 4, 8);
    std::stop_source source;
    std::atomic<std::int64_t> savedStep = -1;
    std::atomic<int> saves = 0;
    Course course;
    course.steps = 1'000'000;
    course.clip = 2 * normOf(what.pipe);
    course.change = [&source](std::int64_t step, StageId stage, double& gradient) {
        if (step == 5)
            source.request_stop();
        if (step % 4 == 1 && stage.value == 2)
            gradient *= 1000;
    };
    course.stop = source.get_token();
    course.more = [&](Job& job, FakeModel&) {
        job.save = [&](DeviceId, DeviceWork&, std::int64_t step) -> Findings {
            savedStep = step;
            ++saves;
            return {};
        };
    };
    const auto stopped = train(what, course);
    QVERIFY(stopped.run.interrupted);
    QCOMPARE(saves.load(), 4);
    QCOMPARE(stopped.losses.size(), static_cast<std::size_t>(savedStep + 1));
    QVERIFY(savedStep >= 5);

    course.mode = OptimizerMode::Synchronised;
    course.stop = {};
    course.steps = savedStep + 1;
    QVERIFY(stopped.hasTheBitsOf(train(what, course)));
}

void PostValidationTest::aFailureWhileOthersAreAheadEndsTheRun()
{
    std::atomic<int> ended = 0;
    Course course;
    course.before = [&ended](DeviceId, const Pass& pass) {
        if (pass == passOf("3W7") && ++ended == 3)
            throw std::runtime_error("the tensor is torn");
    };
    const auto learnt = train(scheduled("zb-h2", 4, 8), course);
    QVERIFY(learnt.run.finding);
    QCOMPARE(learnt.run.finding->rule, std::string("run/failed"));
    QVERIFY2(sentence(learnt.run).contains("Device 3 failed in 3W7"), qPrintable(sentence(learnt.run)));
    QVERIFY(learnt.run.leftBehind.empty());
    QCOMPARE(learnt.losses.size(), std::size_t { 2 });
}

QTEST_APPLESS_MAIN(PostValidationTest)
#include "post_validation_test.moc"
