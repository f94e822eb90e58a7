// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A row of choices of which one holds, drawn as one control. Left and Right choose while it has the keyboard.

#include <QWidget>

class QAbstractButton;
class QButtonGroup;

namespace pipeloom::designer {

class SegmentedBar : public QWidget {
    Q_OBJECT
public:
    explicit SegmentedBar(const QStringList& choices, QWidget* parent = nullptr);

    void setCurrent(int index);
    [[nodiscard]] int current() const;
    [[nodiscard]] QAbstractButton* button(int index) const;

Q_SIGNALS:
    void chosen(int index); ///< by a person

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QButtonGroup* group_;
};

} // namespace pipeloom::designer
