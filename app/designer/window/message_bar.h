// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A bar at the top of the window that tells something without standing in the way: what is wrong with a file, that a large
// one is being read. Hidden while there is nothing to tell.

#include "core/finding/finding.h"

#include <QStringList>
#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QScrollArea;

namespace pipeloom::designer {

class MessageBar : public QWidget {
    Q_OBJECT
public:
    enum class Tone { Note, Warning, Error };

    explicit MessageBar(QWidget* parent = nullptr);

    /// Replaces what was told before, with its buttons. Details are listed below, one a line; many are scrolled.
    void tell(Tone tone, const QString& text, const QStringList& details = {});
    /// A button before the cross, until the next `tell`.
    QPushButton* addButton(const QString& text, const QString& objectName);
    void dismiss();

    [[nodiscard]] QString text() const;
    [[nodiscard]] QStringList details() const { return details_; }

Q_SIGNALS:
    void dismissed(); ///< by the cross

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitDetails();
    void colour();

    Tone tone_ = Tone::Note;
    QStringList details_;
    QLabel* text_;
    QLabel* list_;
    QScrollArea* scroll_;
    QHBoxLayout* row_;
    QList<QPushButton*> buttons_;
};

/// The findings as lines to list: the sentence with its remedy, and where in the file, if it says so.
[[nodiscard]] QStringList lines(const Findings& findings);

} // namespace pipeloom::designer
