// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/torch/operations.h"

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>

namespace pipeloom::executor {

namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr double normEpsilon = 1e-5;

/// Where the gradient of a weight goes; both outlive the graph.
struct Target : torch::CustomClassHolder {
    Target(Parameter& w, WeightGradients& g)
        : weight(&w)
        , gradients(&g)
    {
    }
    Parameter* weight;
    WeightGradients* gradients;
};

void keep(AutogradContext* context, Parameter& weight, WeightGradients& gradients)
{
    context->saved_data["target"] = c10::IValue::make_capsule(c10::make_intrusive<Target>(weight, gradients));
}

const Target& kept(AutogradContext* context)
{
    return dynamic_cast<const Target&>(*context->saved_data["target"].toCapsule());
}

struct Linear : torch::autograd::Function<Linear> {
    static at::Tensor forward(
        AutogradContext* context, const at::Tensor& x, Parameter& weight, WeightGradients& gradients)
    {
        context->save_for_backward({ x });
        keep(context, weight, gradients);
        return at::linear(x, weight.working);
    }

    static variable_list backward(AutogradContext* context, const variable_list& gy)
    {
        const Target& target = kept(context);
        target.gradients->addLinear(*target.weight, context->get_saved_variables()[0], gy[0]);
        return { at::matmul(gy[0], target.weight->working), {}, {} };
    }
};

struct Norm : torch::autograd::Function<Norm> {
    static at::Tensor forward(
        AutogradContext* context, const at::Tensor& x, Parameter& gain, WeightGradients& gradients)
    {
        auto [y, mean, deviation]
            = at::native_layer_norm(x.to(at::kFloat), gain.value.sizes(), gain.value, {}, normEpsilon);
        context->save_for_backward({ x, mean, deviation });
        keep(context, gain, gradients);
        return y.to(x.scalar_type());
    }

    static variable_list backward(AutogradContext* context, const variable_list& gy)
    {
        const Target& target = kept(context);
        const variable_list saved = context->get_saved_variables();
        const at::Tensor& gain = target.weight->value;
        auto [gx, ggain, none] = at::native_layer_norm_backward(gy[0].to(at::kFloat), saved[0].to(at::kFloat),
            gain.sizes(), saved[1], saved[2], gain, {}, { true, true, false });
        target.gradients->addSum(*target.weight, ggain);
        return { gx.to(gy[0].scalar_type()), {}, {} };
    }
};

} // namespace

at::Tensor linear(const at::Tensor& x, Parameter& weight, WeightGradients* gradients)
{
    return gradients != nullptr ? Linear::apply(x, weight, *gradients) : at::linear(x, weight.working);
}

at::Tensor norm(const at::Tensor& x, Parameter& gain, WeightGradients* gradients)
{
    if (gradients != nullptr)
        return Norm::apply(x, gain, *gradients);
    return at::layer_norm(x.to(at::kFloat), gain.value.sizes(), gain.value, {}, normEpsilon).to(x.scalar_type());
}

} // namespace pipeloom::executor
