// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// The actions of the schedule: what menus, palette and key sheet list.

#include "app/designer/schedule/schedule_header.h"
#include "app/designer/schedule/schedule_panel.h"
#include "app/designer/schedule/search_bar.h"

#include <QAction>
#include <QActionGroup>

namespace pipeloom::designer {

QAction* SchedulePanel::add(
    const char* name, const QString& text, const QList<QKeySequence>& keys, std::function<void()> run)
{
    auto* action = new QAction(text, this);
    action->setObjectName(name);
    action->setShortcuts(keys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, [run = std::move(run)] { run(); });
    addAction(action);
    actions_ << action;
    return action;
}

QAction* SchedulePanel::addToggle(
    const char* name, const QString& text, const QKeySequence& key, bool on, std::function<void(bool)> run)
{
    QAction* action = add(name, text, key.isEmpty() ? QList<QKeySequence>() : QList<QKeySequence> { key }, [] {});
    action->setCheckable(true);
    action->setChecked(on);
    connect(action, &QAction::triggered, this, [run = std::move(run)](bool checked) { run(checked); });
    return action;
}

void SchedulePanel::addSeparator()
{
    auto* separator = new QAction(this);
    separator->setSeparator(true);
    actions_ << separator;
}

void SchedulePanel::createActions()
{
    createViewActions();
    addSeparator();
    createSelectionActions();
    addSeparator();
    createLookActions();
    addSeparator();
    createOrderActions();
}

void SchedulePanel::createViewActions()
{
    const auto ctrl = [](int key) { return QKeySequence(Qt::CTRL | static_cast<Qt::Key>(key)); };
    add("schedule.fit", tr("Show all of the schedule"), { QKeySequence(Qt::Key_0) }, [this] { view_->fit(); });
    add("schedule.focus", tr("Go to the selection"), { QKeySequence(Qt::Key_F) }, [this] { view_->focusSelection(); });
    add("schedule.zoomIn", tr("Zoom in on the schedule"), { ctrl(Qt::Key_Plus), ctrl(Qt::Key_Equal) },
        [this] { view_->zoomBy(1.5); });
    add("schedule.zoomOut", tr("Zoom out of the schedule"), { ctrl(Qt::Key_Minus) },
        [this] { view_->zoomBy(1 / 1.5); });
    add("schedule.back", tr("Back to the part shown before"), { QKeySequence(Qt::ALT | Qt::Key_Left) },
        [this] { axis_.back(); });
    add("schedule.forward", tr("Forward again"), { QKeySequence(Qt::ALT | Qt::Key_Right) },
        [this] { axis_.forward(); });
    add("schedule.rowsHigher", tr("Higher rows"),
        { QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Equal) },
        [this] { view_->stepRowHeight(1); });
    add("schedule.rowsLower", tr("Lower rows"), { QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_Minus) },
        [this] { view_->stepRowHeight(-1); });
    add("schedule.rowsFit", tr("Rows as high as fits"), { QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_0) },
        [this] { view_->setRowHeight(std::nullopt); });
}

