// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Asks how a design shall be run. Says below each field what is wrong with it, and shows the command line that follows.

#include "app/designer/run/run_settings.h"
#include "app/designer/window/file_chooser.h"
#include "core/formats/design.h"

#include <QDialog>
#include <QFormLayout>
#include <QHash>

#include <functional>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QStackedWidget;

namespace pipeloom::designer {

class Remark;
class SegmentedBar;

class RunDialog : public QDialog {
    Q_OBJECT
public:
    /// `toFolder`: asks for a folder; none: the system's dialog.
    RunDialog(const RunSettings& proposed, const Design& design, FileChooser chooser, QWidget* parent = nullptr,
        std::function<QString(QWidget*, const FileQuestion&)> toFolder = {});

    /// As it is filled in.
    [[nodiscard]] RunSettings settings() const;

private:
    void buildFields();
    QWidget* trainingPage();
    QWidget* placePage();
    QWidget* morePage();
    void enterRow(QFormLayout& form, const QString& label, QWidget* field, const char* member = nullptr);
    QComboBox* choice(const char* objectName, const QList<QPair<QString, QString>>& entries);
    QLineEdit* line(const char* objectName, const QString& example = {});
    QWidget* withButton(QLineEdit* field, const QString& text, const char* objectName, bool isFolder);
    void fill(const RunSettings& run);
    void tell();

    RunSettings proposed_;
    int devices_;
    bool hasData_;
    FileChooser chooser_;
    std::function<QString(QWidget*, const FileQuestion&)> toFolder_;

    QSpinBox* steps_;
    QLineEdit* data_;
    QComboBox* rehearsal_;
    QLineEdit* checkpoint_;
    QLineEdit* resume_;
    QCheckBox* verify_;
    QComboBox* where_;
    QSpinBox* replicas_;
    QLabel* ranks_;
    QComboBox* transport_;
    QComboBox* device_;
    QLineEdit* starter_;
    QLineEdit* environment_;
    QLineEdit* eventsFolder_;
    QComboBox* optimizer_;
    QComboBox* onNan_;
    QComboBox* queue_;
    QDoubleSpinBox* timeout_;
    QLineEdit* program_;
    QLineEdit* more_;
    QCheckBox* keepRunning_;

    SegmentedBar* pages_;
    QStackedWidget* stack_;
    QHash<QString, Remark*> remarks_; ///< by the member of RunSettings
    QHash<QString, int> pageOf_;      ///< by the same
    QLineEdit* command_;
    Remark* summary_;
    QPushButton* run_ = nullptr;
    int pageBeingBuilt_ = 0;
};

} // namespace pipeloom::designer
