// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/run_question.h"

#include <QMessageBox>
#include <QPushButton>

namespace pipeloom::designer {

RunAnswer askAboutRun(QWidget* window, const QString& name, bool leave)
{
    QMessageBox box(window);
    box.setObjectName(QStringLiteral("runQuestion"));
    box.setWindowTitle(QMessageBox::tr("A run is under way"));
    box.setText("<b>" + QMessageBox::tr("%1 still runs.").arg(name).toHtmlEscaped() + "</b>");
    box.setInformativeText(
        QMessageBox::tr("Stopped, it ends after the step under way, with a checkpoint if it writes some. "
                        "Left, it goes on; Run > Attach… finds it again."));
    QPushButton* stop = box.addButton(QMessageBox::tr("&Stop it"), QMessageBox::DestructiveRole);
    QPushButton* go = box.addButton(QMessageBox::tr("&Leave it running"), QMessageBox::AcceptRole);
    box.addButton(QMessageBox::Cancel);
    box.setDefaultButton(leave ? go : stop);
    box.setEscapeButton(QMessageBox::Cancel);
    for (QAbstractButton* button : box.buttons()) {
        button->setIcon({});
        button->setAccessibleName(button->text().remove('&'));
    }
    box.exec();
    return box.clickedButton() == stop ? RunAnswer::Stop
        : box.clickedButton() == go    ? RunAnswer::Leave
                                       : RunAnswer::Cancel;
}

} // namespace pipeloom::designer
