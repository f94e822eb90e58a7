// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Pieces that the dialogs share: rows of a form with names for screen readers, headings, quiet text, the buttons below.

#include <QDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QString>

namespace pipeloom::designer {

/// A number field with name and range.
[[nodiscard]] QSpinBox* numberField(const char* objectName, const QString& name, int value, int least, int most);
/// A heading in half-bold, `pixels` at a text size of 100 %.
[[nodiscard]] QLabel* heading(const QString& text, int pixels = 15);
/// Text in the secondary colour, which wraps and can be selected. Follows the theme.
[[nodiscard]] QLabel* quietText(const QString& text = {});
/// A row whose label is the field's buddy and accessible name.
void addRow(QFormLayout& form, const QString& label, QWidget* field);
/// A form as all dialogs have it: labels left, fields as wide as they can be.
[[nodiscard]] QFormLayout* newForm();
/// Cancel, and at the right the button that does it, which Enter presses. Connected to the dialog's accept and reject; put
/// into its layout by the caller, who then owns nothing.
struct DialogButtons {
    QHBoxLayout* row;
    QPushButton* accept;
};
[[nodiscard]] DialogButtons dialogButtons(QDialog& dialog, const QString& acceptText, const char* objectName);
/// Scales a size that was designed at 13 px text.
[[nodiscard]] int scaled(const QWidget& widget, int pixels);

} // namespace pipeloom::designer
