// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Commands about the program itself: command palette, keys, settings, about.

#include "app/designer/window/action_registry.h"
#include "app/designer/window/file_chooser.h"
#include "app/designer/window/settings.h"

#include <QObject>

namespace pipeloom::designer {

class CommandPalette;
class KeySheet;

class HelpActions : public QObject {
    Q_OBJECT
public:
    /// Enters its actions into the registry. Palette and dialogs are children of the window.
    HelpActions(QWidget* window, ActionRegistry& registry, Settings& settings);

    /// What the key sheet asks for a path with.
    void setChooser(FileChooser chooser) { chooser_ = std::move(chooser); }
    [[nodiscard]] CommandPalette& palette() { return *palette_; }

private:
    void showKeys();
    void showSettings();
    void showAbout();

    QWidget* window_;
    const ActionRegistry& registry_;
    Settings& settings_;
    FileChooser chooser_;
    CommandPalette* palette_;
    QPointer<KeySheet> keys_;
};

} // namespace pipeloom::designer
