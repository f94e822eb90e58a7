// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/gesture_list.h"

#include "app/designer/window/action_registry.h"

namespace pipeloom::designer {

void addGestures(ActionRegistry& registry)
{
    const QString block = QStringLiteral("Block");
    registry.addGesture(block, QObject::tr("Move passes"), QObject::tr("drag"));
    registry.addGesture(block, QObject::tr("Swap a pass with the one it meets"), QObject::tr("Shift+drag"));
    registry.addGesture(block, QObject::tr("Move a whole stage to another device"), QObject::tr("drag to its row"));
    registry.addGesture(
        block, QObject::tr("Change T, from one legal interval to the next"), QObject::tr("drag its end on the ruler"));
    registry.addGesture(block, QObject::tr("Fit the block to another T"), QObject::tr("Shift+drag its end"));
    registry.addGesture(
        block, QObject::tr("Shift a leg or a turn and all that follows"), QObject::tr("drag below the rows"));
    registry.addGesture(block, QObject::tr("… and leave turns and W as they are"), QObject::tr("Alt+drag"));
    registry.addGesture(
        block, QObject::tr("Select by a box; add or take away"), QObject::tr("drag on nothing; Ctrl+click"));
    registry.addGesture(
        block, QObject::tr("Move the selected passes by a tick; by T"), QObject::tr("Left, Right; with Shift"));
    registry.addGesture(block, QObject::tr("Put a gesture back"), QObject::tr("Esc"));
    const QString schedule = QStringLiteral("Schedule");
    registry.addGesture(schedule, QObject::tr("Measure a range"), QObject::tr("drag"));
    registry.addGesture(schedule, QObject::tr("Zoom at the pointer; coarsely"), QObject::tr("Ctrl+wheel; with Shift"));
    registry.addGesture(schedule, QObject::tr("Go sideways"), QObject::tr("Shift+wheel, middle drag, Space+drag"));
    registry.addGesture(schedule, QObject::tr("Zoom to a box; to a pass"), QObject::tr("Ctrl+drag; double-click"));
    registry.addGesture(schedule, QObject::tr("Height of rows"), QObject::tr("Alt+wheel"));
    registry.addGesture(schedule, QObject::tr("All that a pass depends on"), QObject::tr("hold Shift"));
}

} // namespace pipeloom::designer
