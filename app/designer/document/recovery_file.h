// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The files that bring a design back after a crash: the canonical text, and beside it a small description. Their names hold
// the design's path, hashed, and the number of the process that writes them.

#include <QDateTime>
#include <QString>

#include <optional>
#include <vector>

namespace pipeloom::designer {

/// What a process that is no more left behind.
struct LeftBehind {
    QString file;  ///< of the canonical text
    QString path;  ///< of the design; empty: it was never saved
    QString title; ///< as it was shown
    QDateTime when;
};

/// A process, told from a later one of the same number by when it started (in the kernel's clock ticks; 0: not known).
struct ProcessId {
    qint64 number = 0;
    qint64 started = 0;
};
[[nodiscard]] ProcessId thisProcess();
[[nodiscard]] bool isAlive(const ProcessId& process);

/// AppDataLocation/recovery.
[[nodiscard]] QString recoveryFolder();
/// In the folder, for a design at a path (or none) that this process has open.
[[nodiscard]] QString recoveryFileFor(const QString& folder, const QString& path);

/// Writes text and description, each whole or not at all; makes the folder. Gives what went wrong, or an empty text.
[[nodiscard]] QString writeRecovery(const LeftBehind& what, const std::string& text, const ProcessId& process);
/// Removes both files.
void removeRecovery(const QString& file);

/// What processes that are no more left in the folder, newest first. Files without a readable description are told with what
/// their name and date say.
[[nodiscard]] std::vector<LeftBehind> leftBehindIn(const QString& folder);
/// Makes it this process's own, under the design's present path. None if the files cannot be moved.
[[nodiscard]] std::optional<LeftBehind> adopt(const LeftBehind& what, const QString& folder);

} // namespace pipeloom::designer
