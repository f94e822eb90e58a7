// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How to train with a design: by the command line, whose command is shown to be copied.

#include <QString>

class QWidget;

namespace pipeloom::designer {

/// `pipeloom run 'my design.pipeloom.json' --steps 50 --verify`, quoted for a shell.
[[nodiscard]] QString runCommandFor(const QString& path);

/// Shows the command and copies it to the clipboard if that is wanted.
void askToRun(QWidget* window, const QString& path);

} // namespace pipeloom::designer
