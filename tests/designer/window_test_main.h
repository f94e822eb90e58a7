// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What every test of the window needs: a main() with the program's own look and settings of its own, and ways to drive a
// widget as a person does.

#include "app/designer/style/theme.h"

#include <QApplication>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTest>
#include <QWheelEvent>
#include <QWidget>

namespace pipeloom::designer::testing {

/// Runs a test class with a QApplication in the light theme. Settings and data go to a place for tests.
template <class Test> int run(int argc, char** argv, const char* name)
{
    QStandardPaths::setTestModeEnabled(true);
    QApplication application(argc, argv);
    QCoreApplication::setOrganizationName("Pipeloom tests");
    QCoreApplication::setApplicationName(name);
    applyTheme(application, ThemeChoice::Light);
    Test test;
    return QTest::qExec(&test, argc, argv);
}

/// For each test's init(): a warning of Qt fails the test. What the offscreen platform says of itself is no fault of ours.
inline void failOnWarnings()
{
    QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support propagateSizeHints).*"));
}

/// Press, moves in steps, release. `to` is where it ends.
inline void drag(QWidget* widget, QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = {},
    Qt::MouseButton button = Qt::LeftButton, int steps = 6)
{
    QTest::mouseMove(widget, from);
    QTest::mousePress(widget, button, modifiers, from);
    for (int step = 1; step <= steps; ++step) {
        const QPoint at = from + (to - from) * step / steps;
        QMouseEvent move(QEvent::MouseMove, at, widget->mapToGlobal(at), Qt::NoButton, button, modifiers);
        QApplication::sendEvent(widget, &move);
    }
    QTest::mouseRelease(widget, button, modifiers, to);
}

/// A wheel turn of `delta` eighths of a degree (120 is one notch) at a place of the widget.
inline void wheel(QWidget* widget, QPoint at, int delta, Qt::KeyboardModifiers modifiers = {}, bool sideways = false)
{
    const QPoint angle = sideways ? QPoint(delta, 0) : QPoint(0, delta);
    QWheelEvent event(at, widget->mapToGlobal(at), {}, angle, Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    QApplication::sendEvent(widget, &event);
}

} // namespace pipeloom::designer::testing

#define PIPELOOM_WINDOW_TEST_MAIN(TestClass)                                                                           \
    int main(int argc, char** argv) { return pipeloom::designer::testing::run<TestClass>(argc, argv, #TestClass); }
