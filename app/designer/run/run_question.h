// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What becomes of a run that is under way when its window closes.

#include <QString>

class QWidget;

namespace pipeloom::designer {

enum class RunAnswer { Stop, Leave, Cancel };

/// Asks, modal. Closing the question is Cancel. `leave`: the answer that is proposed.
[[nodiscard]] RunAnswer askAboutRun(QWidget* window, const QString& name, bool leave);

} // namespace pipeloom::designer
