// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A button of the tool row that shows the key of its action.

#include <QAbstractButton>
#include <QAction>

namespace pipeloom::designer {

/// What a button says of an action where that is shorter than in menus and palette; else nothing needs to be set.
void setButtonText(QAction* action, const QString& text);
[[nodiscard]] QString buttonText(const QAction* action);

/// The text of an action and, fainter, its key. Follows the action's text, state and enabling.
class KeyButton : public QAbstractButton {
    Q_OBJECT
public:
    enum class Look { Plain, Main };
    explicit KeyButton(QAction* action, Look look = Look::Plain, QWidget* parent = nullptr);

    /// The key is shown only while it works: while the keyboard is in the widget or a part of it.
    void showKeyOnlyIn(QWidget* widget);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void follow();

    QAction* action_;
    Look look_;
    QString key_;
    bool keyWorks_ = true;
};

} // namespace pipeloom::designer
