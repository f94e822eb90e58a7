// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/alarm_list.h"

#include "app/designer/run/alarm_model.h"
#include "app/designer/style/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QStyledItemDelegate>

#include <algorithm>

namespace pipeloom::designer {

namespace {

constexpr int margin = 14;
constexpr int markPixels = 9;

/// Told by shape as well as by colour: a barred disc, a triangle, a disc.
void drawMark(QPainter& painter, const QRectF& box, RunNotice::Level level, const Theme& theme)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    if (level == RunNotice::Level::Warning) {
        QPainterPath triangle;
        triangle.moveTo(box.center().x(), box.top() - 0.5);
        triangle.lineTo(box.right() + 0.5, box.bottom());
        triangle.lineTo(box.left() - 0.5, box.bottom());
        triangle.closeSubpath();
        painter.fillPath(triangle, theme.warning);
    } else {
        const bool isError = level == RunNotice::Level::Error;
        painter.setBrush(isError ? theme.error : theme.good);
        painter.drawEllipse(box);
        if (isError)
            painter.fillRect(QRectF(box.center().x() - 2.5, box.center().y() - 1, 5, 2), theme.panel);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace

/// Lays a row out once for painting, for its size and for where its links are.
class AlarmList::RowDelegate : public QStyledItemDelegate {
public:
    struct Layout {
        QRect mark;
        QRect head;
        QRect text;
        QRect advice;
        QRect show;
        QRect plan;
        int height = 0;
    };

    RowDelegate(const AlarmModel& model, AlarmList* list)
        : QStyledItemDelegate(list)
        , model_(model)
        , list_(*list)
    {
    }

    [[nodiscard]] int pixels(int wanted) const
    {
        const int size = list_.font().pixelSize();
        return size > 0 ? wanted * size / 13 : wanted;
    }
    [[nodiscard]] QFont bodyFont() const { return uiFont(pixels(12)); }
    [[nodiscard]] QFont smallFont() const { return uiFont(pixels(11)); }
    [[nodiscard]] QFont linkFont() const { return uiFont(pixels(11), QFont::DemiBold); }

    [[nodiscard]] static QString showText() { return AlarmList::tr("Show"); }
    [[nodiscard]] static QString planText() { return AlarmList::tr("Plan for it"); }

    [[nodiscard]] Layout layout(int row, const QRect& rect) const
    {
        Layout made;
        const Alarm* alarm = model_.alarm(row);
        if (!alarm)
            return made;
        const int line = pixels(17);
        const int width = std::max(rect.width() - 2 * margin, 60);
        const int left = rect.left() + margin;
        int y = rect.top() + pixels(7);
        made.mark = QRect(left, y + (line - markPixels) / 2, markPixels, markPixels);
        made.head = QRect(left + markPixels + 8, y, width - markPixels - 8, line);
        y += line;
        made.text = QRect(left, y, width, heightOf(alarm->text, bodyFont(), width, line));
        y = made.text.bottom() + 1;
        if (!alarm->advice.isEmpty()) {
            made.advice = QRect(left, y, width, heightOf(alarm->advice, smallFont(), width, line));
            y = made.advice.bottom() + 1;
        }
        if (alarm->canShow()) {
            const QFontMetrics metrics(linkFont());
            const QFontMetrics small(smallFont());
            const int showWidth = metrics.horizontalAdvance(showText());
            const int planWidth = alarm->isStraggler ? metrics.horizontalAdvance(planText()) : 0;
            const int room = showWidth + (planWidth > 0 ? pixels(14) + planWidth : 0);
            const int adviceWidth = small.horizontalAdvance(alarm->advice);
            // Behind the advice if that leaves room, else on a line of their own.
            const bool behind
                = !alarm->advice.isEmpty() && made.advice.height() <= line && adviceWidth + pixels(12) + room <= width;
            const int x = behind ? left + adviceWidth + pixels(12) : left;
            const int top = behind ? made.advice.top() : y;
            made.show = QRect(x, top, showWidth + 1, line);
            if (planWidth > 0)
                made.plan = QRect(made.show.right() + pixels(14), top, planWidth + 1, line);
            y = std::max(y, top + line);
        }
        made.height = y + pixels(7) - rect.top();
        return made;
    }

    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override
    {
        const int width = list_.viewport()->width();
        return { width, layout(index.row(), QRect(0, 0, width, 10)).height };
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = themeOf(&list_);
        const Alarm* alarm = model_.alarm(index.row());
        if (!alarm)
            return;
        painter->save();
        const bool isError = alarm->level == RunNotice::Level::Error;
        if (option.state & QStyle::State_Selected)
            painter->fillRect(option.rect, theme.accentSoft);
        else if (isError)
            painter->fillRect(option.rect, theme.errorSoft);
        const Layout at = layout(index.row(), option.rect);
        const auto write = [&](const QRect& rect, const QFont& font, const QColor& colour, const QString& text) {
            painter->setFont(font);
            painter->setPen(colour);
            painter->drawText(rect, Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignVCenter, text);
        };
        drawMark(*painter, at.mark, alarm->level, theme);
        write(at.head, smallFont(), theme.muted, alarm->head);
        write(at.text, bodyFont(), isError ? theme.error : theme.text, alarm->text);
        write(at.advice, smallFont(), theme.muted, alarm->advice);
        write(at.show, linkFont(), theme.accent, at.show.isEmpty() ? QString() : showText());
        write(at.plan, linkFont(), theme.accent, at.plan.isEmpty() ? QString() : planText());
        if (option.state & QStyle::State_HasFocus) {
            painter->setPen(theme.accent);
            painter->drawRect(option.rect.adjusted(1, 0, -2, -1));
        }
        painter->restore();
    }

private:
    [[nodiscard]] static int heightOf(const QString& text, const QFont& font, int width, int line)
    {
        const QFontMetrics metrics(font);
        if (metrics.horizontalAdvance(text) <= width)
            return line;
        return std::max(line, metrics.boundingRect(QRect(0, 0, width, 4000), Qt::TextWordWrap, text).height() + 2);
    }

    const AlarmModel& model_;
    const AlarmList& list_;
};

AlarmList::AlarmList(AlarmModel& model, QWidget* parent)
    : QListView(parent)
    , model_(model)
    , delegate_(new RowDelegate(model, this))
{
    setObjectName("alarmList");
    setAccessibleName(tr("Alarms"));
    setFrameShape(NoFrame);
    setSelectionMode(SingleSelection);
    setEditTriggers(NoEditTriggers);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setResizeMode(Adjust);
    setMouseTracking(true);
    setItemDelegate(delegate_);
    setModel(&model);
    // What holds now changes in place, and may then need more lines.
    connect(&model, &QAbstractItemModel::dataChanged, this, [this] { scheduleDelayedItemsLayout(); });
}

QRect AlarmList::linkRect(int row, Link link) const
{
    const QRect rect = visualRect(model_.index(row));
    if (!rect.isValid())
        return {};
    const RowDelegate::Layout at = delegate_->layout(row, rect);
    return link == Link::Show ? at.show : at.plan;
}

bool AlarmList::hits(const QPoint& position, int row, Link link) const
{
    return linkRect(row, link).adjusted(-3, -2, 3, 2).contains(position) && !linkRect(row, link).isEmpty();
}

void AlarmList::mouseMoveEvent(QMouseEvent* event)
{
    QListView::mouseMoveEvent(event);
    const QPoint at = event->position().toPoint();
    const int row = indexAt(at).row();
    const bool onLink = row >= 0 && (hits(at, row, Link::Show) || hits(at, row, Link::Plan));
    viewport()->setCursor(onLink ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void AlarmList::mouseReleaseEvent(QMouseEvent* event)
{
    QListView::mouseReleaseEvent(event);
    const QPoint at = event->position().toPoint();
    const int row = indexAt(at).row();
    if (event->button() != Qt::LeftButton || row < 0 || row != currentIndex().row())
        return;
    if (hits(at, row, Link::Plan))
        Q_EMIT planActivated(row);
    else if (hits(at, row, Link::Show))
        Q_EMIT showActivated(row);
}

void AlarmList::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (const QModelIndex index = indexAt(event->position().toPoint()); index.isValid())
        Q_EMIT showActivated(index.row());
    event->accept();
}

void AlarmList::leaveEvent(QEvent* event)
{
    QListView::leaveEvent(event);
    viewport()->setCursor(Qt::ArrowCursor);
}

void AlarmList::keyPressEvent(QKeyEvent* event)
{
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!enter || !currentIndex().isValid()) {
        QListView::keyPressEvent(event);
        return;
    }
    if (event->modifiers() & Qt::ControlModifier)
        Q_EMIT planActivated(currentIndex().row());
    else
        Q_EMIT showActivated(currentIndex().row());
    event->accept();
}

void AlarmList::changeEvent(QEvent* event)
{
    QListView::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        scheduleDelayedItemsLayout();
}

void AlarmList::resizeEvent(QResizeEvent* event)
{
    QListView::resizeEvent(event);
    if (event->oldSize().width() != event->size().width())
        scheduleDelayedItemsLayout(); // sentences break elsewhere
}

} // namespace pipeloom::designer
