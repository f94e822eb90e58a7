// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/torch/transformer.h"

#include "executor/torch/operations.h"

#include <ATen/ATen.h>

namespace pipeloom::executor {

namespace {

/// Causal attention of all heads; qkv [batch, sequence, 3 hidden] gives [batch, sequence, hidden].
at::Tensor attention(const at::Tensor& qkv, std::int64_t heads)
{
    const std::int64_t batch = qkv.size(0);
    const std::int64_t sequence = qkv.size(1);
    const auto byHead = [=](const at::Tensor& x) { return x.view({ batch, sequence, heads, -1 }).transpose(1, 2); };
    const auto parts = qkv.chunk(3, -1);
    const at::Tensor y = at::scaled_dot_product_attention(
        byHead(parts[0]), byHead(parts[1]), byHead(parts[2]), {}, 0.0, /*is_causal=*/true);
    return y.transpose(1, 2).reshape({ batch, sequence, -1 });
}

} // namespace

at::Tensor embedded(
    const at::Tensor& tokens, const Parameter& embedding, const Parameter& positions, at::ScalarType type)
{
    return (at::embedding(embedding.value, tokens) + positions.value).to(type);
}

at::Tensor layer(const at::Tensor& x, std::span<Parameter> parameters, std::int64_t heads, WeightGradients* gradients)
{
    Parameter& firstNorm = parameters[0];
    Parameter& qkv = parameters[1];
    Parameter& projection = parameters[2];
    Parameter& secondNorm = parameters[3];
    Parameter& mlpIn = parameters[4];
    Parameter& mlpOut = parameters[5];

    const at::Tensor attended = attention(linear(norm(x, firstNorm, gradients), qkv, gradients), heads);
    const at::Tensor middle = x + linear(attended, projection, gradients);
    const at::Tensor wide = at::gelu(linear(norm(middle, secondNorm, gradients), mlpIn, gradients));
    return middle + linear(wide, mlpOut, gradients);
}

at::Tensor lossSum(
    const at::Tensor& x, Parameter& lastNorm, Parameter& head, const at::Tensor& targets, WeightGradients* gradients)
{
    const at::Tensor logits = linear(norm(x, lastNorm, gradients), head, gradients);
    return at::cross_entropy_loss(logits.flatten(0, 1).to(at::kFloat), targets.flatten(), {}, at::Reduction::Sum);
}

} // namespace pipeloom::executor
