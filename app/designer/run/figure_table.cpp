// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/figure_table.h"

#include "app/designer/style/theme.h"

#include <QApplication>
#include <QEvent>
#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

namespace pipeloom::designer {

namespace {

int scaled(int pixels) { return pixels * QApplication::font().pixelSize() / 13; }

class QuietHeader : public QHeaderView {
public:
    explicit QuietHeader(QWidget* parent)
        : QHeaderView(Qt::Horizontal, parent)
    {
        setHighlightSections(false);
        setObjectName("figureTableHeader");
    }

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override
    {
        const Theme& theme = themeOf(this);
        painter->fillRect(rect, theme.panel);
        painter->setPen(theme.muted);
        painter->setFont(uiFont(scaled(11)));
        const QString title = model()->headerData(section, orientation(), Qt::DisplayRole).toString();
        painter->drawText(rect.adjusted(12, 0, -12, 0),
            Qt::AlignVCenter | (section == 0 ? Qt::AlignLeft : Qt::AlignRight),
            painter->fontMetrics().elidedText(title, Qt::ElideRight, rect.width() - 24));
    }
};

class FigureDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = themeOf(option.palette);
        painter->save();
        const bool selected = option.state & QStyle::State_Selected;
        painter->fillRect(option.rect, selected ? theme.accentSoft : index.row() % 2 == 0 ? theme.window : theme.panel);
        const int mark = index.data(figureMarkRole).toInt();
        const QRect inner = option.rect.adjusted(12, 0, -12, 0);
        painter->setFont(uiFont(scaled(12), mark != 0 ? QFont::DemiBold : QFont::Normal));
        painter->setPen(mark > 0 ? theme.warning : mark < 0 ? theme.good : theme.text);
        const QString text = painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, inner.width());
        painter->drawText(inner, Qt::AlignVCenter | (index.column() == 0 ? Qt::AlignLeft : Qt::AlignRight), text);
        if (mark != 0) {
            const double size = scaled(6);
            const double x = inner.right() - painter->fontMetrics().horizontalAdvance(text) - 5 - size;
            const double y = inner.center().y() + 1;
            const double tip = mark > 0 ? y - size / 2 : y + size / 2;
            const double base = mark > 0 ? y + size / 2 : y - size / 2;
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setPen(Qt::NoPen);
            painter->setBrush(mark > 0 ? theme.warning : theme.good);
            painter->drawPolygon(QPolygonF({ { x + size / 2, tip }, { x, base }, { x + size, base } }));
        }
        if (option.state & QStyle::State_HasFocus) {
            painter->setRenderHint(QPainter::Antialiasing, false);
            painter->setBrush(Qt::NoBrush);
            painter->setPen(theme.accent);
            painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
        }
        painter->restore();
    }
};

} // namespace

FigureTable::FigureTable(
    const QString& objectName, const QString& accessibleName, QAbstractItemModel& model, QWidget* parent)
    : QTableView(parent)
{
    setObjectName(objectName);
    setAccessibleName(accessibleName);
    setFrameShape(NoFrame);
    setHorizontalHeader(new QuietHeader(this));
    setModel(&model);
    setItemDelegate(new FigureDelegate(this));
    verticalHeader()->hide();
    setShowGrid(false);
    setTabKeyNavigation(false);
    setSelectionMode(SingleSelection);
    setEditTriggers(NoEditTriggers);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    fit();
}

void FigureTable::fit()
{
    verticalHeader()->setMinimumSectionSize(scaled(20));
    verticalHeader()->setDefaultSectionSize(scaled(23));
    horizontalHeader()->setFixedHeight(scaled(26));
    horizontalHeader()->setMinimumSectionSize(scaled(30));
    horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
}

void FigureTable::changeEvent(QEvent* event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::ApplicationFontChange)
        fit();
}

} // namespace pipeloom::designer
