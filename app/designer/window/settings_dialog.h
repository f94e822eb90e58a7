// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The settings as a form, made from their table. What is changed holds at once.

#include "app/designer/window/settings.h"

#include <QDialog>

class QFormLayout;

namespace pipeloom::designer {

class SettingsDialog : public QDialog {
    Q_OBJECT
public:
    explicit SettingsDialog(Settings& settings, QWidget* parent = nullptr);

private:
    void enter(QFormLayout& form, const ToggleSetting& setting);
    void enter(QFormLayout& form, const NumberSetting& setting);
    void enter(QFormLayout& form, const ChoiceSetting& setting);
    void restore();

    Settings& settings_;
};

} // namespace pipeloom::designer
