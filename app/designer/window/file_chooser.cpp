// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/file_chooser.h"

#include <QFileDialog>
#include <QMessageBox>

namespace pipeloom::designer {

QString withSuffix(const QString& path, const QString& suffix)
{
    return path.isEmpty() || path.endsWith(suffix, Qt::CaseInsensitive) ? path : path + suffix;
}

FileChooser systemFileChooser()
{
    FileChooser chooser;
    chooser.toOpen = [](QWidget* window, const FileQuestion& question) {
        return QFileDialog::getOpenFileName(window, question.title, question.start, question.filter);
    };
    chooser.toSave = [](QWidget* window, const FileQuestion& question) {
        QString chosen = QFileDialog::getSaveFileName(window, question.title, question.start, question.filter);
        const QString path = withSuffix(chosen, question.suffix);
        // The dialog asked about the name without the suffix.
        if (path != chosen && QFileInfo::exists(path)
            && QMessageBox::question(window, question.title,
                   QFileDialog::tr("“%1” is there already. Replace it?").arg(QFileInfo(path).fileName()))
                != QMessageBox::Yes)
            return QString();
        return path;
    };
    return chooser;
}

} // namespace pipeloom::designer
