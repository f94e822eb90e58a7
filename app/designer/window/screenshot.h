// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A picture of the real window, made without anybody looking: for the README and for machines without a display.

#include "app/designer/window/command_line.h"

namespace pipeloom::designer {

/// Opens the window as the line says, waits until the file is read and its figures are there, and writes the picture.
/// Gives the program's exit code: 0; 2 if the file could not be read; 3 if the picture could not be written. What went wrong
/// is told on the error output. Settings of the user are left alone.
[[nodiscard]] int takeScreenshot(const CommandLine& line);

} // namespace pipeloom::designer
