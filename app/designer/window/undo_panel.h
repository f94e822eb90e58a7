// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The steps of the document as a list; a click goes to that state. The saved state is marked.

#include <QWidget>

class QUndoStack;
class QUndoView;

namespace pipeloom::designer {

class UndoPanel : public QWidget {
    Q_OBJECT
public:
    explicit UndoPanel(QUndoStack& stack, QWidget* parent = nullptr);

private:
    QUndoView* view_;
};

} // namespace pipeloom::designer
