// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The Compare layout: timelines of several designs on one axis, memory against time, and a table of their figures with what
// they are compared on.

#include "app/designer/compare/compare_list.h"
#include "app/designer/view/time_axis.h"
#include "app/designer/window/file_chooser.h"

#include <QList>
#include <QWidget>

class QAction;
class QLabel;
class QMenu;
class QProgressBar;
class QStackedWidget;
class QTableView;

namespace pipeloom::designer {

class CompareModel;
class PanelFrame;

class ComparePage : public QWidget {
    Q_OBJECT
public:
    explicit ComparePage(Document& document, FileChooser chooser = systemFileChooser(), QWidget* parent = nullptr);

    [[nodiscard]] CompareList& list() { return *list_; }
    [[nodiscard]] TimeAxis& axis() { return *axis_; }
    /// Add this design, a file, the whole library, one schedule of it; remove, up, down, clear.
    [[nodiscard]] const QList<QAction*>& menuActions() const { return actions_; }

Q_SIGNALS:
    void statusText(const QString& text); ///< why something was not added

protected:
    void changeEvent(QEvent* event) override;

private:
    QAction* makeAction(const QString& text, const QString& name, std::function<void()> run);
    void makeActions();
    void makeLibraryMenu();
    QWidget* makeBar();
    QWidget* makeEmptyState();
    QWidget* makeContent();
    void follow();
    void enable();
    void addFromLibrary(std::string_view name, std::int32_t chunks);
    [[nodiscard]] int chosen() const;
    void choose(int row);

    Document& document_;
    FileChooser chooser_;
    CompareList* list_;
    TimeAxis* axis_;
    CompareModel* model_;
    QTableView* table_ = nullptr;
    QStackedWidget* pages_ = nullptr;
    QLabel* basis_ = nullptr;
    QProgressBar* progress_ = nullptr;
    PanelFrame* timelines_ = nullptr;
    QMenu* libraryMenu_ = nullptr;
    QList<QAction*> actions_;
    QAction* remove_ = nullptr;
    QAction* up_ = nullptr;
    QAction* down_ = nullptr;
    QAction* clear_ = nullptr;
    QAction* live_ = nullptr;
};

} // namespace pipeloom::designer
