// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/panels/edit_table.h"
#include "app/designer/style/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace pipeloom::designer {

namespace {

constexpr int mostRows = 12;

int scaled(int pixels) { return pixels * QApplication::font().pixelSize() / 13; }

/// Quiet text without the raised look that the platform's headers have.
class PlainHeader : public QHeaderView {
public:
    PlainHeader(Qt::Orientation orientation, QWidget* parent)
        : QHeaderView(orientation, parent)
    {
        setSectionsClickable(false);
        setHighlightSections(false);
    }

protected:
    void paintSection(QPainter* painter, const QRect& rect, int section) const override
    {
        const Theme& theme = themeOf(this);
        const bool columns = orientation() == Qt::Horizontal;
        painter->fillRect(rect, !columns && section % 2 == 0 ? theme.window : theme.panel);
        painter->setPen(columns ? theme.muted : theme.text);
        painter->setFont(uiFont(scaled(11)));
        painter->drawText(rect.adjusted(columns ? 0 : 4, 0, columns ? -6 : 0, 0),
            Qt::AlignVCenter | (columns ? Qt::AlignRight : Qt::AlignLeft),
            model()->headerData(section, orientation(), Qt::DisplayRole).toString());
    }
};

} // namespace

EditTableView::EditTableView(EditTableModel& model, const QString& name, QWidget* parent)
    : QTableView(parent)
    , model_(model)
{
    setObjectName(name);
    setFrameShape(NoFrame);
    setHorizontalHeader(new PlainHeader(Qt::Horizontal, this));
    setVerticalHeader(new PlainHeader(Qt::Vertical, this));
    setModel(&model);
    setShowGrid(false);
    setAlternatingRowColors(true);
    setCornerButtonEnabled(false);
    setTabKeyNavigation(false); // Tab leaves the table; arrows move in it
    setEditTriggers(DoubleClicked | EditKeyPressed | AnyKeyPressed);
    setHorizontalScrollMode(ScrollPerPixel);
    setFont(uiFont(scaled(12)));
    horizontalHeader()->setMinimumSectionSize(scaled(28));
    horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    connect(&model, &QAbstractItemModel::modelReset, this, &EditTableView::fitHeight);
    connect(&model, &QAbstractItemModel::dataChanged, this, &EditTableView::fitHeight);
    fitHeight();
}

void EditTableView::fitHeight()
{
    const int row = scaled(20);
    verticalHeader()->setDefaultSectionSize(row);
    horizontalHeader()->setFixedHeight(scaled(22));
    int titles = 0;
    const QFontMetrics metrics(uiFont(scaled(11)));
    for (int r = 0; r < std::min(model_.rowCount(), 200); ++r)
        titles = std::max(
            titles, metrics.horizontalAdvance(model_.headerData(r, Qt::Vertical, Qt::DisplayRole).toString()));
    verticalHeader()->setFixedWidth(titles + 10);
    // As wide as what stands in the columns, if that is more than an even share.
    int widest = 0;
    const QFontMetrics cells(font());
    for (int c = 0; c < model_.columnCount(); ++c)
        for (int r = 0; r < std::min(model_.rowCount(), 200); ++r)
            widest = std::max(widest, cells.horizontalAdvance(model_.index(r, c).data().toString()));
    horizontalHeader()->setMinimumSectionSize(std::max(scaled(28), widest + 14));
    const int scrolled
        = horizontalHeader()->minimumSectionSize() * model_.columnCount() + verticalHeader()->width() > width()
        ? scaled(12)
        : 0;
    setFixedHeight(scaled(22) + row * std::clamp(model_.rowCount(), 1, mostRows) + scrolled + 2);
}

void EditTableView::copy() const
{
    QItemSelection chosen = selectionModel()->selection();
    if (chosen.isEmpty())
        return;
    const QItemSelectionRange& range = chosen.first();
    QStringList lines;
    for (int r = range.top(); r <= range.bottom(); ++r) {
        QStringList cells;
        for (int c = range.left(); c <= range.right(); ++c)
            cells += model_.editText(r, c).replace(QChar(0x2212), '-'); // spreadsheets know no true minus
        lines += cells.join('\t');
    }
    QApplication::clipboard()->setText(lines.join('\n'));
}

void EditTableView::paste()
{
    const QString text = QApplication::clipboard()->text();
    QModelIndex at = currentIndex();
    if (const QItemSelection chosen = selectionModel()->selection(); !chosen.isEmpty())
        at = model_.index(chosen.first().top(), chosen.first().left());
    if (!at.isValid() || text.trimmed().isEmpty())
        return;
    if (pasteHook && pasteHook(text, at.row(), at.column()))
        return;
    std::vector<QStringList> cells;
    for (QString line : text.split('\n')) {
        if (line.endsWith('\r'))
            line.chop(1);
        if (!line.isEmpty())
            cells.push_back(line.split('\t'));
    }
    model_.setCells(at.row(), at.column(), cells, tr("Paste"));
}

void EditTableView::fillDown()
{
    const QItemSelection chosen = selectionModel()->selection();
    if (chosen.isEmpty())
        return;
    const QItemSelectionRange& range = chosen.first();
    QStringList first;
    for (int c = range.left(); c <= range.right(); ++c)
        first += model_.editText(range.top(), c);
    if (range.height() > 1)
        model_.setCells(range.top() + 1, range.left(),
            std::vector<QStringList>(static_cast<std::size_t>(range.height() - 1), first), tr("Fill down"));
}

void EditTableView::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy))
        copy();
    else if (event->matches(QKeySequence::Paste))
        paste();
    else if (event->key() == Qt::Key_D && event->modifiers() == Qt::ControlModifier)
        fillDown();
    else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && state() != EditingState
        && currentIndex().isValid())
        edit(currentIndex());
    else
        QTableView::keyPressEvent(event);
}

void EditTableView::changeEvent(QEvent* event)
{
    QTableView::changeEvent(event);
    if (event->type() == QEvent::ApplicationFontChange) {
        setFont(uiFont(scaled(12)));
        fitHeight();
    }
}

} // namespace pipeloom::designer
