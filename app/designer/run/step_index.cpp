// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/step_index.h"

#include "core/run/run_log.h"

#include <algorithm>
#include <fstream>

namespace pipeloom::designer {

void StepIndex::add(const RunEvent& event, EventFileReader::Origin origin)
{
    const auto step = stepOf(event);
    if (!step)
        return;
    if (files_.size() <= origin.file)
        files_.resize(origin.file + 1);
    File& file = files_[origin.file];
    if (!file.places.empty() && *step < file.places.back().step + file.every)
        return;
    file.places.push_back({ *step, origin.offset });
    if (file.places.size() <= mostPlaces)
        return;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < file.places.size(); i += 2)
        file.places[kept++] = file.places[i];
    file.places.resize(kept);
    file.every *= 2;
}

MeasuredStepPtr StepIndex::read(const std::vector<std::string>& files, std::int64_t step, const RunBegan& began,
    const std::optional<RunPlanned>& planned) const
{
    RunLog log;
    log.add(RunBegan(began));
    if (planned)
        log.add(RunPlanned(*planned));
    // Devices may be a step or two apart, so lines of a step also stand behind the first of the next ones.
    constexpr std::int64_t apart = 3;
    constexpr std::size_t pieceBytes = std::size_t { 1 } << 16;
    std::string piece(pieceBytes, '\0');
    for (std::size_t i = 0; i < std::min(files.size(), files_.size()); ++i) {
        const auto& places = files_[i].places;
        auto place = std::ranges::upper_bound(places, step, {}, &Place::step);
        if (place == places.begin())
            continue;
        std::ifstream file(files[i], std::ios::binary);
        file.seekg(std::prev(place)->offset);
        EventLines lines;
        bool isPast = false;
        const auto take = [&](RunEvent&& event, std::int64_t) {
            const auto of = stepOf(event);
            isPast = isPast || (of && *of >= step + apart);
            if (of == step)
                log.add(std::move(event));
        };
        while (file && !isPast) {
            file.read(piece.data(), static_cast<std::streamsize>(piece.size()));
            lines.feed({ piece.data(), static_cast<std::size_t>(file.gcount()) }, take);
        }
    }
    return log.step(step);
}

} // namespace pipeloom::designer
