// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/model/text.h"

#include "core/formats/text_file.h"
#include "executor/model/error_at.h"

#include <algorithm>
#include <optional>

namespace pipeloom::executor {

namespace {

Finding error(const char* rule, std::string message, std::string remedy)
{
    return errorAt("/training/data", rule, std::move(message), std::move(remedy));
}

std::string namesOf(const std::vector<std::string>& files)
{
    std::string names = files.front();
    for (std::size_t i = 1; i < std::min<std::size_t>(files.size(), 3); ++i)
        names += ", " + files[i];
    return files.size() > 3 ? names + ", ..." : names;
}

std::optional<Finding> fault(const std::string& text, const std::vector<std::string>& files, const Model& model)
{
    const auto needed = static_cast<std::size_t>(model.sequence) + 1;
    if (text.size() < needed)
        return error("data/short",
            "The text (" + namesOf(files) + ") has " + std::to_string(text.size()) + " bytes; a sequence of "
                + std::to_string(model.sequence) + " tokens needs " + std::to_string(needed) + ".",
            "Give a longer text, or lower model.sequence.");
    const auto outside
        = std::ranges::find_if(text, [&model](char c) { return static_cast<unsigned char>(c) >= model.vocabulary; });
    if (outside != text.end())
        return error("data/vocabulary",
            "Byte " + std::to_string(outside - text.begin()) + " of the text is "
                + std::to_string(static_cast<unsigned char>(*outside)) + ", but the vocabulary has only 0 to "
                + std::to_string(model.vocabulary - 1) + ".",
            "Raise model.vocabulary to 256, which every text fits, or give another text.");
    return {};
}

} // namespace

TextResult readText(const std::vector<std::string>& files, const Model& model)
{
    if (files.empty())
        return { {},
            { error("data/none", "No text to train on was named.", "Name files in training.data or with --data.") } };
    auto text = std::make_shared<std::string>();
    for (const std::string& path : files) {
        ReadText piece = readTextFile(path, mostTextBytes - text->size());
        if (!piece.text)
            return { {}, std::move(piece.findings) };
        *text += *piece.text;
    }
    if (auto wrong = fault(*text, files, model))
        return { {}, { std::move(*wrong) } };
    return { std::move(text), {} };
}

} // namespace pipeloom::executor
