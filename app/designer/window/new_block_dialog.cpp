// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/new_block_dialog.h"

#include "app/designer/window/form.h"
#include "app/designer/window/message_bar.h"
#include "app/designer/window/placement_sketch.h"

#include <QComboBox>
#include <QPushButton>
#include <QVBoxLayout>

namespace pipeloom::designer {

NewBlockDialog::NewBlockDialog(QWidget* parent)
    : QDialog(parent)
    , devices_(numberField("newDevices", tr("Devices"), 4, 1, 1024))
    , placement_(new QComboBox)
    , perDevice_(numberField("newStagesPerDevice", tr("Stages per device"), 2, 1, 64))
    , microBatches_(numberField("newMicroBatches", tr("Micro-batches"), 8, 1, 1'000'000))
    , sketch_(new PlacementSketch)
    , summary_(quietText())
    , warning_(quietText())
{
    setObjectName("newBlockDialog");
    setWindowTitle(tr("New Block"));
    placement_->setObjectName("newPlacement");
    placement_->addItem(tr("Linear: stage s on device s"), static_cast<int>(PlacementKind::Linear));
    placement_->addItem(tr("Interleaved: round and round"), static_cast<int>(PlacementKind::Interleaved));
    placement_->addItem(tr("V: there and back"), static_cast<int>(PlacementKind::V));
    placement_->setCurrentIndex(2);

    QFormLayout* form = newForm();
    addRow(*form, tr("&Devices"), devices_);
    addRow(*form, tr("&Placement"), placement_);
    addRow(*form, tr("&Stages per device"), perDevice_);
    addRow(*form, tr("&Micro-batches"), microBatches_);

    const DialogButtons buttons = dialogButtons(*this, tr("&Create"), "newCreate");
    create_ = buttons.accept;

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 18, 20, 16);
    column->setSpacing(12);
    column->addWidget(heading(tr("An empty block to draw in")));
    column->addLayout(form);
    column->addWidget(sketch_, 1);
    column->addWidget(summary_);
    column->addWidget(warning_);
    column->addLayout(buttons.row);
    resize(scaled(*this, 460), scaled(*this, 480));

    for (QSpinBox* field : { devices_, perDevice_, microBatches_ })
        connect(field, &QSpinBox::valueChanged, this, &NewBlockDialog::tell);
    connect(placement_, &QComboBox::currentIndexChanged, this, [this] {
        const auto kind = static_cast<PlacementKind>(placement_->currentData().toInt());
        perDevice_->setEnabled(kind != PlacementKind::Linear);
        perDevice_->setValue(kind == PlacementKind::Linear ? 1 : std::max(perDevice_->value(), 2));
        tell();
    });
    tell();
}

Pipeline NewBlockDialog::asked() const
{
    return pipeline(static_cast<PlacementKind>(placement_->currentData().toInt()), devices_->value(),
        devices_->value() * perDevice_->value(), microBatches_->value());
}

Design NewBlockDialog::design() const
{
    Design made = emptyDesign(asked());
    auto& block = std::get<BuildingBlock>(made.plan);
    constexpr Ticks unitLoad = 3; // F, B and W of one tick each
    block.interval = unitLoad * perDevice_->value();
    return made;
}

void NewBlockDialog::tell()
{
    const Pipeline made = asked();
    const Findings findings = check(made);
    sketch_->show(made);
    summary_->setText(
        tr("%1 stages, %2 passes to place: F, B and W of each. The block repeats every %3 ticks, one time for "
           "each of %4 micro-batches; all this can be changed later.")
            .arg(made.stages)
            .arg(3 * made.stages)
            .arg(3 * perDevice_->value())
            .arg(made.microBatches));
    const QStringList said = lines(findings);
    warning_->setText(said.join('\n'));
    warning_->setVisible(!said.isEmpty());
    create_->setEnabled(!hasErrors(findings));
}

} // namespace pipeloom::designer
