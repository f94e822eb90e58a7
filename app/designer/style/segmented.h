// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Painted controls of the tool bars: one of several side by side, and a button that shows the key of its action.

#include <QAbstractButton>
#include <QAction>
#include <QList>
#include <QWidget>

namespace pipeloom::designer {

/// What a button says of an action where that is shorter than in menus and palette; else nothing needs to be set.
void setButtonText(QAction* action, const QString& text);
[[nodiscard]] QString buttonText(const QAction* action);

/// Checkable actions of one group, side by side in a frame; left and right move between them.
class Segmented : public QWidget {
    Q_OBJECT
public:
    explicit Segmented(const QList<QAction*>& actions, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    [[nodiscard]] QRect rectOf(int index) const;
    [[nodiscard]] int indexAt(QPoint at) const;

    QList<QAction*> actions_;
    int hovered_ = -1;
};

/// The text of an action and, fainter, its key. Follows the action's text, state and enabling.
class KeyButton : public QAbstractButton {
    Q_OBJECT
public:
    enum class Look { Plain, Main };
    explicit KeyButton(QAction* action, Look look = Look::Plain, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void follow();

    QAction* action_;
    Look look_;
    QString key_;
};

} // namespace pipeloom::designer
