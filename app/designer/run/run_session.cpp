// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/run_session.h"

#include "app/designer/run/event_feed.h"
#include "core/run/run_figures.h"

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

namespace {

constexpr int tellEveryMs = 50;
constexpr int sliceMs = 8;
constexpr int fastShownMs = 250; ///< steps shorter than this are shown as wholes, and no more often
constexpr int scaleEveryMs = 500;
constexpr int watchMs = 500;

} // namespace

RunSession::RunSession(QObject* parent)
    : QObject(parent)
    , log_(std::make_unique<RunLog>())
{
    soon_.setSingleShot(true);
    soon_.setInterval(tellEveryMs);
    connect(&soon_, &QTimer::timeout, this, &RunSession::update);
    watch_.setInterval(watchMs);
    connect(&watch_, &QTimer::timeout, this, [this] {
        const bool stands = standstill().has_value();
        if (stands || toldStandstill_)
            Q_EMIT changed();
        toldStandstill_ = stands;
    });
}

RunSession::~RunSession() = default;

void RunSession::open(const QString& path, double speed)
{
    close();
    path_ = path;
    speed_ = speed;
    state_ = State::Waiting;
    watch_.start();
    sinceEvent_.start();
    const std::uint64_t number = ++feedNumber_;
    EventFeed::Settings settings;
    settings.path = path.toStdString();
    settings.speed = speed;
    // What a feed gave that is gone meanwhile is dropped.
    feed_ = std::make_unique<EventFeed>(
        settings,
        [this, number](std::shared_ptr<EventBatch> batch) {
            QMetaObject::invokeMethod(this, [this, number, batch = std::move(batch)] {
                if (number == feedNumber_)
                    receive(batch);
            });
        },
        [this, number](std::int64_t step, MeasuredStepPtr read) {
            QMetaObject::invokeMethod(this, [this, number, step, read = std::move(read)] {
                if (number == feedNumber_)
                    receiveStep(step, read);
            });
        });
    Q_EMIT opened();
}

void RunSession::close()
{
    const bool wasOpen = state_ != State::Empty;
    ++feedNumber_;
    feed_.reset();
    watch_.stop();
    soon_.stop();
    batches_.clear();
    batchAt_ = 0;
    log_ = std::make_unique<RunLog>();
    counts_ = {};
    behind_ = {};
    path_.clear();
    state_ = State::Empty;
    speed_ = 0;
    paused_ = false;
    shown_.reset();
    shownNumber_ = -1;
    isBeingRead_ = false;
    chosen_.reset();
    reference_.reset();
    scaledFrom_.reset();
    factor_ = 1;
    lastProblem_.clear();
    if (!std::exchange(live_, true))
        Q_EMIT liveChanged(true);
    if (wasOpen)
        Q_EMIT opened();
}

void RunSession::setSpeed(double speed)
{
    if (speed_ <= 0 || !(speed > 0))
        return;
    speed_ = speed;
    if (feed_)
        feed_->setSpeed(speed);
    Q_EMIT changed();
}

void RunSession::setPaused(bool paused)
{
    paused_ = paused;
    if (feed_)
        feed_->setPaused(paused);
    Q_EMIT changed();
}

void RunSession::receive(const std::shared_ptr<EventBatch>& batch)
{
    batches_.push_back(batch);
    if (batches_.size() == 1)
        takeSome();
}

