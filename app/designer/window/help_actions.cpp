// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/help_actions.h"

#include "app/designer/window/command_palette.h"
#include "app/designer/window/form.h"
#include "app/designer/window/key_sheet.h"
#include "app/designer/window/settings_dialog.h"

#include <QVBoxLayout>

namespace pipeloom::designer {

HelpActions::HelpActions(QWidget* window, ActionRegistry& registry, Settings& settings)
    : QObject(window)
    , window_(window)
    , registry_(registry)
    , settings_(settings)
    , chooser_(systemFileChooser())
    , palette_(new CommandPalette(registry, window))
{
    const auto enter = [&](const char* menu, const char* name, const QString& text, const QKeySequence& key, auto run) {
        auto* action = new QAction(text, this);
        action->setObjectName(name);
        action->setShortcut(key);
        connect(action, &QAction::triggered, this, run);
        registry.add(menu, action);
    };
    enter("Edit", "edit.settings", tr("Settin&gs…"), QKeySequence("Ctrl+,"), [this] { showSettings(); });
    enter("Help", "help.commands", tr("&Commands…"), QKeySequence("Ctrl+Shift+P"), [this] { palette_->open(); });
    enter("Help", "help.keys", tr("&Keys"), QKeySequence("?"), [this] { showKeys(); });
    enter("Help", "help.about", tr("&About Pipeloom"), {}, [this] { showAbout(); });
}

void HelpActions::showKeys()
{
    if (!keys_) {
        keys_ = new KeySheet(registry_, chooser_, window_);
        keys_->setAttribute(Qt::WA_DeleteOnClose);
    }
    keys_->show();
    keys_->raise();
    keys_->activateWindow();
}

void HelpActions::showSettings()
{
    SettingsDialog dialog(settings_, window_);
    dialog.exec();
}

void HelpActions::showAbout()
{
    QDialog dialog(window_);
    dialog.setObjectName("aboutDialog");
    dialog.setWindowTitle(tr("About Pipeloom"));
    auto* column = new QVBoxLayout(&dialog);
    column->setContentsMargins(24, 22, 24, 16);
    column->setSpacing(10);
    column->addWidget(heading(tr("Pipeloom %1").arg(PIPELOOM_VERSION), 18));
    column->addWidget(new QLabel(tr("Designs, checks, simulates and runs pipeline-parallel training schedules.")));
    column->addWidget(
        quietText(tr("The designer is free software under the GNU General Public License, version 3 or later. "
                     "Fonts: Inter, and DejaVu Sans Mono. Made with Qt %1.")
                      .arg(qVersion())));
    auto* close = new QPushButton(tr("Close"));
    close->setObjectName("aboutClose");
    close->setAccessibleName(tr("Close"));
    close->setDefault(true);
    connect(close, &QPushButton::clicked, &dialog, &QDialog::accept);
    column->addSpacing(6);
    column->addWidget(close, 0, Qt::AlignRight);
    dialog.resize(scaled(dialog, 460), dialog.sizeHint().height());
    dialog.exec();
}

} // namespace pipeloom::designer
