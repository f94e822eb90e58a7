// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// How pipeloom answers wrong use, and that it needs no display.

#include "tests/app/pipeloom_process.h"

#include <QtTest>

using namespace pipeloom::test;

class UsageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void helpAndVersionNeedNoDisplay_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("version") << QStringList { "--version" } << QByteArray("pipeloom ");
        QTest::newRow("help") << QStringList { "--help" } << QByteArray("pipeloom new v-half");
        for (const char* command : { "new", "list", "show", "check", "simulate", "run", "profile" })
            QTest::newRow(command) << QStringList { command, "--help" }
                                   << QByteArray("Example:\n  pipeloom ") + command;
    }
    void helpAndVersionNeedNoDisplay() // CASES.md 26
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, says);
        const Ended help = call(arguments);
        QCOMPARE(help.code, 0);
        QVERIFY2(help.out.contains(says), help.out);
        QCOMPARE(help.error, QByteArray());
    }

    void helpFitsIntoEightyColumns()
    {
        for (const char* command : { "new", "list", "show", "check", "simulate", "run", "profile" })
            for (const QByteArray& line : call({ command, "--help" }).out.split('\n'))
                QVERIFY2(line.size() <= 80, line);
        for (const QByteArray& line : call({ "--help" }).out.split('\n'))
            QVERIFY2(line.size() <= 80, line);
    }

    void noLibraryOfQtIsLoaded() // CASES.md 26
    {
        QProcess ldd;
        ldd.start("ldd", { PIPELOOM_BINARY });
        const Ended libraries = ended(ldd);
        QVERIFY(libraries.out.contains("libc.so"));
        QVERIFY2(!libraries.out.contains("libQt"), libraries.out);
    }

    void wrongUseIsToldInASentenceAndEndsWithTwo_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("says");
        const auto add = [](const char* name, const QStringList& arguments, const char* says) {
            QTest::newRow(name) << arguments << QByteArray(says);
        };
        const QStringList vHalf { "new", "v-half", "--devices", "4", "--micro-batches", "8" };
        add("no command", {}, "A command is missing: new, list, show");
        add("unknown command", { "simulat", "x" }, "There is no command simulat; did you mean simulate?");
        add("unknown option", { "show", "x", "--widht", "90" }, "There is no option --widht; did you mean --width?");
        add("misspelt required option", { "new", "v-half", "--devics", "4" },
            "no option --devics; did you mean --devices?");
        add("file missing", { "show" }, "FILE is required");
        add("one file too many", { "check", "a", "b" }, "\"b\" is one argument too many");
        add("value missing", { "show", "x", "--width" }, "--width needs a value");
        add("given twice", vHalf + QStringList { "--devices", "8" }, "--devices may be given only once");
        add("width of a postage stamp", { "show", "x", "--width", "10" },
            "--width is \"10\", but must be a whole number from 40");
        add("range of nothing", { "show", "x", "--from", "9", "--to", "9" }, "--from 9 is not before --to 9");
        add("unknown form", { "show", "x", "--form", "squezed" }, "Did you mean squeezed?");
        add("unknown queue", { "check", "x", "--queue", "fifo" }, "must be one of ideal, directed, pair, device");
        add("no devices", { "new", "v-half", "--devices", "0", "--micro-batches", "8" }, "--devices is \"0\"");
        add("no micro-batches", { "new", "v-half", "--devices", "4", "--micro-batches", "0" },
            "--micro-batches is \"0\"");
        add("too many devices", { "new", "v-half", "--devices", "4097", "--micro-batches", "8" }, "from 1 to 4096");
        add("not a number", { "new", "v-half", "--devices", "4x", "--micro-batches", "8" }, "--devices is \"4x\"");
        add("a number beyond all", { "new", "v-half", "--devices", "99999999999999999999", "--micro-batches", "8" },
            "--devices is");
        add("unknown schedule", { "new", "v-haf", "--devices", "4", "--micro-batches", "8" }, "did you mean v-half?");
        add("garbage in cost", vHalf + QStringList { "--cost", "F=2;B" }, "--cost F is \"2;B\"");
        add("cost of nothing", vHalf + QStringList { "--cost", "" }, "--cost has \"\"");
        add("unknown kind", vHalf + QStringList { "--cost", "F=2,I=2" }, "--cost has \"I=2\"");
        add("kind twice", vHalf + QStringList { "--cost", "F=2,F=3" }, "--cost gives F twice");
        add("negative cost", vHalf + QStringList { "--cost", "F=-1" }, "--cost F is \"-1\"");
        add("negative transfer", vHalf + QStringList { "--transfer", "-1" }, "--transfer is \"-1\"");
        add("timeout of nothing", { "run", "x", "--timeout", "0" }, "--timeout is \"0\"");
        add("a transport without its device", { "run", "x", "--transport", "nccl" }, "--device cuda");
        add("no such transport", { "run", "x", "--transport", "pigeon" }, "must be local, gloo or nccl");
    }
    void wrongUseIsToldInASentenceAndEndsWithTwo()
    {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, says);
        const Ended refused = call(arguments);
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.error.contains(says), refused.error);
        QCOMPARE(refused.out, QByteArray());
    }

    void wrongUseIsADocumentWithJson()
    {
        const Ended refused = call({ "simulate", "x", "--form", "flat", "--json" });
        QCOMPARE(refused.code, 2);
        const nlohmann::json document = refused.json();
        QCOMPARE(document.at("ok"), false);
        QCOMPARE(document.at("findings").at(0).at("rule"), "cli/usage");
        QCOMPARE(refused.error, QByteArray());
    }

    void anUnreadableFileEndsWithTwo_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("no JSON") << QByteArray("pipeline: 4");
        QTest::newRow("cut short") << design("v-half", 4, 8).chopped(40);
        QTest::newRow("misspelt key") << changed(design("v-half", 4, 8), "\"interval\"", "\"intervall\"");
        QTest::newRow("no devices") << changed(design("v-half", 4, 8), "\"devices\": 4", "\"devices\": 0");
        QTest::newRow("from the future") << changed(design("v-half", 4, 8), "\"pipeloom\": 1", "\"pipeloom\": 2");
        QTest::newRow("deeply nested") << QByteArray(1'000'000, '[');
        QTest::newRow("not text") << QByteArray("\xff\xfe\x00\x01", 4);
    }
    void anUnreadableFileEndsWithTwo()
    {
        QFETCH(QByteArray, text);
        for (const char* command : { "check", "simulate", "show" }) {
            const Ended refused = call({ command, "-" }, text);
            QCOMPARE(refused.code, 2);
            QVERIFY(refused.error.contains("file/"));
            QCOMPARE(refused.out, QByteArray());

            const Ended document = call({ command, "-", "--json" }, text);
            QCOMPARE(document.code, 2);
            QCOMPARE(document.json().at("ok"), false);
            QVERIFY(!document.json().at("findings").empty());
        }
    }

    void aFileThatIsNotThereIsNamed()
    {
        const Ended refused = call({ "check", "no-such-file" });
        QCOMPARE(refused.code, 2);
        QVERIFY2(refused.error.contains("no-such-file"), refused.error);
    }

    void aNameInAFileCannotTakeOverTheTerminal()
    {
        const QByteArray hostile = changed(design("v-half", 4, 8), "\"V-Half\"", "\"\\u001b]0;mine\\u0007\\u009b2J\"");
        for (const char* command : { "check", "simulate", "show" }) {
            const Ended shown = call({ command, "-" }, hostile);
            QCOMPARE(shown.code, 0);
            QVERIFY(!shown.out.contains('\x1b'));
            QVERIFY(!shown.out.contains('\x07'));
            QVERIFY(!shown.out.contains("\xc2\x9b"));
            QVERIFY(shown.out.contains("mine"));
        }
    }
};

QTEST_APPLESS_MAIN(UsageTest)

#include "usage_test.moc"
