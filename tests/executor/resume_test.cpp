// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// Checkpoints: a run that stopped goes on with the same bits, a difference is told, a damaged one is refused.

#include "executor/checkpoint.h"
#include "tests/executor/training_designs.h"

#include <QTemporaryDir>
#include <QTest>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::test;

namespace {

std::size_t filesIn(const std::string& folder)
{
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder))
        ++count;
    return count;
}

/// While it lives no file can grow beyond `bytes`, as on a disk that is full.
class FullDisk {
public:
    explicit FullDisk(rlim_t bytes)
    {
        getrlimit(RLIMIT_FSIZE, &before_);
        handler_ = std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit { bytes, before_.rlim_max };
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;
    ~FullDisk()
    {
        setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }

private:
    rlimit before_ {};
    void (*handler_)(int) = nullptr;
};

} // namespace

class ResumeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void resumedLossesAreBitEqual_data();
    void resumedLossesAreBitEqual();
    void aCheckpointIsWrittenEveryFewStepsAndAtTheEnd();
    void anotherScheduleOfTheSameModelGoesOnWithAWarning();
    void anotherModelIsRefused();
    void otherThreadsAndProcessorsAreTold();
    void anythingTruncatedIsRefused();
    void aFolderWithoutCheckpointIsRefused();
    void aFullDiskEndsTheRunAndKeepsTheEarlierCheckpoint();
    void aCheckpointThatCouldNotBeFinishedLeavesNoFiles();
    void aFolderThatCannotBeMadeIsRefusedBeforeTheStart();
    void anEarlierCheckpointIsSaidToBeReplaced();

private:
    std::string folder() const { return folder_.path().toStdString() + "/" + QTest::currentTestFunction(); }

    QTemporaryDir folder_;
};

void ResumeTest::resumedLossesAreBitEqual_data()
{
    QTest::addColumn<QString>("schedule");
    for (const auto* name : { "1f1b", "v-half", "zb-h1" })
        QTest::newRow(name) << name;
}

void ResumeTest::resumedLossesAreBitEqual()
{
    QFETCH(QString, schedule);
    auto design = trainingDesign(schedule.toUtf8().constData(), 4, 6);
    design.training->warmup = 4;
    design.training->decay = 20;
    const auto name = folder() + schedule.toStdString();
    const auto whole = run(design, trainingOptions(7));
    QVERIFY2(whole.ok(), said(whole).c_str());

    auto options = trainingOptions(3);
    options.checkpointDir = name;
    const auto first = run(design, options);
    QVERIFY2(first.ok(), said(first).c_str());
    options = trainingOptions(4);
    options.resumeDir = name;
    const auto second = run(design, options);
    QVERIFY2(second.ok(), said(second).c_str());
    QVERIFY(!hasFinding(second, "checkpoint/differs"));
    QCOMPARE(second.steps.front().step, 3);

    auto joined = losses(first);
    for (const auto loss : losses(second))
        joined.push_back(loss);
    QVERIFY2(joined == losses(whole), "every bit of every loss");
}

void ResumeTest::aCheckpointIsWrittenEveryFewStepsAndAtTheEnd()
{
    auto design = trainingDesign("1f1b", 2, 2);
    design.training->checkpointEvery = 2;
    auto options = trainingOptions(5);
    options.checkpointDir = folder();
    std::vector<std::int64_t> seen;
    options.onStep = [&](const StepReport&) {
        const auto read = readCheckpoint(options.checkpointDir);
        seen.push_back(read.checkpoint ? read.checkpoint->steps : 0);
    };
    const auto result = run(design, options);
    QVERIFY2(result.ok(), said(result).c_str());
    // Steps are reported while the next ones run, so only that they grow is sure.
    QVERIFY(std::is_sorted(seen.begin(), seen.end()));
    const auto read = readCheckpoint(options.checkpointDir);
    QVERIFY(read.checkpoint);
    QCOMPARE(read.checkpoint->steps, 5);
    QCOMPARE(filesIn(options.checkpointDir), std::size_t { 3 }); // two stages and the manifest: earlier ones are gone
}

