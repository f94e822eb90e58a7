// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The one list of what a person can do: menus, command palette, key sheet, tooltips and the README's table of keys are all
// made from it, so none can lack what another has.

#include <QAction>
#include <QKeySequence>
#include <QList>
#include <QObject>
#include <QPointer>
#include <QString>
#include <QStringList>

#include <vector>

class QMenuBar;

namespace pipeloom::designer {

class ActionRegistry : public QObject {
    Q_OBJECT
public:
    /// Menus come in this order; others behind them (but before Help), in the order of their first action.
    explicit ActionRegistry(QObject* parent = nullptr);

    /// Enters an action below a menu, `File`. It must have an objectName of its own; a second of the same name is refused
    /// with a warning. A submenu is entered by its menuAction(). Keys are added to tooltips that only repeat the text.
    void add(const QString& menu, QAction* action);
    void add(const QString& menu, const QList<QAction*>& actions);
    void addSeparator(const QString& menu);
    /// What is done with mouse or wheel and so is no action, `Ctrl+wheel`: for the key sheet and the table of keys.
    void addGesture(const QString& menu, const QString& text, const QString& keys);

    /// Makes the menus. What is added later is not in them.
    void fill(QMenuBar& bar) const;

    /// All that can be run, by menu; without submenus. Actions that were deleted meanwhile are left out.
    [[nodiscard]] QList<QAction*> actions() const;
    [[nodiscard]] QStringList menus() const;
    [[nodiscard]] QList<QAction*> actionsOf(const QString& menu) const;
    /// A line of the key sheet: what is done, and the keys for it (empty: none).
    struct KeyLine {
        QString text;
        QString keys;
    };
    [[nodiscard]] QList<KeyLine> keyLines(
        const QString& menu, QKeySequence::SequenceFormat format = QKeySequence::NativeText) const;
    /// By objectName; null: none.
    [[nodiscard]] QAction* find(const QString& objectName) const;

    /// One sentence for each key that would run two actions. Keys of the whole window must be free everywhere; two widgets'
    /// own keys may be the same unless one widget is inside the other.
    [[nodiscard]] QStringList duplicateShortcuts() const;
    /// A table in Markdown: menu, command, keys.
    [[nodiscard]] QString keyTable() const;

private:
    struct Entry {
        QString menu;
        QPointer<QAction> action; ///< null: a separator, or deleted
        bool separator = false;
    };
    struct Gesture {
        QString menu;
        KeyLine line;
    };
    std::vector<Entry> entries_;
    std::vector<Gesture> gestures_;
};

/// The text of an action without mnemonics and dots: `Save As`.
[[nodiscard]] QString plainText(const QAction& action);
/// Its keys as a person reads them, `Ctrl+Y, Ctrl+Shift+Z`; empty: none.
[[nodiscard]] QString keysText(const QAction& action, QKeySequence::SequenceFormat format = QKeySequence::NativeText);
/// Enables it if there is no reason not to; else the reason is its status tip, which menus and palette show, until it is
/// enabled again.
void enable(QAction& action, const QString& whyNot);

} // namespace pipeloom::designer
