// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// What gpu.h promises, on a real GPU: streams that run at the same time, events that tell the time, memory figures, and NCCL with
// itself alone, as far as one GPU can show it. Prints a line for each; exit code 1 if one does not hold, 3 if there is no GPU.

#include "executor/gpu/cuda_module.h"
#include "executor/gpu/event_pool.h"

#include <fmt/format.h>

#include <chrono>
#include <cstring>
#include <future>
#include <thread>
#include <vector>

namespace {

using namespace pipeloom;
using namespace pipeloom::executor::gpu;
using namespace std::chrono_literals;
using std::chrono::nanoseconds;

bool allHold = true;

void tell(const char* what, bool holds, const std::string& figures)
{
    fmt::print("{:44} {:8} {}\n", what, holds ? "holds" : "FAILS", figures);
    allHold = allHold && holds;
}

double milliseconds(nanoseconds time) { return std::chrono::duration<double, std::milli>(time).count(); }

/// Waits for the event, or gives up.
bool comes(Gpu& gpu, const SharedEvent& event, nanoseconds limit = 20s)
{
    const auto began = std::chrono::steady_clock::now();
    while (!gpu.hasHappened(*event)) {
        if (std::chrono::steady_clock::now() - began > limit)
            return false;
        std::this_thread::sleep_for(20us);
    }
    return true;
}

void checkHold(Gpu& gpu, EventPool& events)
{
    const auto stream = gpu.newStream();
    gpu.hold(stream, 1us); // the kernel is loaded at its first use
    const auto before = events.record(stream);
    gpu.hold(stream, 20ms);
    const auto after = events.record(stream);
    const bool came = comes(gpu, after);
    const auto took = came ? gpu.between(*before, *after) : nanoseconds {};
    tell("the stream is held for 20 ms", took >= 20ms && took < 21ms, fmt::format("{:.3f} ms", milliseconds(took)));
}

void checkOverlap(Gpu& gpu, EventPool& events)
{
    const auto first = gpu.newStream();
    const auto second = gpu.newStream();
    const auto before = events.record(first);
    gpu.waitFor(second, *before);
    gpu.hold(first, 20ms);
    gpu.hold(second, 20ms);
    const auto one = events.record(first);
    const auto two = events.record(second);
    const bool came = comes(gpu, one) && comes(gpu, two);
    const auto both = came ? std::max(gpu.between(*before, *one), gpu.between(*before, *two)) : nanoseconds {};
    tell("two streams run at the same time", came && both < 30ms,
        fmt::format("{:.3f} ms for 2 of 20", milliseconds(both)));

    gpu.waitFor(second, *events.record(first));
    gpu.hold(first, 10ms);
    const auto start = events.record(first);
    gpu.waitFor(second, *start);
    gpu.hold(second, 10ms);
    const auto end = events.record(second);
    const bool ordered = comes(gpu, end) && gpu.between(*start, *end) >= 10ms;
    tell("a stream waits for another one's event", ordered, "");
}

void checkMemory(Gpu& gpu, EventPool& events)
{
    constexpr std::size_t size = 64 << 20;
    const auto stream = gpu.newStream();
    const auto before = gpu.memory();
    gpu.resetPeaks();
    auto onGpu = gpu.allocate(stream, size);
    const auto during = gpu.memory();
    const auto from = gpu.allocatePinned(size);
    const auto to = gpu.allocatePinned(size);
    std::memset(from.get(), 0x5a, size);
    std::memset(to.get(), 0, size);
    const auto start = events.record(stream);
    gpu.copy(stream, onGpu.get(), from.get(), size);
    gpu.copy(stream, to.get(), onGpu.get(), size);
    const auto end = events.record(stream);
    const bool same = comes(gpu, end) && std::memcmp(from.get(), to.get(), size) == 0;
    tell("64 MiB to the GPU and back", same,
        fmt::format("{:.3f} ms", same ? milliseconds(gpu.between(*start, *end)) : 0));
    onGpu.reset();
    const auto after = gpu.memory();
    const bool counted = during.allocated == before.allocated + Bytes { size } && after.allocated == before.allocated
        && after.peakAllocated >= during.allocated;
    tell("the allocator's figures", counted,
        fmt::format("{} MiB reserved, {} MiB of the GPU used", after.reserved >> 20, after.usedOfGpu >> 20));
}

/// A communicator of one rank, until it is there.
Communicator alone(Gpu& gpu, int ctas, bool& isThere)
{
    const auto communicator = gpu.begin(gpu.newUniqueId(), 0, 1, ctas, "alone");
    const auto began = std::chrono::steady_clock::now();
    auto progress = gpu.progress(communicator);
    while (progress.state == Progress::State::Working && std::chrono::steady_clock::now() - began < 60s) {
        std::this_thread::sleep_for(200us);
        progress = gpu.progress(communicator);
    }
    isThere = progress.state == Progress::State::Ready;
    return communicator;
}

void checkNccl(Gpu& gpu, EventPool& events, int ctas)
{
    constexpr std::size_t size = 4 << 20;
    const auto before = gpu.memory().usedOfGpu;
    const auto began = std::chrono::steady_clock::now();
    bool isThere = false;
    const auto communicator = alone(gpu, ctas, isThere);
    const auto took = std::chrono::steady_clock::now() - began;
    tell(fmt::format("a communicator of {} CTAs is made", ctas).c_str(), isThere,
        fmt::format("{:.1f} ms, {} MiB of the GPU", milliseconds(took), (gpu.memory().usedOfGpu - before) >> 20));
    if (!isThere)
        return;

    const auto stream = gpu.newStream();
    const auto host = gpu.allocatePinned(size);
    const auto from = gpu.allocate(stream, size);
    const auto to = gpu.allocate(stream, size);
    std::memset(host.get(), 0x3c, size);
    gpu.copy(stream, from.get(), host.get(), size);
    gpu.exchangeWithSelf(communicator, stream, from.get(), to.get(), size);
    while (gpu.progress(communicator).state == Progress::State::Working)
        std::this_thread::sleep_for(200us);
    const auto back = gpu.allocatePinned(size);
    std::memset(back.get(), 0, size);
    gpu.copy(stream, back.get(), to.get(), size);
    const auto end = events.record(stream);
    const auto* bytes = static_cast<const unsigned char*>(back.get());
    const bool whole = comes(gpu, end) && bytes[0] == 0x3c && bytes[size - 1] == 0x3c;
    tell("a grouped send and receive with itself", whole, fmt::format("{} MiB", size >> 20));

    auto aborted = std::async(std::launch::async, [&] { gpu.abort(communicator); });
    tell("it is aborted within 10 s", aborted.wait_for(10s) == std::future_status::ready,
        fmt::format("{} MiB of the GPU are left", (gpu.memory().usedOfGpu - before) >> 20));
}

} // namespace

int main()
{
    const auto opened = openMachine(Kernels::Eager);
    if (!opened.machine) {
        fmt::print(stderr, "{} {}\n", opened.findings.front().message, opened.findings.front().remedy);
        return 3;
    }
    const auto gpu = opened.machine->gpu(0);
    fmt::print("{}, NCCL {}\n", gpu->name(), gpu->ncclVersion());
    EventPool events(*gpu);
    try {
        checkHold(*gpu, events);
        checkOverlap(*gpu, events);
        checkMemory(*gpu, events);
        for (const int ctas : { 1, 2, 16 })
            checkNccl(*gpu, events, ctas);
    } catch (const std::exception& error) {
        tell("no error", false, error.what());
    }
    return allHold ? 0 : 1;
}
