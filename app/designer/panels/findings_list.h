// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How findings look: an icon by severity, the rule, the sentence, what to do about it, and the link of the remedy.

#include <QListView>

namespace pipeloom::designer {

class FindingsModel;

class FindingsList : public QListView {
    Q_OBJECT
public:
    explicit FindingsList(FindingsModel& model, QWidget* parent = nullptr);

    /// Where the link of a row is, in the viewport; empty if the row has none or is out of sight.
    [[nodiscard]] QRect linkRect(int row) const;

Q_SIGNALS:
    void rowActivated(int row);
    void linkActivated(int row);

protected:
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    class RowDelegate;
    [[nodiscard]] int linkAt(const QPoint& position) const;
    void setHovered(int row);

    FindingsModel& model_;
    RowDelegate* delegate_;
    int hoveredLink_ = -1;
};

} // namespace pipeloom::designer
