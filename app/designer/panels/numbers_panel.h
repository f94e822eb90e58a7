// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Step time, idle share and own-span bubble in large, and a table by device, worst first: time, memory against bound and
// limit, or lifespans. Follows the live figures, whatever they stand for.

#include "app/designer/panels/device_rows.h"
#include "app/designer/panels/panel_frame.h"

#include <QList>

class QAction;
class QLabel;
class QStackedWidget;

namespace pipeloom::designer {

class FigureHeadline;
class LiveFigures;
class NumbersModel;
class NumbersTable;

class NumbersPanel : public PanelFrame {
    Q_OBJECT
public:
    explicit NumbersPanel(LiveFigures& live, QWidget* parent = nullptr);

    void setView(NumbersView view);
    [[nodiscard]] NumbersView view() const;
    /// The three views, exclusive and checkable, for the menu.
    [[nodiscard]] const QList<QAction*>& menuActions() const { return actions_; }

Q_SIGNALS:
    /// A row was clicked or Enter pressed on it.
    void deviceActivated(pipeloom::DeviceId device);

private:
    void makeActions();
    void take();

    LiveFigures& live_;
    NumbersModel* model_;
    FigureHeadline* headline_;
    NumbersTable* table_;
    QLabel* empty_;
    QStackedWidget* pages_;
    QList<QAction*> actions_;
};

} // namespace pipeloom::designer
