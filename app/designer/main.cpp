// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/run_desk.h"
#include "app/designer/style/theme.h"
#include "app/designer/window/command_line.h"
#include "app/designer/window/main_window.h"
#include "app/designer/window/screenshot.h"

#include <QApplication>
#include <malloc.h>

#include <cstdio>

namespace {

/// Every move of the mouse makes figures anew and frees those before. Pages that go back to the system each time come back
/// one fault after the other: a tenth of a frame.
void keepFreedPages()
{
    constexpr int most = 256 << 20;
    mallopt(M_MMAP_THRESHOLD, most);
    mallopt(M_TRIM_THRESHOLD, most);
}

} // namespace

int main(int argc, char** argv)
{
    using namespace pipeloom::designer;
    keepFreedPages();
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
    else if (line.layout == CommandLine::Layout::Run)
        window.setLayout(MainWindow::Layout::Run);
    if (!line.file.isEmpty())
        window.open(line.file);
    if (!line.run.isEmpty())
        window.openRun(line.run, line.replaySpeed);
    if (line.step)
        window.runs().showStep(*line.step);
    return QApplication::exec();
}
