// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Offers what a crash left, without standing in the way: a bar with one line for each design, Recover and Discard. Hidden
// when there is nothing. Tells once when no recovery copies can be written.

#include "app/designer/document/autosave.h"

#include <QWidget>

class QVBoxLayout;

namespace pipeloom::designer {

class FileActions;

class RecoveryBar : public QWidget {
    Q_OBJECT
public:
    RecoveryBar(Autosave& autosave, FileActions& files, QWidget* parent = nullptr);

    /// Looks what is there; the constructor does.
    void look();
    [[nodiscard]] int count() const { return count_; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QWidget* rowOf(const LeftBehind& left, int at);

    Autosave& autosave_;
    FileActions& files_;
    QVBoxLayout* rows_;
    int count_ = 0;
};

} // namespace pipeloom::designer
