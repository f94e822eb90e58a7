// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// Which rank a process is, by the environment of each launcher, and what is said where that makes no sense.
#include "executor/processes/rank_place.h"

#include <QTest>

#include <map>

using namespace pipeloom;
using namespace pipeloom::executor;

using Variables = std::map<std::string, std::string>;

class RankPlaceTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anOrdinaryEnvironmentIsNobodysRank();
    void torchrunWithItsAgentsStoreGetsKeysOfItsOwnForEachTry();
    void withoutAnAgentTheKeysNeedNoTry();
    void slurmMpichAndOpenMpiAreUnderstood_data();
    void slurmMpichAndOpenMpiAreUnderstood();
    void mpiInsideABatchScriptIsNotTakenForTheScript();
    void aBatchScriptWithOneTaskIsAnOrdinaryRun();
    void aLocalRankIsNoOnesWhoDoesNotTellIt();
    void nonsenseIsNamedWithItsValue_data();
    void nonsenseIsNamedWithItsValue();
    void allThatIsMissingIsNamedAtOnce();
    void whatOurLauncherSetsGivesTheSamePlaceAgain();

private:
    static RankPlaceRead read(const Variables& variables)
    {
        return readRankPlace([&](const char* name) -> std::optional<std::string> {
            const auto found = variables.find(name);
            return found == variables.end() ? std::nullopt : std::optional<std::string>(found->second);
        });
    }
    static Variables torchrun()
    {
        return { { "RANK", "3" }, { "WORLD_SIZE", "8" }, { "LOCAL_RANK", "1" }, { "MASTER_ADDR", "node0" },
            { "MASTER_PORT", "29400" }, { "TORCHELASTIC_USE_AGENT_STORE", "True" }, { "TORCHELASTIC_RUN_ID", "job7" },
            { "TORCHELASTIC_RESTART_COUNT", "2" } };
    }
    static Variables with(Variables variables, const std::string& name, const std::string& value)
    {
        variables[name] = value;
        return variables;
    }
    static Variables without(Variables variables, const std::string& name)
    {
        variables.erase(name);
        return variables;
    }
};

void RankPlaceTest::anOrdinaryEnvironmentIsNobodysRank()
{
    const auto result = read({ { "HOME", "/home/someone" }, { "MASTER_ADDR", "node0" }, { "RANK", "" } });
    QVERIFY(!result.place);
    QVERIFY(result.findings.empty());
}

void RankPlaceTest::torchrunWithItsAgentsStoreGetsKeysOfItsOwnForEachTry()
{
    const auto result = read(torchrun());
    QVERIFY(result.place);
    QVERIFY(result.findings.empty());
    RankPlace expected;
    expected.rank = 3;
    expected.world = 8;
    expected.localRank = 1;
    expected.masterAddress = "node0";
    expected.masterPort = 29400;
    expected.agentStore = true;
    expected.prefix = "pipeloom/job7/2";
    QVERIFY(*result.place == expected);
}

void RankPlaceTest::withoutAnAgentTheKeysNeedNoTry()
{
    const auto result = read(with(torchrun(), "TORCHELASTIC_USE_AGENT_STORE", "False"));
    QVERIFY(result.place);
    QVERIFY(!result.place->agentStore);
    QCOMPARE(result.place->prefix, std::string("pipeloom"));
}

void RankPlaceTest::slurmMpichAndOpenMpiAreUnderstood_data()
{
    QTest::addColumn<QStringList>("names"); // rank, world, local rank
    QTest::newRow("Slurm") << QStringList { "SLURM_PROCID", "SLURM_NTASKS", "SLURM_LOCALID" };
    QTest::newRow("Slurm, a step") << QStringList { "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID" };
    QTest::newRow("Open MPI") << QStringList { "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE",
        "OMPI_COMM_WORLD_LOCAL_RANK" };
    QTest::newRow("MPICH") << QStringList { "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID" };
    QTest::newRow("PMI of Slurm") << QStringList { "PMI_RANK", "PMI_SIZE", "SLURM_LOCALID" };
    QTest::newRow("RANK set by hand under Slurm") << QStringList { "RANK", "WORLD_SIZE", "SLURM_LOCALID" };
}

void RankPlaceTest::slurmMpichAndOpenMpiAreUnderstood()
{
    QFETCH(const QStringList, names);
    const auto result = read({ { names[0].toStdString(), "5" }, { names[1].toStdString(), "6" },
        { names[2].toStdString(), "2" }, { "MASTER_ADDR", "10.0.0.7" }, { "MASTER_PORT", "1" } });
    QVERIFY2(result.place, result.findings.empty() ? "" : result.findings[0].message.c_str());
    QCOMPARE(result.place->rank, 5);
    QCOMPARE(result.place->world, 6);
    QVERIFY(result.place->localRank == 2);
    QCOMPARE(result.place->masterAddress, std::string("10.0.0.7"));
    QCOMPARE(result.place->masterPort, 1);
    QVERIFY(!result.place->agentStore);
    QVERIFY(!result.place->watchFd);
}

