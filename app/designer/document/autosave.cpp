// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/document/autosave.h"

#include "core/formats/design_file.h"

namespace pipeloom::designer {

namespace {

constexpr int delayMs = 3000;

} // namespace

Autosave::Autosave(Document& document, QObject* parent)
    : Autosave(document, recoveryFolder(), parent)
{
}

Autosave::Autosave(Document& document, const QString& folder, QObject* parent)
    : QObject(parent)
    , document_(document)
    , folder_(folder)
{
    pool_.setMaxThreadCount(1);
    timer_.setSingleShot(true);
    timer_.setInterval(delayMs);
    connect(&timer_, &QTimer::timeout, this, &Autosave::write);
    connect(&document_, &Document::committedChanged, this, &Autosave::edited);
    connect(&document_, &Document::stateChanged, this, &Autosave::edited);
    connect(&document_, &Document::wasReset, this, &Autosave::drop);
}

Autosave::~Autosave() { finish(); }

void Autosave::edited()
{
    if (!document_.isDirty())
        drop();
    else if (document_.committed() != kept_)
        timer_.start();
}

void Autosave::write()
{
    timer_.stop();
    if (!document_.isDirty() || document_.committed() == kept_)
        return;
    const DesignPtr design = document_.committed();
    const LeftBehind what { recoveryFileFor(folder_, document_.path()), document_.path(), document_.title(),
        QDateTime::currentDateTime() };
    if (!file_.isEmpty() && file_ != what.file)
        removeRecovery(file_); // of the path before
    file_ = what.file;
    kept_ = design;
    lastStarted_ = file_;
    pool_.start([this, design, what, generation = generation_] {
        const QString problem = writeRecovery(what, writeDesign(*design), thisProcess());
        QMetaObject::invokeMethod(this, [=, this] { arrived(generation, what.file, problem); });
    });
}

void Autosave::arrived(std::uint64_t generation, const QString& file, const QString& problem)
{
    if (generation != generation_) {
        if (file != file_)
            removeRecovery(file); // it was saved while the copy was written
        return;
    }
    if (problem.isEmpty()) {
        hasFailed_ = false;
        Q_EMIT written(QDateTime::currentDateTime());
        return;
    }
    kept_.reset(); // tried again after the next edit
    if (!std::exchange(hasFailed_, true))
        Q_EMIT failed(tr("No recovery copy can be written: %1.").arg(problem));
}

void Autosave::drop()
{
    timer_.stop();
    ++generation_; // a writer that is still at it is cleaned up after when it arrives
    kept_.reset();
    if (!file_.isEmpty())
        removeRecovery(file_);
    file_.clear();
}

void Autosave::flush()
{
    write();
    pool_.waitForDone();
}

void Autosave::finish()
{
    drop();
    pool_.waitForDone();
    if (!lastStarted_.isEmpty())
        removeRecovery(lastStarted_);
    lastStarted_.clear();
}

Findings Autosave::recover(const LeftBehind& what)
{
    ReadDesign read = loadDesign(what.file.toStdString());
    if (!read.design)
        return std::move(read.findings);
    document_.reset(std::move(*read.design), what.path);
    document_.markRecovered();
    if (const auto own = adopt(what, folder_)) {
        file_ = own->file;
        kept_ = document_.committed();
        timer_.stop();
    }
    return std::move(read.findings);
}

} // namespace pipeloom::designer
