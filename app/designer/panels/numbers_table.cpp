// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/panels/numbers_table.h"

#include "app/designer/panels/numbers_model.h"
#include "app/designer/style/theme.h"

#include <QPainter>
#include <QStyledItemDelegate>

#include <algorithm>

namespace pipeloom::designer {

namespace {

constexpr int margin = 12;

int scaled(const QWidget* widget, int pixels)
{
    const int size = widget->font().pixelSize();
    return size > 0 ? pixels * size / 13 : pixels;
}

/// Where the texts of a row stand: the first at the left, the others right-aligned, evenly.
QRect columnRect(const QRect& row, qsizetype column, qsizetype columns)
{
    const QRect inner = row.adjusted(margin, 0, -margin, 0);
    if (column == 0)
        return { inner.left(), row.top(), inner.width() / static_cast<int>(columns), row.height() };
    const int room = inner.width() - inner.width() / static_cast<int>(columns);
    const auto right
        = inner.left() + inner.width() - room + static_cast<int>(column) * room / static_cast<int>(columns - 1);
    return { right - inner.width() / static_cast<int>(columns), row.top(), inner.width() / static_cast<int>(columns),
        row.height() };
}

int share(std::int64_t value, std::int64_t scale, int pixels)
{
    return static_cast<int>(
        static_cast<double>(std::clamp<std::int64_t>(value, 0, scale)) * pixels / static_cast<double>(scale));
}

void drawMemoryBar(QPainter& painter, const QRect& bar, const DeviceRow& row, std::int64_t scale, const Theme& theme)
{
    const auto x = [&](std::int64_t value) { return bar.left() + share(value, scale, bar.width()); };
    painter.fillRect(QRect(bar.left(), bar.top(), x(row.peak) - bar.left(), bar.height()), theme.memoryLine);
    if (row.limit && row.peak > *row.limit)
        painter.fillRect(QRect(x(*row.limit), bar.top(), x(row.peak) - x(*row.limit), bar.height()), theme.error);
    if (row.bound)
        painter.fillRect(QRect(x(*row.bound) - 1, bar.top() - 2, 2, bar.height() + 4), theme.text);
    if (row.limit)
        painter.fillRect(QRect(x(*row.limit) - 1, bar.top() - 4, 2, bar.height() + 8), theme.limit);
}

void drawTimeBar(QPainter& painter, const QRect& bar, const DeviceRow& row, std::int64_t scale, const Theme& theme)
{
    const int begin = bar.left() + share(row.begin, scale, bar.width());
    const int end = bar.left() + share(row.begin + row.span, scale, bar.width());
    painter.fillRect(QRect(begin, bar.top(), end - begin, bar.height()), theme.lifespanSoft);
    painter.fillRect(QRect(begin, bar.top(), share(row.busy, scale, bar.width()), bar.height()), theme.memoryLine);
}

void drawLifeBar(
    QPainter& painter, const QRect& bar, const LifespanRow& row, Ticks interval, std::int64_t scale, const Theme& theme)
{
    const Ticks life = row.inBlock.value_or(0);
    painter.fillRect(QRect(bar.left(), bar.top(), share(life, scale, bar.width()), bar.height()), theme.lifespan);
    if (interval < 1 || share(interval, scale, bar.width()) < 3)
        return; // the notches would be closer than they can be seen
    for (Ticks at = interval; at < life; at += interval)
        painter.fillRect(QRect(bar.left() + share(at, scale, bar.width()), bar.top(), 1, bar.height()), theme.panel);
}

} // namespace

class NumbersTable::Header : public QWidget {
public:
    Header(const NumbersModel& model, QWidget* parent)
        : QWidget(parent)
        , model_(model)
    {
    }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setPen(themeOf(this).muted);
        painter.setFont(uiFont(scaled(this, 11)));
        const QStringList titles = model_.titles();
        for (qsizetype column = 0; column < titles.size(); ++column)
            painter.drawText(columnRect(rect(), column, titles.size()),
                Qt::AlignVCenter | (column == 0 ? Qt::AlignLeft : Qt::AlignRight), titles[column]);
    }

private:
    const NumbersModel& model_;
};

