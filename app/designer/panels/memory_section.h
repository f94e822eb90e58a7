// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What each device holds beside activations and what it may hold at most; what passes need only while they run.

#include "app/designer/panels/section.h"

namespace pipeloom::designer {

class EditTableModel;

class MemorySection : public Section {
    Q_OBJECT
public:
    explicit MemorySection(Document& document, QWidget* parent = nullptr);

protected:
    void take(const Design& design) override;

private:
    EditTableModel* devices_;
    EditTableModel* transients_;
};

} // namespace pipeloom::designer
