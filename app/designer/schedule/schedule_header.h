// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The bar above the schedule: which form is shown, colours and toggles at the left, what it comes to at the right.

#include <QWidget>

class QAction;
class QCheckBox;
class QLabel;
class QToolButton;

namespace pipeloom::designer {

class SegmentedBar;

class ScheduleHeader : public QWidget {
    Q_OBJECT
public:
    explicit ScheduleHeader(QWidget* parent = nullptr);

    [[nodiscard]] SegmentedBar& forms() { return *forms_; }
    /// The menu of colours, and what is chosen in it.
    void setColourActions(const QList<QAction*>& actions);
    void setColourText(const QString& mode);
    /// A box that follows a checkable action, with its key behind its name.
    void addToggle(QAction* action, const QString& text);
    /// A button that runs an action, seen only while the action is.
    void addButton(QAction* action);
    /// The figures at the right; `tip` in full words. Cut off with dots where there is no room.
    void setFigures(const QString& text, const QString& tip, bool isWarning);
    [[nodiscard]] QString figures() const;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void elide();

    SegmentedBar* forms_;
    QToolButton* colours_;
    QWidget* toggles_;
    QLabel* figures_;
    QString text_;
};

} // namespace pipeloom::designer
