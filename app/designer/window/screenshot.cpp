// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/screenshot.h"

#include "app/designer/run/run_desk.h"
#include "app/designer/window/main_window.h"
#include "app/designer/window/message_bar.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>

#include <cstdio>

namespace pipeloom::designer {

namespace {

constexpr int limitMs = 60'000;

/// Handles events until it is so; false if that took too long.
bool waitUntil(const std::function<bool()>& isSo)
{
    QElapsedTimer clock;
    clock.start();
    while (!isSo()) {
        if (clock.elapsed() > limitMs)
            return false;
        QApplication::processEvents(QEventLoop::AllEvents, 20);
    }
    return true;
}

/// The offscreen platform says of itself what it cannot do.
void tellButOfThePlatform(QtMsgType, const QMessageLogContext&, const QString& text)
{
    if (!text.contains(QLatin1String("propagateSizeHints")))
        std::fprintf(stderr, "%s\n", qPrintable(text));
}

int fail(int code, const QString& text)
{
    std::fprintf(stderr, "%s\n", qPrintable(text));
    return code;
}

} // namespace

int takeScreenshot(const CommandLine& line)
{
    qInstallMessageHandler(tellButOfThePlatform);
    const QTemporaryDir settings;
    for (const char* place : { "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME" })
        qputenv(place, settings.path().toLocal8Bit());
    MainWindow window(line.theme);
    window.resize(line.size);
    window.show();
    if (!line.file.isEmpty()) {
        window.open(line.file);
        const bool done = waitUntil([&] { return window.files().isOpen() || !window.files().bar()->text().isEmpty(); });
        if (!done)
            return fail(2, QObject::tr("%1 was not read within %2 s.").arg(line.file).arg(limitMs / 1000));
        if (!window.files().isOpen())
            return fail(2,
                window.files().bar()->text() + QLatin1Char('\n')
                    + window.files().bar()->details().join(QLatin1Char('\n')));
    }
    if (line.layout == CommandLine::Layout::Compare)
        window.showCompareExample();
    else if (line.layout == CommandLine::Layout::Run)
        window.setLayout(MainWindow::Layout::Run);
    if (!line.run.isEmpty()) {
        window.openRun(line.run, line.replaySpeed);
        if (line.step)
            window.runs().showStep(*line.step);
        QElapsedTimer waiting;
        waiting.start();
        constexpr int mostWaitingMs = 5000; // a picture is of what is there
        const auto holdsNoRun = [&] {
            return waiting.elapsed() > mostWaitingMs && !window.runs().session().log().began()
                && window.runs().session().behind().bytes == 0;
        };
        if (!waitUntil([&] { return !window.runs().isBusy() || holdsNoRun(); }))
            return fail(2, QObject::tr("%1 was not read within %2 s.").arg(line.run).arg(limitMs / 1000));
        if (!window.runs().session().log().began())
            return fail(2, QObject::tr("%1 does not hold the events of a run.").arg(line.run));
    }
    if (!waitUntil([&] { return !window.isBusy(); }))
        return fail(3, QObject::tr("The figures were not there within %1 s.").arg(limitMs / 1000));
    // Menus and tables are laid out when the events say so, pictures of the start page come from a worker.
    QElapsedTimer settling;
    settling.start();
    const int settlingMs = line.run.isEmpty() ? 300 : 1000; // a run's panels take it in now and then
    static_cast<void>(waitUntil([&] { return settling.elapsed() > settlingMs; }));
    const QImage picture = window.grab().toImage();
    if (!picture.save(line.screenshot, "PNG"))
        return fail(3, QObject::tr("%1 could not be written.").arg(line.screenshot));
    return 0;
}

} // namespace pipeloom::designer
