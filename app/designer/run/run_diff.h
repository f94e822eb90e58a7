// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Another run that is held against the one in the window: it is read on a worker, and then stands beside it in charts, tables
// and, one step of it, as the outline in the timeline.

#include "app/designer/run/run_comparison.h"
#include "app/designer/run/run_reader.h"

#include <QObject>
#include <QString>
#include <QThreadPool>

#include <atomic>
#include <memory>
#include <optional>

namespace pipeloom::designer {

class RunSession;

class RunDiff : public QObject {
    Q_OBJECT
public:
    explicit RunDiff(RunSession& session, QObject* parent = nullptr);
    ~RunDiff() override;

    enum class State { None, Reading, Ready, Failed };
    /// A file of events, or a folder of them. What was there before is forgotten.
    void open(const QString& path);
    /// Takes it away, and its outline too.
    void close();

    [[nodiscard]] State state() const { return state_; }
    [[nodiscard]] QString name() const { return name_; } ///< of the file or folder
    [[nodiscard]] QString problem() const
    {
        return problem_;
    } ///< one sentence, of a failed one, or why no step can be laid over
    /// Null unless it is ready.
    [[nodiscard]] const std::shared_ptr<const RunLog>& log() const { return read_.log; }
    [[nodiscard]] const EventCounts& counts() const { return read_.counts; }

    /// Against the session's log as it is now.
    [[nodiscard]] LossComparison losses() const;
    /// Time there over time here by stage and kind, medians of the last steps; empty if the pipelines are not the same.
    [[nodiscard]] ByKindAndStage<double> ratios() const;
    /// By device, medians of the last steps there; empty: not known.
    [[nodiscard]] std::vector<TimeSplit> split() const;

    /// A step of the other run as a plan, named `run FILE, step N`: the one asked for if it is kept whole there, else the nearest.
    /// Null: there is none, or the pipelines differ.
    [[nodiscard]] RunPlanPtr planOfStep(std::int64_t step) const;
    /// Shows it as the session's reference, the step shown there against the same step here; off: the run's own plan again.
    void setOutline(bool on);
    [[nodiscard]] bool isOutline() const { return outline_; }

Q_SIGNALS:
    void changed();

private:
    void take(ReadRun read);
    void followShown();
    [[nodiscard]] bool isComparable() const;
    [[nodiscard]] MeasuredStepPtr nearestWhole(std::int64_t step) const;

    RunSession& session_;
    State state_ = State::None;
    QString name_;
    QString problem_;
    ReadRun read_;
    bool outline_ = false;
    std::int64_t outlined_ = -1; ///< the step there that is the outline
    std::shared_ptr<std::atomic<bool>> cancelled_;
    QThreadPool worker_;
};

} // namespace pipeloom::designer
