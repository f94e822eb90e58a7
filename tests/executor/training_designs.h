// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whole runs of a small model, for tests: library schedules, text, options.

#include "core/library/library.h"
#include "executor/run.h"

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace pipeloom::test {

/// A published schedule with a model of 8 layers and its training.
inline Design trainingDesign(const char* name, std::int32_t devices, std::int32_t microBatches)
{
    LibraryRequest request;
    request.devices = devices;
    request.microBatches = microBatches;
    auto made = findInLibrary(name)->make(request);
    if (!made.design)
        throw std::invalid_argument(text(made.findings.at(0)));
    made.design->model
        = Model { .layers = 8, .hidden = 32, .heads = 2, .sequence = 16, .microBatchSize = 2, .vocabulary = 256 };
    made.design->training = Training {};
    return *made.design;
}

inline std::string sourceFile(const char* name) { return std::string(PIPELOOM_SOURCE_DIR) + "/" + name; }

inline executor::RunOptions trainingOptions(std::int64_t steps)
{
    executor::RunOptions options;
    options.steps = steps;
    options.data = { sourceFile("tests/executor/training_text.txt") };
    return options;
}

inline std::vector<double> losses(const executor::RunResult& result)
{
    std::vector<double> all;
    for (const auto& step : result.steps)
        all.push_back(step.loss);
    return all;
}

/// The first error, or how the run ended.
inline std::string said(const executor::RunResult& result)
{
    for (const auto& finding : result.findings)
        if (finding.severity == Severity::Error)
            return text(finding);
    return result.ok() ? "finished" : "no error, but not finished";
}

inline bool hasFinding(const executor::RunResult& result, const std::string& rule)
{
    for (const auto& finding : result.findings)
        if (finding.rule == rule)
            return true;
    return false;
}

inline std::string readAll(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return { std::istreambuf_iterator<char>(file), {} };
}

inline void writeAll(const std::string& path, const std::string& bytes)
{
    std::ofstream(path, std::ios::binary) << bytes;
}

} // namespace pipeloom::test
