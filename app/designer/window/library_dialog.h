// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Choosing a published schedule: what it is good for, and what it comes to for the devices and costs at hand, before it is
// taken.

#include "app/designer/document/document.h"
#include "app/designer/figures/live_figures.h"
#include "core/library/library.h"

#include <QDialog>

class QLabel;
class QListWidget;
class QPushButton;
class QSpinBox;

namespace pipeloom::designer {

class FigureView;

class LibraryDialog : public QDialog {
    Q_OBJECT
public:
    explicit LibraryDialog(QWidget* parent = nullptr);
    ~LibraryDialog() override;

    /// Selects the schedule of that name, `v-half`.
    void choose(std::string_view name);
    [[nodiscard]] const LibraryEntry& entry() const;
    /// The schedule as asked for; none if it cannot be made so.
    [[nodiscard]] const std::optional<Design>& design() const { return made_; }

private:
    QWidget* makeList();
    QWidget* makeDescription();
    QWidget* makeNumbers();
    [[nodiscard]] LibraryRequest request() const;
    void entryChanged();
    void make();
    void showFigures();

    QListWidget* list_;
    QLabel* title_;
    QLabel* goodFor_;
    QLabel* bubble_;
    QLabel* peak_;
    QLabel* paper_;
    QSpinBox* devices_;
    QSpinBox* microBatches_;
    QSpinBox* chunks_;
    QSpinBox* forward_;
    QSpinBox* backward_;
    QSpinBox* weights_;
    QSpinBox* transfer_;
    QLabel* figuresText_;
    QLabel* problem_;
    FigureView* picture_;
    QPushButton* create_;
    std::optional<Design> made_;
    Document preview_;
    LiveFigures figures_;
};

} // namespace pipeloom::designer