void ResumeTest::anotherScheduleOfTheSameModelGoesOnWithAWarning()
{
    auto options = trainingOptions(2);
    options.checkpointDir = folder();
    QVERIFY(run(trainingDesign("1f1b", 4, 6), options).ok());
    const auto expected = run(trainingDesign("1f1b", 4, 6), trainingOptions(4));

    options = trainingOptions(2);
    options.resumeDir = folder();
    const auto result = run(trainingDesign("v-half", 4, 6), options);
    QVERIFY2(result.ok(), said(result).c_str());
    QVERIFY(hasFinding(result, "checkpoint/differs"));
    for (std::size_t i = 0; i < 2; ++i)
        QVERIFY(std::abs(result.steps[i].loss - expected.steps[2 + i].loss) < 1e-5 * expected.steps[2 + i].loss);
}

void ResumeTest::anotherModelIsRefused()
{
    auto options = trainingOptions(1);
    options.checkpointDir = folder();
    auto design = trainingDesign("1f1b", 2, 2);
    QVERIFY(run(design, options).ok());
    design.model->hidden = 64;
    options = trainingOptions(1);
    options.resumeDir = folder();
    const auto result = run(design, options);
    QVERIFY(result.outcome == Outcome::Refused);
    QVERIFY2(said(result).find("hidden 32") != std::string::npos, said(result).c_str());
}

void ResumeTest::otherThreadsAndProcessorsAreTold()
{
    auto options = trainingOptions(1);
    options.checkpointDir = folder();
    const auto design = trainingDesign("1f1b", 2, 2);
    QVERIFY(run(design, options).ok());
    const auto path = folder() + "/checkpoint.json";
    auto manifest = QString::fromStdString(readAll(path));
    manifest.replace("\"intra_op_threads\": 1", "\"intra_op_threads\": 3");
    manifest.replace("\"processor\": \"", "\"processor\": \"Abacus ");
    writeAll(path, manifest.toStdString());

    options = trainingOptions(1);
    options.resumeDir = folder();
    const auto result = run(design, options);
    QVERIFY2(result.ok(), said(result).c_str());
    const auto told = std::find_if(result.findings.begin(), result.findings.end(),
        [](const Finding& finding) { return finding.rule == "checkpoint/differs"; });
    QVERIFY(told != result.findings.end());
    QVERIFY2(told->message.find("processor Abacus") != std::string::npos, told->message.c_str());
    QVERIFY2(told->message.find("intra-op threads 3 (now 1)") != std::string::npos, told->message.c_str());
}

void ResumeTest::anythingTruncatedIsRefused()
{
    auto options = trainingOptions(1);
    options.checkpointDir = folder();
    const auto design = trainingDesign("1f1b", 2, 2);
    QVERIFY(run(design, options).ok());
    options = trainingOptions(1);
    options.resumeDir = folder();
    for (const auto& entry : std::filesystem::directory_iterator(folder())) {
        const auto path = entry.path().string();
        const auto whole = readAll(path);
        for (const auto length : { std::size_t { 0 }, whole.size() / 2, whole.size() - 2 }) {
            writeAll(path, whole.substr(0, length));
            const auto result = run(design, options);
            QVERIFY2(result.outcome == Outcome::Unreadable, (path + ": " + said(result)).c_str());
            QVERIFY(result.steps.empty());
        }
        auto flipped = whole;
        flipped[whole.size() / 2] = static_cast<char>(flipped[whole.size() / 2] ^ 1);
        if (path.ends_with(".stage")) {
            writeAll(path, flipped);
            QVERIFY2(run(design, options).outcome == Outcome::Unreadable, "a flipped bit");
        }
        std::filesystem::remove(path);
        QVERIFY(run(design, options).outcome == Outcome::Unreadable);
        writeAll(path, whole);
    }
    QVERIFY(run(design, options).ok());
}

