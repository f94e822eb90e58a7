// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/main_window.h"

namespace pipeloom::designer {

MainWindow::MainWindow() { resize(1600, 1000); }

} // namespace pipeloom::designer
