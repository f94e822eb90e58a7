// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/compare/compare_table.h"

#include "app/designer/compare/compare_model.h"
#include "app/designer/style/theme.h"

#include <QApplication>
#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>
#include <array>

namespace pipeloom::designer {

namespace {

int scaled(int pixels) { return pixels * QApplication::font().pixelSize() / 13; }

class QuietHeader : public QHeaderView {
public:
    explicit QuietHeader(QWidget* parent)
        : QHeaderView(Qt::Horizontal, parent)
    {
        setHighlightSections(false);
    }

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override
    {
        const Theme& theme = themeOf(this);
        painter->fillRect(rect, theme.panel);
        painter->fillRect(QRect(rect.left(), rect.bottom(), rect.width(), 1), theme.border);
        painter->setPen(theme.muted);
        painter->setFont(uiFont(scaled(11)));
        const QString title = model()->headerData(section, orientation(), Qt::DisplayRole).toString();
        painter->drawText(rect.adjusted(12, 0, -12, 0),
            Qt::AlignVCenter | (section == CompareModel::Name ? Qt::AlignLeft : Qt::AlignRight),
            painter->fontMetrics().elidedText(title, Qt::ElideRight, rect.width() - 24));
    }
};

} // namespace

QColor compareColour(int row)
{
    // Beyond the eight that stay apart for every eye come eight (Tol's muted ones) that stay apart from these.
    static const std::array<QColor, 8> more { QColor("#aa4499"), QColor("#44aa99"), QColor("#999933"),
        QColor("#cc6677"), QColor("#88ccee"), QColor("#882255"), QColor("#ddcc77"), QColor("#117733") };
    const int at = std::max(row, 0) % 16;
    return at < 8 ? colourOfNumber(at).fill : more[static_cast<std::size_t>(at - 8)];
}

class CompareTable::CellDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = themeOf(option.palette);
        painter->save();
        painter->fillRect(option.rect, option.state & QStyle::State_Selected ? theme.accentSoft : theme.panel);
        painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), theme.grid);
        const bool isName = index.column() == CompareModel::Name;
        const bool best = index.data(CompareModel::BestRole).toBool();
        const QString below = index.data(CompareModel::DifferenceRole).toString();
        QRect inner = option.rect.adjusted(12, 4, -12, -4);
        if (isName) {
            painter->fillRect(QRect(inner.left(), inner.top() + scaled(5), 9, 9), compareColour(index.row()));
            inner.setLeft(inner.left() + 18);
        }
        const int side = isName ? Qt::AlignLeft : Qt::AlignRight;
        const int line = scaled(18);
        painter->setFont(uiFont(scaled(13), isName || best ? QFont::DemiBold : QFont::Normal));
        painter->setPen(index.data(CompareModel::BrokenRole).toBool() ? theme.error : best ? theme.good : theme.text);
        const QString text = index.data().toString();
        painter->drawText(QRect(inner.left(), below.isEmpty() && !isName ? inner.top() + line / 2 - 2 : inner.top(),
                              inner.width(), line),
            side | Qt::AlignVCenter, painter->fontMetrics().elidedText(text, Qt::ElideRight, inner.width()));
        painter->setFont(uiFont(scaled(11)));
        const bool worse = index.data(CompareModel::WorseRole).toBool();
        painter->setPen(isName || below == CompareModel::tr("same") ? theme.muted : worse ? theme.warning : theme.good);
        painter->drawText(QRect(inner.left(), inner.top() + line, inner.width(), scaled(15)), side | Qt::AlignVCenter,
            painter->fontMetrics().elidedText(below, Qt::ElideRight, inner.width()));
        if (option.state & QStyle::State_HasFocus) {
            painter->setPen(theme.accent);
            painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
        }
        painter->restore();
    }
};

CompareTable::CompareTable(CompareModel& model, QWidget* parent)
    : QTableView(parent)
{
    setObjectName("compareTable");
    setAccessibleName(tr("Figures of the designs"));
    setFrameShape(NoFrame);
    setHorizontalHeader(new QuietHeader(this));
    setModel(&model);
    setItemDelegate(new CellDelegate(this));
    verticalHeader()->hide();
    setShowGrid(false);
    setTabKeyNavigation(false);
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    setEditTriggers(NoEditTriggers);
    setHorizontalScrollMode(ScrollPerPixel);
    setVerticalScrollMode(ScrollPerPixel);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    fit();
}

void CompareTable::fit()
{
    verticalHeader()->setDefaultSectionSize(scaled(42));
    horizontalHeader()->setFixedHeight(scaled(26));
    horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    horizontalHeader()->setSectionResizeMode(CompareModel::Name, QHeaderView::Fixed);
    horizontalHeader()->resizeSection(CompareModel::Name, scaled(280));
    horizontalHeader()->setMinimumSectionSize(scaled(104));
}

void CompareTable::changeEvent(QEvent* event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::ApplicationFontChange)
        fit();
}

} // namespace pipeloom::designer
