// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/panels/remark.h"

#include "app/designer/style/theme.h"

#include <QApplication>
#include <QEvent>

namespace pipeloom::designer {

Remark::Remark(Tone tone, const QString& text, QWidget* parent)
    : QLabel(text, parent)
    , tone_(tone)
{
    restyle();
}

void Remark::say(const QString& sentence)
{
    if (sentence != text()) {
        setText(sentence);
        setAccessibleName(sentence);
    }
    setVisible(!sentence.isEmpty());
}

void Remark::changeEvent(QEvent* event)
{
    QLabel::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::ApplicationPaletteChange
        || event->type() == QEvent::ApplicationFontChange)
        restyle();
}

void Remark::restyle()
{
    // The application's palette: the label's own carries the colour that is set here.
    const Theme& theme = themeOf(QApplication::palette());
    const QColor& colour = tone_ == Tone::Error ? theme.error : tone_ == Tone::Accent ? theme.accent : theme.muted;
    if (palette().color(QPalette::WindowText) != colour) {
        QPalette own = palette();
        own.setColor(QPalette::WindowText, colour);
        own.setColor(QPalette::Text, colour); // the role that a label on a base-coloured page writes in
        setPalette(own);
    }
    const QFont wanted = uiFont(12 * QApplication::font().pixelSize() / 13);
    if (font() != wanted)
        setFont(wanted);
}

} // namespace pipeloom::designer
