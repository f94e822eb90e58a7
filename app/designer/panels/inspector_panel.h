// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// All numbers of the design, to be seen and changed: pipeline, costs, what-if, memory, network, reordering, name and notes.
// Parts fold away; the list at the right of the title goes to one.

#include "app/designer/panels/panel_frame.h"

#include <QList>

class QAction;
class QMenu;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace pipeloom::designer {

class Document;
class LiveFigures;
class Section;

class InspectorPanel : public PanelFrame {
    Q_OBJECT
public:
    InspectorPanel(Document& document, LiveFigures& live, QWidget* parent = nullptr);
    ~InspectorPanel() override;

    /// Opens the section of that objectName, `costsSection`, goes there and gives its first field the focus.
    void showSection(const QString& name);
    /// One to go to each section, in order.
    [[nodiscard]] const QList<QAction*>& menuActions() const { return actions_; }
    [[nodiscard]] const QList<Section*>& sections() const { return sections_; }

private:
    void add(Section* section, bool open);
    void follow();
    void nameShown();

    Document& document_;
    QScrollArea* area_;
    QVBoxLayout* column_;
    QToolButton* chooser_;
    QMenu* menu_;
    QList<Section*> sections_;
    QList<QAction*> actions_;
};

} // namespace pipeloom::designer
