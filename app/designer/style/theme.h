// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The colours of the window by what they are for. Two tables; which one holds is read off the palette, so a widget asks its
// own palette and follows every change of it.

#include "core/pipeline/pass.h"

#include <QColor>
#include <QFont>
#include <QPalette>

class QApplication;
class QWidget;

namespace pipeloom::designer {

enum class ThemeChoice { System, Light, Dark };

/// Fill of a pass, its edge (darker on light, lighter on dark) and the text on it.
struct PassColours {
    QColor fill;
    QColor edge;
    QColor text;
};

struct Theme {
    bool dark = false;
    QColor window;     ///< between the panels; table stripes
    QColor panel;      ///< where things are drawn
    QColor header;     ///< of a panel
    QColor border;     ///< around panels, between rows
    QColor grid;       ///< tick grid
    QColor gridStrong; ///< every interval
    QColor text;
    QColor muted;      ///< secondary text
    QColor accent;     ///< selection, default button
    QColor accentSoft; ///< behind what is chosen
    QColor onAccent;
    QColor error;
    QColor errorSoft; ///< tint of taken ticks
    QColor warning;
    QColor note;
    QColor good;     ///< better, in comparisons
    QColor lifespan; ///< bar of the first chunk; later ones lighter
    QColor lifespanSoft;
    QColor memoryFill;
    QColor memoryLine;
    QColor limit;
    QColor idle;     ///< background of a row's own span: bubbles
    QColor transfer; ///< hatching
    QColor needs;    ///< arrows to what a pass needs
    QColor feeds;    ///< arrows to what it feeds
    QColor critical; ///< outline of the critical path
    PassColours forward;
    PassColours backward;
    PassColours weights;

    [[nodiscard]] const PassColours& of(PassKind kind) const;
};

/// The table for a palette: dark if its text is lighter than its window.
[[nodiscard]] const Theme& themeOf(const QPalette& palette);
[[nodiscard]] const Theme& themeOf(const QWidget* widget);
[[nodiscard]] const Theme& lightTheme();
[[nodiscard]] const Theme& darkTheme();

/// The colour of a micro-batch, of eight that stay apart for colour-blind eyes (Okabe and Ito).
[[nodiscard]] PassColours colourOfNumber(std::int32_t number);

/// Inter at a size in pixels; the bundled fonts and other resources are there from the first call on. DejaVu Sans Mono for keys and ids.
[[nodiscard]] QFont uiFont(int pixels, QFont::Weight weight = QFont::Normal);
[[nodiscard]] QFont monoFont(int pixels);

/// Style, font and palette of the whole program. `textPercent`: UI text size, 100 as designed.
void applyTheme(QApplication& application, ThemeChoice choice, int textPercent = 100);

} // namespace pipeloom::designer
