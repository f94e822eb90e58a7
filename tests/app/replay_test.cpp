// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// `pipeloom replay` on recordings of real runs (tests/recordings), and on what became of them on the way.

#include "tests/app/pipeloom_process.h"

#include <QtTest>

#include <cmath>

using namespace pipeloom::test;

namespace {

QString recording(const char* name) { return QString(PIPELOOM_SOURCE_DIR "/tests/recordings/%1.jsonl").arg(name); }

QByteArray contentOf(const char* name)
{
    QFile file(recording(name));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no recording %s", name);
    return file.readAll();
}

Ended replay(const QStringList& more, const QByteArray& input = {})
{
    return call(QStringList { "replay" } + more, input);
}

/// The first so many lines.
QByteArray head(const QByteArray& lines, int count)
{
    int at = 0;
    for (int i = 0; i < count; ++i)
        at = static_cast<int>(lines.indexOf('\n', at)) + 1;
    return lines.left(at);
}

std::vector<std::string> kinds(const nlohmann::json& told)
{
    std::vector<std::string> all;
    for (const auto& notice : told.at("notices"))
        all.push_back(notice.at("kind"));
    return all;
}

} // namespace

class ReplayTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunIsTold();
    void nothingIsWrittenOverTheEvents();
    void timesAddUp_data();
    void timesAddUp();
    void case14ASkippedStepIsToldWithDeviceAndParameter();
    void case17AKilledRankIsTold();
    void theStragglerIsNamed();
    void aStepIsDrawnUnderItsPlan();
    void twoRunsAreHeldAgainstEachOther();
    void theInputMayBeAFileAFolderOrAStream();
    void badLinesAreWarnings();
    void aRunWithoutAnEndIsFine();
    void aPaceTellsWhatHappened();
    void whatCannotBeReadIsRefused_data();
    void whatCannotBeReadIsRefused();
};

void ReplayTest::nothingIsWrittenOverTheEvents()
{
    const QTemporaryDir folder;
    const QString copy = folder.filePath("events.jsonl");
    QVERIFY(QFile::copy(recording("v-half"), copy));
    const Ended ended = replay({ copy, "-o", copy });
    QCOMPARE(ended.code, 2);
    QVERIFY2(ended.error.contains("would overwrite the events"), ended.error);
    QCOMPARE(QFileInfo(copy).size(), QFileInfo(recording("v-half")).size());
    const QString design = folder.filePath("measured.pipeloom.json");
    QCOMPARE(replay({ copy, "-o", design }).code, 0);
    QCOMPARE(call({ "check", design }).code, 0);
}

void ReplayTest::aRunIsTold()
{
    const Ended ended = replay({ recording("v-half") });
    QCOMPARE(ended.code, 0);
    QCOMPARE(ended.error, QByteArray());
    for (const char* part : { "V-Half", "gloo", "4 of 4 steps told", "finished", "5.531166",
             "Median 84.86 ms, planned 12.99 ms (its units fitted",
             "compute       transfer        waiting            own", "verified", "checkpoint after 4 steps" })
        QVERIFY2(ended.out.contains(part), ended.out.constData());
    for (const QByteArray& line : ended.out.split('\n'))
        QVERIFY2(QString::fromUtf8(line).size() <= 80 || line.startsWith("    "), line.constData());
}

void ReplayTest::timesAddUp_data()
{
    QTest::addColumn<QString>("file");
    for (const char* name : { "v-half", "straggler", "nan-skip", "killed" })
        QTest::newRow(name) << recording(name);
}

void ReplayTest::timesAddUp()
{
    QFETCH(QString, file);
    const auto told = replay({ file, "--json" }).json();
    QCOMPARE(told.at("devices").size(), std::size_t { 4 });
    for (const auto& device : told.at("devices")) {
        const double sum = device.at("compute_ms").get<double>() + device.at("transfer_ms").get<double>()
            + device.at("waiting_ms").get<double>() + device.at("own_ms").get<double>();
        QVERIFY(std::abs(sum - device.at("step_ms").get<double>()) < 1e-5);
    }
}

