// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The bar below the timeline: which step is shown, all steps with what happened at them, whether the newest is followed, and of
// a replay how fast it goes.

#include "app/designer/run/step_slider.h"

#include <QWidget>

class QAction;
class QComboBox;
class QLabel;
class QSpinBox;
class QToolButton;

namespace pipeloom::designer {

class RunSession;

class StepBar : public QWidget {
    Q_OBJECT
public:
    /// The actions of the buttons; they must live as long.
    struct Actions {
        QAction* previous = nullptr;
        QAction* next = nullptr;
        QAction* live = nullptr;
        QAction* pause = nullptr;
    };
    StepBar(RunSession& session, const Actions& actions, QWidget* parent = nullptr);

    [[nodiscard]] StepSlider& slider() { return *slider_; }
    /// `12 s behind`; empty: the window is current.
    [[nodiscard]] QString behindText() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QToolButton* addButton(QAction* action, const QString& text);
    void follow();
    void gatherMarks();

    RunSession& session_;
    StepSlider* slider_;
    QSpinBox* number_;
    QLabel* of_;
    QLabel* behind_;
    QToolButton* pause_;
    QComboBox* speed_;
    std::int64_t noticesRead_ = 0;
    std::vector<StepSlider::Mark> marks_;
};

} // namespace pipeloom::designer
