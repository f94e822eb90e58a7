// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/run_dialog.h"

#include "app/designer/panels/remark.h"
#include "app/designer/style/segmented_bar.h"
#include "app/designer/style/theme.h"
#include "app/designer/window/form.h"

#include <QAbstractButton>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QLineEdit>
#include <QSpinBox>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace pipeloom::designer {

namespace {

/// Words with blanks between them, as a shell reads them back.
QString joined(const QStringList& words)
{
    QStringList quoted;
    for (const QString& word : words)
        quoted.append(shellQuoted(word));
    return quoted.join(' ');
}

QStringList words(const QLineEdit& field)
{
    bool ok = false;
    return shellWords(field.text(), ok);
}

void choose(QComboBox& box, const QString& value) { box.setCurrentIndex(std::max(0, box.findData(value))); }

/// Rows from the top; what is left below stays empty.
QWidget* asPage(QFormLayout* form)
{
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(form);
    column->addStretch(1);
    return page;
}

const char* pageNames[] = { QT_TRANSLATE_NOOP("RunDialog", "Training"), QT_TRANSLATE_NOOP("RunDialog", "Where"),
    QT_TRANSLATE_NOOP("RunDialog", "More") };

} // namespace

RunDialog::RunDialog(const RunSettings& proposed, const Design& design, FileChooser chooser, QWidget* parent,
    std::function<QString(QWidget*, const FileQuestion&)> toFolder)
    : QDialog(parent)
    , proposed_(proposed)
    , devices_(design.pipeline.devices)
    , hasData_(design.training && !design.training->data.empty())
    , chooser_(std::move(chooser))
    , toFolder_(std::move(toFolder))
{
    setObjectName("runDialog");
    setWindowTitle(tr("Run"));
    if (!toFolder_)
        toFolder_ = [](QWidget* window, const FileQuestion& question) {
            return QFileDialog::getExistingDirectory(window, question.title, question.start);
        };
    buildFields();

    QStringList names;
    for (const char* name : pageNames)
        names.append(tr(name));
    pages_ = new SegmentedBar(names);
    pages_->setObjectName("runPages");
    pages_->setAccessibleName(tr("Part"));
    for (int i = 0; i < static_cast<int>(names.size()); ++i)
        pages_->button(i)->setObjectName(QStringLiteral("runPage%1").arg(i));
    stack_ = new QStackedWidget;
    stack_->addWidget(trainingPage());
    ++pageBeingBuilt_;
    stack_->addWidget(placePage());
    ++pageBeingBuilt_;
    stack_->addWidget(morePage());
    connect(pages_, &SegmentedBar::chosen, stack_, &QStackedWidget::setCurrentIndex);

    command_ = new QLineEdit;
    command_->setObjectName("runCommandLine");
    command_->setAccessibleName(tr("Command line"));
    command_->setReadOnly(true);
    command_->setFont(monoFont(12 * QApplication::font().pixelSize() / 13));
    auto* copy = new QPushButton(tr("Co&py"));
    copy->setObjectName("runCopy");
    copy->setAccessibleName(tr("Copy the command line"));
    copy->setAutoDefault(false);
    connect(copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(command_->text()); });
    auto* commandRow = new QHBoxLayout;
    commandRow->setSpacing(8);
    commandRow->addWidget(command_, 1);
    commandRow->addWidget(copy);

    summary_ = new Remark(Remark::Tone::Error);
    summary_->setObjectName("runSummary");
    summary_->setWordWrap(true);
    const DialogButtons buttons = dialogButtons(*this, tr("&Run"), "runStart");
    run_ = buttons.accept;

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(20, 18, 20, 16);
    column->setSpacing(12);
    column->addWidget(heading(tr("Train with this design")));
    column->addWidget(pages_, 0, Qt::AlignLeft);
    column->addWidget(stack_, 1);
    column->addWidget(keepRunning_);
    column->addLayout(commandRow);
    column->addWidget(summary_);
    column->addLayout(buttons.row);
    fill(proposed_);
    tell();
    pages_->setCurrent(0);
    resize(scaled(*this, 580), sizeHint().height());
}

