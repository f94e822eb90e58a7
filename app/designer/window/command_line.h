// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The program's arguments. All of this runs before there is an application object, so that help and version need neither a
// display nor Qt's platform plugins.

#include "app/designer/style/theme.h"

#include <QSize>
#include <QString>
#include <QStringList>

#include <functional>
#include <optional>

namespace pipeloom::designer {

struct CommandLine {
    enum class Task { Window, Screenshot, Print };
    enum class Layout { Design, Compare, Run };

    Task task = Task::Window;
    QString text;     ///< Print: what to print; to the error output if exitCode is not 0
    int exitCode = 0; ///< Print: 0, or 2 for arguments that make no sense

    QString file;                     ///< a design to open; empty: none
    QString run;                      ///< events to open, a file or a folder; empty: none
    double replaySpeed = 0;           ///< of the run; 0: it is followed
    std::optional<std::int64_t> step; ///< of the run, to be shown
    QString screenshot;               ///< where the window's picture goes, PNG
    QSize size { 1600, 1000 };
    std::optional<ThemeChoice> theme; ///< none: as in the settings
    std::optional<double> scale;      ///< 1 to 4; none: as the screen is
    Layout layout = Layout::Design;
};

/// `arguments` as main() has them, the program's name first. Qt's own, such as `-platform x`, are passed over.
[[nodiscard]] CommandLine parseCommandLine(const QStringList& arguments);

/// Which platform plugin Qt is to take, or empty to leave the choice to Qt: `offscreen` for a screenshot and where there is
/// no display; never if the user has chosen (QT_QPA_PLATFORM or -platform).
[[nodiscard]] QString platformFor(
    const CommandLine& line, const QStringList& arguments, const std::function<bool(const char* variable)>& isSet);

/// Sets the environment for it (QT_QPA_PLATFORM, QT_SCALE_FACTOR). Before QApplication is made.
void prepareEnvironment(const CommandLine& line, const QStringList& arguments);

} // namespace pipeloom::designer
