// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What a figure is to look like on paper, with the figure before one's eyes. Writes it on a worker thread.

#include "app/designer/export/figure_export.h"
#include "app/designer/figures/live_figures.h"
#include "app/designer/window/file_chooser.h"

#include <QDialog>
#include <QThreadPool>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace pipeloom::designer {

class FigureView;

/// What the dialog remembers from one export to the next.
struct ExportChoice {
    FigureOptions figure;
    FigureFormat format = FigureFormat::Pdf;
    int dotsPerInch = 192;
};

class ExportDialog : public QDialog {
    Q_OBJECT
public:
    /// `proposed`: the path without suffix that is proposed.
    ExportDialog(const LiveFigures& figures, FileChooser chooser, QString proposed, const ExportChoice& before,
        QWidget* parent = nullptr);
    ~ExportDialog() override;

    [[nodiscard]] ExportChoice choice() const;
    /// The file that was written; empty: none.
    [[nodiscard]] const QString& written() const { return written_; }

private:
    void addFields(QFormLayout& form, const ExportChoice& before);
    QCheckBox* addToggle(QFormLayout& form, const char* objectName, const QString& text, bool on);
    QWidget* makePreview();
    void showPreview();
    void write();
    void finished(const QString& path, const Findings& findings);

    const LiveFigures& figures_;
    FileChooser chooser_;
    QString proposed_;
    QString written_;
    QThreadPool pool_; ///< one thread
    std::atomic_bool cancelled_ = false;
    QComboBox* what_;
    QComboBox* format_;
    QComboBox* paper_;
    QDoubleSpinBox* widthMm_;
    QDoubleSpinBox* textPoints_;
    QSpinBox* dotsPerInch_;
    QLineEdit* title_;
    QCheckBox* labels_;
    QCheckBox* memory_;
    QCheckBox* legend_;
    QCheckBox* caption_;
    QCheckBox* greyscale_;
    QCheckBox* previewGrey_;
    FigureView* preview_;
    QLabel* facts_;
    QLabel* problem_;
    QPushButton* export_;
};

} // namespace pipeloom::designer
