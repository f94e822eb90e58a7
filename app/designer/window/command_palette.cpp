// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/command_palette.h"

#include "app/designer/style/theme.h"
#include "app/designer/window/form.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

namespace pipeloom::designer {

namespace {

constexpr int shadow = 6;

class PaletteDelegate : public QStyledItemDelegate {
public:
    PaletteDelegate(const PaletteModel& model, QObject* parent)
        : QStyledItemDelegate(parent)
        , model_(model)
    {
    }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        Q_UNUSED(index);
        return { 100, option.fontMetrics.height() + 14 };
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = themeOf(option.palette);
        const PaletteLine& line = model_.line(index.row());
        const bool enabled = line.action->isEnabled();
        if (option.state & QStyle::State_Selected) {
            painter->setRenderHint(QPainter::Antialiasing);
            painter->setPen(Qt::NoPen);
            painter->setBrush(theme.accentSoft);
            painter->drawRoundedRect(QRectF(option.rect).adjusted(4, 1, -4, -1), 4, 4);
            painter->setRenderHint(QPainter::Antialiasing, false);
        }
        QRect area = option.rect.adjusted(14, 0, -14, 0);
        const int keys = paintKeys(*painter, theme, option.font, keysText(*line.action), area, enabled);
        area.setRight(area.right() - keys);
        paintText(*painter, theme, option.font, line, area, enabled);
    }

private:
    /// Each key in a small box, from the right. Gives the width that is taken.
    static int paintKeys(
        QPainter& painter, const Theme& theme, QFont font, const QString& keys, const QRect& area, bool enabled)
    {
        if (keys.isEmpty())
            return 0;
        font.setPixelSize(std::max(9, font.pixelSize() - 2));
        painter.setFont(font);
        const QFontMetrics metrics(font);
        const int width = metrics.horizontalAdvance(keys) + 12;
        const int height = metrics.height() + 4;
        const QRect box(area.right() - width, area.center().y() - height / 2, width, height);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(theme.border);
        painter.setBrush(theme.header);
        painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(enabled ? theme.text : theme.muted);
        painter.drawText(box, Qt::AlignCenter, keys);
        return width + 12;
    }

    /// The menu, the command with the letters that were found, and why it cannot be run.
    static void paintText(
        QPainter& painter, const Theme& theme, QFont font, const PaletteLine& line, const QRect& area, bool enabled)
    {
        QFont found = font;
        found.setWeight(QFont::DemiBold);
        const QString text = plainText(*line.action);
        int x = area.left();
        painter.setFont(font);
        painter.setPen(theme.muted);
        const QString menu = line.menu + QString("  ");
        painter.drawText(QRect(x, area.top(), area.width(), area.height()), Qt::AlignVCenter, menu);
        x += std::max(QFontMetrics(font).horizontalAdvance(menu), QFontMetrics(font).horizontalAdvance("Schedule  "));
        for (int i = 0; i < text.size(); ++i) {
            const bool hit = line.match.positions.contains(i);
            painter.setFont(hit ? found : font);
            painter.setPen(!enabled ? theme.muted : hit ? theme.accent : theme.text);
            painter.drawText(QRect(x, area.top(), area.width(), area.height()), Qt::AlignVCenter, text[i]);
            x += painter.fontMetrics().horizontalAdvance(text[i]);
        }
        const QString why = enabled ? QString() : line.action->statusTip();
        if (why.isEmpty())
            return;
        font.setPixelSize(std::max(9, font.pixelSize() - 2));
        painter.setFont(font);
        painter.setPen(theme.muted);
        const QRect rest(x + 12, area.top(), area.right() - x - 12, area.height());
        painter.drawText(rest, Qt::AlignVCenter, painter.fontMetrics().elidedText(why, Qt::ElideRight, rest.width()));
    }

    const PaletteModel& model_;
};

} // namespace

PaletteModel::PaletteModel(const ActionRegistry& registry, QObject* parent)
    : QAbstractListModel(parent)
    , registry_(registry)
{
}

void PaletteModel::search(const QString& wanted)
{
    beginResetModel();
    lines_.clear();
    for (const QString& menu : registry_.menus())
        for (QAction* action : registry_.actionsOf(menu))
            if (action->isVisible())
                if (auto match = fuzzyMatch(wanted, plainText(*action)))
                    lines_.push_back({ action, menu, std::move(*match) });
    std::stable_sort(lines_.begin(), lines_.end(), [](const PaletteLine& a, const PaletteLine& b) {
        if (a.action->isEnabled() != b.action->isEnabled())
            return a.action->isEnabled();
        return a.match.score > b.match.score;
    });
    endResetModel();
}

int PaletteModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(lines_.size());
}

