// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The findings of the design that is shown, in the command line's own sentences. A click goes to the place, a link at the
// right mends what one click can mend.

#include "app/designer/panels/panel_frame.h"
#include "core/finding/finding.h"

#include <QList>

class QAction;
class QLabel;
class QStackedWidget;

namespace pipeloom::designer {

class Document;
class FindingsList;
class FindingsModel;
class LiveFigures;

class FindingsPanel : public PanelFrame {
    Q_OBJECT
public:
    FindingsPanel(Document& document, LiveFigures& live, QWidget* parent = nullptr);

    [[nodiscard]] FindingsModel& model() { return *model_; }
    /// Go to place, mend, copy: they act on the row that is current.
    [[nodiscard]] const QList<QAction*>& menuActions() const { return actions_; }

Q_SIGNALS:
    /// A finding was clicked, or Enter pressed on it. Clicked again it goes to its next place.
    void placeActivated(pipeloom::Finding finding, pipeloom::Place place);
    /// The link of a finding was clicked: remedyOf() the committed design is to become a step.
    void remedyRequested(pipeloom::Finding finding);

private:
    void makeActions();
    void take();
    void goTo(int row);
    void mend(int row);
    void copy(bool all);

    LiveFigures& live_;
    FindingsModel* model_;
    FindingsList* list_;
    QLabel* empty_;
    QStackedWidget* pages_;
    QList<QAction*> actions_;
    int lastRow_ = -1;
    std::size_t nextPlace_ = 0;
};

} // namespace pipeloom::designer
