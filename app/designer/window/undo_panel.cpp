// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/undo_panel.h"

#include "app/designer/style/theme.h"

#include <QStyledItemDelegate>
#include <QUndoStack>
#include <QUndoView>
#include <QVBoxLayout>

namespace pipeloom::designer {

namespace {

/// Rows with room; the saved state has a dot, steps that are undone are quiet.
class StepDelegate : public QStyledItemDelegate {
public:
    StepDelegate(const QUndoStack& stack, QObject* parent)
        : QStyledItemDelegate(parent)
        , stack_(stack)
    {
    }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        Q_UNUSED(index);
        return { 100, option.fontMetrics.height() + 10 };
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = themeOf(option.palette);
        const bool current = index.row() == stack_.index();
        if (current)
            painter->fillRect(option.rect, theme.accentSoft);
        else if (option.state & QStyle::State_MouseOver)
            painter->fillRect(option.rect, theme.header);
        const QRect text = option.rect.adjusted(26, 0, -8, 0);
        if (index.row() == stack_.cleanIndex()) {
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setPen(Qt::NoPen);
            painter->setBrush(theme.good);
            painter->drawEllipse(QPointF(option.rect.left() + 13, option.rect.center().y() + 0.5), 3.5, 3.5);
            painter->setRenderHint(QPainter::Antialiasing, false);
        }
        QFont font = option.font;
        if (current)
            font.setWeight(QFont::DemiBold);
        painter->setFont(font);
        painter->setPen(index.row() > stack_.index() ? theme.muted : theme.text);
        const QString name = index.data().toString();
        painter->drawText(
            text, Qt::AlignVCenter, painter->fontMetrics().elidedText(name, Qt::ElideRight, text.width()));
    }

private:
    const QUndoStack& stack_;
};

} // namespace

UndoPanel::UndoPanel(QUndoStack& stack, QWidget* parent)
    : QWidget(parent)
    , view_(new QUndoView(&stack))
{
    setObjectName("undoPanel");
    setAccessibleName(tr("Steps"));
    view_->setObjectName("undoView");
    view_->setAccessibleName(tr("Steps to undo and redo"));
    view_->setEmptyLabel(tr("As opened"));
    view_->setFrameShape(QFrame::NoFrame);
    view_->setItemDelegate(new StepDelegate(stack, view_));
    view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    view_->setMouseTracking(true);
    view_->setToolTip(tr("The dot marks the saved state."));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(view_);
    // The mark moves when the document is saved, which changes no row.
    connect(&stack, &QUndoStack::cleanChanged, view_->viewport(), qOverload<>(&QWidget::update));
}

} // namespace pipeloom::designer
