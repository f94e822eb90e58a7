// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/run_marks.h"

#include <algorithm>

namespace pipeloom::designer {

void RunMarks::take(const RunLog& log)
{
    const std::int64_t before = log.noticesBefore();
    for (std::int64_t at = std::max(read_, before); at < before + std::ssize(log.notices()); ++at) {
        const RunNotice& notice = log.notices()[static_cast<std::size_t>(at - before)];
        if (notice.step < 0)
            continue;
        RunMark::Kind kind {};
        if (notice.kind == RunNotice::Kind::Rollback)
            kind = RunMark::Kind::Rollback;
        else if (notice.kind == RunNotice::Kind::Skip)
            kind = RunMark::Kind::Skip;
        else if (notice.kind == RunNotice::Kind::Checkpoint)
            kind = RunMark::Kind::Checkpoint;
        else
            continue;
        marks_.push_back({ kind, notice.step, QString::fromStdString(notice.text) });
    }
    read_ = before + std::ssize(log.notices());
    if (marks_.size() > most)
        marks_.erase(marks_.begin(), marks_.end() - static_cast<std::ptrdiff_t>(most));
}

void RunMarks::clear()
{
    marks_.clear();
    read_ = 0;
}

} // namespace pipeloom::designer