QComboBox* RunDialog::choice(const char* objectName, const QList<QPair<QString, QString>>& entries)
{
    auto* box = new QComboBox;
    box->setObjectName(objectName);
    for (const auto& [value, text] : entries)
        box->addItem(text, value);
    connect(box, &QComboBox::currentIndexChanged, this, &RunDialog::tell);
    return box;
}

QLineEdit* RunDialog::line(const char* objectName, const QString& example)
{
    auto* field = new QLineEdit;
    field->setObjectName(objectName);
    field->setPlaceholderText(example);
    connect(field, &QLineEdit::textChanged, this, &RunDialog::tell);
    return field;
}

void RunDialog::buildFields()
{
    constexpr int mostSteps = 1'000'000'000;
    constexpr int mostReplicas = 1024;
    constexpr double mostSeconds = 1e6;
    const auto number = [this](const char* name, const QString& title, int value, int least, int most) {
        QSpinBox* field = numberField(name, title, value, least, most);
        connect(field, &QSpinBox::valueChanged, this, &RunDialog::tell);
        return field;
    };
    steps_ = number("runSteps", tr("Steps"), 0, 0, mostSteps);
    steps_->setSpecialValueText(tr("as the design says"));
    data_ = line("runData", hasData_ ? tr("those of the design") : tr("text files"));
    rehearsal_ = choice("runRehearsal",
        { { "no", tr("Train") }, { "real", tr("Rehearse: passes take their planned time, and compute nothing") },
            { "virtual", tr("Rehearse at once, on a clock of its own") } });
    checkpoint_ = line("runCheckpoint", tr("none"));
    resume_ = line("runResume", tr("from the beginning"));
    verify_ = new QCheckBox(tr("&Verify: compare every gradient with the same model run unpipelined"));
    where_ = choice("runWhere",
        { { "threads", tr("Threads of one process on this machine") },
            { "processes", tr("Processes on this machine, one for each device") },
            { "starter", tr("Processes that the command below starts") } });
    replicas_ = number("runReplicas", tr("Replicas"), 1, 1, mostReplicas);
    ranks_ = quietText();
    transport_
        = choice("runTransport", { { "", tr("gloo, unless said otherwise") }, { "gloo", "gloo" }, { "nccl", "nccl" } });
    device_ = choice("runDevice", { { "cpu", "CPU" }, { "cuda", "CUDA" } });
    starter_ = line("runStarter", QStringLiteral("ssh node7 {command}"));
    environment_ = line("runEnvironment", QStringLiteral("NAME=VALUE NAME=VALUE"));
    eventsFolder_ = line("runEventsFolder", tr("beside what the run writes"));
    optimizer_ = choice("runOptimizer",
        { { "synchronised", tr("Synchronised: when all have said their sums") },
            { "post-validation", tr("Post-validation: at once, and back if it was wrong") } });
    onNan_ = choice("runOnNan", { { "stop", tr("Stop the run") }, { "skip", tr("Skip the step") } });
    queue_ = choice("runQueue",
        { { "", tr("As the design says") }, { "ideal", tr("Nothing") },
            { "directed", tr("Direction and kind of data") }, { "pair", tr("Pair of devices") },
            { "device", tr("Device") } });
    timeout_ = new QDoubleSpinBox;
    timeout_->setObjectName("runTimeout");
    timeout_->setRange(0.1, mostSeconds);
    timeout_->setDecimals(1);
    timeout_->setSuffix(tr(" s"));
    connect(timeout_, &QDoubleSpinBox::valueChanged, this, &RunDialog::tell);
    const QString found = findProgram();
    program_ = line("runProgram", found.isEmpty() ? tr("pipeloom was not found") : found);
    more_ = line("runMore", QStringLiteral("--drill slow=5@1F2"));
    keepRunning_ = new QCheckBox(tr("Let it &go on when the window closes"));
    for (QCheckBox* box : { verify_, keepRunning_ }) {
        box->setObjectName(box == verify_ ? "runVerify" : "runKeepRunning");
        box->setAccessibleName(QString(box->text()).remove('&'));
        connect(box, &QCheckBox::toggled, this, &RunDialog::tell);
    }
}

