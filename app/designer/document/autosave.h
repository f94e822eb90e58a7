// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Keeps a copy of unsaved changes, so that a crash costs seconds of work at most. Written on a worker thread some time after
// the last edit; removed when the document is saved, clean again, or given up.

#include "app/designer/document/document.h"
#include "app/designer/document/recovery_file.h"

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include <cstdint>

namespace pipeloom::designer {

class Autosave : public QObject {
    Q_OBJECT
public:
    explicit Autosave(Document& document, QObject* parent = nullptr);
    Autosave(Document& document, const QString& folder, QObject* parent = nullptr);
    /// As `finish`.
    ~Autosave() override;

    void setDelayMs(int ms) { timer_.setInterval(ms); }
    /// Writes now what is not written yet, for what may crash next; waits for it.
    void flush();
    /// The program ends as it should: nothing is left behind.
    void finish();
    [[nodiscard]] const QString& folder() const { return folder_; }
    /// The copy that is there; empty: none.
    [[nodiscard]] const QString& file() const { return file_; }

    /// What crashed processes left.
    [[nodiscard]] std::vector<LeftBehind> leftBehind() const { return leftBehindIn(folder_); }
    /// Its design as this document's, with unsaved changes; the files are this process's own from then on. What is wrong
    /// with them is told; then the document is left alone.
    [[nodiscard]] Findings recover(const LeftBehind& what);

Q_SIGNALS:
    void written(const QDateTime& when);
    void failed(const QString& why); ///< once, until a later copy is written

private:
    void edited();
    void write();
    void arrived(std::uint64_t generation, const QString& file, const QString& problem);
    void drop();

    Document& document_;
    QString folder_;
    QTimer timer_;
    QThreadPool pool_;             ///< one thread
    std::uint64_t generation_ = 0; ///< raised when what is being written is of no use any more
    QString file_;
    QString lastStarted_; ///< the file written last, or being written
    DesignPtr kept_;      ///< the design that the copy is of
    bool hasFailed_ = false;
};

} // namespace pipeloom::designer
