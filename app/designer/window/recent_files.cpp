// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/recent_files.h"

#include <QDir>
#include <QFileInfo>

namespace pipeloom::designer {

QString shortPath(const QString& path)
{
    const QString home = QDir::homePath();
    return path.startsWith(home + '/') ? '~' + path.mid(home.size()) : path;
}

RecentFiles::RecentFiles(Settings& settings, QObject* parent)
    : QObject(parent)
    , settings_(settings)
{
    connect(&settings_, &Settings::changed, this, [this](const QString& key) {
        if (key == setting::recentFiles.key)
            Q_EMIT changed();
    });
}

QStringList RecentFiles::paths() const { return settings_.value(setting::recentFiles); }

void RecentFiles::add(const QString& path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList list = paths();
    list.removeAll(absolute);
    list.prepend(absolute);
    settings_.set(setting::recentFiles, list);
}

void RecentFiles::remove(const QString& path)
{
    QStringList list = paths();
    list.removeAll(path);
    settings_.set(setting::recentFiles, list);
}

void RecentFiles::clear() { settings_.set(setting::recentFiles, {}); }

void RecentFiles::attach(QMenu& menu)
{
    connect(&menu, &QMenu::aboutToShow, this, [this, &menu] { fill(menu); });
}

void RecentFiles::fill(QMenu& menu)
{
    menu.clear();
    const QStringList list = paths();
    for (qsizetype i = 0; i < list.size(); ++i) {
        const QString& path = list[i];
        const QString name = shortPath(path).replace('&', "&&");
        QAction* action = menu.addAction(i < 9 ? QString("&%1  %2").arg(i + 1).arg(name) : "    " + name);
        action->setObjectName(QString("recentFile%1").arg(i));
        if (!QFileInfo::exists(path)) {
            action->setEnabled(false);
            action->setStatusTip(tr("The file is not there any more."));
        }
        connect(action, &QAction::triggered, this, [this, path] { Q_EMIT chosen(path); });
    }
    if (list.isEmpty()) {
        menu.addAction(tr("No files yet"))->setEnabled(false);
        return;
    }
    menu.addSeparator();
    QAction* clearAction = menu.addAction(tr("&Clear This List"));
    clearAction->setObjectName("recentClear");
    connect(clearAction, &QAction::triggered, this, &RecentFiles::clear);
}

} // namespace pipeloom::designer