QWidget* RunDialog::withButton(QLineEdit* field, const QString& text, const char* objectName, bool isFolder)
{
    auto* both = new QWidget;
    auto* row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    auto* button = new QPushButton(text);
    button->setObjectName(objectName);
    button->setAutoDefault(false);
    row->addWidget(field, 1);
    row->addWidget(button);
    both->setFocusProxy(field);
    connect(button, &QPushButton::clicked, this, [this, field, isFolder] {
        const FileQuestion question { field->accessibleName(), proposed_.folder, {}, {} };
        const QString chosen = isFolder ? toFolder_(this, question) : chooser_.toOpen(this, question);
        if (chosen.isEmpty())
            return;
        const bool isList = field == data_ && !field->text().trimmed().isEmpty();
        field->setText(field != data_ ? chosen
                : isList              ? field->text() + ' ' + shellQuoted(chosen)
                                      : shellQuoted(chosen));
    });
    return both;
}

void RunDialog::enterRow(QFormLayout& form, const QString& label, QWidget* field, const char* member)
{
    addRow(form, label, field);
    if (auto* inner = qobject_cast<QLineEdit*>(field->focusProxy())) {
        inner->setAccessibleName(field->accessibleName());
        for (auto* button : field->findChildren<QPushButton*>())
            button->setAccessibleName(tr("Choose: %1").arg(field->accessibleName()));
    }
    if (member == nullptr)
        return;
    auto* remark = new Remark(Remark::Tone::Error);
    remark->setObjectName(QStringLiteral("wrong-") + member);
    remark->setWordWrap(true);
    remark->hide();
    form.addRow(QString(), remark);
    remarks_.insert(member, remark);
    pageOf_.insert(member, pageBeingBuilt_);
}

QWidget* RunDialog::trainingPage()
{
    QFormLayout* form = newForm();
    enterRow(*form, tr("W&hat"), rehearsal_);
    enterRow(*form, tr("&Steps"), steps_);
    enterRow(*form, tr("&Data"), withButton(data_, tr("Add…"), "runAddData", false), "data");
    enterRow(*form, tr("&Checkpoints to"), withButton(checkpoint_, tr("Choose…"), "runChooseCheckpoint", true));
    enterRow(*form, tr("R&esume from"), withButton(resume_, tr("Choose…"), "runChooseResume", true), "resume");
    enterRow(*form, tr("&Optimizer"), optimizer_);
    enterRow(*form, tr("If &not finite"), onNan_);
    form->addRow(QString(), verify_);
    return asPage(form);
}

QWidget* RunDialog::placePage()
{
    QFormLayout* form = newForm();
    enterRow(*form, tr("Devices &are"), where_, "where");
    enterRow(*form, tr("Re&plicas"), replicas_);
    form->addRow(tr("Ranks"), ranks_);
    enterRow(*form, tr("&Transport"), transport_, "transport");
    enterRow(*form, tr("&Compute on"), device_);
    enterRow(*form, tr("&Start with"), starter_, "starter");
    QLabel* help
        = quietText(tr("A line for a shell, such as srun -n 4 {command} or ssh -tt node7 {command}. {command} is the "
                       "command below, {dir} the folder of the design. Stop interrupts this line here: srun and ssh "
                       "-tt pass that on. Other machines must see the folder of the events."));
    form->addRow(QString(), help);
    enterRow(*form, tr("&Events to"), withButton(eventsFolder_, tr("Choose…"), "runChooseEvents", true));
    return asPage(form);
}

QWidget* RunDialog::morePage()
{
    QFormLayout* form = newForm();
    enterRow(*form, tr("&Environment"), environment_, "environment");
    enterRow(*form, tr("&Silence ends it after"), timeout_, "timeoutSeconds");
    enterRow(*form, tr("Transfers &queue for"), queue_);
    enterRow(*form, tr("P&rogram"), withButton(program_, tr("Choose…"), "runChooseProgram", false));
    enterRow(*form, tr("Further &arguments"), more_, "more");
    return asPage(form);
}

