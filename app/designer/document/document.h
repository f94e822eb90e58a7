// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The one owner of the design. Every change goes through `apply`, which makes an undo step or changes nothing. States are
// whole designs that never change, shared by all who look at them: undo is exact by construction, a worker thread may read
// one while the next is made.

#include "app/designer/edit/edited.h"
#include "core/finding/finding.h"

#include <QObject>
#include <QString>
#include <QUndoStack>

#include <memory>

namespace pipeloom::designer {

using DesignPtr = std::shared_ptr<const Design>;

class Document : public QObject {
    Q_OBJECT
public:
    explicit Document(QObject* parent = nullptr);

    /// The design as of the last undo step.
    [[nodiscard]] const DesignPtr& committed() const { return committed_; }
    /// What views draw: the preview while a gesture or slider is held, else the committed design.
    [[nodiscard]] const DesignPtr& shown() const { return preview_ ? preview_ : committed_; }
    [[nodiscard]] bool isPreviewing() const { return preview_ != nullptr; }

    /// One undo step named by the edit. With the same non-empty mergeKey as the step before, and nothing between, both become
    /// one step. False and `refused` if the edit was refused; nothing happens if it changes nothing. Ends a preview.
    bool apply(Edited edited, const QString& mergeKey = {});
    /// The next apply starts a step of its own. Selection changes and the like call it.
    void breakMerge() { lastMergeKey_.clear(); }
    /// Shows a design that is not a step yet. Views follow `shownChanged`.
    void preview(Design design);
    /// Makes the preview one step, or takes it back.
    void commitPreview(const QString& name);
    void cancelPreview();

    /// Takes over another design: new, opened, recovered. Forgets all steps.
    void reset(Design design, const QString& path);
    /// Reads a file. What is wrong with it is told; the document is left alone then.
    [[nodiscard]] Findings open(const QString& path);
    /// Writes the canonical form, whole or not at all. What went wrong is told; then the document stays dirty.
    [[nodiscard]] Findings save(const QString& path);

    [[nodiscard]] QUndoStack& undoStack() { return undoStack_; }
    [[nodiscard]] const QString& path() const { return path_; } ///< empty: never saved
    [[nodiscard]] QString title() const;                        ///< the file's name, or the design's, or `Untitled`
    [[nodiscard]] bool isDirty() const { return recovered_ || !undoStack_.isClean(); }
    /// A recovered design differs from its file from the start.
    void markRecovered()
    {
        recovered_ = true;
        Q_EMIT stateChanged();
    }

Q_SIGNALS:
    void shownChanged();                 ///< another design is to be drawn, preview or step
    void committedChanged();             ///< a step was made, undone or redone, or the document reset
    void aboutToReset();                 ///< another document comes: nothing of this one is of use any more
    void wasReset();                     ///< it is another document now
    void stateChanged();                 ///< path or dirty mark
    void refused(const QString& reason); ///< an edit was refused; for the status line

private:
    friend class DesignCommand;
    void become(DesignPtr design);

    DesignPtr committed_;
    DesignPtr preview_;
    QUndoStack undoStack_;
    QString path_;
    QString lastMergeKey_;
    bool recovered_ = false;
};

} // namespace pipeloom::designer
