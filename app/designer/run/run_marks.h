// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What happened at which step, for marks in the charts: gathered once from a log's notices, of which the log forgets the old ones.

#include "core/run/run_log.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace pipeloom::designer {

struct RunMark {
    enum class Kind : std::uint8_t { Rollback, Skip, Checkpoint, NotFinite };
    Kind kind = Kind::Checkpoint;
    std::int64_t step = 0;
    QString text;
};

class RunMarks {
public:
    static constexpr std::size_t most = 4000;

    /// Reads the notices that came since the last time.
    void take(const RunLog& log);
    void clear();
    [[nodiscard]] const std::vector<RunMark>& marks() const { return marks_; }

private:
    std::vector<RunMark> marks_; ///< the oldest go first beyond `most`
    std::int64_t read_ = 0;      ///< of all notices that ever were
};

} // namespace pipeloom::designer
