// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The bar below the menus: the layouts, and beside them what the layout shown has to offer.

#include <QAction>
#include <QList>
#include <QWidget>

class QStackedWidget;

namespace pipeloom::designer {

class ActionRegistry;

/// Tools of the block editor, undo and redo, check and search, export and run. Actions that the registry does not have are
/// left out.
[[nodiscard]] QWidget* makeDesignTools(const QList<QAction*>& tools, const ActionRegistry& registry, QAction* run);

/// A new bar with the layouts at the left and `tools` beside them; it takes `tools` over.
[[nodiscard]] QWidget* makeToolRow(const QList<QAction*>& layouts, QStackedWidget* tools);

} // namespace pipeloom::designer
