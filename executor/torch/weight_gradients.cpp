// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/torch/weight_gradients.h"

#include <ATen/ATen.h>

#include <utility>

namespace pipeloom::executor {

namespace {

/// As a matrix whose rows are vectors of the last dimension, cut off from the graph, which would keep its inputs alive.
at::Tensor rows(const at::Tensor& tensor) { return tensor.detach().reshape({ -1, tensor.size(-1) }); }

} // namespace

void WeightGradients::addLinear(Parameter& weight, const at::Tensor& x, const at::Tensor& gy)
{
    add({ Form::Linear, &weight, rows(x), rows(gy) });
}

void WeightGradients::addRows(Parameter& weight, const at::Tensor& tokens, const at::Tensor& gy)
{
    add({ Form::Rows, &weight, tokens, gy.detach() });
}

void WeightGradients::addSum(Parameter& weight, const at::Tensor& gy) { add({ Form::Sum, &weight, {}, gy.detach() }); }

void WeightGradients::add(Entry entry)
{
    if (when_ == When::AtOnce)
        accumulate(entry);
    else
        entries_.push_back(std::move(entry));
}

void WeightGradients::accumulate()
{
    std::vector<Entry> entries = std::exchange(entries_, {});
    for (Entry& entry : entries) {
        accumulate(entry);
        entry = {};
    }
}

void WeightGradients::accumulate(const Entry& entry)
{
    const at::NoGradGuard noGraph;
    at::Tensor& gradient = entry.weight->gradient;
    switch (entry.form) {
    case Form::Linear:
        // What bf16 operands make is rounded to bf16 before it is added in fp32; only fp32 is added as it is made.
        if (entry.x.scalar_type() == at::kFloat)
            gradient.addmm_(entry.gy.t(), entry.x);
        else
            gradient.add_(at::mm(entry.gy.t(), entry.x));
        return;
    case Form::Rows:
        gradient.add_(at::embedding_dense_backward(entry.gy.to(at::kFloat), entry.x, gradient.size(0), -1, false));
        return;
    case Form::Sum:
        gradient.add_(entry.gy.to(at::kFloat).sum_to_size(gradient.sizes()));
        return;
    }
}

} // namespace pipeloom::executor
