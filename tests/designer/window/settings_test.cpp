// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/settings.h"
#include "tests/designer/window_test_main.h"

#include <QSignalSpy>
#include <QTemporaryDir>

using namespace pipeloom::designer;

class SettingsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsSetIsThereAtTheNextStart();
    void badStoredValuesCountAsNotStored_data();
    void badStoredValuesCountAsNotStored();
    void valuesAreTakenIntoTheirRange();
    void aChangeIsToldOnceWithItsKey();
    void keysOfShownSettingsDiffer();

private:
    QTemporaryDir folder_;
    QString file() const { return folder_.filePath("settings.ini"); }
};

void SettingsTest::whatIsSetIsThereAtTheNextStart()
{
    {
        Settings settings(file());
        settings.set(setting::theme, 2);
        settings.set(setting::textPercent, 140);
        settings.set(setting::showGhosts, false);
        settings.set(setting::geometry, QByteArray("\0\1x", 3));
        settings.set(setting::recentFiles, { "/a, b", "/c" });
        QVERIFY(settings.sync());
    }
    const Settings settings(file());
    QCOMPARE(settings.theme(), ThemeChoice::Dark);
    QCOMPARE(settings.value(setting::textPercent), 140);
    QCOMPARE(settings.value(setting::showGhosts), false);
    QCOMPARE(settings.value(setting::showMemory), true);
    QCOMPARE(settings.value(setting::geometry), QByteArray("\0\1x", 3));
    QCOMPARE(settings.value(setting::recentFiles), QStringList({ "/a, b", "/c" }));
}

void SettingsTest::badStoredValuesCountAsNotStored_data()
{
    QTest::addColumn<QString>("key");
    QTest::addColumn<QString>("stored");
    QTest::newRow("unknown theme") << "look/theme"
                                   << "purple";
    QTest::newRow("number of a theme") << "look/theme"
                                       << "2";
    QTest::newRow("text too small") << "look/textPercent"
                                    << "79";
    QTest::newRow("text too large") << "look/textPercent"
                                    << "201";
    QTest::newRow("no number") << "look/textPercent"
                               << "big";
    QTest::newRow("no toggle") << "view/memory"
                               << "perhaps";
    QTest::newRow("never saved") << "document/autosaveSeconds"
                                 << "0";
}

void SettingsTest::badStoredValuesCountAsNotStored()
{
    QFETCH(QString, key);
    QFETCH(QString, stored);
    {
        QSettings raw(file(), QSettings::IniFormat);
        raw.clear();
        raw.setValue(key, stored);
    }
    const Settings settings(file());
    QCOMPARE(settings.theme(), ThemeChoice::System);
    QCOMPARE(settings.value(setting::textPercent), 100);
    QCOMPARE(settings.value(setting::showMemory), true);
    QCOMPARE(settings.value(setting::autosaveSeconds), 3);
}

void SettingsTest::valuesAreTakenIntoTheirRange()
{
    Settings settings(folder_.filePath("range.ini"));
    settings.set(setting::textPercent, 1000);
    QCOMPARE(settings.value(setting::textPercent), 200);
    settings.set(setting::theme, 1);
    settings.set(setting::theme, 3);
    QCOMPARE(settings.theme(), ThemeChoice::Light);
    QStringList many;
    for (int i = 0; i < 15; ++i)
        many << QString::number(i);
    settings.set(setting::recentFiles, many);
    QCOMPARE(settings.value(setting::recentFiles).size(), 10);
}

void SettingsTest::aChangeIsToldOnceWithItsKey()
{
    Settings settings(folder_.filePath("told.ini"));
    QSignalSpy spy(&settings, &Settings::changed);
    settings.set(setting::showMemory, false);
    settings.set(setting::showMemory, false);
    QCOMPARE(spy.count(), 1);
    QCOMPARE(spy.front().front().toString(), QString(setting::showMemory.key));
    settings.forget(setting::showMemory.key);
    QCOMPARE(spy.count(), 2);
    QCOMPARE(settings.value(setting::showMemory), true);
}

void SettingsTest::keysOfShownSettingsDiffer()
{
    QStringList keys;
    for (const ShownSetting& shown : shownSettings())
        std::visit([&](const auto* setting) { keys << setting->key; }, shown);
    QCOMPARE(keys.removeDuplicates(), 0);
    QVERIFY(keys.size() >= 5);
}

PIPELOOM_WINDOW_TEST_MAIN(SettingsTest)
#include "settings_test.moc"
