// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/model/training.h"

#include "executor/model/error_at.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

namespace pipeloom::executor {

namespace {

/// Takes the value if it is there and at least `least`; else says why not.
template <class Number>
void take(std::optional<Number> value, Number least, const char* key, Number& setting, Findings& findings)
{
    if (!value)
        return;
    if (*value >= least && std::isfinite(static_cast<double>(*value))) {
        setting = *value;
        return;
    }
    std::ostringstream is;
    is << "training." << key << " is " << *value << "; the least is " << least << ".";
    findings.push_back(errorAt(
        std::string("/training/") + key, "training/range", is.str(), "Give a value in range, or leave the key out."));
}

void refuseWhatIsNotOffered(const Training& training, Findings& findings)
{
    if (training.evaluateEvery.value_or(0) != 0)
        findings.push_back(errorAt("/training/evaluate_every", "training/evaluate",
            "The executor does not evaluate yet; the design wants it every " + std::to_string(*training.evaluateEvery)
                + " steps.",
            "Leave training.evaluate_every out."));
}

} // namespace

TrainingSettings trainingSettings(const Design& design, const ModelOptions& options, Findings& findings)
{
    const Training training = design.training.value_or(Training {});
    refuseWhatIsNotOffered(training, findings);

    TrainingSettings settings;
    const std::int64_t none = 0;
    take(options.steps ? options.steps : training.steps, std::int64_t { 1 }, "steps", settings.steps, findings);
    settings.seed = options.seed.value_or(training.seed.value_or(settings.seed));
    take(training.learningRate, 0.0, "learning_rate", settings.learningRate, findings);
    take(training.warmup, none, "warmup", settings.warmup, findings);
    take(training.decay, none, "decay", settings.decay, findings);
    take(training.weightDecay, 0.0, "weight_decay", settings.weightDecay, findings);
    take(training.clip, 0.0, "clip", settings.clip, findings);
    settings.precision = training.precision.value_or(Precision::Fp32);
    take(training.checkpointEvery, none, "checkpoint_every", settings.checkpointEvery, findings);
    return settings;
}

double learningRate(const TrainingSettings& training, std::int64_t step)
{
    if (step < training.warmup)
        return training.learningRate * static_cast<double>(step + 1) / static_cast<double>(training.warmup);
    if (training.decay == 0)
        return training.learningRate;
    const double done = static_cast<double>(step - training.warmup) / static_cast<double>(training.decay);
    const double cosine = 0.5 * (1 + std::cos(std::numbers::pi * std::min(done, 1.0)));
    return training.learningRate * (0.1 + 0.9 * cosine);
}

} // namespace pipeloom::executor