QVariant PaletteModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const PaletteLine& found = line(index.row());
    if (role == Qt::DisplayRole)
        return plainText(*found.action);
    if (role == Qt::AccessibleTextRole) {
        const QString keys = keysText(*found.action);
        return QString("%1: %2%3").arg(found.menu, plainText(*found.action), keys.isEmpty() ? keys : ", " + keys);
    }
    return {};
}

CommandPalette::CommandPalette(const ActionRegistry& registry, QWidget* window)
    : QWidget(window)
    , model_(new PaletteModel(registry, this))
    , field_(new QLineEdit)
    , list_(new QListView)
{
    setObjectName("commandPalette");
    setAccessibleName(tr("Commands"));
    field_->setObjectName("paletteField");
    field_->setAccessibleName(tr("Command"));
    field_->setPlaceholderText(tr("Search commands"));
    field_->setClearButtonEnabled(true);
    field_->setTextMargins(6, 4, 6, 4);
    field_->installEventFilter(this);
    list_->setObjectName("paletteList");
    list_->setAccessibleName(tr("Commands found"));
    list_->setModel(model_);
    list_->setItemDelegate(new PaletteDelegate(*model_, list_));
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setFrameShape(QFrame::NoFrame);
    list_->setUniformItemSizes(true);
    list_->setMouseTracking(true);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(shadow + 10, shadow + 10, shadow + 10, shadow + 8);
    column->setSpacing(8);
    column->addWidget(field_);
    column->addWidget(list_, 1);
    connect(field_, &QLineEdit::textChanged, this, &CommandPalette::search);
    connect(list_, &QListView::clicked, this, &CommandPalette::run);
    window->installEventFilter(this);
    hide();
}

void CommandPalette::open()
{
    focusBefore_ = QApplication::focusWidget();
    field_->clear();
    search();
    place();
    show();
    raise();
    field_->setFocus(Qt::PopupFocusReason);
}

void CommandPalette::search()
{
    model_->search(field_->text());
    if (model_->rowCount() > 0)
        list_->setCurrentIndex(model_->index(0));
    place();
}

void CommandPalette::place()
{
    const QWidget& window = *parentWidget();
    const int width = std::min(window.width() - 40, scaled(*this, 640) + 2 * shadow);
    const int row = list_->sizeHintForRow(0);
    const int rows = std::clamp(model_->rowCount(), 1, 12);
    const int height
        = std::min(window.height() - 40, field_->sizeHint().height() + std::max(row, 1) * rows + 2 * shadow + 30);
    setGeometry((window.width() - width) / 2, std::min(80, window.height() / 10), width, height);
}

void CommandPalette::moveBy(int rows)
{
    const int last = model_->rowCount() - 1;
    if (last < 0)
        return;
    int row = list_->currentIndex().row() + rows;
    // Single steps go round, pages stop at the ends.
    if (std::abs(rows) == 1)
        row = row < 0 ? last : row > last ? 0 : row;
    list_->setCurrentIndex(model_->index(std::clamp(row, 0, last)));
}

void CommandPalette::run()
{
    if (!list_->currentIndex().isValid())
        return;
    QAction* action = model_->line(list_->currentIndex().row()).action;
    if (!action->isEnabled())
        return;
    dismiss();
    Q_EMIT ran(action);
    action->trigger();
}

void CommandPalette::dismiss()
{
    hide();
    if (focusBefore_)
        focusBefore_->setFocus(Qt::PopupFocusReason);
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parentWidget()) {
        if (event->type() == QEvent::Resize && isVisible())
            place();
        return false;
    }
    if (event->type() == QEvent::FocusOut && isVisible()) {
        if (static_cast<QFocusEvent*>(event)->reason() != Qt::ActiveWindowFocusReason)
            hide();
        return false;
    }
    if (event->type() != QEvent::KeyPress)
        return false;
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Escape:
        dismiss();
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        run();
        return true;
    case Qt::Key_Up:
        moveBy(-1);
        return true;
    case Qt::Key_Down:
        moveBy(1);
        return true;
    case Qt::Key_PageUp:
        moveBy(-10);
        return true;
    case Qt::Key_PageDown:
        moveBy(10);
        return true;
    default:
        return false;
    }
}

void CommandPalette::paintEvent(QPaintEvent* event)
{
    Q_UNUSED(event);
    const Theme& theme = themeOf(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    for (int step = 0; step < shadow; ++step) {
        painter.setPen(QColor(0, 0, 0, 4 + 4 * step));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(
            QRectF(rect()).adjusted(step, step, -step, -step).adjusted(0.5, 0.5, -0.5, -0.5), 10, 10);
    }
    painter.setPen(theme.border);
    painter.setBrush(theme.panel);
    painter.drawRoundedRect(
        QRectF(rect()).adjusted(shadow, shadow, -shadow, -shadow).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    if (model_->rowCount() == 0) {
        painter.setPen(theme.muted);
        painter.drawText(list_->geometry(), Qt::AlignCenter, tr("No command has these letters in this order."));
    }
}

} // namespace pipeloom::designer
