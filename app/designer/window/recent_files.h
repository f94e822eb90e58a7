// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The files used last, newest first, as the submenu Open Recent.

#include "app/designer/window/settings.h"

#include <QMenu>

namespace pipeloom::designer {

class RecentFiles : public QObject {
    Q_OBJECT
public:
    explicit RecentFiles(Settings& settings, QObject* parent = nullptr);

    /// To the front; the path is made absolute. At most setting::recentFiles.most are kept.
    void add(const QString& path);
    void remove(const QString& path);
    void clear();
    [[nodiscard]] QStringList paths() const;

    /// Fills the menu each time it is about to show: missing files greyed, Clear at the end.
    void attach(QMenu& menu);
    void fill(QMenu& menu);

Q_SIGNALS:
    void chosen(const QString& path);
    void changed();

private:
    Settings& settings_;
};

/// A path as a person reads it: the home folder as ~.
[[nodiscard]] QString shortPath(const QString& path);

} // namespace pipeloom::designer
