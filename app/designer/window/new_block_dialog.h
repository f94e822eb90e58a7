// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Asks for what an empty block needs: devices, where stages live, micro-batches.

#include "core/formats/design.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace pipeloom::designer {

class PlacementSketch;

class NewBlockDialog : public QDialog {
    Q_OBJECT
public:
    explicit NewBlockDialog(QWidget* parent = nullptr);

    /// An empty block on the pipeline asked for; its interval is the load of the busiest device.
    [[nodiscard]] Design design() const;

private:
    void tell();
    [[nodiscard]] Pipeline asked() const;

    QSpinBox* devices_;
    QComboBox* placement_;
    QSpinBox* perDevice_;
    QSpinBox* microBatches_;
    PlacementSketch* sketch_;
    QLabel* summary_;
    QLabel* warning_;
    QPushButton* create_;
};

} // namespace pipeloom::designer
