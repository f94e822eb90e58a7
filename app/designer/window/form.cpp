// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/form.h"

#include "app/designer/style/theme.h"

#include <QApplication>
#include <QEvent>

namespace pipeloom::designer {

namespace {

class QuietLabel : public QLabel {
public:
    explicit QuietLabel(const QString& text)
        : QLabel(text)
    {
        setWordWrap(true);
        setTextInteractionFlags(Qt::TextSelectableByMouse);
        colour();
    }

protected:
    void changeEvent(QEvent* event) override
    {
        if (event->type() == QEvent::PaletteChange || event->type() == QEvent::ApplicationPaletteChange)
            colour();
        QLabel::changeEvent(event);
    }

private:
    void colour()
    {
        // The application's palette: the label's own carries the colour set here.
        const QColor muted = themeOf(QApplication::palette()).muted;
        if (palette().color(QPalette::WindowText) == muted)
            return;
        QPalette own = palette();
        own.setColor(QPalette::WindowText, muted);
        setPalette(own);
    }
};

} // namespace

QSpinBox* numberField(const char* objectName, const QString& name, int value, int least, int most)
{
    auto* field = new QSpinBox;
    field->setObjectName(objectName);
    field->setAccessibleName(name);
    field->setRange(least, most);
    field->setValue(value);
    return field;
}

QLabel* heading(const QString& text, int pixels)
{
    auto* label = new QLabel(text);
    label->setFont(uiFont(pixels * QApplication::font().pixelSize() / 13, QFont::DemiBold));
    label->setWordWrap(true);
    return label;
}

QLabel* quietText(const QString& text) { return new QuietLabel(text); }

void addRow(QFormLayout& form, const QString& label, QWidget* field)
{
    auto* name = new QLabel(label);
    name->setBuddy(field);
    QString bare = label;
    field->setAccessibleName(bare.remove('&'));
    form.addRow(name, field);
}

QFormLayout* newForm()
{
    auto* form = new QFormLayout;
    form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    form->setFormAlignment(Qt::AlignLeft | Qt::AlignTop);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    form->setHorizontalSpacing(16);
    form->setVerticalSpacing(8);
    return form;
}

DialogButtons dialogButtons(QDialog& dialog, const QString& acceptText, const char* objectName)
{
    auto* row = new QHBoxLayout;
    auto* cancel = new QPushButton(QDialog::tr("Cancel"), &dialog);
    cancel->setObjectName("cancel");
    cancel->setAccessibleName(cancel->text());
    cancel->setAutoDefault(false);
    auto* accept = new QPushButton(acceptText, &dialog);
    accept->setObjectName(objectName);
    accept->setAccessibleName(QString(acceptText).remove('&'));
    accept->setDefault(true);
    row->setSpacing(8);
    row->addStretch(1);
    row->addWidget(cancel);
    row->addWidget(accept);
    QObject::connect(cancel, &QPushButton::clicked, &dialog, &QDialog::reject);
    QObject::connect(accept, &QPushButton::clicked, &dialog, &QDialog::accept);
    return { row, accept };
}

int scaled(const QWidget& widget, int pixels)
{
    const int size = widget.font().pixelSize();
    return size > 0 ? pixels * size / 13 : pixels;
}

} // namespace pipeloom::designer
