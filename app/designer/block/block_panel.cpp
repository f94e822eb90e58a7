// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/block/block_panel.h"

#include "app/designer/edit/block_edits.h"
#include "app/designer/edit/interval_edits.h"
#include "app/designer/edit/pass_edits.h"
#include "app/designer/style/key_button.h"
#include "core/library/library.h"

#include <QActionGroup>
#include <QToolButton>

namespace pipeloom::designer {

BlockPanel::BlockPanel(Document& document, LiveFigures& figures, QWidget* parent)
    : PanelFrame(tr("Building block"), parent)
    , document_(document)
    , view_(new BlockView(document, figures, this))
{
    setObjectName(QStringLiteral("blockPanel"));
    setContent(view_);
    auto* menu = new QMenu(this);
    menu->setToolTipsVisible(true);
    fillStartFrom(*menu);
    // No menu of the button's own: its arrow would be drawn over the text.
    auto* start = new QToolButton(this);
    start->setObjectName(QStringLiteral("startFrom"));
    start->setText(tr("Start from ▾"));
    start->setToolTip(tr("Take the block of a published schedule, for these devices and micro-batches"));
    start->setAccessibleName(tr("Start from a published schedule"));
    start->setAutoRaise(true);
    connect(start, &QToolButton::clicked, menu,
        [start, menu] { menu->popup(start->mapToGlobal(QPoint(0, start->height()))); });
    addHeaderWidget(start);

    addTools();
    addEdits();
    addSelections();
    addViews();
    connect(view_, &BlockView::statusText, this, &BlockPanel::statusText);
    connect(view_, &BlockView::contextMenuWanted, this, [this](const QPoint& at) {
        QMenu context(this);
        for (QAction* action : actions_)
            if (!tools_.contains(action) && !action->objectName().startsWith(QLatin1String("block.view")))
                context.addAction(action);
        context.exec(at);
    });
    connect(&document_, &Document::shownChanged, this, &BlockPanel::followDesign);
    followDesign();
}

// The view loses the focus as it goes, and says what becomes of its gesture: to a panel that is still whole.
BlockPanel::~BlockPanel() { delete view_; }

void BlockPanel::followDesign()
{
    const BuildingBlock* block = document_.shown()->block();
    if (!block) {
        setNote(tr("an explicit schedule"));
        return;
    }
    setNote(block->group == 1
            ? tr("one micro-batch, repeated every T = %1 ticks").arg(block->interval)
            : tr("%1 micro-batches, repeated every T = %2 ticks").arg(block->group).arg(block->interval));
}

QAction* BlockPanel::add(
    const char* id, const QString& text, const QKeySequence& key, const QString& help, const std::function<void()>& run)
{
    auto* action = new QAction(text, this);
    action->setObjectName(QLatin1String(id));
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    action->setStatusTip(help);
    connect(action, &QAction::triggered, this, [run] { run(); });
    addAction(action);
    actions_.push_back(action);
    return action;
}

void BlockPanel::addTools()
{
    auto* group = new QActionGroup(this);
    const auto tool
        = [&](const char* id, const QString& text, const QKeySequence& key, const QString& help, BlockTool which) {
              QAction* action = add(id, text, key, help, [this, which] {
                  view_->setTool(which);
                  view_->setFocus();
              });
              action->setCheckable(true);
              action->setChecked(which == BlockTool::Select);
              group->addAction(action);
              tools_.push_back(action);
              connect(view_, &BlockView::toolChanged, action,
                  [action, which](BlockTool now) { action->setChecked(now == which); });
          };
    tool("block.select", tr("Select passes"), Qt::Key_V, tr("Select and move passes"), BlockTool::Select);
    tool("block.placeF", tr("Place F"), Qt::Key_F, tr("Place forward passes: the device's lowest stage that lacks one"),
        BlockTool::PlaceF);
    tool("block.placeB", tr("Place B"), Qt::Key_B,
        tr("Place passes for the gradient of the input: the highest stage first"), BlockTool::PlaceB);
    tool("block.placeW", tr("Place W"), Qt::Key_W,
        tr("Place passes for the gradient of the weights: the highest stage first"), BlockTool::PlaceW);
    tool("block.interval", tr("Set interval"), Qt::Key_T, tr("Drag T, the interval after which the block repeats"),
        BlockTool::Interval);
    const QStringList onButtons { tr("Select"), tr("F"), tr("B"), tr("W"), tr("Interval") };
    for (int i = 0; i < tools_.size(); ++i)
        setButtonText(tools_[i], onButtons[i]);
}

void BlockPanel::addEdits()
{
    add("block.delete", tr("Delete"), QKeySequence::Delete, tr("Take the selected passes out"),
        [this] { view_->deleteSelected(); });
    add("block.copy", tr("Copy passes"), QKeySequence::Copy, tr("Copy the selected passes"),
        [this] { view_->copySelected(); });
    add("block.paste", tr("Paste passes"), QKeySequence::Paste,
        tr("Paste the copied passes where the pointer is, for stages that lack them"), [this] { view_->paste(); });
    add("block.mirror", tr("Mirror forward to backward"), QKeySequence(tr("Ctrl+Shift+M")),
        tr("The B of each selected F's stage, mirrored in time"), [this] { view_->mirrorSelected(); });
    add("block.pair", tr("Pair / separate"), QKeySequence(tr("Ctrl+J")),
        tr("Join two selected passes of a device, F and B, in one overlapped slot; or take a pair apart"),
        [this] { view_->pairSelected(); });
    add("block.weights", tr("Place all W"), QKeySequence(tr("Ctrl+Shift+W")),
        tr("Each W, those that are missing too, in the first free ticks after its own B"),
        [this] { document_.apply(placeAllWeights(*document_.committed())); });
    add("block.retime", tr("Draw with the real costs"), QKeySequence(tr("Ctrl+Shift+T")),
        tr("Re-time the block so that each pass is as long as it costs"),
        [this] { document_.apply(retimeWithCosts(*document_.committed())); });
    add("block.clear", tr("Clear block"), {}, tr("Take all passes out; one step"),
        [this] { document_.apply(clearBlock(*document_.committed())); });
}

void BlockPanel::addSelections()
{
    add("block.selectAll", tr("Select all passes"), QKeySequence::SelectAll, tr("All passes of the block"), [this] {
        std::set<std::int32_t> all;
        if (const BuildingBlock* block = document_.shown()->block())
            for (std::size_t i = 0; i < block->passes.size(); ++i)
                all.insert(static_cast<std::int32_t>(i));
        view_->select(std::move(all));
    });
    add("block.selectStage", tr("Select whole stage"), QKeySequence(tr("Ctrl+Shift+E")),
        tr("All passes of the selected stages (double-click a pass)"), [this] { view_->selectStage(); });
    add("block.selectChunk", tr("Select whole chunk"), QKeySequence(tr("Ctrl+Shift+H")),
        tr("All passes that are of the same chunk on their devices"), [this] { view_->selectChunk(); });
    add("block.selectKind", tr("Select whole kind"), QKeySequence(tr("Ctrl+Shift+K")),
        tr("All passes of the selected kinds"), [this] { view_->selectKind(); });
    add("block.selectMembers", tr("Select same pass of all members"), QKeySequence(tr("Ctrl+Shift+G")),
        tr("The selected passes of every micro-batch of the group"), [this] { view_->selectAllMembers(); });
    add("block.next", tr("Next pass"), Qt::Key_Period, tr("The next pass of the device"),
        [this] { view_->selectNext(1); });
    add("block.previous", tr("Previous pass"), Qt::Key_Comma, tr("The pass before on the device"),
        [this] { view_->selectNext(-1); });
}

void BlockPanel::addViews()
{
    add("block.view.fit", tr("Show the whole block"), Qt::Key_0, tr("All of the block and its next repeats"),
        [this] { view_->fit(); });
    add("block.view.focus", tr("Show the selection"), QKeySequence(tr("Shift+F")), tr("Zoom to the selected passes"),
        [this] {
            const BuildingBlock* block = document_.shown()->block();
            if (!block || view_->selected().empty())
                return;
            Ticks from = maxTicks;
            Ticks to = 0;
            for (const std::int32_t i : view_->selected()) {
                const BlockPass& placed = block->passes[static_cast<std::size_t>(i)];
                from = std::min(from, placed.start);
                to = std::max(to, placed.start + block->duration(placed.slot));
            }
            const auto margin = static_cast<double>(std::max<Ticks>((to - from) / 4, 2));
            view_->axis().show(static_cast<double>(from) - margin, static_cast<double>(to) + margin);
        });
    QAction* ghosts = add("block.view.ghosts", tr("Show the next repeats"), QKeySequence(tr("Ctrl+G")),
        tr("Outlines of the block one and two intervals on"), [] {});
    ghosts->setCheckable(true);
    ghosts->setChecked(true);
    connect(ghosts, &QAction::toggled, view_, &BlockView::setGhosts);
}

void BlockPanel::fillStartFrom(QMenu& menu)
{
    for (const LibraryEntry& entry : library()) {
        const QString name = QString::fromUtf8(entry.name.data(), static_cast<int>(entry.name.size()));
        const QString title = QString::fromUtf8(entry.title.data(), static_cast<int>(entry.title.size()));
        QAction* action = menu.addAction(title, this, [this, name] {
            if (document_.apply(startFrom(*document_.committed(), name.toStdString())))
                view_->fit();
        });
        action->setObjectName(QStringLiteral("block.startFrom.") + name);
        action->setToolTip(QString::fromUtf8(entry.goodFor.data(), static_cast<int>(entry.goodFor.size())));
        action->setStatusTip(action->toolTip());
    }
}

} // namespace pipeloom::designer
