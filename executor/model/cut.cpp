// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/model.h"

#include <functional>
#include <queue>
#include <tuple>

namespace pipeloom::executor {

namespace {

/// Forward work per token, in additions and multiplications; the backward passes take multiples of the same.
struct Work {
    double layer;
    double embedding;
    double head;
};

Work work(const Model& model)
{
    const double hidden = model.hidden;
    // Matrices of 3, 1, 4 and 4 times hidden squared; causal attention multiplies half of two sequence x hidden.
    const double layer = 24 * hidden * hidden + 2 * model.sequence * hidden;
    // A look-up and an addition: bound by memory, a few operations per value.
    return { layer, 4 * hidden, 2.0 * model.vocabulary * hidden };
}

} // namespace

std::vector<std::int32_t> cut(const Model& model, std::int32_t stages)
{
    const Work costs = work(model);
    std::vector<std::int32_t> layers(static_cast<std::size_t>(stages), 1);

    // All layers cost the same, so giving each further one to the stage that is cheapest with it is best possible, both
    // for the highest cost and for the sum of squares. Equals go to the lower stage.
    using Entry = std::tuple<double, std::int32_t>; // cost with one more layer, stage
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> next;
    for (std::int32_t s = 0; s < stages; ++s) {
        const double ends = (s == 0 ? costs.embedding : 0) + (s == stages - 1 ? costs.head : 0);
        next.emplace(ends + 2 * costs.layer, s);
    }
    for (std::int32_t left = model.layers - stages; left > 0; --left) {
        const auto [cost, stage] = next.top();
        next.pop();
        ++layers[static_cast<std::size_t>(stage)];
        next.emplace(cost + costs.layer, stage);
    }
    return layers;
}

} // namespace pipeloom::executor
