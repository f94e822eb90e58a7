// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The design's name and notes.

#include "app/designer/panels/section.h"

class QPlainTextEdit;

namespace pipeloom::designer {

class NameSection : public Section {
    Q_OBJECT
public:
    explicit NameSection(Document& document, QWidget* parent = nullptr);

    bool eventFilter(QObject* watched, QEvent* event) override;

protected:
    void take(const Design& design) override;

private:
    TextField* name_;
    QPlainTextEdit* notes_;
    Remark* remark_;
    QString known_; ///< the notes of the design
};

} // namespace pipeloom::designer
