// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What passes cost, stage by stage: ticks by kind and changes of memory, as one table that takes a paste from a spreadsheet.

#include "app/designer/panels/section.h"

namespace pipeloom::designer {

class EditTableModel;
class EditTableView;

class CostsSection : public Section {
    Q_OBJECT
public:
    explicit CostsSection(Document& document, QWidget* parent = nullptr);

protected:
    void take(const Design& design) override;

private:
    bool paste(const QString& text, int row, int column);

    EditTableModel* model_;
    EditTableView* table_;
    ChoiceField* unit_;
    TextField* pair_;
    Remark* remark_ = nullptr;
};

} // namespace pipeloom::designer
