// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/panels/edit_table.h"
#include "app/designer/style/theme.h"

#include <QAbstractButton>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QStyle>

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
        painter->fillRect(rect, !columns && section % 2 == 1 ? theme.window : theme.panel);
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
    horizontalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    connect(&model, &QAbstractItemModel::modelReset, this, &EditTableView::fit);
    connect(&model, &QAbstractItemModel::dataChanged, this, &EditTableView::fit);
    corner_ = findChild<QAbstractButton*>();
    if (corner_)
        corner_->installEventFilter(this);
    fit();
}

void EditTableView::fit()
{
    constexpr int looked = 200; // of long tables the first rows say how wide the numbers are
    const int row = scaled(20);
    const int rows = std::min(model_.rowCount(), looked);
    verticalHeader()->setDefaultSectionSize(row);
    horizontalHeader()->setFixedHeight(scaled(22));
    int titles = 0;
    const QFontMetrics small(uiFont(scaled(11)));
    for (int r = 0; r < rows; ++r)
        titles
            = std::max(titles, small.horizontalAdvance(model_.headerData(r, Qt::Vertical, Qt::DisplayRole).toString()));
    verticalHeader()->setFixedWidth(titles + 12);

    const QFontMetrics cells(font());
    std::vector<int> widths;
    int sum = 0;
    for (int c = 0; c < model_.columnCount(); ++c) {
        int wide = small.horizontalAdvance(model_.headerData(c, Qt::Horizontal, Qt::DisplayRole).toString());
        for (int r = 0; r < rows; ++r)
            wide = std::max(wide, cells.horizontalAdvance(model_.index(r, c).data().toString()));
        widths.push_back(std::max(wide + 14, scaled(28)));
        sum += widths.back();
    }
    const bool higher = model_.rowCount() > mostRows;
    const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    const int left = width() - verticalHeader()->width() - (higher ? bar : 0) - sum;
    int spare = std::max(left, 0);
    for (int c = 0; c < model_.columnCount(); ++c) {
        const int more = spare / (model_.columnCount() - c); // the last ones take what does not come out even
        spare -= more;
        horizontalHeader()->resizeSection(c, widths[static_cast<std::size_t>(c)] + more);
    }
    setFixedHeight(scaled(22) + row * std::clamp(model_.rowCount(), 1, mostRows) + (left < 0 ? bar : 0));
}

void EditTableView::resizeEvent(QResizeEvent* event)
{
    QTableView::resizeEvent(event);
    if (event->oldSize().width() != event->size().width())
        fit();
}

bool EditTableView::eventFilter(QObject* watched, QEvent* event)
{
    // The corner above the row titles is a raised button; it says nothing.
    if (event->type() == QEvent::Paint && watched == corner_)
        return true;
    return QTableView::eventFilter(watched, event);
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
        fit();
    }
}

} // namespace pipeloom::designer