void SchedulePanel::createSelectionActions()
{
    const auto ctrl = [](int key) { return QKeySequence(Qt::CTRL | static_cast<Qt::Key>(key)); };
    add("schedule.next", tr("Next pass of the device"), { QKeySequence(Qt::Key_Period) },
        [this] { view_->selectNeighbour(1); });
    add("schedule.previous", tr("Previous pass of the device"), { QKeySequence(Qt::Key_Comma) },
        [this] { view_->selectNeighbour(-1); });
    add("schedule.feeds", tr("Go to what the pass feeds"), { QKeySequence(Qt::Key_BracketRight) },
        [this] { view_->selectAlong(1); });
    add("schedule.needs", tr("Go to what the pass needs"), { QKeySequence(Qt::Key_BracketLeft) },
        [this] { view_->selectAlong(-1); });
    add("schedule.feedsOther", tr("Another of those that are fed"), { ctrl(Qt::Key_BracketRight) },
        [this] { view_->cycleAlong(1); });
    add("schedule.needsOther", tr("Another of those that are needed"), { ctrl(Qt::Key_BracketLeft) },
        [this] { view_->cycleAlong(-1); });
    add("schedule.selectMicroBatch", tr("Select the same micro-batch"), { ctrl(Qt::Key_B) },
        [this] { view_->selectMicroBatch(); });
    add("schedule.selectRow", tr("Select the device's passes, then all"), { QKeySequence(QKeySequence::SelectAll) },
        [this] { view_->selectRow(); });
    add("schedule.search", tr("Search passes"), { QKeySequence(Qt::Key_Slash), QKeySequence(QKeySequence::Find) },
        [this] { search_->open(); });
    add("schedule.range", tr("Measure the selection"), { QKeySequence(Qt::Key_R) },
        [this] { view_->rangeFromSelection(); });
    add("schedule.zoomRange", tr("Zoom to the measured range"), { QKeySequence(Qt::Key_Z) },
        [this] { view_->zoomToRange(); });
    add("schedule.mark", tr("Keep the range as a mark"), { ctrl(Qt::Key_M) }, [this] { view_->keepMark(); });
    add("schedule.deleteMark", tr("Delete the range or the newest mark"), { QKeySequence(Qt::Key_Delete) },
        [this] { view_->deleteMarks(); });
    add("schedule.copyCsv", tr("Copy the range or selection as CSV"), { QKeySequence(QKeySequence::Copy) },
        [this] { copyCsv(); });
}

void SchedulePanel::createLookActions()
{
    auto* group = new QActionGroup(this);
    struct Mode {
        const char* name;
        QString text;
        Qt::Key key;
        ColourMode mode;
    };
    const QList<Mode> modes { { "schedule.colourKind", tr("Colour by kind"), Qt::Key_1, ColourMode::Kind },
        { "schedule.colourMicroBatch", tr("Colour by micro-batch"), Qt::Key_2, ColourMode::MicroBatch },
        { "schedule.colourStage", tr("Colour by stage"), Qt::Key_3, ColourMode::Stage } };
    QList<QAction*> colours;
    for (const Mode& mode : modes) {
        QAction* action = addToggle(mode.name, mode.text, QKeySequence(mode.key), mode.mode == ColourMode::Kind,
            [this, of = mode.mode](bool) { setColourMode(of); });
        group->addAction(action);
        colours << action;
    }
    header_->setColourActions(colours);
    QAction* critical = addToggle("schedule.criticalPath", tr("Critical path"), QKeySequence(Qt::Key_K), false,
        [this](bool on) { view_->setCriticalPathShown(on); });
    critical->setToolTip(tr("Outline the chain of passes that makes the step as long as it is (K)"));
    header_->addToggle(critical, tr("Critical path K"));
    QAction* memory = addToggle("schedule.memory", tr("Memory curves"), QKeySequence(Qt::Key_M), true,
        [this](bool on) { view_->setMemoryShown(on); });
    memory->setToolTip(tr("Show each device's memory over time below its row (M)"));
    header_->addToggle(memory, tr("Memory M"));
}

void SchedulePanel::createOrderActions()
{
    QAction* edit
        = addToggle("schedule.editOrder", tr("Edit order"), {}, false, [this](bool on) { setOrderEdited(on); });
    edit->setToolTip(
        tr("Drag passes along their device. The design becomes an explicit schedule that remembers its block"));
    header_->addToggle(edit, tr("Edit order"));
    add("schedule.moveEarlier", tr("Move the pass before the one before it"),
        { QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Left) }, [this] { moveSelected(-1); });
    add("schedule.moveLater", tr("Move the pass behind the next one"),
        { QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Right) }, [this] { moveSelected(1); });
    QAction* back = add("schedule.backToBlock", tr("Back to block"), {}, [this] { goBackToBlock(); });
    back->setToolTip(tr("Put the block that the schedule came from in place of the order"));
    back->setVisible(false);
    header_->addButton(back);
}

} // namespace pipeloom::designer