void RankPlaceTest::mpiInsideABatchScriptIsNotTakenForTheScript()
{
    const auto result
        = read({ { "SLURM_PROCID", "0" }, { "SLURM_NTASKS", "1" }, { "SLURM_LOCALID", "0" }, { "PMI_RANK", "2" },
            { "PMI_SIZE", "4" }, { "MPI_LOCALRANKID", "1" }, { "MASTER_ADDR", "node0" }, { "MASTER_PORT", "29500" } });
    QVERIFY(result.place);
    QCOMPARE(result.place->rank, 2);
    QCOMPARE(result.place->world, 4);
    QVERIFY(result.place->localRank == 1);
}

void RankPlaceTest::aBatchScriptWithOneTaskIsAnOrdinaryRun()
{
    const Variables script { { "SLURM_PROCID", "0" }, { "SLURM_NTASKS", "1" }, { "SLURM_LOCALID", "0" } };
    QVERIFY(!read(script).place);
    QVERIFY(read(script).findings.empty());

    const auto two = read(with(script, "SLURM_NTASKS", "2"));
    QVERIFY(!two.place);
    QCOMPARE(two.findings.size(), std::size_t { 2 }); // address and port
}

void RankPlaceTest::aLocalRankIsNoOnesWhoDoesNotTellIt()
{
    const auto result = read(without(torchrun(), "LOCAL_RANK"));
    QVERIFY(result.place);
    QVERIFY(!result.place->localRank);
}

void RankPlaceTest::nonsenseIsNamedWithItsValue_data()
{
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("value"); // null: missing
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* name, const QString& value, const char* expected) {
        QTest::addRow("%s=%s", name, value.isNull() ? "-" : qPrintable(value)) << name << value << expected;
    };
    row("RANK", "three", "0 to 7, less than WORLD_SIZE=8");
    row("RANK", "3x", "0 to 7");
    row("RANK", "8", "0 to 7, less than WORLD_SIZE=8");
    row("RANK", "-1", "0 to 7");
    row("RANK", QString(), "0 to 7");
    row("WORLD_SIZE", "0", "1 or more");
    row("WORLD_SIZE", "99999999999", "1 or more");
    row("WORLD_SIZE", QString(), "the number of ranks");
    row("LOCAL_RANK", "8", "0 to 7");
    row("MASTER_ADDR", QString(), "the host of rank 0");
    row("MASTER_ADDR", "", "the host of rank 0");
    row("MASTER_PORT", "0", "1 to 65535");
    row("MASTER_PORT", "65536", "1 to 65535");
    row("MASTER_PORT", "http", "1 to 65535");
    row("MASTER_PORT", QString(), "1 to 65535");
    row("PIPELOOM_WATCH_FD", "-1", "an open file");
}

void RankPlaceTest::nonsenseIsNamedWithItsValue()
{
    QFETCH(const QString, name);
    QFETCH(const QString, value);
    QFETCH(const QString, expected);
    const auto variables = value.isNull() ? without(torchrun(), name.toStdString())
                                          : with(torchrun(), name.toStdString(), value.toStdString());
    const auto result = read(variables);
    QVERIFY(!result.place);
    QCOMPARE(result.findings.size(), std::size_t { 1 });
    const auto& finding = result.findings[0];
    QCOMPARE(finding.rule, std::string("run/environment"));
    const auto message = QString::fromStdString(finding.message);
    QVERIFY2(message.contains(name + " is"), qPrintable(message));
    QVERIFY2(message.contains(value.isEmpty() ? QString("missing") : "`" + value + "`"), qPrintable(message));
    QVERIFY2(message.contains(expected), qPrintable(message));
    QVERIFY(QString::fromStdString(finding.remedy).contains(name));
}

void RankPlaceTest::allThatIsMissingIsNamedAtOnce()
{
    const auto result = read({ { "WORLD_SIZE", "4" } });
    QVERIFY(!result.place);
    QStringList messages;
    for (const auto& finding : result.findings)
        messages += QString::fromStdString(finding.message);
    for (const char* name : { "RANK", "MASTER_ADDR", "MASTER_PORT" })
        QVERIFY2(
            messages.join(' ').contains(QString("variable %1 is missing").arg(name)), qPrintable(messages.join(' ')));
    QCOMPARE(messages.size(), 3);
}

void RankPlaceTest::whatOurLauncherSetsGivesTheSamePlaceAgain()
{
    RankPlace place;
    place.rank = 1;
    place.world = 2;
    place.localRank = 1;
    place.masterAddress = "127.0.0.1";
    place.masterPort = 40123;
    place.agentStore = true;
    place.prefix = "pipeloom/x";
    place.statusFile = "/somewhere/rank1.status";
    place.watchFd = 7;
    // Started from within a torchrun job: its variables are still there, and do not count.
    Variables variables = torchrun();
    for (const auto& [name, value] : environmentOf(place))
        variables[name] = value;
    const auto result = read(variables);
    QVERIFY(result.place);
    QVERIFY(*result.place == place);

    place.watchFd.reset();
    place.statusFile.clear();
    place.agentStore = false;
    variables = {};
    for (const auto& [name, value] : environmentOf(place))
        variables[name] = value;
    QVERIFY(*read(variables).place == place);
}

QTEST_APPLESS_MAIN(RankPlaceTest)
#include "rank_place_test.moc"
