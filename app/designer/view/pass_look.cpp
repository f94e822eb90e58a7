// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/view/pass_look.h"

#include <algorithm>

namespace pipeloom::designer {

QString fittingLabel(const std::initializer_list<QString>& labels, double width, const QFontMetricsF& metrics)
{
    // Judged by wide digits and the widest kind, so that neighbours of one width are labelled alike.
    for (const QString& label : labels) {
        QString wide = label;
        for (QChar& letter : wide)
            letter = letter.isDigit() ? QLatin1Char('0') : QLatin1Char('W');
        if (metrics.horizontalAdvance(label.contains(QLatin1String("BW")) ? label : wide) + 3 <= width)
            return label;
    }
    return {};
}

void drawPass(QPainter& painter, const QRectF& rect, const PassLook& look, const Theme& theme)
{
    if (rect.width() > 4 && rect.height() > 4) {
        painter.fillRect(rect, look.colours.edge);
        painter.fillRect(rect.adjusted(1, 1, -1, -1), look.colours.fill);
    } else {
        painter.fillRect(rect, look.colours.fill);
    }
    if (look.kind == PassKind::BW && rect.height() >= 12) {
        const double band = std::max(3.0, rect.height() / 5);
        painter.fillRect(QRectF(rect.left() + 1, rect.bottom() - 1 - band, rect.width() - 2, band), theme.weights.fill);
    }
    if (look.chunk > 0 && rect.height() >= 14 && rect.width() >= 6) {
        const double inset = std::min(5.0, rect.width() / 5);
        for (int line = 0; line < std::min(look.chunk, 3); ++line)
            painter.fillRect(QRectF(rect.left() + inset, rect.bottom() - 4 - 3 * line, rect.width() - 2 * inset, 2),
                look.colours.text);
    }
    if (!look.label.isEmpty()) {
        painter.setPen(look.colours.text);
        const double raise = look.chunk > 0 && rect.height() < 26 ? 2.0 * std::min(look.chunk, 3) : 0;
        painter.drawText(rect.adjusted(0, 0, 0, -raise), Qt::AlignCenter | Qt::TextSingleLine, look.label);
    }
}

} // namespace pipeloom::designer
