// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/design_keys.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <vector>

namespace pipeloom::formats {

namespace {

using Keys = std::span<const std::string_view>;

constexpr std::array<std::string_view, 11> designKeys { "pipeloom", "name", "notes", "pipeline", "costs", "block",
    "schedule", "reorder", "model", "training", "view" };
constexpr std::array<std::string_view, 5> pipelineKeys { "devices", "stages", "micro_batches", "placement", "routes" };
constexpr std::array<std::string_view, 2> routesKeys { "placements", "of_micro_batch" };
constexpr std::array<std::string_view, 8> costsKeys { "tick_us", "F", "B", "W", "BW", "pair", "memory", "network" };
constexpr std::array<std::string_view, 9> memoryKeys { "unit", "F", "B", "W", "BW", "transient", "static",
    "communication", "limit" };
constexpr std::array<std::string_view, 6> networkKeys { "queue", "transfer", "latency", "bytes_per_tick", "bytes",
    "window" };
constexpr std::array<std::string_view, 4> blockKeys { "interval", "group", "durations", "rows" };
constexpr std::array<std::string_view, 1> scheduleKeys { "rows" };
constexpr std::array<std::string_view, 2> reorderKeys { "rule", "aim" };
constexpr std::array<std::string_view, 6> modelKeys { "layers", "hidden", "heads", "sequence", "micro_batch_size",
    "vocabulary" };
constexpr std::array<std::string_view, 13> trainingKeys { "steps", "seed", "learning_rate", "warmup", "decay",
    "weight_decay", "clip", "accumulate", "precision", "evaluate_every", "checkpoint_every", "layers_per_stage",
    "data" };

struct SectionKeys {
    std::string_view name;
    Keys keys;
};

constexpr std::array<SectionKeys, 13> sections { {
    { "the design", designKeys },
    { "pipeline", pipelineKeys },
    { "routes", routesKeys },
    { "costs", costsKeys },
    { "memory", memoryKeys },
    { "transient", kindKeys },
    { "network", networkKeys },
    { "block", blockKeys },
    { "durations", kindKeys },
    { "schedule", scheduleKeys },
    { "reorder", reorderKeys },
    { "model", modelKeys },
    { "training", trainingKeys },
} };

std::size_t letter(char c) { return static_cast<std::size_t>(std::tolower(static_cast<unsigned char>(c))); }

/// Optimal string alignment: insertions, deletions, changes and swaps of neighbours, one each.
std::size_t distance(std::string_view a, std::string_view b)
{
    std::vector<std::size_t> before; // row i - 2
    std::vector<std::size_t> above(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        above[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = letter(a[i - 1]) == letter(b[j - 1]);
            row[j] = std::min({ above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1) });
            if (i > 1 && j > 1 && letter(a[i - 1]) == letter(b[j - 2]) && letter(a[i - 2]) == letter(b[j - 1]))
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before = above;
        std::swap(above, row);
    }
    return above[b.size()];
}

} // namespace

std::string_view nameOf(Section section) { return sections[static_cast<std::size_t>(section)].name; }

Keys keysOf(Section section) { return sections[static_cast<std::size_t>(section)].keys; }

std::string_view sectionWith(std::string_view key, Section besides)
{
    const Keys own = keysOf(besides);
    for (const SectionKeys& section : sections) {
        if (section.keys.data() != own.data() && std::ranges::find(section.keys, key) != section.keys.end())
            return section.name;
    }
    return {};
}

std::string_view nearest(std::string_view word, Keys words)
{
    constexpr std::size_t longest = 64; // a word beyond it is no slip of the hand
    if (word.empty() || word.size() > longest)
        return {};
    std::string_view best;
    std::size_t leastScore = 0;
    for (std::string_view candidate : words) {
        const std::size_t far = distance(word, candidate);
        // One letter of a short word, three of a long one; and of a word of one letter none, or all would be as near.
        if (far > 1 + word.size() / 4 || 2 * far > std::max(word.size(), candidate.size()))
            continue;
        const std::size_t score = 2 * far + (word.size() == candidate.size() ? 0 : 1); // WB is meant as BW, not as B
        if (best.empty() || score < leastScore) {
            best = candidate;
            leastScore = score;
        }
    }
    return best;
}

} // namespace pipeloom::formats
