// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/run_command.h"

#include <QApplication>
#include <QClipboard>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>

namespace pipeloom::designer {

QString runCommandFor(const QString& path)
{
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_./+-]+$"));
    QString quoted = path;
    if (!plain.match(path).hasMatch())
        quoted = QLatin1Char('\'') + quoted.replace(QLatin1Char('\''), QLatin1String("'\\''")) + QLatin1Char('\'');
    return QStringLiteral("pipeloom run %1 --steps 50 --verify").arg(quoted);
}

void askToRun(QWidget* window, const QString& path)
{
    const QString command = runCommandFor(path);
    QMessageBox box(QMessageBox::NoIcon, QObject::tr("Run"),
        QObject::tr(
            "Training runs in a program of its own. This trains with the schedule and compares every gradient with the "
            "model run without a pipeline:\n\n%1")
            .arg(command),
        QMessageBox::Close, window);
    box.setObjectName(QStringLiteral("runCommand"));
    QPushButton* copy = box.addButton(QObject::tr("Copy command"), QMessageBox::AcceptRole);
    box.setDefaultButton(copy);
    box.exec();
    if (box.clickedButton() == copy)
        QApplication::clipboard()->setText(command);
}

} // namespace pipeloom::designer
