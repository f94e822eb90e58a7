// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How alarms look: a mark by level, where, what, what it costs or what to do, and links.

#include <QListView>

namespace pipeloom::designer {

class AlarmModel;

class AlarmList : public QListView {
    Q_OBJECT
public:
    explicit AlarmList(AlarmModel& model, QWidget* parent = nullptr);

    enum class Link { Show, Plan };
    /// Where a link of a row is, in the viewport; empty if the row has none such.
    [[nodiscard]] QRect linkRect(int row, Link link) const;

Q_SIGNALS:
    void showActivated(int row);
    void planActivated(int row);

protected:
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    class RowDelegate;
    [[nodiscard]] bool hits(const QPoint& position, int row, Link link) const;

    AlarmModel& model_;
    RowDelegate* delegate_;
};

} // namespace pipeloom::designer
