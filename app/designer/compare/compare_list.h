// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The designs that are compared, and their figures, which are made on a worker thread. One of them may be the document itself and follow it.

#include "app/designer/compare/comparison.h"
#include "app/designer/document/document.h"
#include "app/designer/schedule/schedule_data.h"

#include <QObject>
#include <QString>
#include <QThreadPool>

#include <memory>
#include <vector>

namespace pipeloom::designer {

struct ComparedDesign {
    std::int64_t id = 0;
    QString name;
    QString source;      ///< where it comes from: a file, the library
    bool isLive = false; ///< follows the document
    DesignPtr design;
    FiguresPtr figures;                       ///< null: still being made
    std::shared_ptr<const ScheduleData> data; ///< for drawing; null as long as figures are
    std::optional<ComparedFigures> compared;  ///< none: it cannot be simulated, or is still being made
    QString problem;                          ///< why it cannot
};

class CompareList : public QObject {
    Q_OBJECT
public:
    explicit CompareList(Document& document, QObject* parent = nullptr);
    ~CompareList() override;

    [[nodiscard]] const std::vector<ComparedDesign>& designs() const { return designs_; }
    [[nodiscard]] int size() const { return static_cast<int>(designs_.size()); }
    [[nodiscard]] bool hasLive() const;
    /// Of how many designs the figures are still being made.
    [[nodiscard]] int pending() const;
    [[nodiscard]] Basis basis() const;

    void addLive();
    void add(Design design, const QString& name, const QString& source);
    /// For the document's devices, micro-batches and costs. Empty, or why the schedule cannot be made for them.
    QString addFromLibrary(std::string_view name, std::int32_t chunks = 0);
    /// All schedules that can be made so and are not there yet; gives how many were added.
    int addWholeLibrary();
    /// Empty, or why the file cannot be read.
    QString addFile(const QString& path);
    void remove(int at);
    void clear();
    /// Changes places with the neighbour, if there is one.
    void move(int at, int by);

Q_SIGNALS:
    void structureChanged(); ///< designs came, went or changed places
    void figuresChanged();   ///< those of one are there, or are being made anew

private:
    void make(std::int64_t id);
    void takeResult(
        std::int64_t id, const DesignPtr& design, FiguresPtr figures, std::shared_ptr<const ScheduleData> data);
    [[nodiscard]] ComparedDesign* find(std::int64_t id);
    void followDocument();

    Document& document_;
    QThreadPool pool_;
    std::vector<ComparedDesign> designs_;
    std::int64_t nextId_ = 1;
    std::int64_t busyLive_ = 0; ///< the live design whose figures are under way; 0: none
};

} // namespace pipeloom::designer