void RunSession::takeSome()
{
    QElapsedTimer clock;
    clock.start();
    while (!batches_.empty()) {
        EventBatch& batch = *batches_.front();
        if (batch.replaced && batchAt_ == 0) {
            log_ = std::make_unique<RunLog>();
            shown_.reset();
            shownNumber_ = -1;
            reference_.reset();
            scaledFrom_.reset();
            state_ = State::Waiting;
            batch.replaced = false;
            // The step that was shown is of another run.
            isBeingRead_ = false;
            if (!std::exchange(live_, true))
                Q_EMIT liveChanged(true);
            Q_EMIT opened();
        }
        while (batchAt_ < batch.events.size()) {
            log_->add(std::move(batch.events[batchAt_++]));
            constexpr std::size_t often = 256;
            if (batchAt_ % often == 0 && clock.elapsed() >= sliceMs) {
                tellSoon();
                QTimer::singleShot(0, this, [this, number = feedNumber_] {
                    if (number == feedNumber_)
                        takeSome();
                });
                return;
            }
        }
        if (!batch.events.empty())
            sinceEvent_.start();
        counts_ = batch.counts;
        const std::chrono::duration<double, std::milli> late = std::chrono::steady_clock::now() - batch.current;
        behind_ = { batch.bytesBehind, late.count() };
        if (log_->began())
            state_ = log_->ended() || batch.atEnd ? State::Ended : State::Running;
        const QString problem = QString::fromStdString(batch.problem);
        if (problem != lastProblem_ && !problem.isEmpty() && log_->began())
            Q_EMIT this->problem(problem);
        lastProblem_ = problem;
        batches_.pop_front();
        batchAt_ = 0;
        if (feed_)
            feed_->done();
    }
    tellSoon();
}

void RunSession::take(std::vector<RunEvent>&& events)
{
    if (state_ == State::Empty) {
        state_ = State::Waiting;
        Q_EMIT opened();
    }
    for (RunEvent& event : events)
        log_->add(std::move(event));
    counts_.lines += static_cast<std::int64_t>(events.size());
    sinceEvent_.start();
    if (log_->began())
        state_ = log_->ended() ? State::Ended : State::Running;
    update();
}

void RunSession::tellSoon()
{
    if (!soon_.isActive())
        soon_.start();
}

void RunSession::update()
{
    const bool isMore = log_->generation() != std::exchange(toldGeneration_, log_->generation());
    updateReference();
    if (live_)
        chooseLiveStep();
    else if (isMore && shown_ && !isBeingRead_ && !shown_->isWhole())
        Q_EMIT shownChanged();
    Q_EMIT changed();
}

double RunSession::medianStepMs() const
{
    const auto& all = log_->summaries();
    constexpr std::size_t enough = 20;
    std::vector<double> last;
    for (std::size_t i = all.size() - std::min(all.size(), enough); i < all.size(); ++i)
        last.push_back(all[i].stepMs);
    if (last.empty())
        return 0;
    const auto middle = last.begin() + static_cast<std::ptrdiff_t>(last.size() / 2);
    std::nth_element(last.begin(), middle, last.end());
    return *middle;
}

void RunSession::chooseLiveStep()
{
    const double usual = medianStepMs();
    const bool isFast = usual > 0 && usual < fastShownMs && state_ == State::Running;
    MeasuredStepPtr next = log_->newestWhole();
    // Of a run that failed the step in which it did is what one wants to see.
    if (!next || (!isFast && state_ != State::Ended) || log_->failed())
        next = log_->newest();
    if (!next)
        return;
    // Steps that follow each other faster than they can be seen are shown now and then.
    const bool isOther = next->step != shownNumber_;
    if (isFast && isOther && shown_ && sinceShown_.isValid() && sinceShown_.elapsed() < fastShownMs) {
        tellSoon();
        return;
    }
    shown_ = std::move(next);
    shownNumber_ = shown_->step;
    isBeingRead_ = false;
    sinceShown_.start();
    Q_EMIT shownChanged();
}

void RunSession::setLive(bool live)
{
    if (live_ == live)
        return;
    live_ = live;
    if (live_) {
        sinceShown_.invalidate();
        chooseLiveStep();
    }
    Q_EMIT liveChanged(live);
}

std::pair<std::int64_t, std::int64_t> RunSession::steps() const
{
    const MeasuredStepPtr newest = log_->newest();
    const auto& summaries = log_->summaries();
    if (!newest && summaries.empty())
        return { 0, -1 };
    std::int64_t first = newest ? log_->steps().front()->step : summaries.front().step;
    std::int64_t last = newest ? newest->step : summaries.back().step;
    if (!summaries.empty()) {
        first = std::min(first, summaries.front().step);
        last = std::max(last, summaries.back().step);
    }
    return { first, last };
}

