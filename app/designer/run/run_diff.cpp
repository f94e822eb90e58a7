// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/run_diff.h"

#include "app/designer/run/run_medians.h"
#include "app/designer/run/run_session.h"

#include <QFileInfo>

#include <cstdlib>

namespace pipeloom::designer {

RunDiff::RunDiff(RunSession& session, QObject* parent)
    : QObject(parent)
    , session_(session)
{
    worker_.setMaxThreadCount(1);
    connect(&session_, &RunSession::shownChanged, this, &RunDiff::followShown);
    connect(&session_, &RunSession::opened, this, &RunDiff::close);
}

RunDiff::~RunDiff()
{
    if (cancelled_)
        *cancelled_ = true;
    worker_.waitForDone();
}

void RunDiff::open(const QString& path)
{
    close();
    state_ = State::Reading;
    name_ = QFileInfo(path).fileName();
    cancelled_ = std::make_shared<std::atomic<bool>>(false);
    worker_.start([this, cancelled = cancelled_, from = path.toStdString()] {
        auto read = std::make_shared<ReadRun>(readRun(from, *cancelled));
        // The destructor waits for the worker, and takes with it what was posted here.
        QMetaObject::invokeMethod(this, [this, cancelled, read] {
            if (!*cancelled)
                take(std::move(*read));
        });
    });
    Q_EMIT changed();
}

void RunDiff::close()
{
    if (cancelled_)
        *cancelled_ = true;
    cancelled_.reset();
    if (state_ == State::None)
        return;
    setOutline(false);
    state_ = State::None;
    read_ = {};
    name_.clear();
    problem_.clear();
    Q_EMIT changed();
}

void RunDiff::take(ReadRun read)
{
    read_ = std::move(read);
    state_ = read_.log ? State::Ready : State::Failed;
    problem_ = QString::fromStdString(read_.problem);
    if (read_.log && session_.log().plan() && read_.log->plan())
        problem_
            = QString::fromStdString(whyNotComparable(session_.log().plan()->pipeline, read_.log->plan()->pipeline));
    else if (read_.log && !read_.log->plan())
        problem_ = tr("The other run does not say what it planned, so its passes cannot be compared.");
    Q_EMIT changed();
}

bool RunDiff::isComparable() const
{
    return read_.log && read_.log->plan() && session_.log().plan()
        && whyNotComparable(session_.log().plan()->pipeline, read_.log->plan()->pipeline).empty();
}

LossComparison RunDiff::losses() const
{
    return read_.log ? compareLosses(session_.log().summaries(), read_.log->summaries()) : LossComparison {};
}

ByKindAndStage<double> RunDiff::ratios() const
{
    if (!isComparable())
        return {};
    const RunPlan& plan = *session_.log().plan();
    return ratioOf(drift(forMedians(lastWhole(*read_.log)), plan), drift(forMedians(session_.lastWhole()), plan));
}

std::vector<TimeSplit> RunDiff::split() const
{
    return isComparable() ? timeSplit(forMedians(lastWhole(*read_.log)), *read_.log->plan())
                          : std::vector<TimeSplit> {};
}

MeasuredStepPtr RunDiff::nearestWhole(std::int64_t step) const
{
    MeasuredStepPtr nearest;
    for (const auto& each : read_.log->steps())
        if (each->isWhole() && each->passes() > 0
            && (!nearest || std::abs(each->step - step) <= std::abs(nearest->step - step)))
            nearest = each;
    return nearest;
}

RunPlanPtr RunDiff::planOfStep(std::int64_t step) const
{
    if (!isComparable())
        return nullptr;
    const MeasuredStepPtr nearest = nearestWhole(step);
    return nearest
        ? planOf(*nearest, *read_.log->plan(), tr("run %1, step %2").arg(name_).arg(nearest->step).toStdString())
        : nullptr;
}

void RunDiff::setOutline(bool on)
{
    if (on == outline_ || (on && !isComparable()))
        return;
    outline_ = on;
    outlined_ = -1;
    if (on)
        followShown();
    else
        session_.setReference(nullptr);
    Q_EMIT changed();
}

void RunDiff::followShown()
{
    if (!outline_)
        return;
    const MeasuredStepPtr nearest = nearestWhole(session_.shownNumber());
    // Setting the reference tells that what is shown has changed: the same step is not set again.
    if (!nearest || nearest->step == outlined_)
        return;
    outlined_ = nearest->step;
    session_.setReference(planOfStep(nearest->step));
}

} // namespace pipeloom::designer
