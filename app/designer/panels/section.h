// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A part of the inspector: a heading that folds it away, and rows of fields. Fields make undo steps through the document;
// what is refused is told below the row.

#include "app/designer/document/document.h"
#include "app/designer/panels/remark.h"

#include <QWidget>

#include <functional>

class QGridLayout;
class QHBoxLayout;
class QToolButton;

namespace pipeloom::designer {

class ChoiceField;
class NumberField;
class TextField;

class Section : public QWidget {
    Q_OBJECT
public:
    Section(Document& document, const QString& title, const QString& name, QWidget* parent = nullptr);

    [[nodiscard]] const QString& title() const { return title_; }
    [[nodiscard]] bool isOpen() const { return open_; }
    void setOpen(bool open);
    /// The first field gets the focus.
    void focusFirst();
    /// Takes over the design that is shown, if the section is open; else when it is opened.
    void follow();

protected:
    /// Shows the design in the fields. Called at every move of a drag: only what differs may be touched.
    virtual void take(const Design& design) = 0;

    void setTitle(const QString& title);
    void addBesideHeading(QWidget* widget);
    /// A row with a label at the left, which is the field's accessible name. Gives the place for a sentence below it.
    Remark* addRow(const QString& label, QWidget* field);
    /// A row of full width.
    Remark* addWide(QWidget* widget);
    /// Shows or hides the row of a field with its label.
    void showRow(QWidget* field, bool shown);
    /// Makes the step, or tells below the row why not. With a key it merges with the one before. True if it was made.
    bool step(Edited edited, Remark* remark, const QString& mergeKey = {});
    /// Connects a number field: `edit(value)` gives the edit, a held arrow is one step.
    void bind(NumberField* field, Remark* remark, const std::function<Edited(int)>& edit);
    /// Connects a text field: `edit(text)` gives the edit, refused with a sentence if the text means nothing.
    void bind(TextField* field, Remark* remark, const std::function<Edited(const QString&)>& edit);
    void bind(ChoiceField* field, Remark* remark, const std::function<Edited(int)>& edit);

    [[nodiscard]] const Design& committed() const { return *document_.committed(); }
    [[nodiscard]] Document& document() { return document_; }
    void changeEvent(QEvent* event) override;

private:
    Remark* addRemark();
    void restyle();

    Document& document_;
    QString title_;
    QToolButton* heading_;
    QWidget* body_;
    QHBoxLayout* top_;
    QGridLayout* grid_;
    int rows_ = 0;
    bool open_ = false;
};

} // namespace pipeloom::designer
