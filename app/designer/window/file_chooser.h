// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Where a file's path comes from: the system's dialog, or in tests a function.

#include <QString>

#include <functional>

class QWidget;

namespace pipeloom::designer {

struct FileQuestion {
    QString title;
    QString start;  ///< folder, or a path that is proposed
    QString filter; ///< as QFileDialog takes it
    QString suffix; ///< what a new file gets if its name has none of `filter`
};

/// Both give an empty text if nothing was chosen.
struct FileChooser {
    std::function<QString(QWidget*, const FileQuestion&)> toOpen;
    std::function<QString(QWidget*, const FileQuestion&)> toSave;
};

[[nodiscard]] FileChooser systemFileChooser();

/// The path with the suffix, unless it ends with it already (in any case).
[[nodiscard]] QString withSuffix(const QString& path, const QString& suffix);

inline const QString designSuffix = QStringLiteral(".pipeloom.json");

} // namespace pipeloom::designer
