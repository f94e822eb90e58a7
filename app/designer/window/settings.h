// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What is remembered from start to start: a table of typed entries with key, default and range. Getters, checks and the
// settings dialog all come from the table. What is stored and makes no sense counts as not stored.

#include "app/designer/style/theme.h"

#include <QByteArray>
#include <QObject>
#include <QSettings>
#include <QStringList>

#include <span>
#include <variant>
#include <vector>

namespace pipeloom::designer {

/// An entry without a title is not in the dialog. Titles and hints are translated when shown.
struct ToggleSetting {
    const char* key;
    const char* title;
    const char* hint;
    bool byDefault;
};
struct NumberSetting {
    const char* key;
    const char* title;
    const char* hint;
    int byDefault;
    int least;
    int most;
    int step;
    const char* unit; ///< behind the number
};
/// One of several by name; the value is the place in the list.
struct ChoiceSetting {
    const char* key;
    const char* title;
    const char* hint;
    int byDefault;
    std::span<const char* const> names; ///< as stored
    std::span<const char* const> texts; ///< as shown
};
struct BytesSetting {
    const char* key;
};
struct ListSetting {
    const char* key;
    int most; ///< entries
};

namespace setting {

inline constexpr const char* themeNames[] = { "system", "light", "dark" };
inline constexpr const char* themeTexts[] = { "As the system", "Light", "Dark" };
inline constexpr const char* colourNames[] = { "kind", "micro-batch", "stage" };
inline constexpr const char* colourTexts[] = { "Kind of pass", "Micro-batch", "Stage" };

inline constexpr ChoiceSetting theme { "look/theme", "Theme", "", 0, themeNames, themeTexts };
inline constexpr NumberSetting textPercent { "look/textPercent", "Text size", "Of everything but the pictures.", 100,
    80, 200, 10, " %" };
inline constexpr ChoiceSetting colour { "view/colour", "Colour passes by", "", 0, colourNames, colourTexts };
inline constexpr ToggleSetting showMemory { "view/memory", "Memory below each device", "", true };
inline constexpr ToggleSetting showGhosts { "view/ghosts", "Next intervals in the block",
    "Draws where the following micro-batches will stand.", true };
inline constexpr NumberSetting autosaveSeconds { "document/autosaveSeconds", "Keep a recovery copy after",
    "Seconds after the last change.", 3, 1, 600, 1, " s" };
inline constexpr ListSetting recentFiles { "document/recent", 10 };
inline constexpr BytesSetting geometry { "window/geometry" };
inline constexpr BytesSetting lastRuns { "run/last" }; ///< JSON: what designs were run with
inline constexpr BytesSetting state { "window/state" };
inline constexpr BytesSetting runState { "window/runState" };

/// Raised when docks or tool bars change so that an old arrangement would not fit.
inline constexpr int layoutVersion = 1;

} // namespace setting

using ShownSetting = std::variant<const ToggleSetting*, const NumberSetting*, const ChoiceSetting*>;

/// What the dialog shows, in order.
[[nodiscard]] const std::vector<ShownSetting>& shownSettings();

class Settings : public QObject {
    Q_OBJECT
public:
    /// In the place for this program's settings, or in a file of one's own.
    explicit Settings(QObject* parent = nullptr);
    explicit Settings(const QString& file, QObject* parent = nullptr);

    [[nodiscard]] bool value(const ToggleSetting& setting) const;
    [[nodiscard]] int value(const NumberSetting& setting) const;
    [[nodiscard]] int value(const ChoiceSetting& setting) const;
    [[nodiscard]] QByteArray value(const BytesSetting& setting) const;
    [[nodiscard]] QStringList value(const ListSetting& setting) const;
    [[nodiscard]] ThemeChoice theme() const;

    /// Numbers are taken into their range, lists cut; an unknown choice is left alone.
    void set(const ToggleSetting& setting, bool value);
    void set(const NumberSetting& setting, int value);
    void set(const ChoiceSetting& setting, int value);
    void set(const BytesSetting& setting, const QByteArray& value);
    void set(const ListSetting& setting, const QStringList& value);

    /// Forgets what is stored for it.
    void forget(const char* key);
    /// Whether what was set reached the disk; false for a place that cannot be written to.
    [[nodiscard]] bool sync();

Q_SIGNALS:
    void changed(const QString& key); ///< compare with setting::theme.key and so on

private:
    void store(const char* key, const QVariant& before, const QVariant& after, const QVariant& raw);

    QSettings stored_;
};

} // namespace pipeloom::designer
