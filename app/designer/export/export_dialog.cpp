// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/export/export_dialog.h"

#include "app/designer/export/figure_view.h"
#include "app/designer/window/form.h"
#include "app/designer/window/message_bar.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileInfo>
#include <QLineEdit>
#include <QLocale>
#include <QVBoxLayout>

#include <utility>

namespace pipeloom::designer {

namespace {

constexpr double pixelsPerPoint = 96.0 / 72;

/// Widths that figures have: a column and two of a journal, a slide.
constexpr double paperWidthsMm[] = { 84, 174, 254 };

QDoubleSpinBox* decimalField(const char* objectName, double value, double least, double most, const QString& unit)
{
    auto* field = new QDoubleSpinBox;
    field->setObjectName(objectName);
    field->setDecimals(1);
    field->setRange(least, most);
    field->setSuffix(unit);
    field->setValue(value);
    return field;
}

} // namespace

ExportDialog::ExportDialog(
    const LiveFigures& figures, FileChooser chooser, QString proposed, const ExportChoice& before, QWidget* parent)
    : QDialog(parent)
    , figures_(figures)
    , chooser_(std::move(chooser))
    , proposed_(std::move(proposed))
{
    setObjectName("exportDialog");
    setWindowTitle(tr("Export Figure"));
    pool_.setMaxThreadCount(1);
    QFormLayout* form = newForm();
    addFields(*form, before);
    auto* left = new QWidget;
    left->setLayout(form);
    form->setContentsMargins(0, 0, 0, 0);
    left->setFixedWidth(scaled(*this, 290));

    const DialogButtons buttons = dialogButtons(*this, tr("&Export…"), "exportWrite");
    export_ = buttons.accept;
    disconnect(export_, &QPushButton::clicked, this, &QDialog::accept);
    connect(export_, &QPushButton::clicked, this, &ExportDialog::write);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(22);
    columns->addWidget(left, 0, Qt::AlignTop);
    columns->addWidget(makePreview(), 1);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(20, 18, 20, 16);
    whole->setSpacing(14);
    whole->addLayout(columns, 1);
    whole->addLayout(buttons.row);
    resize(scaled(*this, 1040), scaled(*this, 680));

    connect(&figures_, &LiveFigures::changed, this, &ExportDialog::showPreview);
    connect(paper_, &QComboBox::currentIndexChanged, this, [this](int at) {
        if (at < static_cast<int>(std::size(paperWidthsMm)))
            widthMm_->setValue(paperWidthsMm[at]);
    });
    connect(widthMm_, &QDoubleSpinBox::valueChanged, this, [this](double mm) {
        const auto* known = std::find(std::begin(paperWidthsMm), std::end(paperWidthsMm), mm);
        paper_->setCurrentIndex(static_cast<int>(known - std::begin(paperWidthsMm)));
        showPreview();
    });
    for (QComboBox* box : { what_, format_ })
        connect(box, &QComboBox::currentIndexChanged, this, &ExportDialog::showPreview);
    connect(textPoints_, &QDoubleSpinBox::valueChanged, this, &ExportDialog::showPreview);
    connect(dotsPerInch_, &QSpinBox::valueChanged, this, &ExportDialog::showPreview);
    connect(title_, &QLineEdit::textChanged, this, &ExportDialog::showPreview);
    for (QCheckBox* box : { labels_, memory_, legend_, caption_, greyscale_, previewGrey_ })
        connect(box, &QCheckBox::toggled, this, &ExportDialog::showPreview);
    showPreview();
}

ExportDialog::~ExportDialog()
{
    cancelled_ = true;
    pool_.waitForDone();
}

QCheckBox* ExportDialog::addToggle(QFormLayout& form, const char* objectName, const QString& text, bool on)
{
    auto* box = new QCheckBox(text);
    box->setObjectName(objectName);
    box->setAccessibleName(QString(text).remove('&'));
    box->setChecked(on);
    form.addRow(QString(), box);
    return box;
}

void ExportDialog::addFields(QFormLayout& form, const ExportChoice& before)
{
    what_ = new QComboBox;
    what_->setObjectName("exportWhat");
    what_->addItems({ tr("Building block"), tr("Schedule"), tr("Block and schedule") });
    what_->setCurrentIndex(static_cast<int>(before.figure.what));
    format_ = new QComboBox;
    format_->setObjectName("exportFormat");
    format_->addItems({ "PDF", "SVG", "PNG" });
    format_->setCurrentIndex(static_cast<int>(before.format));
    const double mm = std::round(before.figure.width / pixelsOfMm(1) * 10) / 10;
    paper_ = new QComboBox;
    paper_->setObjectName("exportPaper");
    paper_->addItems({ tr("One column"), tr("Two columns"), tr("Slide"), tr("Other") });
    const auto* known = std::find(std::begin(paperWidthsMm), std::end(paperWidthsMm), mm);
    paper_->setCurrentIndex(static_cast<int>(known - std::begin(paperWidthsMm)));
    widthMm_ = decimalField("exportWidth", mm, 40, 1000, tr(" mm"));
    textPoints_ = decimalField("exportText", before.figure.textPixels / pixelsPerPoint, 4, 24, tr(" pt"));
    dotsPerInch_ = numberField("exportDpi", tr("Resolution"), before.dotsPerInch, 72, 1200);
    dotsPerInch_->setSuffix(tr(" dpi"));
    title_ = new QLineEdit(before.figure.title);
    title_->setObjectName("exportTitle");
    title_->setTextMargins(4, 1, 4, 1);
    title_->setPlaceholderText(tr("none"));
    addRow(form, tr("&Figure"), what_);
    addRow(form, tr("For&mat"), format_);
    addRow(form, tr("&Paper"), paper_);
    addRow(form, tr("&Width"), widthMm_);
    addRow(form, tr("Te&xt"), textPoints_);
    addRow(form, tr("&Resolution"), dotsPerInch_);
    addRow(form, tr("&Title"), title_);
    labels_ = addToggle(form, "exportLabels", tr("&Labels on passes"), before.figure.labels);
    memory_ = addToggle(form, "exportMemory", tr("&Memory and lifespans"), before.figure.memory);
    legend_ = addToggle(form, "exportLegend", tr("Le&gend"), before.figure.legend);
    caption_ = addToggle(form, "exportCaption", tr("&Caption with the figures"), before.figure.caption);
    greyscale_ = addToggle(form, "exportGreyscale", tr("&Shades of grey"), before.figure.greyscale);
}

QWidget* ExportDialog::makePreview()
{
    preview_ = new FigureView;
    preview_->setObjectName("exportPreview");
    previewGrey_ = new QCheckBox(tr("Check how a printer &without colour shows it"));
    previewGrey_->setObjectName("exportPreviewGrey");
    previewGrey_->setAccessibleName(tr("Check how a printer without colour shows it"));
    facts_ = quietText();
    facts_->setObjectName("exportFacts");
    problem_ = new QLabel;
    problem_->setObjectName("exportProblem");
    problem_->setWordWrap(true);
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(preview_, 1);
    column->addWidget(previewGrey_);
    column->addWidget(facts_);
    column->addWidget(problem_);
    return box;
}

ExportChoice ExportDialog::choice() const
{
    ExportChoice chosen;
    chosen.figure.what = static_cast<FigureOptions::What>(what_->currentIndex());
    chosen.figure.width = pixelsOfMm(widthMm_->value());
    chosen.figure.textPixels = textPoints_->value() * pixelsPerPoint;
    chosen.figure.title = title_->text();
    chosen.figure.greyscale = greyscale_->isChecked();
    chosen.figure.labels = labels_->isChecked();
    chosen.figure.memory = memory_->isChecked();
    chosen.figure.legend = legend_->isChecked();
    chosen.figure.caption = caption_->isChecked();
    chosen.format = static_cast<FigureFormat>(format_->currentIndex());
    chosen.dotsPerInch = dotsPerInch_->value();
    return chosen;
}

void ExportDialog::showPreview()
{
    const FiguresPtr figures = figures_.figures();
    const ExportChoice chosen = choice();
    FigureOptions shown = chosen.figure;
    shown.greyscale = shown.greyscale || previewGrey_->isChecked();
    preview_->show(figures, shown);
    dotsPerInch_->setEnabled(chosen.format == FigureFormat::Png);

    QString why = exportProblem(*figures);
    const bool isThere = figures->design && hasFigure(*figures, chosen.figure.what);
    if (why.isEmpty() && !isThere)
        why = tr("An explicit schedule has no block to show.");
    const std::int64_t passes = passCount(*figures, chosen.figure.what);
    QString facts;
    if (isThere) {
        const QSizeF size = figureSize(*figures, chosen.figure);
        facts = tr("%1 × %2 mm · %3 passes")
                    .arg(widthMm_->value(), 0, 'f', 0)
                    .arg(size.height() / pixelsOfMm(1), 0, 'f', 0)
                    .arg(QLocale().toString(static_cast<qlonglong>(passes)));
        if (passes > manyPasses && chosen.format != FigureFormat::Png)
            facts += ' '
                + tr("– every one of them is drawn, so the file will be large and slow to open. PNG stays small.");
    }
    facts_->setText(facts);
    QPalette palette = problem_->palette();
    palette.setColor(QPalette::WindowText, themeOf(this).error);
    problem_->setPalette(palette);
    problem_->setText(why.isEmpty() ? QString() : tr("Cannot be exported: %1").arg(why));
    problem_->setVisible(!why.isEmpty());
    const bool isIdle = pool_.activeThreadCount() == 0;
    export_->setEnabled(why.isEmpty() && isIdle);
}

void ExportDialog::write()
{
    const ExportChoice chosen = choice();
    const QString suffix = suffixOf(chosen.format);
    const QString filter = QString("%1 (*%2)").arg(suffix.mid(1).toUpper(), suffix);
    const QString path = chooser_.toSave(this, { tr("Export the Figure As"), proposed_ + suffix, filter, suffix });
    if (path.isEmpty())
        return;
    export_->setEnabled(false);
    facts_->setText(tr("Writing %1…").arg(QFileInfo(path).fileName()));
    pool_.start([this, chosen, path, figures = figures_.figures()] {
        FigureOptions options = chosen.figure;
        options.cancelled = &cancelled_;
        Findings findings = exportFigure(*figures, options, path, chosen.format, chosen.dotsPerInch / 96.0);
        QMetaObject::invokeMethod(this, [this, path, told = std::move(findings)] { finished(path, told); });
    });
}

void ExportDialog::finished(const QString& path, const Findings& findings)
{
    pool_.waitForDone(); // it has nothing left to do
    showPreview();
    if (findings.empty()) {
        written_ = path;
        accept();
        return;
    }
    problem_->setText(lines(findings).join('\n'));
    problem_->setVisible(true);
}

} // namespace pipeloom::designer
