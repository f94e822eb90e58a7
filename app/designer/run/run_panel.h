// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the panels of the Run layout share: they look at a session, take it in again when it has changed and they are seen,
// and say in one sentence why there is nothing to see.

#include "app/designer/panels/panel_frame.h"

#include <QElapsedTimer>
#include <QTimer>

class QLabel;
class QStackedWidget;

namespace pipeloom::designer {

class RunSession;

class RunPanel : public PanelFrame {
    Q_OBJECT
public:
    /// `atMost`: how often it takes the session in again, times a second.
    RunPanel(RunSession& session, const QString& title, int atMost, QWidget* parent);

protected:
    [[nodiscard]] RunSession& session() const { return session_; }
    /// What the panel shows when it has something to show. Called once, by the panel's constructor.
    void setBody(QWidget* body);
    void showBody();
    void showEmpty(const QString& sentence);
    /// What is shown is of date: takes it in again soon, or when the panel is seen next.
    void touch();
    /// Reads the session. Only called while the panel is seen.
    virtual void take() = 0;
    /// Another run was opened: what was gathered of the one before is forgotten.
    virtual void forget() { }
    /// Pixels at the text size that is set, of a size that was designed for 13.
    [[nodiscard]] int scaled(int pixels) const;

    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    RunSession& session_;
    int interval_;
    bool stale_ = true;
    QElapsedTimer since_;
    QTimer soon_;
    QStackedWidget* pages_;
    QLabel* empty_;
    QWidget* body_ = nullptr;
};

} // namespace pipeloom::designer
