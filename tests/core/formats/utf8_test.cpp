// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/utf8.h"

#include <QtTest>

#include <array>
#include <string>
#include <string_view>

using namespace pipeloom::formats;

class Utf8Test : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCharacterOfUnicodeIsKnownByItsBytes();
    void whatUnicodeForbidsIsNoCharacter_data();
    void whatUnicodeForbidsIsNoCharacter();
    void positionsCountRowsAndCharacters();
};

/// All code points, encoded by Qt.
void Utf8Test::everyCharacterOfUnicodeIsKnownByItsBytes()
{
    for (char32_t code = 1; code <= 0x10FFFF; ++code) {
        if (code >= 0xD800 && code <= 0xDFFF)
            continue;
        const std::array<char32_t, 3> around { U'x', code, U'x' }; // at the start Qt would drop a byte order mark
        const std::string text = QString::fromUcs4(around.data(), 3).toStdString();
        if (characterBytes(std::string_view(text).substr(1)) != text.size() - 2)
            QFAIL(qPrintable(QString::number(code, 16)));
    }
}

void Utf8Test::whatUnicodeForbidsIsNoCharacter_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("nothing") << QByteArray("");
    QTest::newRow("continuation") << QByteArray("\x80");
    QTest::newRow("overlong slash") << QByteArray("\xC0\xAF");
    QTest::newRow("overlong in three bytes") << QByteArray("\xE0\x9F\xBF");
    QTest::newRow("overlong in four bytes") << QByteArray("\xF0\x8F\xBF\xBF");
    QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80");
    QTest::newRow("beyond U+10FFFF") << QByteArray("\xF4\x90\x80\x80");
    QTest::newRow("five bytes") << QByteArray("\xF8\x88\x80\x80\x80");
    QTest::newRow("cut after one byte") << QByteArray("\xC3");
    QTest::newRow("cut after two bytes") << QByteArray("\xE2\x82");
    QTest::newRow("cut after three bytes") << QByteArray("\xF0\x9F\x9A");
    QTest::newRow("cut by a letter") << QByteArray("\xE2\x82x");
}

void Utf8Test::whatUnicodeForbidsIsNoCharacter()
{
    QFETCH(QByteArray, text);
    QCOMPARE(characterBytes(text.toStdString()), std::size_t { 0 });
    if (!text.isEmpty())
        QVERIFY(firstInvalidUtf8("ä" + text.toStdString()) == std::size_t { 2 });
}

void Utf8Test::positionsCountRowsAndCharacters()
{
    const std::string text = "ab\nGröße\n\nx";
    QCOMPARE(positionOf(text, 0), (TextPosition { 1, 1 }));
    QCOMPARE(positionOf(text, 2), (TextPosition { 1, 3 }));
    QCOMPARE(positionOf(text, 3), (TextPosition { 2, 1 }));
    QCOMPARE(positionOf(text, text.find("e\n")), (TextPosition { 2, 5 }));
    QCOMPARE(positionOf(text, text.size()), (TextPosition { 4, 2 }));
    QCOMPARE(positionOf(text, 1000), (TextPosition { 4, 2 }));
    QCOMPARE(positionOf("", 0), (TextPosition { 1, 1 }));
}

QTEST_APPLESS_MAIN(Utf8Test)
#include "utf8_test.moc"