void ResumeTest::aFolderWithoutCheckpointIsRefused()
{
    auto options = trainingOptions(1);
    options.resumeDir = folder();
    const auto result = run(trainingDesign("1f1b", 2, 2), options);
    QVERIFY(result.outcome == Outcome::Unreadable);
    QVERIFY(hasFinding(result, "checkpoint/unreadable"));
}

void ResumeTest::aFullDiskEndsTheRunAndKeepsTheEarlierCheckpoint()
{
    const auto design = trainingDesign("1f1b", 2, 2);
    auto options = trainingOptions(2);
    options.checkpointDir = folder();
    QVERIFY(run(design, options).ok());

    options = trainingOptions(3);
    options.checkpointDir = folder();
    options.resumeDir = folder();
    const auto result = [&] {
        const FullDisk full(20'000); // a stage file has some 300 KB
        return run(design, options);
    }();
    QVERIFY2(result.outcome == Outcome::Failed, said(result).c_str());
    QVERIFY2(hasFinding(result, "file/write"), said(result).c_str());
    QCOMPARE(result.steps.size(), std::size_t { 3 });
    const auto read = readCheckpoint(folder());
    QVERIFY(read.checkpoint);
    QCOMPARE(read.checkpoint->steps, 2);
    QCOMPARE(filesIn(folder()), std::size_t { 3 });
    QVERIFY(run(design, options).ok());
}

// Room for the smaller stage file, and none for the other: the device that could save has left a file.
void ResumeTest::aCheckpointThatCouldNotBeFinishedLeavesNoFiles()
{
    const auto design = trainingDesign("1f1b", 2, 2);
    auto options = trainingOptions(1);
    options.checkpointDir = folder();
    QVERIFY(run(design, options).ok());
    std::vector<std::uintmax_t> sizes;
    for (const std::int32_t stage : { 0, 1 })
        sizes.push_back(
            std::filesystem::file_size(std::filesystem::path(folder()) / stageFileName(1, StageId { stage })));
    QVERIFY(sizes[0] != sizes[1]);
    options.resumeDir = folder();
    const auto result = [&] {
        const FullDisk full((sizes[0] + sizes[1]) / 2);
        return run(design, options);
    }();
    QVERIFY2(hasFinding(result, "file/write"), said(result).c_str());
    QCOMPARE(filesIn(folder()), std::size_t { 3 });
    QCOMPARE(readCheckpoint(folder()).checkpoint->steps, 1);

    // What is none of this run's stays.
    const auto other = (std::filesystem::path(folder()) / stageFileName(9, StageId { 0 })).string();
    writeAll(other, "of another run");
    removeUnfinished(folder(), 1, 8);
    QCOMPARE(filesIn(folder()), std::size_t { 4 });
    removeUnfinished(folder(), 1, 9);
    QCOMPARE(filesIn(folder()), std::size_t { 3 });
}

void ResumeTest::aFolderThatCannotBeMadeIsRefusedBeforeTheStart()
{
    writeAll(folder(), "a file");
    auto options = trainingOptions(1);
    options.checkpointDir = folder() + "/below";
    const auto result = run(trainingDesign("1f1b", 2, 2), options);
    QVERIFY(result.outcome == Outcome::Failed);
    QVERIFY(hasFinding(result, "checkpoint/write"));
    QVERIFY(result.steps.empty());
}

void ResumeTest::anEarlierCheckpointIsSaidToBeReplaced()
{
    auto options = trainingOptions(1);
    options.checkpointDir = folder();
    const auto design = trainingDesign("1f1b", 2, 2);
    QVERIFY(!hasFinding(run(design, options), "checkpoint/replaced"));
    QVERIFY(hasFinding(run(design, options), "checkpoint/replaced"));
    options.resumeDir = folder();
    const auto result = run(design, options);
    QVERIFY2(result.ok(), said(result).c_str());
    QVERIFY(!hasFinding(result, "checkpoint/replaced"));
}

QTEST_APPLESS_MAIN(ResumeTest)
#include "resume_test.moc"
