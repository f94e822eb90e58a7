// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/panels/reorder_section.h"

#include "app/designer/edit/costs_edits.h"
#include "app/designer/panels/fields.h"

namespace pipeloom::designer {

ReorderSection::ReorderSection(Document& document, QWidget* parent)
    : Section(document, tr("Reorder"), "reorderSection", parent)
    , rule_(new ChoiceField("reorderRule"))
    , aim_(new ChoiceField("reorderAim"))
    , locked_(
          new Remark(Remark::Tone::Quiet, tr("The order is edited by hand: it is the order, nothing is reordered.")))
{
    locked_->setWordWrap(true);
    addWide(locked_);
    rule_->addItems({ tr("None: squeeze only"), tr("All passes may move"), tr("Only W may move") });
    bind(rule_, addRow(tr("Rule"), rule_), [this](int index) {
        if (index == 0)
            return setReorder(committed(), std::nullopt);
        Reorder reorder = committed().reorder.value_or(Reorder {});
        reorder.rule = index == 1 ? ReorderRule::All : ReorderRule::Weights;
        return setReorder(committed(), reorder);
    });
    aim_->addItems({ tr("Step time, then own span"), tr("Own span, then step time") });
    bind(aim_, addRow(tr("Aim"), aim_), [this](int index) {
        Reorder reorder = committed().reorder.value_or(Reorder {});
        reorder.aim = index == 0 ? ReorderAim::Makespan : ReorderAim::OwnSpan;
        return setReorder(committed(), reorder);
    });
}

void ReorderSection::take(const Design& design)
{
    const bool locked = design.schedule() != nullptr;
    locked_->setVisible(locked);
    rule_->setEnabled(!locked);
    aim_->setEnabled(!locked && design.reorder.has_value());
    rule_->setKnown(!design.reorder ? 0 : design.reorder->rule == ReorderRule::All ? 1 : 2);
    aim_->setKnown(design.reorder && design.reorder->aim == ReorderAim::OwnSpan ? 1 : 0);
}

} // namespace pipeloom::designer
