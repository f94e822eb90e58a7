// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/settings.h"

namespace pipeloom::designer {

const std::vector<ShownSetting>& shownSettings()
{
    static const std::vector<ShownSetting> shown { &setting::theme, &setting::textPercent, &setting::colour,
        &setting::showMemory, &setting::showGhosts, &setting::autosaveSeconds };
    return shown;
}

Settings::Settings(QObject* parent)
    : QObject(parent)
    , stored_(QSettings::IniFormat, QSettings::UserScope, QCoreApplication::organizationName(),
          QCoreApplication::applicationName())
{
}

Settings::Settings(const QString& file, QObject* parent)
    : QObject(parent)
    , stored_(file, QSettings::IniFormat)
{
}

bool Settings::value(const ToggleSetting& setting) const
{
    const QString text = stored_.value(setting.key).toString();
    return text == "true" || (text != "false" && setting.byDefault);
}

int Settings::value(const NumberSetting& setting) const
{
    bool isNumber = false;
    const int number = stored_.value(setting.key).toInt(&isNumber);
    return isNumber && number >= setting.least && number <= setting.most ? number : setting.byDefault;
}

int Settings::value(const ChoiceSetting& setting) const
{
    const QString name = stored_.value(setting.key).toString();
    for (std::size_t i = 0; i < setting.names.size(); ++i)
        if (name == setting.names[i])
            return static_cast<int>(i);
    return setting.byDefault;
}

QByteArray Settings::value(const BytesSetting& setting) const { return stored_.value(setting.key).toByteArray(); }

QStringList Settings::value(const ListSetting& setting) const
{
    QStringList list = stored_.value(setting.key).toStringList();
    list.removeAll(QString());
    return list.mid(0, setting.most);
}

ThemeChoice Settings::theme() const { return static_cast<ThemeChoice>(value(setting::theme)); }

void Settings::set(const ToggleSetting& setting, bool value)
{
    store(setting.key, this->value(setting), value, value ? "true" : "false");
}

void Settings::set(const NumberSetting& setting, int value)
{
    const int within = std::clamp(value, setting.least, setting.most);
    store(setting.key, this->value(setting), within, within);
}

void Settings::set(const ChoiceSetting& setting, int value)
{
    if (value < 0 || value >= static_cast<int>(setting.names.size()))
        return;
    store(setting.key, this->value(setting), value, setting.names[static_cast<std::size_t>(value)]);
}

void Settings::set(const BytesSetting& setting, const QByteArray& value)
{
    store(setting.key, this->value(setting), value, value);
}

void Settings::set(const ListSetting& setting, const QStringList& value)
{
    const QStringList kept = value.mid(0, setting.most);
    store(setting.key, this->value(setting), kept, kept);
}

void Settings::store(const char* key, const QVariant& before, const QVariant& after, const QVariant& raw)
{
    stored_.setValue(key, raw); // even if it is the default: that may change, the choice should not
    if (before != after)
        Q_EMIT changed(key);
}

void Settings::forget(const char* key)
{
    if (!stored_.contains(key))
        return;
    stored_.remove(key);
    Q_EMIT changed(key);
}

bool Settings::sync()
{
    stored_.sync();
    return stored_.status() == QSettings::NoError;
}

} // namespace pipeloom::designer
