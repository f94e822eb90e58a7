// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/style/theme.h"

#include "app/designer/style/style.h"

#include <QApplication>
#include <QFontDatabase>
#include <QStyle>
#include <QStyleFactory>
#include <QWidget>

#include <array>
#include <memory>

// Of a static library: what nobody names is not linked. The macro must stand outside of namespaces.
static void takeResourcesIn() { Q_INIT_RESOURCE(resources); }

namespace pipeloom::designer {

namespace {

Theme makeLight()
{
    Theme t;
    t.window = QColor("#f3f4f6");
    t.panel = QColor("#ffffff");
    t.header = QColor("#f3f4f6");
    t.border = QColor("#d5d9e0");
    t.grid = QColor("#eceef2");
    t.gridStrong = QColor("#d9dde4");
    t.text = QColor("#1c1f26");
    t.muted = QColor("#5f6878");
    t.accent = QColor("#2f6fdb");
    t.accentSoft = QColor("#e3edfc");
    t.onAccent = QColor("#ffffff");
    t.error = QColor("#c62828");
    t.errorSoft = QColor("#fbecea");
    t.warning = QColor("#a35f00");
    t.note = QColor("#2f6fdb");
    t.good = QColor("#1b7f4b");
    t.lifespan = QColor("#aa9dd2");
    t.lifespanSoft = QColor("#c6bde1");
    t.memoryFill = QColor("#d9d3eb");
    t.memoryLine = QColor("#8a7bbf");
    t.limit = QColor("#c62828");
    t.idle = QColor("#f3f4f7");
    t.transfer = QColor("#8b93a1");
    t.needs = QColor("#2f6fdb");
    t.feeds = QColor("#b86e00");
    t.critical = QColor("#b0124f");
    t.forward = { QColor("#1f5fa8"), QColor("#174a84"), QColor("#ffffff") };
    t.backward = { QColor("#e08a00"), QColor("#a96700"), QColor("#101010") };
    t.weights = { QColor("#a8dcc8"), QColor("#5f9e87"), QColor("#101010") };
    return t;
}

Theme makeDark()
{
    Theme t;
    t.dark = true;
    t.window = QColor("#1b1e23");
    t.panel = QColor("#22262c");
    t.header = QColor("#1b1e23");
    t.border = QColor("#3b414b");
    t.grid = QColor("#2b3037");
    t.gridStrong = QColor("#3a404a");
    t.text = QColor("#e7e9ed");
    t.muted = QColor("#a0a8b5");
    t.accent = QColor("#6ea1ff");
    t.accentSoft = QColor("#2b3c5c");
    t.onAccent = QColor("#10151f");
    t.error = QColor("#ff7a70");
    t.errorSoft = QColor("#3c2729");
    t.warning = QColor("#f0b04a");
    t.note = QColor("#6ea1ff");
    t.good = QColor("#6fce9c");
    t.lifespan = QColor("#8577b8");
    t.lifespanSoft = QColor("#62588a");
    t.memoryFill = QColor("#45445c");
    t.memoryLine = QColor("#a79fd0");
    t.limit = QColor("#ff7a70");
    t.idle = QColor("#1d2025");
    t.transfer = QColor("#7e8794");
    t.needs = QColor("#6ea1ff");
    t.feeds = QColor("#f0b04a");
    t.critical = QColor("#ff7fb0");
    t.forward = { QColor("#1f5fa8"), QColor("#5b97dc"), QColor("#ffffff") };
    t.backward = { QColor("#e08a00"), QColor("#f2b45a"), QColor("#101010") };
    t.weights = { QColor("#a8dcc8"), QColor("#cdeee0"), QColor("#101010") };
    return t;
}

QPalette paletteOf(const Theme& t)
{
    QPalette palette;
    palette.setColor(QPalette::Window, t.window);
    palette.setColor(QPalette::WindowText, t.text);
    palette.setColor(QPalette::Base, t.panel);
    palette.setColor(QPalette::AlternateBase, t.window);
    palette.setColor(QPalette::Text, t.text);
    palette.setColor(QPalette::Button, t.panel);
    palette.setColor(QPalette::ButtonText, t.text);
    palette.setColor(QPalette::BrightText, t.onAccent);
    palette.setColor(QPalette::ToolTipBase, t.dark ? QColor("#e7e9ed") : QColor("#1b1e23"));
    palette.setColor(QPalette::ToolTipText, t.dark ? QColor("#1b1e23") : QColor("#f3f4f6"));
    palette.setColor(QPalette::PlaceholderText, t.muted);
    palette.setColor(QPalette::Highlight, t.accent);
    palette.setColor(QPalette::HighlightedText, t.onAccent);
    palette.setColor(QPalette::Link, t.accent);
    palette.setColor(QPalette::Light, t.panel);
    palette.setColor(QPalette::Midlight, t.header);
    palette.setColor(QPalette::Mid, t.border);
    palette.setColor(QPalette::Dark, t.border.darker(120));
    palette.setColor(QPalette::Shadow, t.border.darker(150));
    for (const auto role : { QPalette::WindowText, QPalette::Text, QPalette::ButtonText }) {
        QColor faint = t.muted;
        faint.setAlphaF(0.6F);
        palette.setColor(QPalette::Disabled, role, faint);
    }
    return palette;
}

void loadFonts()
{
    static const bool loaded = [] {
        takeResourcesIn();
        for (const char* file : { "Inter-Regular.otf", "Inter-Medium.otf", "Inter-SemiBold.otf", "DejaVuSansMono.ttf" })
            QFontDatabase::addApplicationFont(QString(":/fonts/") + file);
        return true;
    }();
    Q_UNUSED(loaded);
}

} // namespace

const PassColours& Theme::of(PassKind kind) const
{
    switch (kind) {
    case PassKind::F:
        return forward;
    case PassKind::W:
        return weights;
    default:
        return backward;
    }
}

const Theme& lightTheme()
{
    static const Theme theme = makeLight();
    return theme;
}

const Theme& darkTheme()
{
    static const Theme theme = makeDark();
    return theme;
}

const Theme& themeOf(const QPalette& palette)
{
    const bool dark = palette.color(QPalette::WindowText).lightness() > palette.color(QPalette::Window).lightness();
    return dark ? darkTheme() : lightTheme();
}

const Theme& themeOf(const QWidget* widget) { return themeOf(widget->palette()); }

PassColours colourOfNumber(std::int32_t number)
{
    static const std::array<QColor, 8> fills { QColor("#0072b2"), QColor("#e69f00"), QColor("#009e73"),
        QColor("#cc79a7"), QColor("#56b4e9"), QColor("#d55e00"), QColor("#f0e442"), QColor("#7f7f7f") };
    const auto at = static_cast<std::size_t>(number < 0 ? 0 : number) % fills.size();
    const QColor& fill = fills[at];
    const bool light = qGray(fill.rgb()) > 120;
    return { fill, fill.darker(130), light ? QColor("#101010") : QColor("#ffffff") };
}

QFont uiFont(int pixels, QFont::Weight weight)
{
    loadFonts();
    QFont font("Inter");
    font.setPixelSize(pixels);
    font.setWeight(weight);
    return font;
}

QFont monoFont(int pixels)
{
    loadFonts();
    QFont font("DejaVu Sans Mono");
    font.setPixelSize(pixels);
    return font;
}

void applyTheme(QApplication& application, ThemeChoice choice, int textPercent)
{
    const std::unique_ptr<QStyle> fusion(QStyleFactory::create("Fusion"));
    const bool systemIsDark = themeOf(fusion->standardPalette()).dark;
    const bool dark = choice == ThemeChoice::Dark || (choice == ThemeChoice::System && systemIsDark);
    QApplication::setStyle(new Style);
    QApplication::setFont(uiFont(13 * textPercent / 100));
    QApplication::setPalette(paletteOf(dark ? darkTheme() : lightTheme()));
    Q_UNUSED(application);
}

} // namespace pipeloom::designer
