// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/torch/adamw.h"

#include <ATen/ATen.h>

#include <stdexcept>
#include <vector>

namespace pipeloom::executor {

namespace {

struct Group {
    std::vector<at::Tensor> values;
    std::vector<at::Tensor> gradients;
    std::vector<at::Tensor> firstMoments;
    std::vector<at::Tensor> secondMoments;
    std::vector<at::Tensor> steps;

    void add(const Parameter& parameter, const at::Tensor& step)
    {
        values.push_back(parameter.value);
        gradients.push_back(parameter.gradient);
        firstMoments.push_back(parameter.firstMoment);
        secondMoments.push_back(parameter.secondMoment);
        steps.push_back(step);
    }
};

void update(Group& group, double rate, double weightDecay)
{
    if (!group.values.empty())
        at::_fused_adamw_(group.values, group.gradients, group.firstMoments, group.secondMoments, {}, group.steps, rate,
            /*beta1=*/0.9, /*beta2=*/0.95, weightDecay, /*eps=*/1e-8, /*amsgrad=*/false, /*maximize=*/false);
}

} // namespace

void adamwStep(std::span<Parameter> parameters, const TrainingSettings& training, std::int64_t step, double scale)
{
    const at::NoGradGuard noGraph;
    if (parameters.empty())
        return;
    const auto options = at::TensorOptions(at::kFloat).device(parameters.front().value.device());
    const at::Tensor count = at::scalar_tensor(static_cast<double>(step + 1), options);
    Group decayed;
    Group norms;
    for (Parameter& parameter : parameters) {
        if (scale != 1)
            parameter.gradient.mul_(scale);
        (parameter.plan.kind == ParameterKind::Norm ? norms : decayed).add(parameter, count);
    }
    const double rate = learningRate(training, step);
    update(decayed, rate, training.weightDecay);
    update(norms, rate, 0);
    for (Parameter& parameter : parameters)
        parameter.valueChanged();
}

void clearGradients(std::span<Parameter> parameters)
{
    const at::NoGradGuard noGraph;
    for (Parameter& parameter : parameters)
        parameter.gradient.zero_();
}

void keepBefore(std::span<Parameter> parameters)
{
    const at::NoGradGuard noGraph;
    for (Parameter& parameter : parameters) {
        if (!parameter.before.value.defined())
            throw std::logic_error("There is no room for a copy of `" + parameter.plan.name + "`.");
        parameter.before.value.copy_(parameter.value);
        parameter.before.firstMoment.copy_(parameter.firstMoment);
        parameter.before.secondMoment.copy_(parameter.secondMoment);
    }
}

void restoreBefore(std::span<Parameter> parameters)
{
    const at::NoGradGuard noGraph;
    for (Parameter& parameter : parameters) {
        parameter.value.copy_(parameter.before.value);
        parameter.firstMoment.copy_(parameter.before.firstMoment);
        parameter.secondMoment.copy_(parameter.before.secondMoment);
        parameter.valueChanged();
    }
}

} // namespace pipeloom::executor
