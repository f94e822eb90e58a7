// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A run as the window sees it, live or from a file: its log, the step that is shown, the plan that it is held against. The one
// owner of what the Run layout shows; its views only read it.

#include "core/formats/event_lines.h"
#include "core/run/run_log.h"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>

#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace pipeloom::designer {

class EventFeed;
struct EventBatch;

class RunSession : public QObject {
    Q_OBJECT
public:
    explicit RunSession(QObject* parent = nullptr);
    ~RunSession() override;

    enum class State : std::uint8_t {
        Empty,   ///< no run was opened
        Waiting, ///< the file, or its first line, is not there yet
        Running, ///< events come, or may come
        Ended,   ///< its last line was read, or a replay has come to its end
    };
    /// Reads a file of events, or all files of a folder (`events.jsonl`, `events-rank-N.jsonl`), and follows what is added to
    /// them; they need not be there yet. What was open before is closed.
    void follow(const QString& path) { open(path, 0); }
    /// Reads it again as if it happened now, `speed` times as fast.
    void replay(const QString& path, double speed) { open(path, speed); }
    void close();
    [[nodiscard]] QString path() const { return path_; }
    [[nodiscard]] State state() const { return state_; }
    [[nodiscard]] bool isReplay() const { return speed_ > 0; }
    /// Of a replay; 1 to 100. 0: it is followed.
    [[nodiscard]] double speed() const { return speed_; }
    void setSpeed(double speed);
    /// Nothing more is taken until it goes on: what comes meanwhile stays in the file.
    void setPaused(bool paused);
    [[nodiscard]] bool isPaused() const { return paused_; }

    [[nodiscard]] const RunLog& log() const { return *log_; }
    [[nodiscard]] const EventCounts& counts() const { return counts_; }
    /// How far the window is behind the files.
    struct Behind {
        std::int64_t bytes = 0;
        double ms = 0; ///< since the oldest line that is written and not yet shown, as far as is known
    };
    [[nodiscard]] Behind behind() const { return behind_; }

    /// Follows the newest step. Showing another one leaves it.
    [[nodiscard]] bool isLive() const { return live_; }
    void setLive(bool live);
    /// The step shown. Live it is the one under way if steps are slow enough to be watched, else the last whole one.
    [[nodiscard]] const MeasuredStepPtr& shown() const { return shown_; }   ///< null: none, or being read from the file
    [[nodiscard]] std::int64_t shownNumber() const { return shownNumber_; } ///< -1: none
    /// Steps that the log keeps no longer are read from the file again, on the worker; shownChanged tells when it is there.
    void showStep(std::int64_t step);
    void showNext(int by);
    /// First and newest step that can be shown; {0, -1}: none.
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> steps() const;

    /// What the run is held against; null: the plan of the run itself.
    void setReference(RunPlanPtr plan);
    /// Null: not known. Its times are scaled by planFactor().
    [[nodiscard]] const RunPlanPtr& reference() const { return reference_; }
    /// A design's costs may be units and no times. Automatic: 1 if measured compute is within half and twice the planned, else
    /// measured / planned.
    enum class PlanScale : std::uint8_t { Automatic, AsDesigned, Fitted };
    void setPlanScale(PlanScale scale);
    [[nodiscard]] PlanScale planScale() const { return scale_; }
    [[nodiscard]] double planFactor() const { return factor_; }
    /// The last whole steps, newest last, at most `most`: what medians are taken over.
    [[nodiscard]] std::vector<MeasuredStepPtr> lastWhole(std::size_t most = 20) const;

    /// Who holds up a step that does not go on, as far as that can be told from the plan: `rank 2 has not finished 3B5; ranks 1 and
    /// 0 wait`. None: it goes on, or no step is under way.
    [[nodiscard]] std::optional<QString> standstill() const;

    /// Takes events at once, as if a file had them. Opens a run of no file if none is open.
    void take(std::vector<RunEvent>&& events);

Q_SIGNALS:
    void changed();      ///< the log, counts or state; at most 20 times a second
    void shownChanged(); ///< another step is shown, more of it, or another plan
    void liveChanged(bool live);
    void opened();                         ///< another run, or none
    void problem(const QString& sentence); ///< the file cannot be read, and the like

private:
    void open(const QString& path, double speed);
    void receive(const std::shared_ptr<EventBatch>& batch);
    /// Takes what has come, for some milliseconds; goes on by itself if there is more.
    void takeSome();
    void receiveStep(std::int64_t step, const MeasuredStepPtr& read);
    void tellSoon();
    void update();
    void chooseLiveStep();
    void updateReference();
    [[nodiscard]] double medianStepMs() const;

    QString path_;
    State state_ = State::Empty;
    double speed_ = 0;
    bool paused_ = false;
    std::unique_ptr<RunLog> log_;
    EventCounts counts_;
    Behind behind_;
    bool live_ = true;
    MeasuredStepPtr shown_;
    std::int64_t shownNumber_ = -1;
    bool isBeingRead_ = false; ///< the step that is to be shown
    RunPlanPtr chosen_;
    RunPlanPtr reference_;
    RunPlanPtr scaledFrom_; ///< what reference_ was made of
    PlanScale scale_ = PlanScale::Automatic;
    double factor_ = 1;
    QString lastProblem_;

    std::deque<std::shared_ptr<EventBatch>> batches_;
    std::size_t batchAt_ = 0; ///< events of the first batch that were taken
    std::uint64_t feedNumber_ = 0;
    std::uint64_t toldGeneration_ = 0;
    QElapsedTimer sinceEvent_;
    QElapsedTimer sinceShown_;
    QElapsedTimer sinceScaled_;
    QTimer soon_;
    QTimer watch_; ///< for runs that stand still
    bool toldStandstill_ = false;
    std::unique_ptr<EventFeed> feed_;
};

} // namespace pipeloom::designer
