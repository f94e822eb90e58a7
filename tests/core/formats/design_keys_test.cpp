// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/design_keys.h"

#include <QtTest>

#include <string>

using namespace pipeloom::formats;

class DesignKeysTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theWordThatWasMeantIsFound_data();
    void theWordThatWasMeantIsFound();
    void everySectionHasItsKeysOnce();
    void keysOfOtherSectionsAreKnown();
};

void DesignKeysTest::theWordThatWasMeantIsFound_data()
{
    QTest::addColumn<QString>("word");
    QTest::addColumn<int>("section");
    QTest::addColumn<QString>("meant");
    const auto row = [](const char* word, Section section, const char* meant) {
        QTest::newRow(word) << word << static_cast<int>(section) << meant;
    };
    row("device", Section::Pipeline, "devices");
    row("devcies", Section::Pipeline, "devices");
    row("Devices", Section::Pipeline, "devices");
    row("microbatches", Section::Pipeline, "micro_batches");
    row("micro-batches", Section::Pipeline, "micro_batches");
    row("placements", Section::Pipeline, "placement");
    row("w", Section::Costs, "W");
    row("WB", Section::Costs, "BW");
    row("tick_ms", Section::Costs, "tick_us");
    row("bytesPerTick", Section::Network, "bytes_per_tick");
    row("intervall", Section::Block, "interval");
    row("learningrate", Section::Training, "learning_rate");
    row("X", Section::Costs, "");
    row("weather", Section::Design, "");
    row("", Section::Design, "");
    row("pipelinepipelinepipelinepipelinepipelinepipelinepipelinepipeline1", Section::Design, "");
}

void DesignKeysTest::theWordThatWasMeantIsFound()
{
    QFETCH(QString, word);
    QFETCH(int, section);
    const std::string_view found = nearest(word.toStdString(), keysOf(static_cast<Section>(section)));
    QTEST(QString::fromStdString(std::string(found)), "meant");
}

void DesignKeysTest::everySectionHasItsKeysOnce()
{
    for (int section = 0; section <= static_cast<int>(Section::Training); ++section) {
        const auto keys = keysOf(static_cast<Section>(section));
        QVERIFY(!keys.empty());
        QVERIFY(!nameOf(static_cast<Section>(section)).empty());
        for (std::size_t i = 0; i < keys.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY(keys[i] != keys[j]);
    }
    QCOMPARE(nameOf(Section::Network), std::string_view("network"));
    QCOMPARE(nameOf(Section::Training), std::string_view("training"));
}

void DesignKeysTest::keysOfOtherSectionsAreKnown()
{
    QCOMPARE(sectionWith("network", Section::Design), std::string_view("costs"));
    QCOMPARE(sectionWith("interval", Section::Design), std::string_view("block"));
    QCOMPARE(sectionWith("weather", Section::Design), std::string_view());
    QCOMPARE(sectionWith("queue", Section::Network), std::string_view());
}

QTEST_APPLESS_MAIN(DesignKeysTest)
#include "design_keys_test.moc"
