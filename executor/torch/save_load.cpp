// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// Parameters and moments of a device's stages to files and back.

#include "executor/model/stage_file.h"
#include "executor/torch/on_gpu.h"
#include "executor/torch/torch_work.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <array>

namespace pipeloom::executor {

namespace {

/// What of a parameter is kept.
struct Kept {
    const char* suffix;
    at::Tensor Parameter::*tensor;
};

constexpr std::array<Kept, 3> kept { {
    { "", &Parameter::value },
    { " first moment", &Parameter::firstMoment },
    { " second moment", &Parameter::secondMoment },
} };

std::string text(const std::vector<std::int64_t>& shape)
{
    std::string all;
    for (const std::int64_t length : shape)
        all += (all.empty() ? "" : " x ") + std::to_string(length);
    return all;
}

Finding error(const char* rule, std::string message)
{
    return { rule, Severity::Error, {}, "", std::move(message),
        "Resume with the model that the checkpoint was made with." };
}

/// Whether the checkpoint has the array, in the parameter's shape.
std::optional<Finding> fault(const ArraysByName& arrays, const std::string& name, const ParameterPlan& plan)
{
    const auto place = arrays.find(name);
    if (place == arrays.end())
        return error("checkpoint/missing", "The checkpoint has no `" + name + "`.");
    const Array& array = place->second;
    if (array.shape != plan.shape || std::cmp_not_equal(array.values.size(), plan.elements()))
        return error("checkpoint/shape",
            "`" + name + "` is " + text(array.shape) + " in the checkpoint and " + text(plan.shape) + " in the model.");
    return {};
}

template <class Do> void forEachArray(std::span<const std::unique_ptr<Stage>> stages, Do action)
{
    for (const auto& stage : stages)
        for (Parameter& parameter : stage->parameters())
            for (const Kept& what : kept)
                action(parameter.plan.name + what.suffix, parameter.plan, parameter.*what.tensor);
}

} // namespace

Findings TorchWork::save(StageId id, const std::string& path) const
{
    const auto onStream = this->onStream(id);
    std::vector<ArrayView> arrays;
    std::vector<at::Tensor> onHost; // those of a CPU are not copied
    for (const Parameter& parameter : stage(id).parameters())
        for (const Kept& what : kept) {
            const at::Tensor& tensor = onHost.emplace_back((parameter.*what.tensor).to(at::kCPU));
            arrays.push_back({ parameter.plan.name + what.suffix, parameter.plan.shape,
                { tensor.const_data_ptr<float>(), static_cast<std::size_t>(tensor.numel()) } });
        }
    return writeStageFile(path, arrays);
}

Findings TorchWork::load(std::span<const std::string> paths)
{
    ArraysByName needed;
    forEachArray(
        stages_, [&](const std::string& name, const ParameterPlan&, at::Tensor&) { needed.try_emplace(name); });
    ArraysByName found;
    for (const std::string& path : paths) {
        StageFile file = readStageFile(path);
        if (hasErrors(file.findings))
            return file.findings;
        for (auto& [name, array] : file.arrays)
            if (needed.contains(name))
                found.insert_or_assign(name, std::move(array));
    }

    Findings findings;
    forEachArray(stages_, [&](const std::string& name, const ParameterPlan& plan, at::Tensor&) {
        if (auto wrong = fault(found, name, plan))
            findings.push_back(std::move(*wrong));
    });
    if (!findings.empty())
        return findings;
    for (const auto& stage : stages_) {
        const auto onStream = this->onStream(stage->id());
        forEachArray({ &stage, 1 }, [&](const std::string& name, const ParameterPlan&, at::Tensor& tensor) {
            assign(tensor, found.at(name).values);
        });
        for (Parameter& parameter : stage->parameters())
            parameter.valueChanged();
    }
    return findings;
}

} // namespace pipeloom::executor
