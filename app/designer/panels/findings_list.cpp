// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/panels/findings_list.h"

#include "app/designer/panels/findings_model.h"
#include "app/designer/style/theme.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QStyledItemDelegate>

#include <algorithm>

namespace pipeloom::designer {

namespace {

constexpr int margin = 12;
constexpr int iconPixels = 10;

/// A disc for errors, a triangle for warnings, a smaller disc for notes: told by shape as well as by colour.
void drawIcon(QPainter& painter, const QRectF& box, Severity severity, const Theme& theme)
{
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    switch (severity) {
    case Severity::Error:
        painter.setBrush(theme.error);
        painter.drawEllipse(box);
        painter.setBrush(theme.panel);
        painter.drawRect(QRectF(box.center().x() - 3, box.center().y() - 1, 6, 2));
        break;
    case Severity::Warning: {
        painter.setBrush(theme.warning);
        QPainterPath triangle;
        triangle.moveTo(box.center().x(), box.top() - 0.5);
        triangle.lineTo(box.right() + 0.5, box.bottom());
        triangle.lineTo(box.left() - 0.5, box.bottom());
        triangle.closeSubpath();
        painter.drawPath(triangle);
        break;
    }
    case Severity::Note:
        painter.setBrush(theme.note);
        painter.drawEllipse(box.adjusted(1, 1, -1, -1));
        break;
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

} // namespace

/// Lays a row out once for painting, for its size and for where its link is.
class FindingsList::RowDelegate : public QStyledItemDelegate {
public:
    struct Layout {
        QRect icon;
        QRect rule;
        QRect message;
        QRect remedy;
        QRect link;
        int height = 0;
    };

    RowDelegate(const FindingsModel& model, FindingsList* list)
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
    [[nodiscard]] QFont ruleFont() const { return monoFont(pixels(11)); }
    [[nodiscard]] QFont bodyFont() const { return uiFont(pixels(12)); }
    [[nodiscard]] QFont linkFont() const { return uiFont(pixels(12), QFont::DemiBold); }

    [[nodiscard]] Layout layout(int row, const QRect& rect) const
    {
        Layout made;
        const QFontMetrics body(bodyFont());
        const int line = std::max(body.height(), pixels(16));
        const int top = rect.top() + pixels(4);
        int right = rect.right() - margin;
        if (const std::optional<Remedy>& remedy = model_.remedy(row)) {
            const int wide = QFontMetrics(linkFont()).horizontalAdvance(QString::fromStdString(remedy->text)) + 8;
            made.link = QRect(right - wide, top - 1, wide + 4, line + 2);
            right -= wide + 12;
        }
        made.icon = QRect(rect.left() + margin + 2, top + (line - iconPixels) / 2, iconPixels, iconPixels);
        const int ruleLeft = made.icon.right() + 9;
        const bool narrow = rect.width() < pixels(560);
        const int ruleWidth = pixels(186);
        made.rule = QRect(ruleLeft, top, narrow ? right - ruleLeft : ruleWidth - 8, line);
        const int textLeft = narrow ? ruleLeft : ruleLeft + ruleWidth;
        const int textTop = narrow ? top + line : top;
        const int width = std::max((narrow ? rect.right() - margin : right) - textLeft, 60);
        const auto heightOf = [&](const QString& text) {
            if (body.horizontalAdvance(text) <= width)
                return line;
            return std::max(line, body.boundingRect(QRect(0, 0, width, 4000), Qt::TextWordWrap, text).height());
        };
        const Finding* finding = model_.finding(row);
        const QString message = finding ? QString::fromStdString(finding->message) : model_.moreText();
        made.message = QRect(textLeft, textTop, width, heightOf(message));
        int bottom = made.message.bottom() + 1;
        if (finding && !finding->remedy.empty()) {
            made.remedy = QRect(textLeft, bottom, width, heightOf(QString::fromStdString(finding->remedy)));
            bottom = made.remedy.bottom() + 1;
        }
        made.height = bottom + pixels(4) - rect.top();
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
        painter->save();
        const bool current = option.state & QStyle::State_HasFocus;
        if (option.state & QStyle::State_Selected)
            painter->fillRect(option.rect, theme.accentSoft);
        else if (option.state & QStyle::State_MouseOver)
            painter->fillRect(option.rect, theme.window);
        if (current) {
            painter->setPen(theme.accent);
            painter->drawRect(option.rect.adjusted(1, 0, -2, -1));
        }
        const Layout at = layout(index.row(), option.rect);
        const Finding* finding = model_.finding(index.row());
        const auto write = [&](const QRect& rect, const QFont& font, const QColor& colour, const QString& text) {
            painter->setFont(font);
            painter->setPen(colour);
            painter->drawText(rect, Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignVCenter, text);
        };
        if (finding) {
            drawIcon(*painter, at.icon, finding->severity, theme);
            QString rule = QString::fromStdString(finding->rule);
            if (!finding->queue.empty())
                rule += " [" + QString::fromStdString(finding->queue) + "]";
            write(at.rule, ruleFont(), theme.muted,
                QFontMetrics(ruleFont()).elidedText(rule, Qt::ElideRight, at.rule.width()));
            write(at.message, bodyFont(), theme.text, QString::fromStdString(finding->message));
            write(at.remedy, bodyFont(), theme.muted, QString::fromStdString(finding->remedy));
        } else {
            write(at.message, bodyFont(), theme.muted, model_.moreText());
        }
        if (const std::optional<Remedy>& remedy = model_.remedy(index.row())) {
            QFont font = linkFont();
            font.setUnderline(list_.hoveredLink_ == index.row());
            painter->setFont(font);
            painter->setPen(theme.accent);
            painter->drawText(at.link, Qt::AlignCenter | Qt::TextSingleLine, QString::fromStdString(remedy->text));
        }
        painter->restore();
    }

private:
    const FindingsModel& model_;
    const FindingsList& list_;
};

FindingsList::FindingsList(FindingsModel& model, QWidget* parent)
    : QListView(parent)
    , model_(model)
    , delegate_(new RowDelegate(model, this))
{
    setObjectName("findingsList");
    setAccessibleName(tr("Findings"));
    setFrameShape(NoFrame);
    setSelectionMode(SingleSelection);
    setEditTriggers(NoEditTriggers);
    setVerticalScrollMode(ScrollPerPixel);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setResizeMode(Adjust);
    setMouseTracking(true);
    setItemDelegate(delegate_);
    setModel(&model);
}

QRect FindingsList::linkRect(int row) const
{
    const QRect rect = visualRect(model_.index(row));
    return rect.isValid() && viewport()->rect().intersects(rect) ? delegate_->layout(row, rect).link : QRect();
}

int FindingsList::linkAt(const QPoint& position) const
{
    const QModelIndex index = indexAt(position);
    return index.isValid() && linkRect(index.row()).contains(position) ? index.row() : -1;
}

void FindingsList::setHovered(int row)
{
    if (row == hoveredLink_)
        return;
    hoveredLink_ = row;
    viewport()->setCursor(row >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    viewport()->update();
}

void FindingsList::mouseMoveEvent(QMouseEvent* event)
{
    QListView::mouseMoveEvent(event);
    setHovered(linkAt(event->position().toPoint()));
}

void FindingsList::mouseReleaseEvent(QMouseEvent* event)
{
    QListView::mouseReleaseEvent(event);
    if (event->button() != Qt::LeftButton)
        return;
    const QModelIndex index = indexAt(event->position().toPoint());
    if (!index.isValid() || index != currentIndex())
        return;
    if (const int row = linkAt(event->position().toPoint()); row >= 0)
        Q_EMIT linkActivated(row);
    else
        Q_EMIT rowActivated(index.row());
}

void FindingsList::leaveEvent(QEvent* event)
{
    QListView::leaveEvent(event);
    setHovered(-1);
}

void FindingsList::keyPressEvent(QKeyEvent* event)
{
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (!enter || !currentIndex().isValid()) {
        QListView::keyPressEvent(event);
        return;
    }
    if (event->modifiers() & Qt::ControlModifier)
        Q_EMIT linkActivated(currentIndex().row());
    else
        Q_EMIT rowActivated(currentIndex().row());
    event->accept();
}

void FindingsList::changeEvent(QEvent* event)
{
    QListView::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        scheduleDelayedItemsLayout();
}

void FindingsList::resizeEvent(QResizeEvent* event)
{
    QListView::resizeEvent(event);
    if (event->oldSize().width() != event->size().width())
        scheduleDelayedItemsLayout(); // sentences break elsewhere
}

} // namespace pipeloom::designer
