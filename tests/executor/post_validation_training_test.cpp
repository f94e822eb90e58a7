// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// Whole training runs with post-validation: the losses and checkpoints of the synchronised run, bit for bit.

#include "core/timeline/metrics.h"
#include "tests/executor/training_designs.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <filesystem>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::test;

namespace {

/// A design whose gradients' norm is above the clip in some steps and below in others.
Design sometimesClipped(const char* schedule)
{
    auto design = trainingDesign(schedule, 4, 8);
    design.training->learningRate = 1e-2;
    design.training->clip = 0.9;
    return design;
}

RunOptions postValidation(std::int64_t steps)
{
    auto options = trainingOptions(steps);
    options.optimizer = OptimizerMode::PostValidation;
    return options;
}

/// Bytes of the stages' files in a folder, by name.
std::map<std::string, std::string> stagesIn(const std::string& folder)
{
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".stage")
            files[entry.path().filename().string()] = readAll(entry.path().string());
    return files;
}

} // namespace

class PostValidationTrainingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void lossesAreThoseOfTheSynchronisedRun_data();
    void lossesAreThoseOfTheSynchronisedRun();
    void verifiedRunsGoAheadAfterwards();
    void checkpointsAreThoseOfTheSynchronisedRunAndResumeInEitherMode();
    void stoppedItSavesWhatTheSynchronisedRunHas();
    void theCopiesAreStaticMemoryPredictedAndMeasured();
};

void PostValidationTrainingTest::lossesAreThoseOfTheSynchronisedRun_data()
{
    QTest::addColumn<QString>("schedule");
    for (const char* name : { "1f1b", "interleaved-1f1b", "zb-h2", "v-half" })
        QTest::newRow(name) << QString(name);
}

void PostValidationTrainingTest::lossesAreThoseOfTheSynchronisedRun()
{
    QFETCH(QString, schedule);
    const auto design = sometimesClipped(schedule.toUtf8().constData());
    const auto ahead = run(design, postValidation(30));
    QVERIFY2(ahead.ok(), said(ahead).c_str());
    const auto synchronised = run(design, trainingOptions(30));
    QVERIFY2(synchronised.ok(), said(synchronised).c_str());
    QVERIFY(losses(ahead) == losses(synchronised));
    QVERIFY2(ahead.counts.ahead > 0 && ahead.counts.rolledBack > 0,
        qPrintable(QString("%1 ahead, %2 rolled back").arg(ahead.counts.ahead).arg(ahead.counts.rolledBack)));
    QCOMPARE(synchronised.counts.ahead, std::int64_t { 0 });
    QVERIFY(std::any_of(ahead.notes.begin(), ahead.notes.end(),
        [](const std::string& note) { return note.find("rolled back") != std::string::npos; }));
}

void PostValidationTrainingTest::verifiedRunsGoAheadAfterwards()
{
    for (const char* name : { "zb-h1", "v-zb" }) {
        auto design = trainingDesign(name, 4, 8);
        design.training->clip = 0;
        auto options = postValidation(5);
        options.verify = true;
        const auto result = run(design, options);
        QVERIFY2(result.ok(), said(result).c_str());
        QVERIFY(result.verify && result.verify->worst <= 1e-5);
        QCOMPARE(result.counts.ahead, std::int64_t { 3 }); // not the verified one, and not the last
    }
}

void PostValidationTrainingTest::checkpointsAreThoseOfTheSynchronisedRunAndResumeInEitherMode()
{
    QTemporaryDir folder;
    auto design = sometimesClipped("zb-h2");
    design.training->checkpointEvery = 4;
    const auto whole = run(design, trainingOptions(20));
    QVERIFY2(whole.ok(), said(whole).c_str());
    std::map<OptimizerMode, std::string> saved;
    for (const auto mode : { OptimizerMode::Synchronised, OptimizerMode::PostValidation }) {
        saved[mode] = folder.filePath(text(mode)).toStdString();
        auto options = trainingOptions(10);
        options.optimizer = mode;
        options.checkpointDir = saved[mode];
        const auto result = run(design, options);
        QVERIFY2(result.ok(), said(result).c_str());
    }
    QCOMPARE(stagesIn(saved[OptimizerMode::Synchronised]).size(), std::size_t { 4 });
    QVERIFY(stagesIn(saved[OptimizerMode::Synchronised]) == stagesIn(saved[OptimizerMode::PostValidation]));
    for (const auto from : { OptimizerMode::Synchronised, OptimizerMode::PostValidation })
        for (const auto mode : { OptimizerMode::Synchronised, OptimizerMode::PostValidation }) {
            auto options = trainingOptions(10);
            options.optimizer = mode;
            options.resumeDir = saved[from];
            const auto rest = run(design, options);
            QVERIFY2(rest.ok(), said(rest).c_str());
            QVERIFY(!hasFinding(rest, "checkpoint/differs"));
            const auto all = losses(whole);
            QVERIFY(losses(rest) == std::vector<double>(all.begin() + 10, all.end()));
        }
}

void PostValidationTrainingTest::stoppedItSavesWhatTheSynchronisedRunHas()
{
    QTemporaryDir folder;
    const auto design = sometimesClipped("zb-h2");
    std::stop_source source;
    auto options = postValidation(1'000'000);
    options.checkpointDir = folder.filePath("stopped").toStdString();
    options.stop = source.get_token();
    std::atomic<std::int64_t> last = 0;
    options.onStep = [&](const StepReport& step) {
        last = step.step;
        if (step.step == 6)
            source.request_stop();
    };
    const auto stopped = run(design, options);
    QVERIFY2(stopped.outcome == Outcome::Interrupted, said(stopped).c_str());
    QVERIFY(last >= 6);
    options = trainingOptions(last + 1);
    options.checkpointDir = folder.filePath("whole").toStdString();
    const auto whole = run(design, options);
    QVERIFY2(whole.ok(), said(whole).c_str());
    QVERIFY(losses(stopped) == losses(whole));
    QVERIFY(stagesIn(folder.filePath("stopped").toStdString()) == stagesIn(options.checkpointDir));
}

void PostValidationTrainingTest::theCopiesAreStaticMemoryPredictedAndMeasured()
{
    const auto design = trainingDesign("zb-h1", 4, 8);
    const auto ahead = run(design, postValidation(3));
    const auto synchronised = run(design, trainingOptions(3));
    QVERIFY2(ahead.ok(), said(ahead).c_str());
    const auto optimizer = static_cast<std::size_t>(MemoryClass::Optimizer);
    const auto weights = static_cast<std::size_t>(MemoryClass::Weights);
    for (std::size_t d = 0; d < 4; ++d) {
        const auto copies = 3 * ahead.devices[d].predicted.byClass[weights];
        const auto& more = ahead.devices[d].predicted;
        const auto& less = synchronised.devices[d].predicted;
        QCOMPARE(more.byClass[optimizer] - less.byClass[optimizer], copies);
        QCOMPARE(more.total - less.total, copies);
        QCOMPARE(ahead.devices[d].peak.byClass[optimizer] - synchronised.devices[d].peak.byClass[optimizer], copies);
    }
}

QTEST_APPLESS_MAIN(PostValidationTrainingTest)
#include "post_validation_training_test.moc"
