// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Export and copying as pictures, on when there is a whole design to show and else with the reason.

#include "app/designer/export/export_dialog.h"
#include "app/designer/window/action_registry.h"

namespace pipeloom::designer {

class FileActions;

class ExportActions : public QObject {
    Q_OBJECT
public:
    /// Answers FileActions' exportRequested and enters Copy as Image and Copy as SVG into Edit. `figures` are those shown.
    ExportActions(const LiveFigures& figures, FileActions& files, QWidget* window, ActionRegistry& registry);

    void showDialog();
    /// The figure at twice the size of the screen's pixels, light, on the clipboard.
    void copyImage();
    /// As the text of an SVG file, and under its own type.
    void copySvg();

private:
    void updateState();

    const LiveFigures& figures_;
    FileActions& files_;
    QWidget* window_;
    QAction* image_;
    QAction* svg_;
    ExportChoice choice_;
};

} // namespace pipeloom::designer
