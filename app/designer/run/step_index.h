// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Where in the files of a run its steps begin, so that any step can be read again without reading all.

#include "core/formats/event_files.h"
#include "core/run/measured_step.h"

#include <optional>
#include <vector>

namespace pipeloom::designer {

class StepIndex {
public:
    /// At most so many places are kept of a file; of more every second one is forgotten.
    static constexpr std::size_t mostPlaces = 65536;

    /// An event of a step stands there. In the order in which they are read.
    void add(const RunEvent& event, EventFileReader::Origin origin);
    void clear() { files_.clear(); }

    /// The step as the files have it; null: they do not.
    [[nodiscard]] MeasuredStepPtr read(const std::vector<std::string>& files, std::int64_t step, const RunBegan& began,
        const std::optional<RunPlanned>& planned) const;

private:
    struct Place {
        std::int64_t step = 0;
        std::int64_t offset = 0; ///< of the first line of this step or a later one
    };
    struct File {
        std::vector<Place> places; ///< ascending
        std::int64_t every = 1;    ///< steps from one place to the next
    };
    std::vector<File> files_;
};

} // namespace pipeloom::designer