void RunDialog::fill(const RunSettings& run)
{
    steps_->setValue(static_cast<int>(run.steps));
    data_->setText(joined(run.data));
    rehearsal_->setCurrentIndex(static_cast<int>(run.rehearsal));
    checkpoint_->setText(run.checkpoint);
    resume_->setText(run.resume);
    verify_->setChecked(run.verify);
    where_->setCurrentIndex(static_cast<int>(run.where));
    replicas_->setValue(run.replicas);
    choose(*transport_, run.transport);
    choose(*device_, run.device);
    starter_->setText(run.starter);
    environment_->setText(joined(run.environment));
    eventsFolder_->setText(run.eventsFolder);
    choose(*optimizer_, run.optimizer);
    choose(*onNan_, run.onNan);
    choose(*queue_, run.queue);
    timeout_->setValue(run.timeoutSeconds);
    program_->setText(run.program);
    more_->setText(run.more);
    keepRunning_->setChecked(run.keepRunning);
}

RunSettings RunDialog::settings() const
{
    RunSettings run = proposed_;
    run.steps = steps_->value();
    run.data = words(*data_);
    run.rehearsal = static_cast<RunSettings::Rehearsal>(rehearsal_->currentIndex());
    run.checkpoint = checkpoint_->text();
    run.resume = resume_->text();
    run.verify = verify_->isChecked();
    run.where = static_cast<RunSettings::Where>(where_->currentIndex());
    run.replicas = replicas_->value();
    run.ranks = devices_ * run.replicas;
    run.transport = transport_->currentData().toString();
    run.device = device_->currentData().toString();
    run.starter = starter_->text();
    run.environment = words(*environment_);
    run.eventsFolder = eventsFolder_->text();
    run.optimizer = optimizer_->currentData().toString();
    run.onNan = onNan_->currentData().toString();
    run.queue = queue_->currentData().toString();
    run.timeoutSeconds = timeout_->value();
    run.program = program_->text();
    run.more = more_->text();
    run.keepRunning = keepRunning_->isChecked();
    return run;
}

void RunDialog::tell()
{
    if (run_ == nullptr) // fields are being made
        return;
    RunSettings run = settings();
    const bool isRehearsal = run.rehearsal != RunSettings::Rehearsal::No;
    data_->setEnabled(!isRehearsal);
    transport_->setEnabled(run.where != RunSettings::Where::Threads);
    ranks_->setText(run.where == RunSettings::Where::Threads
            ? tr("none: %n device(s) as threads", nullptr, run.ranks)
            : tr("%1, one for each device of all replicas").arg(run.ranks));

    QList<WrongEntry> wrong = wrongEntries(run, devices_, hasData_);
    const bool noProgram = run.program.isEmpty() && findProgram().isEmpty() && run.starter.trimmed().isEmpty();
    for (auto remark = remarks_.begin(); remark != remarks_.end(); ++remark) {
        const auto found
            = std::ranges::find_if(wrong, [&](const WrongEntry& entry) { return entry.field == remark.key(); });
        remark.value()->say(found == wrong.end() ? QString() : found->sentence);
    }
    QString said;
    if (noProgram)
        said = tr("There is no pipeloom beside this program or in PATH, which is what trains. Choose it under More.");
    else if (!wrong.isEmpty()) {
        const int page = pageOf_.value(wrong.front().field, stack_->currentIndex());
        said = tr("%1: %2").arg(tr(pageNames[page]), wrong.front().sentence);
    }
    summary_->say(said);
    run_->setEnabled(said.isEmpty());

    // As it will be, but for the folder of the run, which is made when it starts.
    run.design = QStringLiteral("design.pipeloom.json");
    command_->setText(commandLine(run, QStringLiteral("events")));
    command_->setCursorPosition(0);
}

} // namespace pipeloom::designer
