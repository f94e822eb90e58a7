// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The block editor with its header, its actions and the menu of published schedules to start from.

#include "app/designer/block/block_view.h"
#include "app/designer/panels/panel_frame.h"

#include <QAction>
#include <QMenu>

namespace pipeloom::designer {

class BlockPanel : public PanelFrame {
    Q_OBJECT
public:
    BlockPanel(Document& document, LiveFigures& figures, QWidget* parent = nullptr);
    ~BlockPanel() override;

    [[nodiscard]] BlockView& view() { return *view_; }
    /// For menus, palette and key sheet; children of this panel.
    [[nodiscard]] QList<QAction*> menuActions() const { return actions_; }
    /// Of the tools, in the order of the tool bar.
    [[nodiscard]] QList<QAction*> toolActions() const { return tools_; }

Q_SIGNALS:
    void statusText(const QString& text);

private:
    QAction* add(const char* id, const QString& text, const QKeySequence& key, const QString& help,
        const std::function<void()>& run);
    void addTools();
    void addEdits();
    void addSelections();
    void addViews();
    void fillStartFrom(QMenu& menu);
    void followDesign();

    Document& document_;
    BlockView* view_ = nullptr;
    QList<QAction*> actions_;
    QList<QAction*> tools_;
};

} // namespace pipeloom::designer
