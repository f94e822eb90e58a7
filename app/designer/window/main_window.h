// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The window: it only puts parts together.

#include <QMainWindow>

namespace pipeloom::designer {

class MainWindow : public QMainWindow {
    Q_OBJECT
public:
    MainWindow();
};

} // namespace pipeloom::designer
