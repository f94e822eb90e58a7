// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/main_window.h"

#include "app/designer/compare/compare_list.h"
#include "app/designer/compare/compare_page.h"
#include "app/designer/edit/costs_edits.h"
#include "app/designer/export/export_actions.h"
#include "app/designer/run/run_desk.h"
#include "app/designer/run/run_page.h"
#include "app/designer/run/run_status.h"
#include "app/designer/style/key_button.h"
#include "app/designer/window/design_page.h"
#include "app/designer/window/drop_target.h"
#include "app/designer/window/gesture_list.h"
#include "app/designer/window/help_actions.h"
#include "app/designer/window/message_bar.h"
#include "app/designer/window/recovery_bar.h"
#include "app/designer/window/start_page.h"
#include "app/designer/window/status_line.h"
#include "app/designer/window/tool_row.h"

#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QMenuBar>
#include <QMessageBox>
#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>

namespace pipeloom::designer {

MainWindow::MainWindow(std::optional<ThemeChoice> theme)
    : theme_(theme)
    , figures_(document_)
{
    setObjectName(QStringLiteral("mainWindow"));
    setWindowIcon(QIcon(QStringLiteral(":/icons/pipeloom.svg")));
    applySettings(); // fonts come before the parts, which measure them
    files_ = new FileActions(document_, this, registry_, settings_);
    files_->setParent(this);
    autosave_ = new Autosave(document_, this);
    start_ = new StartPage(*files_);
    design_ = new DesignPage(document_, figures_);
    compare_ = new ComparePage(document_, files_->chooser());
    runs_ = new RunDesk(document_, figures_, *files_, settings_, this);
    addEditActions();
    exports_ = new ExportActions(figures_, *files_, this, registry_);
    exports_->setParent(this);
    pages_ = new QStackedWidget;
    addLayoutActions();
    registry_.add(QStringLiteral("View"), design_->numbers().menuActions());
    registry_.add(QStringLiteral("Block"), design_->block().menuActions());
    registry_.add(QStringLiteral("Schedule"), design_->schedule().menuActions());
    setButtonText(registry_.find(QStringLiteral("schedule.search")), tr("Search…"));
    setButtonText(registry_.find(QStringLiteral("file.export")), tr("Export…"));
    addGestures(registry_);
    // Searching begins wherever the keyboard is.
    registry_.find(QStringLiteral("schedule.search"))->setShortcutContext(Qt::WindowShortcut);
    registry_.add(QStringLiteral("Compare"), compare_->menuActions());
    registry_.add(QStringLiteral("View"), design_->findings().menuActions());
    registry_.add(QStringLiteral("View"), design_->inspector().menuActions());
    addWindowActions();
    help_ = new HelpActions(this, registry_, settings_);
    registry_.fill(*menuBar());

    auto* whole = new QWidget;
    auto* column = new QVBoxLayout(whole);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    makeToolBar();
    column->addWidget(toolBar_);
    column->addWidget(files_->bar());
    column->addWidget(new RecoveryBar(*autosave_, *files_));
    column->addWidget(pages_, 1);
    pages_->addWidget(start_);
    pages_->addWidget(design_);
    pages_->addWidget(compare_);
    pages_->addWidget(&runs_->page());
    setCentralWidget(whole);
    status_ = new StatusLine(*statusBar(), document_, figures_, this);
    connectParts();
    QSize size(1600, 1000);
    if (QGuiApplication::platformName() != QLatin1String("offscreen"))
        size = size.boundedTo(screen()->availableGeometry().size() - QSize(16, 48)); // the window manager's frame
    resize(size);
    qApp->installEventFilter(this);
    restoreGeometry(settings_.value(setting::geometry));
    design_->restoreLayout(settings_.value(setting::state));
    runs_->page().restoreLayout(settings_.value(setting::runState));
    showPage();
    updateTitle();
    updateWhole();
}

// The parts refer to the document and go before it; left to the base class they would go after.
MainWindow::~MainWindow()
{
    document_.disconnect(this);
    figures_.disconnect(this);
    delete runs_;
    delete takeCentralWidget();
    delete exports_;
    delete help_;
    delete autosave_;
    delete status_;
    delete files_;
}

QAction* MainWindow::add(const QString& menu, const char* id, const QString& text, const QKeySequence& key,
    const QString& help, const std::function<void()>& run)
{
    auto* action = new QAction(text, this);
    action->setObjectName(QLatin1String(id));
    action->setShortcut(key);
    action->setStatusTip(help);
    connect(action, &QAction::triggered, this, [run] { run(); });
    addAction(action);
    registry_.add(menu, action);
    return action;
}

void MainWindow::addEditActions()
{
    QAction* undo = document_.undoStack().createUndoAction(this, tr("Undo"));
    undo->setObjectName(QStringLiteral("edit.undo"));
    undo->setShortcut(QKeySequence::Undo);
    QAction* redo = document_.undoStack().createRedoAction(this, tr("Redo"));
    redo->setObjectName(QStringLiteral("edit.redo"));
    redo->setShortcuts({ QKeySequence(tr("Ctrl+Shift+Z")), QKeySequence(tr("Ctrl+Y")) });
    for (QAction* action : { undo, redo }) {
        addAction(action);
        registry_.add(QStringLiteral("Edit"), action);
    }
    QAction* list = add(QStringLiteral("Edit"), "edit.undoList", tr("List of steps"), {},
        tr("All steps that can be undone and redone"), [] {});
    list->setCheckable(true);
    connect(list, &QAction::toggled, this, [this](bool shown) { design_->undoList().setVisible(shown); });
}

void MainWindow::addLayoutActions()
{
    const QString view = QStringLiteral("View");
    auto* group = new QActionGroup(this);
    designLayout_ = add(view, "view.design", tr("Design"), QKeySequence(tr("Ctrl+1")),
        tr("Draw the block and see the schedule"), [this] { setLayout(Layout::Design); });
    compareLayout_ = add(view, "view.compare", tr("Compare"), QKeySequence(tr("Ctrl+2")),
        tr("Several designs side by side"), [this] { setLayout(Layout::Compare); });
    runLayout_ = add(view, "view.run", tr("Run"), QKeySequence(tr("Ctrl+3")), tr("What really happens, over the plan"),
        [this] { setLayout(Layout::Run); });
    for (QAction* action : { designLayout_, compareLayout_, runLayout_ }) {
        action->setCheckable(true);
        group->addAction(action);
    }
    designLayout_->setChecked(true);
    registry_.addSeparator(view);
    add(view, "view.nextPart", tr("Next part"), Qt::Key_F6, tr("The keys go to the next part of the window"),
        [this] { layout_ == Layout::Run ? runs_->page().cycleFocus(1) : design_->cycleFocus(1); });
    add(view, "view.previousPart", tr("Previous part"), QKeySequence(tr("Shift+F6")),
        tr("The keys go to the part before"),
        [this] { layout_ == Layout::Run ? runs_->page().cycleFocus(-1) : design_->cycleFocus(-1); });
    add(view, "view.resetLayout", tr("Reset layout"), {}, tr("All parts as large as they come"),
        [this] { layout_ == Layout::Run ? runs_->page().resetLayout() : design_->resetLayout(); });
    QAction* full = add(view, "view.fullScreen", tr("Full screen"), Qt::Key_F11, tr("The whole screen"), [] {});
    full->setCheckable(true);
    connect(full, &QAction::toggled, this, [this](bool on) { on ? showFullScreen() : showNormal(); });
    registry_.addSeparator(view);
}

void MainWindow::addWindowActions()
{
    const QString runMenu = QStringLiteral("Run");
    add(runMenu, "run.check", tr("Check"), Qt::Key_F7, tr("What is wrong with the design, in a list"),
        [this] { checkNow(); });
    registry_.add(runMenu, runs_->menuActions());
    registry_.addSeparator(runMenu);
    registry_.add(runMenu, runs_->page().menuActions());
}

void MainWindow::makeToolBar()
{
    tools_ = new QStackedWidget;
    tools_->addWidget(
        makeDesignTools(design_->block().toolActions(), registry_, registry_.find(QStringLiteral("run.start"))));
    tools_->addWidget(runs_->makeTools());
    toolBar_ = makeToolRow({ designLayout_, compareLayout_, runLayout_ }, tools_);
}

void MainWindow::connectParts()
{
    connect(design_, &DesignPage::statusText, this, &MainWindow::say);
    connect(&document_, &Document::stateChanged, this, &MainWindow::updateTitle);
    connect(&figures_, &LiveFigures::changed, this, &MainWindow::updateWhole);
    connect(files_, &FileActions::opened, this, &MainWindow::showPage);
    connect(files_, &FileActions::closed, this, &MainWindow::showPage);
    connect(compare_, &ComparePage::statusText, this, &MainWindow::say);
    connect(runs_, &RunDesk::statusText, this, &MainWindow::say);
    connect(runs_, &RunDesk::shown, this, [this] { setLayout(Layout::Run); });
    connect(runs_, &RunDesk::designShown, this, [this] { setLayout(Layout::Design); });
    connect(runs_, &RunDesk::feedText, this,
        [this](const QString& text) { status_->setRunText(layout_ == Layout::Run ? text : QString()); });
    connect(files_, &FileActions::saved, status_, &StatusLine::markSaved);
    connect(autosave_, &Autosave::failed, this, [this](const QString& why) {
        files_->bar()->tell(MessageBar::Tone::Warning, tr("No recovery copy can be kept: %1").arg(why));
    });
    auto* drops = new DropTarget(this);
    connect(drops, &DropTarget::designDropped, this, &MainWindow::open);
    connect(drops, &DropTarget::runDropped, this, [this](const QString& path) { openRun(path); });
    connect(drops, &DropTarget::refused, this, &MainWindow::say);
    connect(drops, &DropTarget::costTableDropped, this, [this](const QString& table) {
        if (files_->isOpen())
            document_.apply(pasteCosts(*document_.committed(), table.toStdString(), 0, 0));
    });
    connect(&settings_, &Settings::changed, this, &MainWindow::applySettings);
    keepSettings();
    applySettings();
}

void MainWindow::setLayout(Layout layout)
{
    layout_ = layout;
    (layout == Layout::Design           ? designLayout_
            : layout == Layout::Compare ? compareLayout_
                                        : runLayout_)
        ->setChecked(true);
    showPage();
}

void MainWindow::openRun(const QString& path, double replaySpeed) { runs_->open(path, replaySpeed); }

void MainWindow::showPage()
{
    // A run can be looked at without a design.
    QWidget* page = layout_ == Layout::Run ? static_cast<QWidget*>(&runs_->page())
        : !files_->isOpen()                ? static_cast<QWidget*>(start_)
        : layout_ == Layout::Design        ? static_cast<QWidget*>(design_)
                                           : static_cast<QWidget*>(compare_);
    tools_->setCurrentIndex(layout_ == Layout::Run ? 1 : 0);
    status_->setRunText(layout_ == Layout::Run ? feedSentence(runs_->session()) : QString());
    pages_->setCurrentWidget(page);
    status_->setOpen(files_->isOpen());
    updateWhole();
    for (QAction* tool : design_->block().toolActions())
        tool->setEnabled(page == design_);
    if (page == design_)
        design_->block().view().setFocus();
    else if (page == &runs_->page())
        runs_->page().setFocus();
}

void MainWindow::showCompareExample()
{
    CompareList& list = compare_->list();
    list.clear();
    list.addLive();
    for (const char* name : { "1f1b", "zb-h1", "v-min", "v-zb" })
        if (const QString problem = list.addFromLibrary(name); !problem.isEmpty())
            say(problem);
    setLayout(Layout::Compare);
}

bool MainWindow::isBusy() const { return figures_.isBusy() || compare_->list().pending() > 0; }

void MainWindow::say(const QString& text) { status_->say(text); }

void MainWindow::checkNow()
{
    int errors = 0;
    for (const Finding& finding : figures_.figures()->findings)
        errors += finding.severity == Severity::Error;
    setLayout(Layout::Design);
    design_->findings().setFocus();
    say(errors == 0       ? tr("Checked: the design has no errors")
            : errors == 1 ? tr("Checked: one error, listed below")
                          : tr("Checked: %1 errors, listed below").arg(errors));
}

void MainWindow::updateWhole()
{
    const FiguresPtr& figures = figures_.figures();
    const bool whole = files_->isOpen() && figures->standing == Standing::Whole && !hasErrors(figures->findings);
    runs_->setRunnable(!files_->isOpen() ? tr("No design is open")
            : whole                      ? QString()
                                         : tr("The design has errors: see Findings"));
}

namespace {

constexpr const char* colourActions[] = { "schedule.colourKind", "schedule.colourMicroBatch", "schedule.colourStage" };

} // namespace

void MainWindow::applySettings()
{
    applyTheme(*qApp, theme_.value_or(settings_.theme()), settings_.value(setting::textPercent));
    if (!design_)
        return;
    constexpr int msPerSecond = 1000;
    autosave_->setDelayMs(settings_.value(setting::autosaveSeconds) * msPerSecond);
    registry_.find(QStringLiteral("block.view.ghosts"))->setChecked(settings_.value(setting::showGhosts));
    registry_.find(QStringLiteral("schedule.memory"))->setChecked(settings_.value(setting::showMemory));
    QAction* colour = registry_.find(QLatin1String(colourActions[settings_.value(setting::colour)]));
    if (!colour->isChecked())
        colour->trigger();
}

/// What is switched in the menus is switched so the next time.
void MainWindow::keepSettings()
{
    const auto keep = [this](const char* action, const ToggleSetting& entry) {
        connect(registry_.find(QLatin1String(action)), &QAction::toggled, this,
            [this, &entry](bool on) { settings_.set(entry, on); });
    };
    keep("block.view.ghosts", setting::showGhosts);
    keep("schedule.memory", setting::showMemory);
    for (int i = 0; i < 3; ++i)
        connect(registry_.find(QLatin1String(colourActions[i])), &QAction::toggled, this, [this, i](bool on) {
            if (on)
                settings_.set(setting::colour, i);
        });
}

void MainWindow::updateTitle()
{
    setWindowTitle(document_.title() + QStringLiteral("[*] – Pipeloom"));
    setWindowModified(document_.isDirty());
}

void MainWindow::closeEvent(QCloseEvent* event)
{
    design_->block().view().cancelGesture();
    if (!files_->maybeClose() || !runs_->maybeClose()) {
        event->ignore();
        return;
    }
    autosave_->finish();
    settings_.set(setting::geometry, saveGeometry());
    settings_.set(setting::state, design_->saveLayout());
    settings_.set(setting::runState, runs_->page().saveLayout());
    event->accept();
}

/// A field takes Ctrl+Z for itself even when there is nothing in it to undo; then it is meant for the design.
bool MainWindow::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) {
        auto* field = qobject_cast<QLineEdit*>(QApplication::focusWidget());
        if (auto* spin = qobject_cast<QAbstractSpinBox*>(QApplication::focusWidget()))
            field = spin->findChild<QLineEdit*>();
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool nothing = field
            && ((key->matches(QKeySequence::Undo) && !field->isUndoAvailable())
                || (key->matches(QKeySequence::Redo) && !field->isRedoAvailable()));
        if (nothing) {
            event->ignore();
            return true;
        }
    }
    return QMainWindow::eventFilter(watched, event);
}

void MainWindow::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::WindowDeactivate)
        design_->block().view().cancelGesture();
    QMainWindow::changeEvent(event);
}

} // namespace pipeloom::designer
