// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/style/theme.h"
#include "app/designer/window/main_window.h"

#include <QApplication>

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    pipeloom::designer::applyTheme(application, pipeloom::designer::ThemeChoice::System);
    pipeloom::designer::MainWindow window;
    window.show();
    return QApplication::exec();
}
