// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/compare/compare_page.h"

#include "app/designer/compare/compare_model.h"
#include "app/designer/compare/compare_scatter.h"
#include "app/designer/compare/compare_strips.h"
#include "app/designer/compare/compare_table.h"
#include "app/designer/panels/panel_frame.h"
#include "app/designer/style/theme.h"

#include <QAction>
#include <QApplication>
#include <QEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace pipeloom::designer {

ComparePage::ComparePage(Document& document, FileChooser chooser, QWidget* parent)
    : QWidget(parent)
    , document_(document)
    , chooser_(std::move(chooser))
    , list_(new CompareList(document, this))
    , axis_(new TimeAxis(this))
    , model_(new CompareModel(*list_, this))
{
    setObjectName("comparePage");
    makeActions();
    makeLibraryMenu();
    pages_ = new QStackedWidget;
    pages_->addWidget(makeEmptyState());
    pages_->addWidget(makeContent());
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(8);
    column->addWidget(makeBar());
    column->addWidget(pages_, 1);
    connect(list_, &CompareList::structureChanged, this, &ComparePage::follow);
    connect(list_, &CompareList::figuresChanged, this, &ComparePage::follow);
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ComparePage::enable);
    follow();
}

QAction* ComparePage::makeAction(const QString& text, const QString& name, std::function<void()> run)
{
    auto* action = new QAction(text, this);
    action->setObjectName(name);
    connect(action, &QAction::triggered, this, std::move(run));
    actions_.push_back(action);
    return action;
}

void ComparePage::makeActions()
{
    live_ = makeAction(tr("Add This Design"), "compareAddLive", [this] { list_->addLive(); });
    makeAction(tr("Add from File..."), "compareAddFile", [this] {
        const QString path = chooser_.toOpen(this,
            { tr("Add a Design to Compare"), QFileInfo(document_.path()).absolutePath(),
                tr("Designs (*%1)").arg(designSuffix), {} });
        if (path.isEmpty())
            return;
        if (const QString why = list_->addFile(path); !why.isEmpty())
            Q_EMIT statusText(why);
    });
    makeAction(tr("Add Whole Library"), "compareAddLibrary", [this] {
        if (list_->addWholeLibrary() == 0)
            Q_EMIT statusText(tr("All schedules of the library that fit are there."));
    });
    remove_ = makeAction(tr("Remove"), "compareRemove", [this] {
        const int row = chosen();
        list_->remove(row);
        choose(std::min(row, list_->size() - 1));
    });
    const auto move = [this](int by) {
        const int row = chosen();
        list_->move(row, by);
        choose(row + by);
    };
    up_ = makeAction(tr("Move Up"), "compareUp", [move] { move(-1); });
    down_ = makeAction(tr("Move Down"), "compareDown", [move] { move(1); });
    clear_ = makeAction(tr("Remove All"), "compareClear", [this] { list_->clear(); });
}

void ComparePage::makeLibraryMenu()
{
    libraryMenu_ = new QMenu(this);
    const auto enter = [this](const QString& text, const QString& name, std::string_view entry, std::int32_t chunks) {
        QAction* action = makeAction(text, name, [this, entry, chunks] { addFromLibrary(entry, chunks); });
        libraryMenu_->addAction(action);
    };
    for (const LibraryEntry& entry : library()) {
        const auto title = QString::fromUtf8(entry.title.data(), static_cast<qsizetype>(entry.title.size()));
        const auto name = QString::fromUtf8(entry.name.data(), static_cast<qsizetype>(entry.name.size()));
        if (entry.placement == PlacementKind::Interleaved)
            for (const std::int32_t chunks : { 2, 3, 4 })
                enter(tr("Add %1, %2 Stages a Device").arg(title).arg(chunks),
                    QString("compareAdd-%1-%2").arg(name).arg(chunks), entry.name, chunks);
        else
            enter(tr("Add %1").arg(title), "compareAdd-" + name, entry.name, 0);
    }
}

void ComparePage::addFromLibrary(std::string_view name, std::int32_t chunks)
{
    if (const QString why = list_->addFromLibrary(name, chunks); !why.isEmpty())
        Q_EMIT statusText(why);
}

