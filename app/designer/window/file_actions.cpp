// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/file_actions.h"

#include "app/designer/window/library_dialog.h"
#include "app/designer/window/message_bar.h"
#include "app/designer/window/new_block_dialog.h"
#include "app/designer/window/unsaved_question.h"

#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QPushButton>

namespace pipeloom::designer {

namespace {

constexpr int slowMs = 250;

QString filter() { return FileActions::tr("Pipeloom designs (*%1);;All files (*)").arg(designSuffix); }

} // namespace

FileActions::FileActions(Document& document, QWidget* window, ActionRegistry& registry, Settings& settings)
    : QObject(window)
    , document_(document)
    , window_(window)
    , chooser_(systemFileChooser())
    , recent_(settings)
    , bar_(new MessageBar(window))
    , recentMenu_(tr("Open &Recent"))
{
    slow_.setSingleShot(true);
    slow_.setInterval(slowMs);
    connect(&slow_, &QTimer::timeout, this, &FileActions::tellReading);
    enterActions(registry);
    recent_.attach(recentMenu_);
    connect(&recent_, &RecentFiles::chosen, this, &FileActions::open);
    connect(&document_, &Document::stateChanged, this, &FileActions::updateState);
    connect(&loader_, &DesignLoader::finished, this,
        [this](const QString& path, const std::shared_ptr<ReadDesign>& read) { arrived(path, *read); });
    updateState();
}

FileActions::~FileActions() = default;

QAction* FileActions::action(
    const char* name, const QString& text, const QKeySequence& key, void (FileActions::*slot)())
{
    auto* made = new QAction(text, this);
    made->setObjectName(name);
    made->setShortcut(key);
    if (slot)
        connect(made, &QAction::triggered, this, slot);
    return made;
}

void FileActions::enterActions(ActionRegistry& registry)
{
    recentMenu_.setObjectName("fileRecentMenu");
    recentMenu_.menuAction()->setObjectName("file.openRecent");
    registry.add("File", action("file.new", tr("&New Block…"), QKeySequence::New, &FileActions::newBlock));
    registry.add("File",
        action("file.newFromLibrary", tr("New from &Library…"), QKeySequence("Ctrl+Shift+N"),
            &FileActions::newFromLibrary));
    registry.add("File", action("file.open", tr("&Open…"), QKeySequence::Open, &FileActions::chooseAndOpen));
    registry.add("File", recentMenu_.menuAction());
    registry.addSeparator("File");
    saveAction_ = action("file.save", tr("&Save"), QKeySequence::Save, nullptr);
    connect(saveAction_, &QAction::triggered, this, &FileActions::save);
    saveAsAction_ = action("file.saveAs", tr("Save &As…"), QKeySequence("Ctrl+Shift+S"), nullptr);
    connect(saveAsAction_, &QAction::triggered, this, &FileActions::saveAs);
    revertAction_ = action("file.revert", tr("Re&vert to Saved"), {}, &FileActions::revert);
    registry.add("File", { saveAction_, saveAsAction_, revertAction_ });
    registry.addSeparator("File");
    exportAction_ = action("file.export", tr("&Export Figure…"), QKeySequence("Ctrl+E"), &FileActions::exportRequested);
    registry.add("File", exportAction_);
    registry.addSeparator("File");
    closeAction_ = action("file.close", tr("&Close"), QKeySequence("Ctrl+W"), &FileActions::close);
    registry.add("File", closeAction_);
    QAction* quitAction = action("file.quit", tr("&Quit"), QKeySequence("Ctrl+Q"), &FileActions::quit);
    quitAction->setMenuRole(QAction::QuitRole);
    registry.add("File", quitAction);
}

void FileActions::quit() { window_->close(); }

bool FileActions::maybeClose()
{
    if (!isOpen_ || !document_.isDirty())
        return true;
    document_.cancelPreview();
    switch (askAboutUnsaved(window_, document_.title())) {
    case UnsavedAnswer::Save:
        return save();
    case UnsavedAnswer::Discard:
        return true;
    case UnsavedAnswer::Cancel:
        break;
    }
    return false;
}

void FileActions::chooseAndOpen()
{
    const QString path = chooser_.toOpen(window_, { tr("Open a Design"), folder(), filter(), designSuffix });
    if (!path.isEmpty())
        open(path);
}

void FileActions::open(const QString& path)
{
    if (!maybeClose())
        return;
    givenUp_ = document_.committed();
    loader_.load(QFileInfo(path).absoluteFilePath());
    slow_.start();
}

void FileActions::tellReading()
{
    if (!loader_.isBusy())
        return;
    const QFileInfo file(loader_.path());
    bar_->tell(
        MessageBar::Tone::Note, tr("Reading %1 (%2)…").arg(file.fileName(), QLocale().formattedDataSize(file.size())));
    QPushButton* cancel = bar_->addButton(tr("Cancel"), "cancelReading");
    connect(cancel, &QPushButton::clicked, this, [this] {
        loader_.cancel();
        bar_->dismiss();
    });
}

void FileActions::arrived(const QString& path, ReadDesign& read)
{
    slow_.stop();
    bar_->dismiss();
    const QString name = QFileInfo(path).fileName();
    if (!read.design) {
        bar_->tell(MessageBar::Tone::Error, tr("%1 cannot be opened.").arg(name), lines(read.findings));
        return;
    }
    // Edits made while a large file was read have not been asked about.
    if (document_.committed() != givenUp_ && !maybeClose())
        return;
    givenUp_.reset();
    document_.reset(std::move(*read.design), path);
    recent_.add(path);
    setOpen(true);
    if (!read.findings.empty())
        bar_->tell(MessageBar::Tone::Warning, tr("%1 was opened.").arg(name), lines(read.findings));
}

bool FileActions::take(Design design)
{
    if (!maybeClose())
        return false;
    loader_.cancel();
    bar_->dismiss();
    document_.reset(std::move(design), {});
    setOpen(true);
    return true;
}

bool FileActions::recover(Autosave& autosave, const LeftBehind& left)
{
    if (!maybeClose())
        return false;
    loader_.cancel();
    const Findings findings = autosave.recover(left);
    if (hasErrors(findings)) {
        bar_->tell(MessageBar::Tone::Error, tr("%1 cannot be recovered.").arg(left.title), lines(findings));
        return false;
    }
    setOpen(true);
    return true;
}

void FileActions::newBlock()
{
    NewBlockDialog dialog(window_);
    if (dialog.exec() == QDialog::Accepted)
        take(dialog.design());
}

void FileActions::newFromLibrary()
{
    LibraryDialog dialog(window_);
    if (dialog.exec() == QDialog::Accepted && dialog.design())
        take(*dialog.design());
}

bool FileActions::save() { return document_.path().isEmpty() ? saveAs() : saveTo(document_.path()); }

bool FileActions::saveAs()
{
    const QString start = document_.path().isEmpty() ? proposedPath() + designSuffix : document_.path();
    const QString path = chooser_.toSave(window_, { tr("Save the Design As"), start, filter(), designSuffix });
    return !path.isEmpty() && saveTo(QFileInfo(path).absoluteFilePath());
}

bool FileActions::saveTo(const QString& path)
{
    document_.cancelPreview();
    const Findings findings = document_.save(path);
    if (hasErrors(findings)) {
        bar_->tell(MessageBar::Tone::Error, tr("%1 was not saved.").arg(QFileInfo(path).fileName()), lines(findings));
        return false;
    }
    recent_.add(path);
    if (findings.empty())
        bar_->dismiss();
    else
        bar_->tell(MessageBar::Tone::Warning, tr("%1 was saved.").arg(QFileInfo(path).fileName()), lines(findings));
    Q_EMIT saved();
    return true;
}

void FileActions::revert()
{
    if (document_.path().isEmpty() || !askAboutRevert(window_, document_.title()))
        return;
    givenUp_ = document_.committed();
    loader_.load(document_.path());
    slow_.start();
}

void FileActions::close()
{
    if (!maybeClose())
        return;
    loader_.cancel();
    bar_->dismiss();
    document_.reset(emptyDesign(pipeline(PlacementKind::V, 4, 8, 8)), {});
    setOpen(false);
}

QString FileActions::proposedPath() const
{
    if (!document_.path().isEmpty()) {
        QString name = QFileInfo(document_.path()).fileName();
        for (const QString& suffix : { designSuffix, QString(".json") })
            if (name.endsWith(suffix, Qt::CaseInsensitive))
                name.chop(suffix.size());
        return QDir(folder()).filePath(name);
    }
    QString name = QString::fromStdString(document_.committed()->name).simplified();
    name.replace('/', '-');
    return QDir(folder()).filePath(name.isEmpty() ? tr("untitled") : name);
}

QString FileActions::folder() const
{
    if (!document_.path().isEmpty())
        return QFileInfo(document_.path()).absolutePath();
    const QStringList paths = recent_.paths();
    return paths.isEmpty() ? QDir::homePath() : QFileInfo(paths.front()).absolutePath();
}

void FileActions::setOpen(bool open)
{
    isOpen_ = open;
    updateState();
    if (open)
        Q_EMIT opened();
    else
        Q_EMIT closed();
}

void FileActions::setExportProblem(const QString& problem)
{
    exportProblem_ = problem;
    updateState();
}

void FileActions::updateState()
{
    const QString none = isOpen_ ? QString() : tr("No design is open.");
    const bool hasFile = !document_.path().isEmpty();
    enable(*saveAsAction_, none);
    enable(*closeAction_, none);
    enable(*exportAction_, none.isEmpty() ? exportProblem_ : none);
    enable(*saveAction_,
        !none.isEmpty()                       ? none
            : hasFile && !document_.isDirty() ? tr("Nothing has changed.")
                                              : QString());
    enable(*revertAction_,
        !none.isEmpty()            ? none
            : !hasFile             ? tr("It was never saved.")
            : !document_.isDirty() ? tr("Nothing has changed.")
                                   : QString());
    window_->setWindowModified(isOpen_ && document_.isDirty());
    window_->setWindowTitle(isOpen_ ? document_.title() + "[*] – Pipeloom" : QString("Pipeloom"));
    window_->setWindowFilePath(isOpen_ ? document_.path() : QString());
}

} // namespace pipeloom::designer
