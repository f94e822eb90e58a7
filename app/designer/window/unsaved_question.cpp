// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/unsaved_question.h"

#include <QMessageBox>
#include <QPushButton>

namespace pipeloom::designer {

namespace {

QString bold(const QString& text) { return "<b>" + text.toHtmlEscaped() + "</b>"; }

} // namespace

UnsavedAnswer askAboutUnsaved(QWidget* window, const QString& title)
{
    QMessageBox box(window);
    box.setObjectName("unsavedQuestion");
    box.setWindowTitle(QMessageBox::tr("Unsaved changes"));
    box.setText(bold(QMessageBox::tr("Save the changes to “%1”?").arg(title)));
    box.setInformativeText(QMessageBox::tr("They are lost if you do not save them."));
    box.setStandardButtons(QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
    box.button(QMessageBox::Discard)->setText(QMessageBox::tr("&Discard"));
    box.setDefaultButton(QMessageBox::Save);
    box.setEscapeButton(QMessageBox::Cancel);
    for (QAbstractButton* button : box.buttons()) {
        button->setIcon({});
        button->setAccessibleName(button->text().remove('&'));
    }
    switch (box.exec()) {
    case QMessageBox::Save:
        return UnsavedAnswer::Save;
    case QMessageBox::Discard:
        return UnsavedAnswer::Discard;
    default:
        return UnsavedAnswer::Cancel;
    }
}

bool askAboutRevert(QWidget* window, const QString& title)
{
    QMessageBox box(window);
    box.setObjectName("revertQuestion");
    box.setWindowTitle(QMessageBox::tr("Revert to saved"));
    box.setText(bold(QMessageBox::tr("Go back to “%1” as it was saved?").arg(title)));
    box.setInformativeText(QMessageBox::tr("All changes since then are lost, and so are the steps to undo."));
    QPushButton* revert = box.addButton(QMessageBox::tr("&Revert"), QMessageBox::DestructiveRole);
    revert->setAccessibleName(QMessageBox::tr("Revert"));
    QPushButton* cancel = box.addButton(QMessageBox::Cancel);
    cancel->setIcon({});
    box.setDefaultButton(cancel);
    box.exec();
    return box.clickedButton() == revert;
}

} // namespace pipeloom::designer
