// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/settings_dialog.h"

#include "app/designer/window/form.h"

#include <QCheckBox>
#include <QComboBox>
#include <QVBoxLayout>

namespace pipeloom::designer {

SettingsDialog::SettingsDialog(Settings& settings, QWidget* parent)
    : QDialog(parent)
    , settings_(settings)
{
    setObjectName("settingsDialog");
    setWindowTitle(tr("Settings"));
    QFormLayout* form = newForm();
    for (const ShownSetting& shown : shownSettings())
        std::visit([&](const auto* setting) { enter(*form, *setting); }, shown);

    auto* defaults = new QPushButton(tr("&Restore Defaults"));
    defaults->setObjectName("settingsDefaults");
    defaults->setAccessibleName(tr("Restore defaults"));
    defaults->setAutoDefault(false);
    connect(defaults, &QPushButton::clicked, this, &SettingsDialog::restore);
    auto* close = new QPushButton(tr("Close"));
    close->setObjectName("settingsClose");
    close->setAccessibleName(tr("Close"));
    close->setDefault(true);
    connect(close, &QPushButton::clicked, this, &QDialog::accept);
    auto* row = new QHBoxLayout;
    row->addWidget(defaults);
    row->addStretch(1);
    row->addWidget(close);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 18, 20, 16);
    column->setSpacing(18);
    column->addLayout(form);
    column->addStretch(1);
    column->addLayout(row);
    resize(scaled(*this, 440), sizeHint().height());
}

void SettingsDialog::enter(QFormLayout& form, const ToggleSetting& setting)
{
    auto* box = new QCheckBox(tr(setting.title));
    box->setObjectName(setting.key);
    box->setAccessibleName(tr(setting.title));
    box->setToolTip(*setting.hint ? tr(setting.hint) : QString());
    form.addRow(QString(), box);
    const auto load = [this, box, &setting] { box->setChecked(settings_.value(setting)); };
    load();
    connect(box, &QCheckBox::toggled, this, [this, &setting](bool on) { settings_.set(setting, on); });
    connect(&settings_, &Settings::changed, box, load);
}

void SettingsDialog::enter(QFormLayout& form, const NumberSetting& setting)
{
    QSpinBox* field = numberField(setting.key, tr(setting.title), setting.byDefault, setting.least, setting.most);
    field->setSingleStep(setting.step);
    field->setSuffix(tr(setting.unit));
    field->setToolTip(*setting.hint ? tr(setting.hint) : QString());
    // Not at every digit that is typed: 150 % would pass 1 % and 15 %.
    field->setKeyboardTracking(false);
    addRow(form, tr(setting.title), field);
    const auto load = [this, field, &setting] { field->setValue(settings_.value(setting)); };
    load();
    connect(field, &QSpinBox::valueChanged, this, [this, &setting](int value) { settings_.set(setting, value); });
    connect(&settings_, &Settings::changed, field, load);
}

void SettingsDialog::enter(QFormLayout& form, const ChoiceSetting& setting)
{
    auto* box = new QComboBox;
    box->setObjectName(setting.key);
    box->setToolTip(*setting.hint ? tr(setting.hint) : QString());
    for (const char* text : setting.texts)
        box->addItem(tr(text));
    addRow(form, tr(setting.title), box);
    const auto load = [this, box, &setting] { box->setCurrentIndex(settings_.value(setting)); };
    load();
    connect(box, &QComboBox::currentIndexChanged, this, [this, &setting](int at) { settings_.set(setting, at); });
    connect(&settings_, &Settings::changed, box, load);
}

void SettingsDialog::restore()
{
    for (const ShownSetting& shown : shownSettings())
        std::visit([this](const auto* setting) { settings_.forget(setting->key); }, shown);
}

} // namespace pipeloom::designer
