// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The bottom of the window: what was just said, work under way with a way to give it up, when the design was saved, what a run
// says of itself.

#include <QElapsedTimer>
#include <QLabel>
#include <QObject>
#include <QTimer>
#include <QToolButton>

class QStatusBar;

namespace pipeloom::designer {

class Document;
class LiveFigures;

class StatusLine : public QObject {
    Q_OBJECT
public:
    /// Fills the bar.
    StatusLine(QStatusBar& bar, Document& document, LiveFigures& figures, QObject* parent = nullptr);

    void say(const QString& text);
    /// At the right, in the place of when the design was saved; empty: that again.
    void setRunText(const QString& text);
    /// No design is open, or one is.
    void setOpen(bool open);
    /// The design was written to its file just now.
    void markSaved();

private:
    void updateBusy();
    void updateSaved();

    Document& document_;
    LiveFigures& figures_;
    QLabel* said_;
    QLabel* saved_;
    QToolButton* planning_;
    QString runText_;
    bool isOpen_ = false;
    QTimer busyFor_; ///< only work that takes a while is told of
    QElapsedTimer sinceSaved_;
    QTimer clock_;
};

} // namespace pipeloom::designer
