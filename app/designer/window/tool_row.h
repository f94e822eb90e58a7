// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The bar below the menus: layouts, tools of the block editor, undo and redo, check and search, export and run.

#include <QAction>
#include <QList>
#include <QWidget>

namespace pipeloom::designer {

class ActionRegistry;

/// A new bar. Actions that the registry does not have are left out.
[[nodiscard]] QWidget* makeToolRow(
    const QList<QAction*>& layouts, const QList<QAction*>& tools, const ActionRegistry& registry, QAction* run);

} // namespace pipeloom::designer
