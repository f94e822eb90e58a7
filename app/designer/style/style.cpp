// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/style/style.h"

#include "app/designer/style/theme.h"

#include <QGuiApplication>
#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>

namespace pipeloom::designer {

namespace {

void roundedBox(QPainter* painter, const QRect& rect, const QColor& fill, const QColor& edge)
{
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(edge, 1));
    painter->setBrush(fill);
    painter->drawRoundedRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter->restore();
}

void drawButton(QPainter* painter, const QStyleOption& option, const Theme& theme, bool isDefault)
{
    const bool enabled = option.state & QStyle::State_Enabled;
    const bool down = option.state & (QStyle::State_Sunken | QStyle::State_On);
    const bool hovered = enabled && (option.state & QStyle::State_MouseOver);
    QColor fill = theme.panel;
    QColor edge = theme.border;
    if (isDefault && enabled) {
        fill = down ? theme.accent.darker(115) : hovered ? theme.accent.lighter(108) : theme.accent;
        edge = fill;
    } else if (down) {
        fill = theme.accentSoft;
        edge = theme.accent;
    } else if (hovered) {
        fill = theme.header;
    }
    if (option.state & QStyle::State_HasFocus)
        edge = theme.accent;
    roundedBox(painter, option.rect, fill, edge);
}

void drawCheckBox(QPainter* painter, const QStyleOption& option, const Theme& theme)
{
    const bool on = option.state & QStyle::State_On;
    const bool partly = option.state & QStyle::State_NoChange;
    const bool enabled = option.state & QStyle::State_Enabled;
    const bool hot = option.state & (QStyle::State_MouseOver | QStyle::State_HasFocus);
    const QRectF box = QRectF(option.rect).adjusted(1.5, 1.5, -1.5, -1.5);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    QColor fill = on || partly ? theme.accent : theme.panel;
    QColor edge = on || partly || hot ? theme.accent : theme.muted;
    if (!enabled) {
        fill.setAlphaF(0.4F);
        edge.setAlphaF(0.4F);
    }
    painter->setPen(QPen(edge, 1));
    painter->setBrush(fill);
    painter->drawRoundedRect(box, 3, 3);
    painter->setPen(QPen(theme.onAccent, 1.8, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    const auto at = [&](double x, double y) { return box.topLeft() + QPointF(box.width() * x, box.height() * y); };
    if (on)
        painter->drawPolyline(QPolygonF { at(0.22, 0.52), at(0.43, 0.72), at(0.78, 0.3) });
    else if (partly)
        painter->drawLine(at(0.25, 0.5), at(0.75, 0.5));
    painter->restore();
}

} // namespace

Style::Style()
    : QProxyStyle(QStyleFactory::create("Fusion"))
{
}

void Style::drawPrimitive(
    PrimitiveElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const
{
    const Theme& theme = themeOf(option->palette);
    switch (element) {
    case PE_PanelButtonCommand: {
        const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
        drawButton(painter, *option, theme, button && (button->features & QStyleOptionButton::DefaultButton));
        return;
    }
    case PE_PanelButtonTool:
        if (option->state & (State_MouseOver | State_On | State_Sunken | State_HasFocus))
            drawButton(painter, *option, theme, false);
        return;
    case PE_FrameLineEdit:
    case PE_PanelLineEdit:
        if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option); frame && frame->lineWidth > 0) {
            const bool enabled = option->state & State_Enabled;
            roundedBox(painter, option->rect, enabled ? theme.panel : theme.window,
                option->state & State_HasFocus ? theme.accent : theme.border);
            return;
        }
        break;
    case PE_IndicatorCheckBox:
    case PE_IndicatorItemViewItemCheck:
        drawCheckBox(painter, *option, theme);
        return;
    case PE_FrameDockWidget:
    case PE_FrameMenu:
        painter->setPen(theme.border);
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        return;
    case PE_FrameFocusRect:
        painter->setPen(theme.accent);
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        return;
    default:
        break;
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void Style::drawControl(
    ControlElement element, const QStyleOption* option, QPainter* painter, const QWidget* widget) const
{
    const Theme& theme = themeOf(option->palette);
    if (element == CE_Splitter)
        return; // the gap between the parts is handle enough
    if (element == CE_MenuBarEmptyArea) {
        painter->fillRect(option->rect, theme.panel);
        return;
    }
    if (element == CE_MenuBarItem) {
        const auto* item = qstyleoption_cast<const QStyleOptionMenuItem*>(option);
        painter->fillRect(option->rect, theme.panel);
        if (item && (option->state & State_Selected))
            roundedBox(painter, option->rect.adjusted(1, 2, -1, -2), theme.accentSoft, theme.accentSoft);
        if (item)
            drawItemText(painter, option->rect,
                Qt::AlignCenter
                    | (styleHint(SH_UnderlineShortcut, option, widget, nullptr) ? Qt::TextShowMnemonic
                                                                                : Qt::TextHideMnemonic),
                item->palette, option->state & State_Enabled, item->text, QPalette::WindowText);
        return;
    }
    if (element == CE_PushButtonLabel) {
        const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
        if (button && (button->features & QStyleOptionButton::DefaultButton) && (option->state & State_Enabled)) {
            QStyleOptionButton onAccent(*button);
            onAccent.palette.setColor(QPalette::ButtonText, theme.onAccent);
            QProxyStyle::drawControl(element, &onAccent, painter, widget);
            return;
        }
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

int Style::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const
{
    switch (metric) {
    case PM_ButtonMargin:
        return 12;
    case PM_SplitterWidth:
        return 8;
    case PM_ScrollBarExtent:
        return 12;
    case PM_MenuBarItemSpacing:
        return 4;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int Style::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* data) const
{
    if (hint == SH_ToolTip_WakeUpDelay)
        return 300;
    // Alt is a modifier of gestures; letting it go must not give the keys to the menus.
    if (hint == SH_MenuBar_AltKeyNavigation)
        return 0;
    if (hint == SH_UnderlineShortcut)
        return QGuiApplication::queryKeyboardModifiers() & Qt::AltModifier ? 1 : 0;
    return QProxyStyle::styleHint(hint, option, widget, data);
}

} // namespace pipeloom::designer
