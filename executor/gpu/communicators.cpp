// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/gpu/communicators.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <utility>

namespace pipeloom::executor::gpu {

namespace {

constexpr auto pause = std::chrono::microseconds(200);
constexpr Nanoseconds abortLimit = std::chrono::seconds(10);

std::string nameOf(const Channel& channel, Pairing pairing)
{
    if (pairing == Pairing::Shared)
        return fmt::format("{}<->{}", channel.from.value, channel.to.value);
    const bool activations = channel.data != DataKind::Gradient;
    return fmt::format("{}->{} {}", channel.from.value, channel.to.value, activations ? "activations" : "gradients");
}

double seconds(Nanoseconds time) { return std::chrono::duration<double>(time).count(); }

} // namespace

Communicators::Communicators(
    std::shared_ptr<Gpu> gpu, const Program& program, Store& store, CommunicatorSettings settings)
    : gpu_(std::move(gpu))
    , store_(store)
    , settings_(std::move(settings))
    , pairing_(program.pairing)
{
    const auto before = gpu_->memory().usedOfGpu;
    try {
        for (std::size_t c = 0; c < program.channels.size(); ++c)
            make(c, program.channels[c]);
        const auto scratch = gpu_->newStream();
        const auto buffer
            = gpu_->allocate(scratch, static_cast<std::size_t>(std::max<Bytes>(settings_.messageBytes, 1)));
        for (auto& made : made_)
            warmUp(made, buffer.get());
    } catch (...) {
        // What is half made would keep its peers waiting. The destructor does not run for an object that was not made.
        static_cast<void>(abort(abortLimit));
        throw;
    }
    bytes_ = gpu_->memory().usedOfGpu - before;
    if (settings_.log)
        settings_.log(
            fmt::format("device {}: {} communicators made and warmed up, {} bytes of the GPU; none is made later",
                settings_.device.value, made_.size(), bytes_));
}

Communicators::~Communicators() { static_cast<void>(abort(abortLimit)); }

/// One per channel of this device's; of a pair that shares one, at the first of its two channels, which is the one from the
/// lower device.
void Communicators::make(std::size_t channel, const Channel& what)
{
    const auto own = settings_.device;
    const bool isFirst = what.from == own;
    if (!isFirst && what.to != own)
        return;
    ChannelKey key { isFirst ? what.to : what.from, isFirst, what.data != DataKind::Gradient };
    if (pairing_ == Pairing::Shared)
        key = { key.peer, false, false };
    if (std::ranges::find(made_, key, &Made::key) != made_.end())
        return;

    const auto name = nameOf(what, pairing_);
    const auto id = meet(settings_.prefix + std::to_string(channel), isFirst);
    Made made { key, {}, name };
    made.end.peer = key.peer;
    made.end.peerRank = isFirst ? 1 : 0;
    made.end.stream = gpu_->newStream();
    made.end.communicator = gpu_->begin(id, isFirst ? 0 : 1, 2, settings_.ctas, name);
    made_.push_back(made);
    settle(made_.back().end);
    if (settings_.log)
        settings_.log(fmt::format("device {}: communicator {} ({})", own.value, name, made_.size()));
}

UniqueId Communicators::meet(const std::string& key, bool first)
{
    UniqueId id {};
    if (first) {
        id = gpu_->newUniqueId();
        store_.set(key, std::string(id.begin(), id.end()));
        return id;
    }
    std::optional<std::string> value;
    await(
        [&] {
            value = store_.get(key);
            return value.has_value();
        },
        "the other end to begin communicator " + key);
    if (value->size() != id.size())
        throw Error(
            "The store has " + std::to_string(value->size()) + " bytes under " + key + ", which is no id of NCCL.");
    std::ranges::copy(*value, id.begin());
    return id;
}

void Communicators::warmUp(Made& made, void* buffer) const
{
    const bool isFirst = made.end.peerRank == 1;
    for (int round = 0; round < 2; ++round) {
        made.end.transferTime = exchange(made, buffer, isFirst);
        if (pairing_ == Pairing::Shared)
            made.end.transferTime = exchange(made, buffer, !isFirst);
    }
}

Nanoseconds Communicators::exchange(const Made& made, void* buffer, bool sends) const
{
    const auto& end = made.end;
    const auto bytes = static_cast<std::size_t>(std::max<Bytes>(settings_.messageBytes, 1));
    const auto began = gpu_->newEvent();
    const auto ended = gpu_->newEvent();
    gpu_->record(began, end.stream);
    if (sends)
        gpu_->send(end.communicator, end.stream, buffer, bytes, end.peerRank);
    else
        gpu_->receive(end.communicator, end.stream, buffer, bytes, end.peerRank);
    settle(end);
    gpu_->record(ended, end.stream);
    await([&] { return gpu_->hasHappened(ended); }, "an exchange on communicator " + made.name);
    return gpu_->between(began, ended);
}

template <class Ready> void Communicators::await(Ready&& ready, const std::string& what) const
{
    const auto began = Clock::now();
    while (!ready()) {
        if (settings_.ended && settings_.ended())
            throw Error(
                "The run ended while device " + std::to_string(settings_.device.value) + " waited for " + what + ".");
        if (Clock::now() - began > settings_.limit)
            throw Error(fmt::format(
                "Device {} waited {:.1f} s for {}.", settings_.device.value, seconds(settings_.limit), what));
        std::this_thread::sleep_for(pause);
    }
}

void Communicators::settle(const ChannelEnd& end) const
{
    Progress progress;
    const auto settled = [&] {
        progress = gpu_->progress(end.communicator);
        return progress.state != Progress::State::Working;
    };
    if (!settled())
        await(settled, "NCCL to get to device " + std::to_string(end.peer.value));
    if (progress.state == Progress::State::Failed)
        throw Error("NCCL to device " + std::to_string(end.peer.value) + ": " + progress.why);
}

const ChannelEnd& Communicators::of(const ChannelKey& key) const
{
    const auto wanted = pairing_ == Pairing::Shared ? ChannelKey { key.peer, false, false } : key;
    const auto place = std::ranges::find(made_, wanted, &Made::key);
    if (place == made_.end())
        throw std::logic_error("There is no communicator with device " + std::to_string(key.peer.value) + " for that.");
    return place->end;
}

std::optional<std::string> Communicators::failure() const
{
    for (const auto& made : made_)
        if (const auto progress = gpu_->progress(made.end.communicator); progress.state == Progress::State::Failed)
            return fmt::format("communicator {}: {}", made.name, progress.why);
    return {};
}

bool Communicators::abort(Nanoseconds limit)
{
    struct Waiting {
        std::mutex mutex;
        std::condition_variable done;
        std::size_t left = 0;
    };
    const auto waiting = std::make_shared<Waiting>();
    const auto all = std::exchange(made_, {});
    waiting->left = all.size();
    for (const auto& made : all)
        // Left behind if NCCL does not come back: nobody can end such a call but the end of the process.
        std::thread([waiting, gpu = gpu_, communicator = made.end.communicator] {
            try {
                gpu->abort(communicator);
            } catch (const std::exception&) { // it is gone, whatever is said of it
            }
            const std::lock_guard held(waiting->mutex);
            --waiting->left;
            waiting->done.notify_all();
        }).detach();
    std::unique_lock held(waiting->mutex);
    return waiting->done.wait_for(held, limit, [&] { return waiting->left == 0; });
}

} // namespace pipeloom::executor::gpu
