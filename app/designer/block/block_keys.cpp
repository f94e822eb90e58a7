// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// The block editor by key, and what its actions do.
#include "app/designer/block/block_view.h"
#include "app/designer/edit/clipboard_edits.h"
#include "app/designer/edit/pass_edits.h"
#include "app/designer/edit/selections.h"

#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

void BlockView::apply(Edited edited, const QString& mergeKey)
{
    document_.apply(std::move(edited), mergeKey);
    rememberKeys();
}

bool BlockView::needSelection()
{
    if (!block())
        return false;
    if (selected_.empty())
        Q_EMIT statusText(tr("Nothing is selected: click a pass, or drag a box around several"));
    return !selected_.empty();
}

void BlockView::nudge(Ticks by)
{
    if (needSelection())
        apply(movePasses(*document_.committed(), selectedList(), by), QStringLiteral("nudge"));
}

void BlockView::deleteSelected()
{
    if (needSelection())
        document_.apply(deletePasses(*document_.committed(), selectedList()));
}

void BlockView::copySelected()
{
    if (!needSelection())
        return;
    QApplication::clipboard()->setText(QString::fromStdString(copyText(*document_.committed(), selectedList())));
    Q_EMIT statusText(selected_.size() == 1
            ? tr("One pass copied; paste puts it where the pointer is")
            : tr("%1 passes copied; paste puts them where the pointer is").arg(selected_.size()));
}

void BlockView::paste()
{
    if (!block())
        return;
    const QString text = QApplication::clipboard()->text();
    Pointer pointer = pointerAt(lastAt_, {});
    // Passes of several devices go where all of them have a row.
    const auto rows = static_cast<std::int32_t>(text.trimmed().count(QLatin1Char('\n'))) + 1;
    const std::int32_t lowest = std::max(document_.shown()->pipeline.devices - rows, 0);
    const DeviceId device { std::min(pointer.device.value_or(DeviceId { 0 }).value, lowest) };
    const std::size_t before = block()->passes.size();
    const auto start = static_cast<Ticks>(std::max(std::floor(pointer.ticks), 0.0));
    if (!document_.apply(pastePasses(*document_.committed(), text.toStdString(), device, start)))
        return;
    std::set<std::int32_t> added;
    for (std::size_t i = before; i < block()->passes.size(); ++i)
        added.insert(static_cast<std::int32_t>(i));
    select(std::move(added));
}

void BlockView::mirrorSelected()
{
    if (needSelection())
        document_.apply(mirrorPasses(*document_.committed(), selectedList()));
}

void BlockView::pairSelected()
{
    if (!needSelection())
        return;
    const std::vector<std::int32_t> list = selectedList();
    if (list.size() == 1)
        document_.apply(unpairPasses(*document_.committed(), list));
    else if (list.size() == 2)
        document_.apply(pairPasses(*document_.committed(), list[0], list[1]));
    else
        Q_EMIT statusText(tr("A pair is made of two passes of one device: select an F and a B"));
}

/// Selects what `more` gives for each selected pass, all together.
void BlockView::widenSelection(const std::function<std::vector<std::int32_t>(std::int32_t)>& more)
{
    if (!needSelection())
        return;
    std::set<std::int32_t> all;
    for (const std::int32_t pass : selected_)
        for (const std::int32_t found : more(pass))
            all.insert(found);
    select(std::move(all));
}

void BlockView::selectStage()
{
    widenSelection([this](std::int32_t pass) {
        return pipeloom::designer::selectStage(
            *document_.shown(), block()->passes[static_cast<std::size_t>(pass)].slot.first.stage);
    });
}

void BlockView::selectChunk()
{
    widenSelection([this](std::int32_t pass) {
        return pipeloom::designer::selectChunk(*document_.shown(), tables_->chunkOf(pass));
    });
}

void BlockView::selectKind()
{
    widenSelection([this](std::int32_t pass) {
        return pipeloom::designer::selectKind(
            *document_.shown(), block()->passes[static_cast<std::size_t>(pass)].slot.first.kind);
    });
}

void BlockView::selectAllMembers()
{
    widenSelection([this](std::int32_t pass) { return sameOfAllMembers(*document_.shown(), std::vector { pass }); });
}

void BlockView::selectNext(int step)
{
    if (!block() || block()->passes.empty())
        return;
    DeviceId device { 0 };
    std::ptrdiff_t at = step > 0 ? -1 : 0;
    if (!selected_.empty()) {
        const std::int32_t from = step > 0 ? *selected_.rbegin() : *selected_.begin();
        device = block()->passes[static_cast<std::size_t>(from)].device;
        const auto& row = tables_->row(device);
        at = std::find(row.begin(), row.end(), from) - row.begin();
    }
    const auto& row = tables_->row(device);
    const std::ptrdiff_t next = at + step;
    if (next >= 0 && next < static_cast<std::ptrdiff_t>(row.size()))
        select({ row[static_cast<std::size_t>(next)] });
}

