// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Which passes may start before their turn, and what that aims at.

#include "app/designer/panels/section.h"

namespace pipeloom::designer {

class ReorderSection : public Section {
    Q_OBJECT
public:
    explicit ReorderSection(Document& document, QWidget* parent = nullptr);

protected:
    void take(const Design& design) override;

private:
    ChoiceField* rule_;
    ChoiceField* aim_;
    Remark* locked_;
};

} // namespace pipeloom::designer