QWidget* ComparePage::makeBar()
{
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(4, 0, 0, 0);
    row->setSpacing(6);
    basis_ = new QLabel;
    basis_->setObjectName("compareBasis");
    basis_->setWordWrap(true);
    basis_->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row->addWidget(basis_, 1);
    progress_ = new QProgressBar;
    progress_->setObjectName("compareProgress");
    progress_->setAccessibleName(tr("Figures being made"));
    progress_->setFixedWidth(120);
    progress_->setTextVisible(false);
    row->addWidget(progress_);
    const auto button = [row](QAction* action) {
        auto* made = new QPushButton(action->text());
        made->setObjectName(action->objectName() + "Button");
        made->setAccessibleName(action->text());
        made->setEnabled(action->isEnabled());
        connect(made, &QPushButton::clicked, action, &QAction::trigger);
        connect(action, &QAction::changed, made, [made, action] { made->setEnabled(action->isEnabled()); });
        row->addWidget(made);
    };
    button(live_);
    auto* library = new QPushButton(tr("Add from Library"));
    library->setObjectName("compareLibraryButton");
    library->setAccessibleName(tr("Add from library"));
    library->setMenu(libraryMenu_);
    row->addWidget(library);
    button(actions_[1]);
    button(remove_);
    button(up_);
    button(down_);
    return bar;
}

QWidget* ComparePage::makeEmptyState()
{
    auto* page = new PanelFrame(tr("Compare"));
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->addStretch(2);
    auto* head = new QLabel(tr("Nothing to compare yet"));
    head->setFont(uiFont(17 * QApplication::font().pixelSize() / 13, QFont::DemiBold));
    head->setAlignment(Qt::AlignCenter);
    auto* words
        = new QLabel(tr("Set this design beside published schedules for the same devices, micro-batches and costs, "
                        "or beside designs from files."));
    words->setAlignment(Qt::AlignCenter);
    words->setForegroundRole(QPalette::PlaceholderText);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    auto* start = new QPushButton(tr("This Design and the Whole Library"));
    start->setObjectName("compareStart");
    start->setDefault(true);
    start->setAccessibleName(tr("Compare this design with the whole library"));
    connect(start, &QPushButton::clicked, this, [this] {
        list_->addLive();
        list_->addWholeLibrary();
    });
    buttons->addWidget(start);
    buttons->addStretch(1);
    column->addWidget(head);
    column->addSpacing(6);
    column->addWidget(words);
    column->addSpacing(14);
    column->addLayout(buttons);
    column->addStretch(3);
    page->setContent(content);
    return page;
}

QWidget* ComparePage::makeContent()
{
    timelines_ = new PanelFrame(tr("Timelines"));
    timelines_->setContent(new CompareStrips(*list_, *axis_));
    auto* scatter = new PanelFrame(tr("Memory against time"));
    scatter->setContent(new CompareScatter(*list_));
    auto* figures = new PanelFrame(tr("Figures"));
    figures->setNote(tr("differences against the first design"));
    table_ = new CompareTable(*model_);
    for (QAction* action : { up_, down_, remove_ })
        table_->addAction(action);
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
    figures->setContent(table_);

    auto* across = new QSplitter(Qt::Horizontal);
    across->setObjectName("compareAcross");
    across->setChildrenCollapsible(false);
    across->addWidget(timelines_);
    across->addWidget(scatter);
    across->setStretchFactor(0, 1);
    across->setSizes({ 1000, 420 });
    auto* down = new QSplitter(Qt::Vertical);
    down->setObjectName("compareDown");
    down->setChildrenCollapsible(false);
    down->addWidget(across);
    down->addWidget(figures);
    down->setStretchFactor(0, 1);
    down->setSizes({ 560, 300 });
    return down;
}

void ComparePage::follow()
{
    pages_->setCurrentIndex(list_->size() == 0 ? 0 : 1);
    const Basis basis = list_->basis();
    basis_->setText(QString::fromStdString(basis.sentence));
    const Theme& theme = themeOf(this);
    QPalette own = basis_->palette();
    own.setColor(QPalette::WindowText, basis.isOne ? theme.muted : theme.warning);
    basis_->setPalette(own);
    const int pending = list_->pending();
    progress_->setVisible(pending > 0);
    progress_->setRange(0, std::max(list_->size(), 1));
    progress_->setValue(list_->size() - pending);
    timelines_->setNote(tr("one axis, in ticks of the first design"));
    enable();
}

void ComparePage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && basis_)
        follow();
}

int ComparePage::chosen() const { return table_->currentIndex().isValid() ? table_->currentIndex().row() : -1; }

void ComparePage::choose(int row)
{
    if (row >= 0 && row < model_->rowCount())
        table_->setCurrentIndex(model_->index(row, 0));
}

void ComparePage::enable()
{
    const int row = chosen();
    live_->setEnabled(!list_->hasLive());
    remove_->setEnabled(row >= 0);
    up_->setEnabled(row > 0);
    down_->setEnabled(row >= 0 && row + 1 < list_->size());
    clear_->setEnabled(list_->size() > 0);
}

} // namespace pipeloom::designer
