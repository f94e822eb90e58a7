// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/step_curve.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace pipeloom::designer {

namespace {

/// The lowest and the highest of a stretch of steps.
struct Bucket {
    QPointF low { 0, std::numeric_limits<double>::infinity() };
    QPointF high { 0, -std::numeric_limits<double>::infinity() };
    double gap = std::numeric_limits<double>::quiet_NaN();

    void add(double step, double value)
    {
        if (!std::isfinite(value)) {
            if (std::isnan(gap))
                gap = step;
            return;
        }
        if (value < low.y())
            low = { step, value };
        if (value > high.y())
            high = { step, value };
    }
    [[nodiscard]] bool hasValue() const { return low.y() <= high.y(); }
};

/// Appends to the last piece; a gap ends it.
void append(StepCurve& curve, const Bucket& bucket)
{
    if (curve.pieces.empty())
        curve.pieces.emplace_back();
    std::vector<QPointF>& piece = curve.pieces.back();
    if (bucket.hasValue()) {
        const bool lowFirst = bucket.low.x() <= bucket.high.x();
        piece.push_back(lowFirst ? bucket.low : bucket.high);
        if (bucket.low.x() != bucket.high.x())
            piece.push_back(lowFirst ? bucket.high : bucket.low);
        curve.least = std::min(curve.least, bucket.low.y());
        curve.most = std::max(curve.most, bucket.high.y());
    }
    if (!std::isnan(bucket.gap)) {
        curve.gaps.push_back(bucket.gap);
        if (!piece.empty())
            curve.pieces.emplace_back();
    }
}

} // namespace

std::size_t StepCurve::points() const
{
    std::size_t sum = 0;
    for (const std::vector<QPointF>& piece : pieces)
        sum += piece.size();
    return sum;
}

StepCurve stepCurve(const std::vector<StepSummary>& steps, const StepValue& value, std::size_t most)
{
    const std::size_t size = steps.size();
    const std::size_t buckets = size <= most ? size : std::max<std::size_t>(most / 2, 1);
    StepCurve curve;
    curve.least = std::numeric_limits<double>::infinity();
    curve.most = -curve.least;
    for (std::size_t at = 0; at < buckets; ++at) {
        Bucket bucket;
        for (std::size_t i = at * size / buckets; i < (at + 1) * size / buckets; ++i)
            bucket.add(static_cast<double>(steps[i].step), value(steps[i]));
        append(curve, bucket);
    }
    while (!curve.pieces.empty() && curve.pieces.back().empty())
        curve.pieces.pop_back();
    if (curve.pieces.empty())
        curve.least = curve.most = 0;
    return curve;
}

double usefulTop(const StepCurve& curve)
{
    std::vector<double> values;
    for (const std::vector<QPointF>& piece : curve.pieces)
        for (const QPointF& point : piece)
            values.push_back(point.y());
    if (values.size() < 4)
        return curve.most;
    // All but one in fifty, and at least the first step, which warms up.
    const std::size_t at = values.size() - 1 - std::max<std::size_t>(values.size() / 50, 1);
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(at), values.end());
    const double usual = values[at];
    return curve.most > 3 * usual && usual > 0 ? 1.5 * usual : curve.most;
}

double tickStep(double least, double most, int ticks)
{
    const double wanted = (most - least) / std::max(ticks, 1);
    if (!(wanted > 0) || !std::isfinite(wanted))
        return 1;
    const double magnitude = std::pow(10, std::floor(std::log10(wanted)));
    for (const double digit : { 1.0, 2.0, 5.0 })
        if (digit * magnitude >= wanted * (1 - 1e-9))
            return digit * magnitude;
    return 10 * magnitude;
}

} // namespace pipeloom::designer
