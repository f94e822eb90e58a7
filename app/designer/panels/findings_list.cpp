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
#include <string>
#include <unordered_map>

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
        , body_(list->font())
    {
        restyle();
    }

    /// Fonts are others now.
    void restyle()
    {
        bodyFont_ = uiFont(pixels(12));
        linkFont_ = uiFont(pixels(12), QFont::DemiBold);
        ruleFont_ = monoFont(pixels(11));
        body_ = QFontMetrics(bodyFont_);
        heights_.clear();
    }

    [[nodiscard]] int pixels(int wanted) const
    {
        const int size = list_.font().pixelSize();
        return size > 0 ? wanted * size / 13 : wanted;
    }

    [[nodiscard]] int linkRoom() const { return pixels(168); }

    /// Where the text of the link stands in the room that it has; empty if there is none.
    [[nodiscard]] QRect linkText(int row, const QRect& room) const
    {
        const std::optional<Remedy>& remedy = model_.remedy(row);
        if (!remedy || room.isEmpty())
            return {};
        const int wide = QFontMetrics(linkFont_).horizontalAdvance(QString::fromStdString(remedy->text)) + 8;
        return room.adjusted(std::max(room.width() - wide, 0), 0, 0, 0);
    }

    [[nodiscard]] Layout layout(int row, const QRect& rect) const
    {
        Layout made;
        const int line = std::max(body_.height(), pixels(16));
        const int top = rect.top() + pixels(4);
        int right = rect.right() - margin;
        const Finding* finding = model_.finding(row);
        if (finding && mayHaveRemedy(*finding)) {
            // The same room for every link: to know its text the remedy would have to be sought, which rows out of sight
            // are spared.
            made.link = QRect(right - linkRoom(), top - 1, linkRoom() + 4, line + 2);
            right -= linkRoom() + 12;
        }
        made.icon = QRect(rect.left() + margin + 2, top + (line - iconPixels) / 2, iconPixels, iconPixels);
        const int ruleLeft = made.icon.right() + 9;
        const bool narrow = rect.width() < pixels(560);
        const int ruleWidth = pixels(186);
        made.rule = QRect(ruleLeft, top, narrow ? right - ruleLeft : ruleWidth - 8, line);
        const int textLeft = narrow ? ruleLeft : ruleLeft + ruleWidth;
        const int textTop = narrow ? top + line : top;
        const int width = std::max((narrow ? rect.right() - margin : right) - textLeft, 60);
        const std::string& message = finding ? finding->message : model_.moreText().toStdString();
        made.message = QRect(textLeft, textTop, width, heightOf(message, width, line));
        int bottom = made.message.bottom() + 1;
        if (finding && !finding->remedy.empty()) {
            made.remedy = QRect(textLeft, bottom, width, heightOf(finding->remedy, width, line));
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
            write(at.rule, ruleFont_, theme.muted,
                QFontMetrics(ruleFont_).elidedText(rule, Qt::ElideRight, at.rule.width()));
            write(at.message, bodyFont_, theme.text, QString::fromStdString(finding->message));
            write(at.remedy, bodyFont_, theme.muted, QString::fromStdString(finding->remedy));
        } else {
            write(at.message, bodyFont_, theme.muted, model_.moreText());
        }
        if (const QRect link = linkText(index.row(), at.link); !link.isEmpty()) {
            QFont font = linkFont_;
            font.setUnderline(list_.hoveredLink_ == index.row());
            painter->setFont(font);
            painter->setPen(theme.accent);
            const QString text = QString::fromStdString(model_.remedy(index.row())->text);
            painter->drawText(link, Qt::AlignCenter | Qt::TextSingleLine,
                painter->fontMetrics().elidedText(text, Qt::ElideRight, link.width()));
        }
        painter->restore();
    }

private:
    /// Of a sentence in a column of that width. While a pass is dragged most sentences stay, so they are measured once.
    [[nodiscard]] int heightOf(const std::string& sentence, int width, int line) const
    {
        constexpr std::size_t most = 4096;
        if (list_.width() != heightsWidth_ || heights_.size() > most)
            heights_.clear();
        heightsWidth_ = list_.width();
        const auto [found, isNew] = heights_.try_emplace(sentence, line);
        if (isNew)
            if (const QString text = QString::fromStdString(sentence); body_.horizontalAdvance(text) > width)
                found->second
                    = std::max(line, body_.boundingRect(QRect(0, 0, width, 4000), Qt::TextWordWrap, text).height());
        return found->second;
    }

    const FindingsModel& model_;
    const FindingsList& list_;
    QFont bodyFont_;
    QFont linkFont_;
    QFont ruleFont_;
    QFontMetrics body_;
    mutable std::unordered_map<std::string, int> heights_;
    mutable int heightsWidth_ = 0;
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
    if (!rect.isValid() || !viewport()->rect().intersects(rect))
        return {};
    return delegate_->linkText(row, delegate_->layout(row, rect).link);
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
    if (event->type() == QEvent::FontChange) {
        delegate_->restyle();
        scheduleDelayedItemsLayout();
    }
}

void FindingsList::resizeEvent(QResizeEvent* event)
{
    QListView::resizeEvent(event);
    if (event->oldSize().width() != event->size().width())
        scheduleDelayedItemsLayout(); // sentences break elsewhere
}

} // namespace pipeloom::designer