void ReplayTest::case14ASkippedStepIsToldWithDeviceAndParameter()
{
    const auto told = replay({ recording("nan-skip"), "--json" }).json();
    int skips = 0;
    for (const auto& notice : told.at("notices"))
        if (notice.at("kind") == "skip") {
            ++skips;
            QCOMPARE(notice.at("step").get<int>(), 3);
            QCOMPARE(notice.at("devices").size(), std::size_t { 1 });
            const std::string text = notice.at("text");
            QVERIFY2(text.find("Step 3 was skipped: the gradient of ") == 0, text.c_str());
        }
    QCOMPARE(skips, 1);
    QCOMPARE(told.at("steps").size(), std::size_t { 5 });
    QCOMPARE(QString::fromStdString(told.at("outcome")), QString("finished"));
}

void ReplayTest::case17AKilledRankIsTold()
{
    const Ended ended = replay({ recording("killed") });
    QCOMPARE(ended.code, 0); // it could be read
    QVERIFY2(ended.out.contains("killed by SIGKILL"), ended.out.constData());
    QVERIFY2(ended.out.contains("1F2"), ended.out.constData());
    const auto told = replay({ recording("killed"), "--json" }).json();
    QCOMPARE(QString::fromStdString(told.at("outcome")), QString("failed"));
    const auto all = kinds(told);
    QVERIFY(std::ranges::count(all, "failed") == 1);
}

void ReplayTest::theStragglerIsNamed()
{
    const auto told = replay({ recording("straggler"), "--json" }).json();
    bool isNamed = false;
    for (const auto& notice : told.at("notices"))
        isNamed = isNamed || (notice.at("kind") == "straggler" && notice.at("devices") == nlohmann::json({ 2 }));
    QVERIFY(isNamed);
}

void ReplayTest::aStepIsDrawnUnderItsPlan()
{
    const Ended ended = replay({ recording("v-half"), "--step", "2" });
    QCOMPARE(ended.code, 0);
    const auto planned = ended.out.indexOf("Planned");
    const auto measured = ended.out.indexOf("Measured, step 2");
    QVERIFY2(planned >= 0 && measured > planned, ended.out.constData());
    QCOMPARE(ended.out.count("device 3"), 2);
    const auto told = replay({ recording("v-half"), "--step", "2", "--json" }).json();
    QCOMPARE(told.at("passes").size(), std::size_t { 192 });
    QCOMPARE(replay({ recording("v-half"), "--step", "99" }).code, 2);
    // Of a step that was broken off, what there is.
    const Ended broken = replay({ recording("killed"), "--step", "2" });
    QCOMPARE(broken.code, 0);
    QVERIFY(broken.out.contains("Measured, step 2"));
}

void ReplayTest::twoRunsAreHeldAgainstEachOther()
{
    const Ended ended = replay({ recording("v-half"), "--diff", recording("straggler") });
    QCOMPARE(ended.code, 0);
    for (const char* part : { "median step, ms", "device 2 compute, ms", "Losses are the same" })
        QVERIFY2(ended.out.contains(part), ended.out.constData());
    const Ended same = replay({ recording("v-half"), "--diff", recording("v-half") });
    QVERIFY2(!same.out.contains("0.9") || same.out.contains("1.000 x"), same.out.constData());
    QCOMPARE(replay({ recording("v-half"), "--diff", "/no/such/file" }).code, 2);
    const Ended both = replay({ recording("v-half"), "--diff", recording("straggler"), "--step", "1" });
    QCOMPARE(both.code, 2);
}

/// A folder with the lines of each device in a file of its own comes to the same.
void ReplayTest::theInputMayBeAFileAFolderOrAStream()
{
    const QByteArray lines = contentOf("v-half");
    QTemporaryDir folder;
    std::array<QByteArray, 4> ofDevice;
    QByteArray own;
    for (const QByteArray& line : lines.split('\n')) {
        if (line.isEmpty())
            continue;
        const auto event = nlohmann::json::parse(line.toStdString());
        const bool isTransfer = event.at("event") == "transfer";
        if (event.at("event") != "rank" && (isTransfer || event.contains("device")))
            ofDevice.at(event.at(isTransfer ? "to" : "device").get<std::size_t>()) += line + '\n';
        else
            own += line + '\n';
    }
    const auto write = [&folder](const QString& name, const QByteArray& content) {
        QFile file(folder.filePath(name));
        return file.open(QIODevice::WriteOnly) && file.write(content) == content.size();
    };
    QVERIFY(write("events.jsonl", own));
    for (std::size_t d = 0; d < ofDevice.size(); ++d)
        QVERIFY(write(QString("events-rank-%1.jsonl").arg(d), ofDevice[d]));
    const auto ofFile = replay({ recording("v-half"), "--json" }).json();
    const auto ofStream = replay({ "-", "--json" }, lines).json();
    const auto ofFolder = replay({ folder.path(), "--json" }).json();
    QCOMPARE(ofStream, ofFile);
    QCOMPARE(ofFolder.at("steps"), ofFile.at("steps"));
    QCOMPARE(ofFolder.at("devices"), ofFile.at("devices"));
    QCOMPARE(ofFolder.at("drift"), ofFile.at("drift"));
    QCOMPARE(ofFolder.at("findings"), ofFile.at("findings"));
}

