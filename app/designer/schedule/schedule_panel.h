// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The schedule under the block: a bar with its form, colours and figures, the timeline, and the overview. It follows the
// document and its figures, and is where the order is edited by hand.

#include "app/designer/figures/live_figures.h"
#include "app/designer/schedule/schedule_view.h"

#include <QKeySequence>
#include <QWidget>

#include <functional>

class QAction;
class QToolButton;

namespace pipeloom::designer {

class ScheduleHeader;
class ScheduleMinimap;
class SearchBar;

class SchedulePanel : public QWidget {
    Q_OBJECT
public:
    /// Both must live longer.
    SchedulePanel(Document& document, LiveFigures& figures, QWidget* parent = nullptr);
    ~SchedulePanel() override;

    [[nodiscard]] ScheduleView& view() { return *view_; }
    [[nodiscard]] ScheduleMinimap& minimap() { return *minimap_; }
    [[nodiscard]] TimeAxis& axis() { return axis_; }
    [[nodiscard]] SearchBar& searchBar() { return *search_; }

    /// All it offers, in the order of a menu; a null entry is a separator. They are children of the panel, work while the
    /// keyboard is in it, and have object names `schedule.…`.
    [[nodiscard]] const QList<QAction*>& menuActions() const { return actions_; }
    [[nodiscard]] QAction* action(const char* name) const;

    /// Selects passes that are there and brings the first into view, as findings do.
    void showPass(const Pass& pass);
    /// The range's table, or without a range the selection, as CSV with a heading line.
    [[nodiscard]] QString csv() const;

Q_SIGNALS:
    void statusText(const QString& sentence);
    void passSelected(const pipeloom::Pass& pass); ///< the one selected last
    void selectionChanged();

protected:
    void paintEvent(QPaintEvent* event) override; ///< a border as other parts have it

private:
    void createActions();
    void createViewActions();
    void createSelectionActions();
    void createLookActions();
    void createOrderActions();
    QAction* add(const char* name, const QString& text, const QList<QKeySequence>& keys, std::function<void()> run);
    QAction* addToggle(
        const char* name, const QString& text, const QKeySequence& key, bool on, std::function<void(bool)> run);
    void addSeparator();
    void connectViews();
    void refresh();
    void followGesture();
    void tellWhatIsShown();
    void setEmptyText();
    void setColourMode(ColourMode mode);
    void copyCsv();
    void setOrderEdited(bool edited);
    void goBackToBlock();
    void moveSelected(int by);
    void previewMove(int device, int from, int to);
    void endMove(bool keep);

    Document& document_;
    LiveFigures& live_;
    TimeAxis axis_;
    ScheduleHeader* header_;
    SearchBar* search_;
    ScheduleView* view_;
    ScheduleMinimap* minimap_;
    QList<QAction*> actions_;
    FiguresPtr shown_;
    bool gestureHeld_ = false;
    std::optional<Design> moveBase_; ///< the design when a move of a pass began
    QString moveName_;
    QString moveRefusal_;
};

} // namespace pipeloom::designer
