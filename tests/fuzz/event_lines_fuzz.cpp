// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// Whatever the bytes, in whatever pieces: the reader of a run's events ends, gives the same, and the log that is made of it keeps
// its promises. The first byte says where the input is cut in two. A whole run's first line is put before the rest every other time.
//
//     cmake --preset fuzz && cmake --build --preset fuzz --target event_lines_fuzz
//     mkdir -p /tmp/corpus && build/fuzz/fuzz/event_lines_fuzz -max_len=4096 -timeout=60 /tmp/corpus tests/recordings

#include "core/formats/event_lines.h"
#include "core/run/run_figures.h"
#include "core/run/run_log.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

void require(bool holds, const char* what)
{
    if (!holds) {
        std::fprintf(stderr, "not so: %s\n", what);
        std::abort();
    }
}

const std::string_view first
    = R"({"event":"run","version":1,"devices":2,"stages":2,"micro_batches":4,"replicas":1,"steps":9,"emulated":false,"design":)"
      R"({"pipeloom":1,"pipeline":{"devices":2,"stages":2,"micro_batches":4,"placement":"linear"},"block":{"interval":3,)"
      R"("rows":["0F@0 0BW@4","1F@1 1BW@2"]}}})"
      "\n";

void judge(const pipeloom::RunLog& log)
{
    using namespace pipeloom;
    const RunFaults& faults = log.faults();
    require(faults.late >= 0 && faults.lostLines >= 0 && faults.strange >= 0, "faults are counts");
    std::int64_t before = -1;
    for (const auto& step : log.steps()) {
        require(step->step > before, "steps ascend");
        before = step->step;
        if (!log.plan())
            continue;
        for (const TimeSplit& split : timeSplit(*step, *log.plan()))
            require(split.compute + split.transfer + split.waiting + split.own == split.step, "parts add up");
        for (const HeldUp& held : heldUp(*step, *log.plan()))
            require(!text(held).empty(), "who is held up has words");
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace pipeloom;
    if (size == 0)
        return 0;
    const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
    const std::size_t cut = data[0] % (text.size() + 1);
    EventCounts whole;
    std::int64_t events = 0;
    {
        EventLines lines;
        RunLog log(200);
        const auto take = [&](RunEvent&& event, std::int64_t begin) {
            ++events;
            require(isSane(event), "events are sane");
            require(begin >= 0, "an event has a line");
            log.add(std::move(event));
        };
        if (data[0] % 2 == 0)
            lines.feed(first, take);
        lines.feed(text, take);
        lines.finish(take);
        judge(log);
        whole = lines.counts();
    }
    EventLines lines;
    const auto take = [&](RunEvent&&, std::int64_t) { --events; };
    if (data[0] % 2 == 0)
        lines.feed(first, take);
    lines.feed(text.substr(0, cut), take);
    lines.feed(text.substr(cut), take);
    lines.finish(take);
    require(events == 0 && lines.counts().lines == whole.lines && lines.counts().garbled == whole.garbled
            && lines.counts().unknown == whole.unknown && lines.counts().cut == whole.cut,
        "pieces give the same");
    return 0;
}
