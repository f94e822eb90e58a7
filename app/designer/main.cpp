// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/style/theme.h"
#include "app/designer/window/command_line.h"
#include "app/designer/window/main_window.h"
#include "app/designer/window/screenshot.h"

#include <QApplication>

#include <cstdio>

int main(int argc, char** argv)
{
    using namespace pipeloom::designer;
    QStringList arguments;
    for (int i = 0; i < argc; ++i)
        arguments << QString::fromLocal8Bit(argv[i]);
    const CommandLine line = parseCommandLine(arguments);
    if (line.task == CommandLine::Task::Print) {
        std::fputs(qPrintable(line.text), line.exitCode == 0 ? stdout : stderr);
        return line.exitCode;
    }
    prepareEnvironment(line, arguments);
    QApplication application(argc, argv);
    QCoreApplication::setOrganizationName(QStringLiteral("Pipeloom"));
    QCoreApplication::setApplicationName(QStringLiteral("pipeloom-designer"));
    QCoreApplication::setApplicationVersion(QStringLiteral(PIPELOOM_VERSION));
    if (line.task == CommandLine::Task::Screenshot)
        return takeScreenshot(line);
    MainWindow window(line.theme);
    window.show();
    if (line.layout == CommandLine::Layout::Compare)
        window.setLayout(MainWindow::Layout::Compare);
    if (!line.file.isEmpty())
        window.open(line.file);
    return QApplication::exec();
}
