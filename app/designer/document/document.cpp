// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/document/document.h"

#include "core/formats/design_file.h"

#include <QFileInfo>

namespace pipeloom::designer {

class DesignCommand : public QUndoCommand {
public:
    DesignCommand(Document& document, DesignPtr before, DesignPtr after, const QString& name, QString mergeKey)
        : QUndoCommand(name)
        , document_(document)
        , before_(std::move(before))
        , after_(std::move(after))
        , mergeKey_(std::move(mergeKey))
    {
    }

    void undo() override { document_.become(before_); }
    void redo() override { document_.become(after_); }
    int id() const override { return mergeKey_.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand* next) override
    {
        const auto* other = static_cast<const DesignCommand*>(next);
        if (other->mergeKey_ != mergeKey_ || !other->continues_)
            return false;
        after_ = other->after_;
        setText(other->text());
        setObsolete(*after_ == *before_);
        return true;
    }
    void setContinues(bool continues) { continues_ = continues; }

private:
    Document& document_;
    DesignPtr before_;
    DesignPtr after_;
    QString mergeKey_;
    bool continues_ = false; ///< nothing else happened since the step before
};

Document::Document(QObject* parent)
    : QObject(parent)
    , committed_(std::make_shared<const Design>(emptyDesign(pipeline(PlacementKind::V, 4, 8, 8))))
{
    undoStack_.setUndoLimit(500);
    connect(&undoStack_, &QUndoStack::cleanChanged, this, &Document::stateChanged);
    connect(&undoStack_, &QUndoStack::indexChanged, this, &Document::stateChanged);
}

bool Document::apply(Edited edited, const QString& mergeKey)
{
    if (!edited.ok()) {
        cancelPreview();
        Q_EMIT refused(QString::fromStdString(edited.refusal));
        return false;
    }
    if (*edited.design == *committed_) {
        cancelPreview();
        return true;
    }
    preview_.reset();
    auto after = std::make_shared<const Design>(std::move(*edited.design));
    auto command = std::make_unique<DesignCommand>(
        *this, committed_, std::move(after), QString::fromStdString(edited.name), mergeKey);
    command->setContinues(!mergeKey.isEmpty() && mergeKey == lastMergeKey_);
    undoStack_.push(command.release());
    lastMergeKey_ = mergeKey;
    return true;
}

void Document::preview(Design design)
{
    preview_ = std::make_shared<const Design>(std::move(design));
    Q_EMIT shownChanged();
}

void Document::commitPreview(const QString& name)
{
    if (!preview_)
        return;
    Edited edited { *preview_, name.toStdString(), {} };
    apply(std::move(edited));
}

void Document::cancelPreview()
{
    if (!preview_)
        return;
    preview_.reset();
    Q_EMIT shownChanged();
}

void Document::become(DesignPtr design)
{
    preview_.reset();
    breakMerge();
    committed_ = std::move(design);
    Q_EMIT shownChanged();
    Q_EMIT committedChanged();
}

void Document::reset(Design design, const QString& path)
{
    Q_EMIT aboutToReset();
    recovered_ = false;
    path_ = path;
    undoStack_.clear();
    undoStack_.setClean();
    become(std::make_shared<const Design>(std::move(design)));
    Q_EMIT wasReset();
    Q_EMIT stateChanged();
}

Findings Document::open(const QString& path)
{
    ReadDesign read = loadDesign(path.toStdString());
    if (read.design)
        reset(std::move(*read.design), path);
    return std::move(read.findings);
}

Findings Document::save(const QString& path)
{
    Findings findings = saveText(path.toStdString(), writeDesign(*committed_));
    if (hasErrors(findings))
        return findings;
    path_ = path;
    recovered_ = false;
    undoStack_.setClean();
    Q_EMIT stateChanged();
    return findings;
}

QString Document::title() const
{
    if (!path_.isEmpty())
        return QFileInfo(path_).fileName();
    return committed_->name.empty() ? tr("Untitled") : QString::fromStdString(committed_->name);
}

} // namespace pipeloom::designer
