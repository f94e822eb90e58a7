// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What if a device or a stage were slower, or transfers took longer: sliders that change what is shown, not the design. Apply
// makes one undo step of it.

#include "app/designer/figures/figures.h"
#include "app/designer/panels/section.h"

class QPushButton;
class QSlider;

namespace pipeloom::designer {

class LiveFigures;

class WhatIfSection : public Section {
    Q_OBJECT
public:
    WhatIfSection(Document& document, LiveFigures& live, QWidget* parent = nullptr);

protected:
    void take(const Design& design) override;

private:
    /// A slider with what it is about at the left and its value at the right.
    struct Row {
        ChoiceField* of = nullptr; ///< which device or stage; none for transfers
        QSlider* slider = nullptr;
        QLabel* value = nullptr;
    };
    Row makeRow(const QString& name, const QString& label, int most);
    void fill(ChoiceField& choice, int count, const QString& text);
    void show(const WhatIf& whatIf);
    void slide();
    void apply();

    LiveFigures& live_;
    Row device_;
    Row stage_;
    Row transfer_;
    Remark* sentence_ = nullptr;
    QPushButton* apply_ = nullptr;
    QPushButton* reset_ = nullptr;
};

/// `dev 2 slower by 20 %, transfers take 3 ticks more`; empty if it is nothing.
[[nodiscard]] QString whatIfText(const WhatIf& whatIf);

} // namespace pipeloom::designer