void RunSession::showStep(std::int64_t step)
{
    const auto [first, last] = steps();
    if (last < first)
        return;
    step = std::clamp(step, first, last);
    shownNumber_ = step;
    shown_ = log_->step(step);
    isBeingRead_ = !shown_;
    setLive(false); // who is told of it asks which step it is
    if (isBeingRead_ && feed_ && log_->began())
        feed_->readStep(step, *log_->began(), log_->planned());
    Q_EMIT shownChanged();
}

void RunSession::showNext(int by)
{
    if (shownNumber_ >= 0)
        showStep(shownNumber_ + by);
}

void RunSession::receiveStep(std::int64_t step, const MeasuredStepPtr& read)
{
    if (live_ || step != shownNumber_)
        return;
    isBeingRead_ = false;
    shown_ = read;
    if (!read)
        Q_EMIT problem(tr("Step %1 is not in the files any more.").arg(step));
    Q_EMIT shownChanged();
}

std::vector<MeasuredStepPtr> RunSession::lastWhole(std::size_t most) const
{
    std::vector<MeasuredStepPtr> found;
    for (auto step = log_->steps().rbegin(); step != log_->steps().rend() && found.size() < most; ++step)
        if ((*step)->isWhole())
            found.push_back(*step);
    std::ranges::reverse(found);
    return found;
}

void RunSession::setReference(RunPlanPtr plan)
{
    chosen_ = std::move(plan);
    sinceScaled_.invalidate();
    updateReference();
    Q_EMIT shownChanged();
    Q_EMIT changed();
}

void RunSession::setPlanScale(PlanScale scale)
{
    scale_ = scale;
    sinceScaled_.invalidate();
    updateReference();
    Q_EMIT shownChanged();
    Q_EMIT changed();
}

void RunSession::updateReference()
{
    const RunPlanPtr plan = chosen_ ? chosen_ : log_->plan();
    if (!plan) {
        reference_.reset();
        scaledFrom_.reset();
        factor_ = 1;
        return;
    }
    const bool isOther = plan != scaledFrom_;
    if (!isOther && sinceScaled_.isValid() && sinceScaled_.elapsed() < scaleEveryMs)
        return;
    sinceScaled_.start();
    double factor = 1;
    const bool isRehearsal = log_->began() && log_->began()->emulated; // which takes the plan's times for real
    if (scale_ == PlanScale::Fitted || (scale_ == PlanScale::Automatic && !isRehearsal)) {
        const double measured = drift(lastWhole(), *plan).overall;
        const bool areTimes = measured >= 0.5 && measured <= 2;
        if (measured > 0 && (scale_ == PlanScale::Fitted || !areTimes))
            factor = measured;
    }
    // A picture that changes its scale with every step could not be looked at.
    constexpr double matters = 0.005;
    if (!isOther && reference_ && std::abs(factor / factor_ - 1) <= matters)
        return;
    factor_ = factor;
    scaledFrom_ = plan;
    reference_ = factor == 1 ? plan : std::make_shared<const RunPlan>(scaled(*plan, factor));
}

std::optional<QString> RunSession::standstill() const
{
    const MeasuredStepPtr step = log_->newest();
    if (state_ != State::Running || isReplay() || !step || step->isWhole() || !log_->plan() || !sinceEvent_.isValid())
        return std::nullopt;
    constexpr double leastMs = 2000;
    constexpr double steps = 5;
    if (static_cast<double>(sinceEvent_.elapsed()) < std::max(leastMs, steps * medianStepMs()))
        return std::nullopt;
    const std::vector<HeldUp> held = heldUp(*step, *log_->plan());
    if (held.empty())
        return std::nullopt;
    return QString::fromStdString(text(held.front()));
}

} // namespace pipeloom::designer
