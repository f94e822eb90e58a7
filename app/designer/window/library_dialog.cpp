// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/library_dialog.h"

#include "app/designer/export/figure_view.h"
#include "app/designer/export/quantities.h"
#include "app/designer/window/form.h"
#include "app/designer/window/message_bar.h"

#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

namespace pipeloom::designer {

LibraryDialog::LibraryDialog(QWidget* parent)
    : QDialog(parent)
    , figures_(preview_)
{
    setObjectName("libraryDialog");
    setWindowTitle(tr("New from Library"));

    auto* right = new QVBoxLayout;
    right->setSpacing(12);
    right->addWidget(makeDescription());
    right->addWidget(makeNumbers());
    problem_ = new QLabel;
    problem_->setObjectName("libraryProblem");
    problem_->setWordWrap(true);
    QPalette red = problem_->palette();
    red.setColor(QPalette::WindowText, themeOf(this).error);
    problem_->setPalette(red);
    figuresText_ = quietText();
    figuresText_->setObjectName("libraryFigures");
    picture_ = new FigureView;
    picture_->setObjectName("libraryPicture");
    picture_->setMinimumHeight(220);
    right->addWidget(problem_);
    right->addWidget(figuresText_);
    right->addWidget(picture_, 1);

    const DialogButtons buttons = dialogButtons(*this, tr("&Create"), "libraryCreate");
    create_ = buttons.accept;

    auto* columns = new QHBoxLayout;
    columns->setSpacing(20);
    columns->addWidget(makeList());
    columns->addLayout(right, 1);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(20, 18, 20, 16);
    whole->setSpacing(14);
    whole->addLayout(columns, 1);
    whole->addLayout(buttons.row);
    resize(scaled(*this, 980), scaled(*this, 720));

    connect(list_, &QListWidget::currentRowChanged, this, &LibraryDialog::entryChanged);
    connect(list_, &QListWidget::itemActivated, create_, [this] {
        if (create_->isEnabled())
            accept();
    });
    for (QSpinBox* field : { devices_, microBatches_, chunks_, forward_, backward_, weights_, transfer_ })
        connect(field, &QSpinBox::valueChanged, this, &LibraryDialog::make);
    connect(&figures_, &LiveFigures::changed, this, &LibraryDialog::showFigures);
    list_->setCurrentRow(0);
}

LibraryDialog::~LibraryDialog() = default;

QWidget* LibraryDialog::makeList()
{
    list_ = new QListWidget;
    list_->setObjectName("libraryList");
    list_->setAccessibleName(tr("Schedules"));
    list_->setFixedWidth(scaled(*this, 190));
    list_->setSpacing(2);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    for (const LibraryEntry& each : library()) {
        auto* item
            = new QListWidgetItem(QString::fromUtf8(each.title.data(), static_cast<int>(each.title.size())), list_);
        item->setSizeHint({ 10, scaled(*this, 30) });
    }
    return list_;
}

QWidget* LibraryDialog::makeDescription()
{
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(6);
    title_ = heading({}, 18);
    goodFor_ = new QLabel;
    goodFor_->setWordWrap(true);
    column->addWidget(title_);
    column->addWidget(goodFor_);
    QFormLayout* form = newForm();
    form->setVerticalSpacing(4);
    bubble_ = quietText();
    peak_ = quietText();
    paper_ = quietText();
    addRow(*form, tr("Idle time"), bubble_);
    addRow(*form, tr("Peak memory"), peak_);
    addRow(*form, tr("From"), paper_);
    column->addLayout(form);
    return box;
}

QWidget* LibraryDialog::makeNumbers()
{
    auto* box = new QWidget;
    auto* grid = new QGridLayout(box);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(4);
    int at = 0;
    const auto enter
        = [&](QSpinBox*& field, const char* objectName, const QString& label, int value, int least, int most) {
              QString bare = label;
              field = numberField(objectName, bare.remove('&'), value, least, most);
              auto* name = new QLabel(label);
              name->setBuddy(field);
              grid->addWidget(name, 0, at);
              grid->addWidget(field, 1, at++);
          };
    enter(devices_, "libraryDevices", tr("&Devices"), 4, 1, 1024);
    enter(microBatches_, "libraryMicroBatches", tr("&Micro-batches"), 8, 1, 100'000);
    enter(chunks_, "libraryChunks", tr("C&hunks"), 0, 0, 64);
    enter(forward_, "libraryF", tr("&F ticks"), 1, 1, 1'000'000);
    enter(backward_, "libraryB", tr("&B ticks"), 1, 1, 1'000'000);
    enter(weights_, "libraryW", tr("&W ticks"), 1, 1, 1'000'000);
    enter(transfer_, "libraryTransfer", tr("&Transfer"), 0, 0, 1'000'000);
    chunks_->setSpecialValueText(tr("default"));
    chunks_->setToolTip(tr("Stages per device"));
    transfer_->setToolTip(tr("Ticks over every boundary between stages"));
    return box;
}

void LibraryDialog::choose(std::string_view name)
{
    for (std::size_t i = 0; i < library().size(); ++i)
        if (library()[i].name == name)
            list_->setCurrentRow(static_cast<int>(i));
}

const LibraryEntry& LibraryDialog::entry() const
{
    return library()[static_cast<std::size_t>(std::max(list_->currentRow(), 0))];
}

LibraryRequest LibraryDialog::request() const
{
    LibraryRequest asked;
    asked.devices = devices_->value();
    asked.microBatches = microBatches_->value();
    asked.chunks = chunks_->value();
    asked.f = forward_->value();
    asked.b = backward_->value();
    asked.w = weights_->value();
    asked.transfer = transfer_->value();
    return asked;
}

void LibraryDialog::entryChanged()
{
    const auto string
        = [](std::string_view text) { return QString::fromUtf8(text.data(), static_cast<int>(text.size())); };
    const LibraryEntry& chosen = entry();
    title_->setText(string(chosen.title));
    goodFor_->setText(string(chosen.goodFor));
    bubble_->setText(string(chosen.bubble));
    peak_->setText(string(chosen.peak));
    paper_->setText(string(chosen.paper));
    make();
}

void LibraryDialog::make()
{
    LibraryDesign made = entry().make(request());
    made_ = std::move(made.design);
    create_->setEnabled(made_.has_value());
    problem_->setText(lines(made.findings).join('\n'));
    problem_->setVisible(!made.findings.empty());
    if (made_) {
        preview_.reset(*made_, {});
    } else {
        figuresText_->clear();
        picture_->clear();
    }
}

void LibraryDialog::showFigures()
{
    if (!made_)
        return;
    const Figures& figures = *figures_.figures();
    picture_->show(figures_.figures());
    figuresText_->setText(figures.standing == Standing::None ? QString() : figuresLine(figures));
}

} // namespace pipeloom::designer