void ReplayTest::badLinesAreWarnings()
{
    QByteArray lines = contentOf("v-half");
    const auto middle = lines.indexOf('\n', lines.size() / 2) + 1;
    lines.insert(middle,
        "}{ not a line\n{\"event\":\"weather\"}\n" + lines.mid(lines.indexOf('\n', middle) + 1, 0)
            + R"({"event":"pass","step":1,"device":9,"pass":"0F0","start_ns":1,"end_ns":2})" + "\n");
    const Ended ended = replay({ "-" }, lines.chopped(1) + "\n{\"event\":\"pa");
    QCOMPARE(ended.code, 0);
    for (const char* rule : { "events/garbled", "events/unknown", "events/strange", "events/cut" })
        QVERIFY2(ended.error.contains(rule), ended.error.constData());
    QVERIFY(ended.out.contains("4 of 4 steps told"));
    // Lines that are not there.
    QByteArray fewer = contentOf("v-half");
    const auto pass = fewer.indexOf("{\"event\":\"pass\"");
    fewer.remove(pass, fewer.indexOf('\n', pass) + 1 - pass);
    const Ended lost = replay({ "-" }, fewer);
    QCOMPARE(lost.code, 0);
    QVERIFY2(
        lost.error.contains("1 passes of whole steps") || lost.error.contains("1 pass of"), lost.error.constData());
    QVERIFY2(lost.error.contains("events/lost-lines"), lost.error.constData());
}

void ReplayTest::aRunWithoutAnEndIsFine()
{
    const QByteArray lines = contentOf("v-half");
    for (const int count : { 1, 2, 10, 700 }) {
        const Ended ended = replay({ "-" }, head(lines, count));
        QCOMPARE(ended.code, 0);
        QVERIFY2(ended.out.contains("V-Half"), ended.out.constData());
        const auto told = replay({ "-", "--json" }, head(lines, count)).json();
        QVERIFY(told.at("outcome").is_null() || told.at("outcome") != "finished");
    }
}

void ReplayTest::aPaceTellsWhatHappened()
{
    const Ended ended = replay({ recording("nan-skip"), "--speed", "1000" });
    QCOMPARE(ended.code, 0);
    QVERIFY2(ended.out.contains("Step 3 was skipped"), ended.out.constData());
    QVERIFY(ended.out.trimmed().endsWith("the run has finished"));
    for (const char* speed : { "0", "-1", "fast", "1e9", "nan" })
        QCOMPARE(replay({ recording("nan-skip"), "--speed", speed }).code, 2);
}

void ReplayTest::whatCannotBeReadIsRefused_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QByteArray>("said");
    QTest::newRow("empty") << QByteArray() << QByteArray("no events");
    QTest::newRow("no events at all") << QByteArray("once upon a time\n") << QByteArray("does not tell what ran");
    QTest::newRow("no first line") << contentOf("v-half").mid(contentOf("v-half").indexOf('\n') + 1)
                                   << QByteArray("does not tell what ran");
    QTest::newRow("a later version") << contentOf("v-half").replace("\"version\":1", "\"version\":2")
                                     << QByteArray("version 2");
}

void ReplayTest::whatCannotBeReadIsRefused()
{
    QFETCH(QByteArray, content);
    QFETCH(QByteArray, said);
    const Ended ended = replay({ "-" }, content);
    QCOMPARE(ended.code, 2);
    QVERIFY2(ended.error.simplified().contains(said), ended.error.constData());
    QCOMPARE(ended.out, QByteArray());
    const Ended asJson = replay({ "-", "--json" }, content);
    QCOMPARE(asJson.code, 2);
    QCOMPARE(asJson.json().at("ok").get<bool>(), false);
}

QTEST_APPLESS_MAIN(ReplayTest)
#include "replay_test.moc"
