// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// Opening the CUDA module, and what a run gets of it: one sentence where there is none, or no GPU.

#include "executor/gpu/open_place.h"
#include "tests/executor/gpu/fake_gpu_bodies.h"

#include <QTemporaryDir>
#include <QTest>

using namespace pipeloom;
using namespace pipeloom::executor::gpu;
using namespace pipeloom::test;

class OpeningTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aMissingModuleIsNamed();
    void anotherLibraryIsNoModule();
    void theModuleOfThisBuildOpensOrSaysWhyNot();
    void devicesOfAProcessShareOneGpu();
    void ranksOfAMachineShareItsGpusThroughTheHost();
    void ncclWantsAGpuForEachRank();
};

namespace {

class TwoGpus final : public Machine {
public:
    std::int32_t gpus() const override { return 2; }
    std::shared_ptr<Gpu> gpu(std::int32_t number) override { return gpus_.at(static_cast<std::size_t>(number)); }
    void onMemory(std::function<void(const void*, Bytes)>, std::function<void(const void*)>) override { }

private:
    FakeWorld world_;
    std::array<std::shared_ptr<Gpu>, 2> gpus_ { world_.gpu(), world_.gpu() };
};

Kernels asked = Kernels::Lazy;

OpenedPlace placeOf(Messages messages, std::int32_t localRank)
{
    static const auto machine = std::make_shared<TwoGpus>();
    return openPlace(messages, localRank, [](Kernels kernels) {
        asked = kernels;
        return OpenedMachine { machine, {} };
    });
}

} // namespace

void OpeningTest::aMissingModuleIsNamed()
{
    const QTemporaryDir folder;
    const auto path = folder.filePath("nothing.so").toStdString();
    const auto opened = openMachine(path);
    QVERIFY(!opened.machine);
    QCOMPARE(opened.findings.at(0).rule, std::string("run/no-cuda"));
    QVERIFY(opened.findings.at(0).message.find(path) != std::string::npos);
}

void OpeningTest::anotherLibraryIsNoModule()
{
    const QTemporaryDir folder;
    const auto path = folder.filePath("text.so").toStdString();
    QFile file(QString::fromStdString(path));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("not a library");
    file.close();
    const auto opened = openMachine(path);
    QVERIFY(!opened.machine);
    QCOMPARE(opened.findings.at(0).rule, std::string("run/no-cuda"));
    QVERIFY(opened.findings.at(0).message.find("cannot be loaded") != std::string::npos);
}

void OpeningTest::theModuleOfThisBuildOpensOrSaysWhyNot()
{
    // Beside this program's folder if it is built here; with its libraries and a GPU there is a machine.
    const auto opened = openMachine(modulePath());
    if (opened.machine) {
        QVERIFY(opened.machine->gpus() > 0);
        return;
    }
    QCOMPARE(opened.findings.size(), std::size_t { 1 });
    const auto& finding = opened.findings.front();
    QVERIFY(finding.rule == "run/no-cuda" || finding.rule == "run/no-gpu");
    QCOMPARE(finding.message.back(), '.');
    QVERIFY(finding.message.find('\n') == std::string::npos);
}

void OpeningTest::devicesOfAProcessShareOneGpu()
{
    const auto opened = placeOf(Messages::WithinProcess, 0);
    QCOMPARE(opened.place.gpus.size(), std::size_t { 1 });
    QVERIFY(opened.place.of(DeviceId(0)) == opened.place.of(DeviceId(7)));
    QVERIFY(!opened.place.messagesOnHost);
    QVERIFY(!opened.place.runsAhead);
    QVERIFY(asked == Kernels::Lazy);
}

void OpeningTest::ranksOfAMachineShareItsGpusThroughTheHost()
{
    const auto first = placeOf(Messages::ThroughHost, 0).place;
    QVERIFY(first.messagesOnHost);
    QVERIFY(!first.runsAhead);
    QVERIFY(first.gpus != placeOf(Messages::ThroughHost, 1).place.gpus);
    QVERIFY(first.gpus == placeOf(Messages::ThroughHost, 2).place.gpus);
}

void OpeningTest::ncclWantsAGpuForEachRank()
{
    const auto second = placeOf(Messages::BetweenGpus, 1);
    QVERIFY(second.findings.empty());
    QVERIFY(second.place.runsAhead);
    QVERIFY(asked == Kernels::Eager);
    const auto third = placeOf(Messages::BetweenGpus, 2);
    QVERIFY(third.place.gpus.empty());
    QCOMPARE(third.findings.at(0).rule, std::string("run/gpus"));
    QCOMPARE(third.findings.at(0).message,
        std::string("Rank 2 of this machine has no GPU of its own: there are 2, and NCCL wants one for each rank."));
}

QTEST_APPLESS_MAIN(OpeningTest)
#include "opening_test.moc"
