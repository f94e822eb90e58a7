// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/action_registry.h"

#include <QMenu>
#include <QMenuBar>
#include <QToolBar>
#include <QToolButton>

namespace pipeloom::designer {

namespace {

const QStringList& menuOrder()
{
    static const QStringList order { "File", "Edit", "View", "Block", "Schedule", "Run", "Help" };
    return order;
}

QString bare(QString menu) { return menu.remove('&'); }

QString withoutDots(QString text)
{
    while (text.endsWith('.') || text.endsWith(QChar(0x2026)))
        text.chop(1);
    return text;
}

bool isWindowWide(const QAction& action)
{
    return action.shortcutContext() == Qt::WindowShortcut || action.shortcutContext() == Qt::ApplicationShortcut;
}

/// The widget whose focus a local key needs.
const QWidget* contextOf(const QAction& action)
{
    for (const QObject* object : action.associatedObjects()) {
        const auto* widget = qobject_cast<const QWidget*>(object);
        if (widget && !qobject_cast<const QMenu*>(widget) && !qobject_cast<const QMenuBar*>(widget)
            && !qobject_cast<const QToolBar*>(widget) && !qobject_cast<const QAbstractButton*>(widget))
            return widget;
    }
    return qobject_cast<const QWidget*>(action.parent());
}

bool clash(const QAction& a, const QAction& b)
{
    if (isWindowWide(a) || isWindowWide(b))
        return true;
    const QWidget* first = contextOf(a);
    const QWidget* second = contextOf(b);
    if (!first || !second || first == second)
        return true;
    const bool aInside = b.shortcutContext() == Qt::WidgetWithChildrenShortcut && second->isAncestorOf(first);
    const bool bInside = a.shortcutContext() == Qt::WidgetWithChildrenShortcut && first->isAncestorOf(second);
    return aInside || bInside;
}

} // namespace

QString plainText(const QAction& action)
{
    QString text = action.text();
    text.replace("&&", QChar(1)).remove('&').replace(QChar(1), '&');
    return withoutDots(text);
}

QString keysText(const QAction& action, QKeySequence::SequenceFormat format)
{
    QStringList keys;
    for (const QKeySequence& key : action.shortcuts())
        keys << key.toString(format);
    return keys.join(", ");
}

void enable(QAction& action, const QString& whyNot)
{
    constexpr const char* help = "helpWhileDisabled";
    if (action.isEnabled() && !whyNot.isEmpty())
        action.setProperty(help, action.statusTip());
    else if (!action.isEnabled() && whyNot.isEmpty())
        action.setStatusTip(action.property(help).toString());
    action.setEnabled(whyNot.isEmpty());
    if (!whyNot.isEmpty())
        action.setStatusTip(whyNot);
}

ActionRegistry::ActionRegistry(QObject* parent)
    : QObject(parent)
{
}

void ActionRegistry::add(const QString& menu, QAction* action)
{
    if (action->objectName().isEmpty() || find(action->objectName())) {
        qWarning("The action '%s' needs an objectName of its own.", qPrintable(action->text()));
        return;
    }
    const QString text = plainText(*action);
    if (withoutDots(action->toolTip()) == text && !action->shortcut().isEmpty())
        action->setToolTip(QString("%1  (%2)").arg(text, action->shortcut().toString(QKeySequence::NativeText)));
    entries_.push_back({ bare(menu), action, false });
}

void ActionRegistry::add(const QString& menu, const QList<QAction*>& actions)
{
    for (QAction* action : actions)
        if (action->isSeparator())
            addSeparator(menu);
        else
            add(menu, action);
}

void ActionRegistry::addSeparator(const QString& menu) { entries_.push_back({ bare(menu), nullptr, true }); }

void ActionRegistry::addGesture(const QString& menu, const QString& text, const QString& keys)
{
    gestures_.push_back({ bare(menu), { text, keys } });
}

QStringList ActionRegistry::menus() const
{
    QStringList used;
    for (const Entry& entry : entries_)
        if (entry.action && !used.contains(entry.menu))
            used << entry.menu;
    const auto rank = [](const QString& menu) {
        const auto at = menuOrder().indexOf(menu);
        return at < 0 ? 2 * menuOrder().size() - 3 : 2 * at; // before the last one, Help
    };
    std::stable_sort(used.begin(), used.end(), [&](const QString& a, const QString& b) { return rank(a) < rank(b); });
    return used;
}

void ActionRegistry::fill(QMenuBar& bar) const
{
    for (const QString& name : menus()) {
        QMenu* menu = bar.addMenu('&' + name);
        menu->setObjectName("menu" + name);
        menu->setAccessibleName(name);
        menu->setToolTipsVisible(false);
        for (const Entry& entry : entries_) {
            if (entry.menu != name)
                continue;
            if (entry.separator)
                menu->addSeparator();
            else if (entry.action)
                menu->addAction(entry.action);
        }
    }
}

QList<QAction*> ActionRegistry::actionsOf(const QString& menu) const
{
    QList<QAction*> found;
    for (const Entry& entry : entries_)
        if (entry.action && entry.menu == bare(menu) && !entry.action->menu())
            found << entry.action;
    return found;
}

QList<QAction*> ActionRegistry::actions() const
{
    QList<QAction*> all;
    for (const QString& menu : menus())
        all << actionsOf(menu);
    return all;
}

QAction* ActionRegistry::find(const QString& objectName) const
{
    for (const Entry& entry : entries_)
        if (entry.action && entry.action->objectName() == objectName)
            return entry.action;
    return nullptr;
}

QStringList ActionRegistry::duplicateShortcuts() const
{
    QStringList sentences;
    const QList<QAction*> all = actions();
    for (qsizetype a = 0; a < all.size(); ++a)
        for (qsizetype b = a + 1; b < all.size(); ++b) {
            if (!clash(*all[a], *all[b]))
                continue;
            for (const QKeySequence& key : all[a]->shortcuts())
                if (all[b]->shortcuts().contains(key))
                    sentences << QString("%1 is the key of %2 and of %3.")
                                     .arg(key.toString(), all[a]->objectName(), all[b]->objectName());
        }
    return sentences;
}

QList<ActionRegistry::KeyLine> ActionRegistry::keyLines(const QString& menu, QKeySequence::SequenceFormat format) const
{
    QList<KeyLine> found;
    for (const QAction* action : actionsOf(menu))
        found.push_back({ plainText(*action), keysText(*action, format) });
    for (const Gesture& gesture : gestures_)
        if (gesture.menu == bare(menu))
            found.push_back(gesture.line);
    return found;
}

QString ActionRegistry::keyTable() const
{
    QString table = "| menu | command | keys |\n|---|---|---|\n";
    for (const QString& menu : menus())
        for (KeyLine line : keyLines(menu, QKeySequence::PortableText)) {
            if (!line.keys.isEmpty())
                line.keys = '`' + line.keys.replace(", ", "`, `").replace('|', "\\|") + '`';
            table += QString("| %1 | %2 | %3 |\n").arg(menu, line.text.replace('|', "\\|"), line.keys);
        }
    return table;
}

} // namespace pipeloom::designer
