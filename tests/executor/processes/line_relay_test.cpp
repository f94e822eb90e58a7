// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// What ranks write is passed on line by line, whole, up to their last word.
#include "child_programs.h"
#include "executor/processes/line_relay.h"

#include <QTest>

#include <cstdio>

using namespace pipeloom;
using namespace pipeloom::executor;
using namespace pipeloom::test;

namespace {

void printLongLines()
{
    const auto print = [](const std::string& line) { std::printf("%s\n", line.c_str()); };
    print(std::string(300'000, 'a'));
    print(std::string(longestLine, 'b'));
    print(std::string(longestLine + 5, 'c'));
    print("end");
}

} // namespace

class LineRelayTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void linesComeWholeAndWithTheirRank();
    void aVeryLongLineComesInPieces();
    void whatWasWrittenBeforeTheEndIsRelayed();
};

void LineRelayTest::linesComeWholeAndWithTheirRank()
{
    Lines lines;
    const std::string script = "i=0; while [ $i -lt 500 ]; do printf 'ab'; echo \"c $i\"; echo \"error $i\" >&2; "
                               "i=$((i+1)); done; echo; printf 'no end'";
    const auto started = Children::start(scripts({ script, script }, lines.collect()));
    QVERIFY(started.children);
    QCOMPARE(allExits(*started.children).size(), std::size_t { 2 });
    started.children->endAll(longTime);
    for (int rank = 0; rank < 2; ++rank) {
        std::vector<std::string> output;
        std::vector<std::string> error;
        for (const auto& line : lines.of(rank))
            (line.starts_with("error") ? error : output).push_back(line);
        QCOMPARE(output.size(), std::size_t { 502 });
        QCOMPARE(error.size(), std::size_t { 500 });
        for (std::size_t i = 0; i < 500; ++i) {
            QCOMPARE(output[i], "abc " + std::to_string(i));
            QCOMPARE(error[i], "error " + std::to_string(i));
        }
        QCOMPARE(output[500], std::string());
        QCOMPARE(output[501], std::string("no end"));
    }
    QCOMPARE(linePrefix(12), std::string("[rank 12] "));
}

void LineRelayTest::aVeryLongLineComesInPieces()
{
    Lines lines;
    const auto started = Children::start(parts({ "long" }, lines.collect()));
    QVERIFY(started.children);
    QCOMPARE(allExits(*started.children).size(), std::size_t { 1 });
    started.children->endAll(longTime);
    const std::vector<std::string> expected { std::string(300'000, 'a'), std::string(longestLine, 'b'),
        std::string(longestLine, 'c'), "ccccc", "end" };
    QVERIFY(lines.of(0) == expected);
}

void LineRelayTest::whatWasWrittenBeforeTheEndIsRelayed()
{
    // Ten kilobytes stand in the pipe while the relay is busy with another line.
    Lines lines;
    const auto collect = lines.collect();
    const auto started = Children::start(scripts({ "i=0; while [ $i -lt 100 ]; do echo last words, which stand in the "
                                                   "pipe $i; i=$((i+1)); done; kill -KILL $$" },
        [&](int rank, std::string_view line) {
            std::this_thread::sleep_for(1ms);
            collect(rank, line);
        }));
    QVERIFY(started.children);
    QCOMPARE(allExits(*started.children).size(), std::size_t { 1 });
    started.children->endAll(0s);
    QCOMPARE(lines.of(0).size(), std::size_t { 100 });
    QCOMPARE(lines.of(0).back(), std::string("last words, which stand in the pipe 99"));
}

int main(int argc, char** argv)
{
    if (part() == "long") {
        printLongLines();
        return 0;
    }
    LineRelayTest test;
    return QTest::qExec(&test, argc, argv);
}
#include "line_relay_test.moc"
