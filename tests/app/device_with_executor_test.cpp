// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// pipeloom run --device: what is said where there is no GPU, and what goes with what.

#include "tests/app/small_runs.h"

#include <QtTest>

using namespace pipeloom::test;

class DeviceWithExecutorTest : public QObject {
    Q_OBJECT

    SmallRuns runs_;
    QString design_;

    [[nodiscard]] Ended run(const QStringList& more, const QProcessEnvironment& environment = plainEnvironment()) const
    {
        return call(QStringList { "run", design_, "--data", runs_.text(), "--steps", "2" } + more, {}, environment);
    }

private Q_SLOTS:
    void initTestCase() { design_ = runs_.design("1f1b", 2, 4); }

    void withoutTheModuleItSaysWhatIsMissingAndEndsWithThree()
    {
        auto environment = plainEnvironment();
        environment.insert("PIPELOOM_CUDA_MODULE", runs_.folder("nothing.so"));
        const Ended ended = run({ "--device", "cuda", "--json" }, environment);
        QCOMPARE(ended.code, 3);
        const auto finding = ended.json().at("findings").at(0);
        QCOMPARE(finding.at("rule"), "run/no-cuda");
        QVERIFY(finding.at("message").get<std::string>().find("nothing.so") != std::string::npos);
    }

    void withoutAGpuItSaysSoInOneSentenceAndEndsWithThree()
    {
        auto environment = plainEnvironment();
        environment.insert("CUDA_VISIBLE_DEVICES", ""); // whatever machine the tests are on
        const Ended ended = run({ "--device", "cuda", "--json" }, environment);
        QCOMPARE(ended.code, 3);
        QCOMPARE(ended.json().at("findings").size(), std::size_t { 1 });
        const auto finding = ended.json().at("findings").at(0);
        // Without the module, or the libraries that it loads, it cannot come as far as to look for a GPU.
        QVERIFY(finding.at("rule") == "run/no-gpu" || finding.at("rule") == "run/no-cuda");
        QVERIFY(!finding.at("remedy").get<std::string>().empty());
    }

    void whatDoesNotGoTogetherIsWrongUse_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("another device") << QStringList { "--device", "tpu" } << QByteArray("--device is \"tpu\"");
        QTest::newRow("another transport") << QStringList { "--transport", "mpi" }
                                           << QByteArray("--transport is \"mpi\", but must be local, gloo or nccl");
        QTest::newRow("nccl on the CPU") << QStringList { "--transport", "nccl" }
                                         << QByteArray("Say --device cuda as well");
        QTest::newRow("a rehearsal on a GPU")
            << QStringList { "--emulate", "virtual", "--device", "cuda" } << QByteArray("has no use for a GPU");
    }

    void whatDoesNotGoTogetherIsWrongUse()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, said);
        const Ended ended = run(arguments);
        QCOMPARE(ended.code, 2);
        QVERIFY2(ended.error.contains(said), ended.error);
    }

    void theDefaultIsTheCpu() { QCOMPARE(run({ "--device", "cpu" }).code, 0); }

    void bf16TrainsAndVerifies()
    {
        const QByteArray plain = [&] {
            QFile file(design_);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        }();
        const QString half = runs_.write(
            "bf16.pipeloom.json", plain.left(plain.lastIndexOf('}')) + R"(, "training": { "precision": "bf16" } })");
        const Ended ended = call({ "run", half, "--data", runs_.text(), "--steps", "2", "--verify", "--json" });
        QVERIFY2(ended.code == 0, ended.error + ended.out);
        QVERIFY(ended.json().at("verify").at("worst").get<double>() <= 0x1p-7);
    }
};

QTEST_APPLESS_MAIN(DeviceWithExecutorTest)
#include "device_with_executor_test.moc"