class NumbersTable::RowDelegate : public QStyledItemDelegate {
public:
    RowDelegate(const NumbersModel& model, NumbersTable* table)
        : QStyledItemDelegate(table)
        , model_(model)
        , table_(*table)
    {
    }

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const override
    {
        return { 100, scaled(&table_, 36) };
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = themeOf(&table_);
        painter->save();
        const Standing standing = model_.figures().standing;
        if (option.state & QStyle::State_HasFocus) {
            painter->setPen(theme.accent);
            painter->drawRect(option.rect.adjusted(4, 0, -5, -1));
        }
        if (standing == Standing::Earlier)
            painter->setOpacity(0.65);
        const QStringList cells = model_.cells(index.row());
        const QRect text(option.rect.left(), option.rect.top(), option.rect.width(), scaled(&table_, 24));
        for (qsizetype column = 0; column < cells.size(); ++column) {
            painter->setFont(uiFont(scaled(&table_, 12), column == 0 ? QFont::Medium : QFont::Normal));
            painter->setPen(standing == Standing::Whole ? theme.text : theme.muted);
            const QRect room = columnRect(text, column, cells.size());
            painter->drawText(room, Qt::AlignVCenter | (column == 0 ? Qt::AlignLeft : Qt::AlignRight),
                painter->fontMetrics().elidedText(cells[column], Qt::ElideRight, room.width()));
        }
        const QRect bar(option.rect.left() + margin, option.rect.top() + scaled(&table_, 24),
            option.rect.width() - 2 * margin, scaled(&table_, 6));
        painter->fillRect(bar, theme.grid);
        drawBar(*painter, bar, index.row(), theme);
        painter->restore();
    }

private:
    void drawBar(QPainter& painter, const QRect& bar, int row, const Theme& theme) const
    {
        const auto at = static_cast<std::size_t>(row);
        switch (model_.view()) {
        case NumbersView::Time:
            drawTimeBar(painter, bar, model_.devices()[at], model_.scale(), theme);
            break;
        case NumbersView::Memory:
            drawMemoryBar(painter, bar, model_.devices()[at], model_.scale(), theme);
            break;
        case NumbersView::Lifespans: {
            const BuildingBlock* block = model_.figures().design->block();
            drawLifeBar(painter, bar, model_.lifespans()[at], block ? block->interval : 0, model_.scale(), theme);
            break;
        }
        }
    }

    const NumbersModel& model_;
    const NumbersTable& table_;
};

NumbersTable::NumbersTable(NumbersModel& model, QWidget* parent)
    : QListView(parent)
    , model_(model)
    , header_(new Header(model, this))
    , delegate_(new RowDelegate(model, this))
{
    setObjectName("numbersTable");
    setAccessibleName(tr("Figures by device"));
    setFrameShape(QFrame::NoFrame);
    setUniformItemSizes(true);
    setSelectionMode(NoSelection);
    setEditTriggers(NoEditTriggers);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setItemDelegate(delegate_);
    setModel(&model);
    placeHeader();
    connect(&model, &NumbersModel::dataChanged, header_, qOverload<>(&QWidget::update));
    connect(&model, &NumbersModel::modelReset, header_, qOverload<>(&QWidget::update));
}

NumbersTable::~NumbersTable() = default;

void NumbersTable::placeHeader()
{
    const int height = scaled(this, 22);
    setViewportMargins(0, height, 0, 0);
    header_->setGeometry(0, 0, viewport()->width(), height);
}

void NumbersTable::resizeEvent(QResizeEvent* event)
{
    QListView::resizeEvent(event);
    placeHeader();
}

void NumbersTable::changeEvent(QEvent* event)
{
    QListView::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        placeHeader();
        scheduleDelayedItemsLayout();
    }
}

} // namespace pipeloom::designer
