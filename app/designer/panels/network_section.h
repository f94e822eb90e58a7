// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// How long transfers take and what they queue for.

#include "app/designer/panels/section.h"

namespace pipeloom::designer {

class EditTableModel;
class EditTableView;

class NetworkSection : public Section {
    Q_OBJECT
public:
    explicit NetworkSection(Document& document, QWidget* parent = nullptr);

protected:
    void take(const Design& design) override;

private:
    ChoiceField* queue_;
    ChoiceField* way_;
    NumberField* window_;
    TextField* latency_;
    TextField* bandwidth_;
    EditTableModel* transfers_;
    EditTableModel* messages_;
    EditTableView* transferTable_;
    EditTableView* messageTable_;
};

} // namespace pipeloom::designer
