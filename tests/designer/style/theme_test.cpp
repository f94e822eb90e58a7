// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/style/theme.h"
#include "tests/designer/window_test_main.h"

#include <QFile>
#include <QFontInfo>

#include <cmath>

using namespace pipeloom;
using namespace pipeloom::designer;

class ThemeTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void fontsAndIconAreCarriedInTheProgram();
    void textOnPassesAndPanelsCanBeRead_data();
    void textOnPassesAndPanelsCanBeRead();
    void kindsDifferInLightnessSoThatGreyTellsThemApart();
    void edgesOfPassesStandOutFromThePanel();

private:
    static double luminance(const QColor& colour)
    {
        const auto linear = [](double channel) {
            return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
        };
        return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
    }
    /// WCAG's ratio, 1 to 21.
    static double contrast(const QColor& a, const QColor& b)
    {
        const double one = luminance(a) + 0.05;
        const double other = luminance(b) + 0.05;
        return std::max(one, other) / std::min(one, other);
    }
};

void ThemeTest::fontsAndIconAreCarriedInTheProgram()
{
    for (const char* file : { ":/fonts/Inter-Regular.otf", ":/fonts/Inter-Medium.otf", ":/fonts/Inter-SemiBold.otf",
             ":/fonts/DejaVuSansMono.ttf", ":/icons/pipeloom.svg" })
        QVERIFY2(QFile::exists(file), file);
    QCOMPARE(QFontInfo(uiFont(13)).family(), QString("Inter"));
    QCOMPARE(QFontInfo(monoFont(13)).family(), QString("DejaVu Sans Mono"));
}

void ThemeTest::textOnPassesAndPanelsCanBeRead_data()
{
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
}

void ThemeTest::textOnPassesAndPanelsCanBeRead()
{
    QFETCH(bool, dark);
    const Theme& theme = dark ? darkTheme() : lightTheme();
    constexpr double readable = 4.5;
    for (const PassKind kind : { PassKind::F, PassKind::B, PassKind::W, PassKind::BW })
        QVERIFY(contrast(theme.of(kind).text, theme.of(kind).fill) >= readable);
    for (const QColor& ground : { theme.panel, theme.window, theme.header }) {
        QVERIFY(contrast(theme.text, ground) >= readable);
        QVERIFY(contrast(theme.muted, ground) >= readable);
        QVERIFY(contrast(theme.error, ground) >= readable);
    }
    QVERIFY(contrast(theme.onAccent, theme.accent) >= readable);
    for (std::int32_t number = 0; number < 8; ++number)
        QVERIFY(contrast(colourOfNumber(number).text, colourOfNumber(number).fill) >= 3);
}

void ThemeTest::kindsDifferInLightnessSoThatGreyTellsThemApart()
{
    const Theme& theme = lightTheme();
    const double f = qGray(theme.forward.fill.rgb());
    const double b = qGray(theme.backward.fill.rgb());
    const double w = qGray(theme.weights.fill.rgb());
    constexpr double apart = 40; // of 255
    QVERIFY(b - f > apart && w - b > apart);
}

void ThemeTest::edgesOfPassesStandOutFromThePanel()
{
    for (const Theme* theme : { &lightTheme(), &darkTheme() })
        for (const PassKind kind : { PassKind::F, PassKind::B, PassKind::W })
            QVERIFY(contrast(theme->of(kind).edge, theme->panel) >= 3);
}

PIPELOOM_WINDOW_TEST_MAIN(ThemeTest)
#include "theme_test.moc"
