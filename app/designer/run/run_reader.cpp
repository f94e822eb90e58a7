// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/run_reader.h"

#include "core/formats/event_files.h"

#include <fmt/format.h>

namespace pipeloom::designer {

ReadRun readRun(const std::filesystem::path& path, const std::atomic<bool>& cancelled)
{
    constexpr std::size_t piece = 20'000;
    ReadRun run;
    EventFileReader reader(path.string());
    const Findings missing = reader.look();
    auto log = std::make_shared<RunLog>();
    const auto take = [&log](RunEvent&& event, EventFileReader::Origin) { log->add(std::move(event)); };
    while (reader.read(piece, take))
        if (cancelled)
            return run;
    reader.finish(take);
    run.counts = reader.counts();
    if (log->began())
        run.log = std::move(log);
    else if (!missing.empty())
        run.problem = missing.front().message;
    else
        run.problem = fmt::format("{} does not begin with the event of a run.{}{}", path.filename().string(),
            run.counts.firstGarbled.empty() ? "" : " ", run.counts.firstGarbled);
    return run;
}

} // namespace pipeloom::designer