void BlockView::selectRow(int step)
{
    if (!block() || selected_.empty()) {
        selectNext(1);
        return;
    }
    const BlockPass& from = block()->passes[static_cast<std::size_t>(*selected_.begin())];
    for (std::int32_t d = from.device.value + step; d >= 0 && d < document_.shown()->pipeline.devices; d += step) {
        const auto& row = tables_->row(DeviceId { d });
        if (row.empty())
            continue;
        const auto distance
            = [&](std::int32_t i) { return std::abs(block()->passes[static_cast<std::size_t>(i)].start - from.start); };
        select({ *std::min_element(
            row.begin(), row.end(), [&](std::int32_t a, std::int32_t b) { return distance(a) < distance(b); }) });
        return;
    }
}

void BlockView::moveCaret(int rows, Ticks ticks)
{
    if (!caret_)
        caret_ = { DeviceId { 0 }, Ticks { 0 } };
    else
        caret_ = { DeviceId { std::clamp(caret_->first.value + rows, 0, document_.shown()->pipeline.devices - 1) },
            std::max<Ticks>(caret_->second + ticks, 0) };
    Q_EMIT statusText(tr("Device %1, tick %2 · Enter places the pass").arg(caret_->first.value).arg(caret_->second));
    viewport()->update();
}

void BlockView::placeAtCaret()
{
    if (!caret_) {
        moveCaret(0, 0);
        return;
    }
    const PassKind kind = tool_ == BlockTool::PlaceF ? PassKind::F
        : tool_ == BlockTool::PlaceB                 ? PassKind::B
                                                     : PassKind::W;
    if (document_.apply(placePass(*document_.committed(), caret_->first, kind, caret_->second)))
        select({ static_cast<std::int32_t>(block()->passes.size()) - 1 });
}

void BlockView::keyPressEvent(QKeyEvent* event)
{
    const bool places = tool_ != BlockTool::Select && tool_ != BlockTool::Interval;
    const bool shift = event->modifiers() & Qt::ShiftModifier;
    if (gesture_ && event->key() != Qt::Key_Escape) {
        follow(lastAt_, event->modifiers()); // Shift and Alt count at once, not at the next move
        return;
    }
    if (!block()) {
        QAbstractScrollArea::keyPressEvent(event);
        return;
    }
    switch (event->key()) {
    case Qt::Key_Escape:
        if (gesture_ || band_)
            cancelGesture();
        else if (tool_ != BlockTool::Select)
            setTool(BlockTool::Select);
        else
            select({});
        return;
    case Qt::Key_Left:
    case Qt::Key_Right: {
        const Ticks step
            = (event->key() == Qt::Key_Left ? -1 : 1) * (shift ? std::max<Ticks>(block()->interval, 1) : 1);
        if (places)
            moveCaret(0, step);
        else
            nudge(step);
        return;
    }
    case Qt::Key_Up:
    case Qt::Key_Down: {
        const int step = event->key() == Qt::Key_Up ? -1 : 1;
        if (places)
            moveCaret(step, 0);
        else
            selectRow(step);
        return;
    }
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (places)
            placeAtCaret();
        return;
    case Qt::Key_Space:
        spaceHeld_ = true;
        return;
    case Qt::Key_Home:
        axis_.panBy(-1e12);
        return;
    case Qt::Key_End:
        axis_.panBy(1e12);
        return;
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        verticalScrollBar()->triggerAction(
            event->key() == Qt::Key_PageUp ? QScrollBar::SliderPageStepSub : QScrollBar::SliderPageStepAdd);
        return;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void BlockView::keyReleaseEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Space && !event->isAutoRepeat())
        spaceHeld_ = false;
    if (gesture_)
        follow(lastAt_, event->modifiers());
    QAbstractScrollArea::keyReleaseEvent(event);
}

void BlockView::focusOutEvent(QFocusEvent* event)
{
    cancelGesture();
    spaceHeld_ = false;
    document_.breakMerge();
    viewport()->update();
    QAbstractScrollArea::focusOutEvent(event);
}

void BlockView::focusInEvent(QFocusEvent* event)
{
    viewport()->update();
    QAbstractScrollArea::focusInEvent(event);
}

} // namespace pipeloom::designer
