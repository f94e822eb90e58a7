// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/executor/gpu/fake_gpu.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

// The bodies of fake_gpu.h, for the one file of a test that includes them.

namespace pipeloom::test {

namespace {

std::uint64_t number(gpu::Stream stream) { return static_cast<std::uint64_t>(stream); }
std::uint64_t number(gpu::Event event) { return static_cast<std::uint64_t>(event); }
std::uint64_t number(gpu::Communicator communicator) { return static_cast<std::uint64_t>(communicator); }
std::string s(gpu::Stream stream) { return " s" + std::to_string(number(stream)); }
std::string e(gpu::Event event) { return " e" + std::to_string(number(event)); }

} // namespace

std::shared_ptr<FakeGpu> FakeWorld::gpu() { return std::make_shared<FakeGpu>(*this); }

void FakeWorld::fail(const std::string& name)
{
    const std::lock_guard held(mutex_);
    failing_.insert(name);
}

void FakeWorld::letAbortsHang(bool hang)
{
    const std::lock_guard held(mutex_);
    abortsHang_ = hang;
    aborts_.notify_all();
}

FakeWorld::Communicator* FakeWorld::peerOf(std::uint64_t communicator)
{
    const auto& own = communicators_.at(communicator);
    for (auto& [other, candidate] : communicators_)
        if (other != communicator && candidate.id == own.id)
            return &candidate;
    return nullptr;
}

/// As far as it goes, in any order.
void FakeWorld::serve()
{
    std::vector<Stream*> order;
    for (auto& [id, stream] : streams_)
        order.push_back(&stream);
    for (bool moved = true; moved;) {
        moved = false;
        std::shuffle(order.begin(), order.end(), random_);
        for (auto* stream : order)
            moved = step(*stream) || moved;
    }
}

bool FakeWorld::step(Stream& stream)
{
    if (stream.stalled || stream.work.empty())
        return false;
    auto& work = stream.work.front();
    switch (work.kind) {
    case Work::Kind::Record:
        moments_.at(work.moment) = { true, stream.now };
        break;
    case Work::Kind::Wait:
        if (!moments_.at(work.moment).happened)
            return false;
        stream.now = std::max(stream.now, moments_.at(work.moment).time);
        break;
    case Work::Kind::Hold:
    case Work::Kind::Do:
        stream.now += work.time;
        if (work.action)
            work.action();
        break;
    case Work::Kind::Send:
        return false; // its receive moves both
    case Work::Kind::Receive:
        return exchange(stream);
    }
    stream.work.pop_front();
    return true;
}

bool FakeWorld::exchange(Stream& stream)
{
    auto& receive = stream.work.front();
    const auto* peer = peerOf(receive.communicator);
    for (auto& [id, other] : streams_) {
        if (peer == nullptr || other.stalled || other.work.empty() || other.work.front().kind != Work::Kind::Send)
            continue;
        auto& send = other.work.front();
        if (&communicators_.at(send.communicator) != peer)
            continue;
        std::memcpy(receive.data, send.data, std::min(send.bytes, receive.bytes));
        stream.now = std::max(stream.now, other.now) + transferTime;
        other.now = stream.now;
        other.work.pop_front();
        stream.work.pop_front();
        return true;
    }
    return false;
}

void FakeGpu::put(gpu::Stream stream, FakeWorld::Work work, std::string line)
{
    const std::lock_guard held(world_.mutex_);
    world_.streams_.at(number(stream)).work.push_back(std::move(work));
    log_.push_back(std::move(line));
}

gpu::Stream FakeGpu::newStream()
{
    const std::lock_guard held(world_.mutex_);
    const gpu::Stream stream { ++world_.last_ };
    world_.streams_[number(stream)];
    log_.push_back("stream" + s(stream));
    return stream;
}

gpu::Event FakeGpu::newEvent()
{
    const std::lock_guard held(world_.mutex_);
    const gpu::Event event { ++world_.last_ };
    world_.events_[number(event)];
    log_.push_back("event" + e(event));
    return event;
}

void FakeGpu::record(gpu::Event event, gpu::Stream stream)
{
    FakeWorld::Work work;
    work.kind = FakeWorld::Work::Kind::Record;
    {
        const std::lock_guard held(world_.mutex_);
        work.moment = ++world_.last_;
        world_.moments_[work.moment];
        world_.events_.at(number(event)) = work.moment;
    }
    put(stream, work, "record" + e(event) + s(stream));
}

void FakeGpu::waitFor(gpu::Stream stream, gpu::Event event)
{
    FakeWorld::Work work;
    work.kind = FakeWorld::Work::Kind::Wait;
    {
        const std::lock_guard held(world_.mutex_);
        work.moment = world_.events_.at(number(event));
    }
    put(stream, work, "wait" + s(stream) + e(event));
}

bool FakeGpu::hasHappened(gpu::Event event)
{
    const std::lock_guard held(world_.mutex_);
    world_.serve();
    return world_.moments_.at(world_.events_.at(number(event))).happened;
}

std::chrono::nanoseconds FakeGpu::between(gpu::Event first, gpu::Event second)
{
    const std::lock_guard held(world_.mutex_);
    const auto& from = world_.moments_.at(world_.events_.at(number(first)));
    const auto& to = world_.moments_.at(world_.events_.at(number(second)));
    if (!from.happened || !to.happened)
        throw gpu::Error("an event was timed before it happened");
    return to.time - from.time;
}

void FakeGpu::hold(gpu::Stream stream, std::chrono::nanoseconds time)
{
    FakeWorld::Work work;
    work.kind = FakeWorld::Work::Kind::Hold;
    work.time = time;
    put(stream, work, "hold" + s(stream) + " " + std::to_string(time.count()));
}

void FakeGpu::run(gpu::Stream stream, std::chrono::nanoseconds time, std::function<void()> action)
{
    FakeWorld::Work work;
    work.time = time;
    work.action = std::move(action);
    put(stream, std::move(work), "run" + s(stream));
}

std::shared_ptr<void> FakeGpu::allocate(gpu::Stream stream, std::size_t bytes)
{
    const std::lock_guard held(world_.mutex_);
    log_.push_back("allocate" + s(stream) + " " + std::to_string(bytes));
    return { std::malloc(bytes), std::free };
}

std::shared_ptr<void> FakeGpu::allocatePinned(std::size_t bytes)
{
    const std::lock_guard held(world_.mutex_);
    log_.push_back("pinned " + std::to_string(bytes));
    return { std::malloc(bytes), std::free };
}

void FakeGpu::copy(gpu::Stream stream, void* to, const void* from, std::size_t bytes)
{
    FakeWorld::Work work;
    work.action = [=] { std::memcpy(to, from, bytes); };
    put(stream, std::move(work), "copy" + s(stream) + " " + std::to_string(bytes));
}

gpu::UniqueId FakeGpu::newUniqueId()
{
    const std::lock_guard held(world_.mutex_);
    gpu::UniqueId id {};
    std::ranges::copy(std::to_string(++world_.last_), id.begin());
    log_.emplace_back("id");
    return id;
}

gpu::Communicator FakeGpu::begin(const gpu::UniqueId& id, int rank, int ranks, int ctas, const std::string& name)
{
    const std::lock_guard held(world_.mutex_);
    const gpu::Communicator communicator { ++world_.last_ };
    world_.communicators_[number(communicator)] = { id, name, rank, ranks, false };
    log_.push_back("begin " + name + " rank " + std::to_string(rank) + " ctas " + std::to_string(ctas));
    return communicator;
}

gpu::Progress FakeGpu::progress(gpu::Communicator communicator)
{
    const std::lock_guard held(world_.mutex_);
    const auto& own = world_.communicators_.at(number(communicator));
    if (world_.failing_.contains(own.name))
        return { gpu::Progress::State::Failed, "a cable was pulled" };
    const bool isAlone = own.ranks > 1 && world_.peerOf(number(communicator)) == nullptr;
    return { isAlone ? gpu::Progress::State::Working : gpu::Progress::State::Ready, {} };
}

void FakeGpu::send(gpu::Communicator communicator, gpu::Stream stream, const void* data, std::size_t bytes, int)
{
    FakeWorld::Work work;
    work.kind = FakeWorld::Work::Kind::Send;
    work.communicator = number(communicator);
    work.data = const_cast<void*>(data);
    work.bytes = bytes;
    put(stream, work, "send" + s(stream) + " " + std::to_string(bytes));
}

void FakeGpu::receive(gpu::Communicator communicator, gpu::Stream stream, void* data, std::size_t bytes, int)
{
    FakeWorld::Work work;
    work.kind = FakeWorld::Work::Kind::Receive;
    work.communicator = number(communicator);
    work.data = data;
    work.bytes = bytes;
    put(stream, work, "receive" + s(stream) + " " + std::to_string(bytes));
}

void FakeGpu::exchangeWithSelf(gpu::Communicator, gpu::Stream stream, const void* from, void* to, std::size_t bytes)
{
    copy(stream, to, from, bytes);
}

void FakeGpu::abort(gpu::Communicator communicator)
{
    std::unique_lock held(world_.mutex_);
    auto& own = world_.communicators_.at(number(communicator));
    log_.push_back("abort " + own.name);
    world_.aborts_.wait(held, [this] { return !world_.abortsHang_; });
    own.aborted = true;
}

void FakeGpu::stall(gpu::Stream stream, bool stalled)
{
    const std::lock_guard held(world_.mutex_);
    world_.streams_.at(number(stream)).stalled = stalled;
}

std::vector<std::string> FakeGpu::log()
{
    const std::lock_guard held(world_.mutex_);
    return log_;
}

void FakeGpu::clearLog()
{
    const std::lock_guard held(world_.mutex_);
    log_.clear();
}

} // namespace pipeloom::test
