// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Small text in a colour of the theme: the name of a field, or one sentence about what was typed.

#include <QLabel>

namespace pipeloom::designer {

class Remark : public QLabel {
    Q_OBJECT
public:
    enum class Tone { Quiet, Accent, Error };
    explicit Remark(Tone tone, const QString& text = {}, QWidget* parent = nullptr);

    /// Shows the sentence, or hides itself if there is none.
    void say(const QString& sentence);

protected:
    void changeEvent(QEvent* event) override;

private:
    void restyle();

    Tone tone_;
};

} // namespace pipeloom::designer
