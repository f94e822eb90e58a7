// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/gpu/nccl_end.h"

#include "executor/gpu/rehearsal.h"
#include "executor/message_kind.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace pipeloom::executor::gpu {

namespace {

/// Between two looks at the events: a small part of the shortest pass that is worth a GPU.
constexpr auto lookEvery = std::chrono::microseconds(20);
/// Between two questions to NCCL for errors, in looks.
constexpr int askEvery = 500;

constexpr const char* notAhead = "By NCCL all devices end a step together.";
constexpr const char* remedy
    = "Run it again with NCCL_DEBUG=INFO to see what NCCL says; --queue pair takes fewer communicators.";

} // namespace

NcclEnd::NcclEnd(std::shared_ptr<Gpu> gpu, const Program& program, Store& store, std::shared_ptr<Board> board,
    std::unique_ptr<Transport> host, NcclSettings settings)
    : gpu_(std::move(gpu))
    , program_(program)
    , store_(store)
    , board_(std::move(board))
    , host_(std::move(host))
    , settings_(std::move(settings))
    , events_(*gpu_)
{
}

NcclEnd::~NcclEnd()
{
    watcher_ = {};
    // Before the payloads go: a kernel of NCCL may still be reading them.
    communicators_.reset();
}

void NcclEnd::prepare(DeviceWork& work)
{
    work_ = &work;
    host_->prepare(work);
    const auto row = program_.row(settings_.device);
    rehearse(work, row, settings_.stages);
    CommunicatorSettings made;
    made.device = settings_.device;
    made.limit = settings_.limit;
    made.ctas = settings_.ctas;
    made.messageBytes = settings_.messageBytes;
    made.prefix = settings_.prefix;
    made.ended = [board = board_] { return board->ended(); };
    made.log = settings_.log;
    communicators_ = std::make_unique<Communicators>(gpu_, program_, store_, std::move(made));
    events_.reserve(3 * row.size()); // of a message three at most
    baseStream_ = gpu_->newStream();
    tieClocks();
    watcher_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

/// What CUDA or NCCL refuses ends the run, by name; the rank loop notices that at its next step.
void NcclEnd::put(const std::function<void()>& onStream)
{
    try {
        onStream();
    } catch (const Error& error) {
        board_->fail(settings_.device, "run/nccl", error.what(), remedy);
    }
}

void NcclEnd::send(DeviceId to, const Pass& of, Payload result)
{
    letGoOfWhatHasLeft();
    if (messageKind(of) == MessageKind::WeightGradients) {
        host_->send(to, of, std::move(result));
        return;
    }
    const auto& end = communicators_->of({ to, true, of.kind == PassKind::F });
    put([&] {
        if (result.ready)
            gpu_->waitFor(end.stream, *result.ready);
        gpu_->send(end.communicator, end.stream, result.onGpu, static_cast<std::size_t>(result.bytes), end.peerRank);
        communicators_->settle(end);
        sending_.push_back({ events_.record(end.stream), result });
    });
}

void NcclEnd::receive(DeviceId from, const Pass& of)
{
    letGoOfWhatHasLeft();
    if (messageKind(of) == MessageKind::WeightGradients) {
        host_->receive(from, of);
        return;
    }
    const ChannelKey key { from, false, of.kind == PassKind::F };
    const auto& end = communicators_->of(key);
    Receiving receiving;
    receiving.of = of;
    receiving.buffer = work_->receiveBuffer(of);
    put([&] {
        // The buffer may be memory that passes before this receive still read.
        if (receiving.buffer.ready)
            gpu_->waitFor(end.stream, *receiving.buffer.ready);
        receiving.issued = events_.record(end.stream);
        gpu_->receive(end.communicator, end.stream, receiving.buffer.onGpu,
            static_cast<std::size_t>(receiving.buffer.bytes), end.peerRank);
        communicators_->settle(end);
        receiving.ended = events_.record(end.stream);
        const std::lock_guard held(mutex_);
        auto& incoming = incoming_[key];
        incoming.transferTime = end.transferTime;
        incoming.receiving.push_back(std::move(receiving));
    });
    somethingToWatch_.notify_one();
}

std::vector<Arrival> NcclEnd::arrived()
{
    letGoOfWhatHasLeft();
    auto arrivals = host_->arrived();
    const auto held = board_->lock();
    std::ranges::move(std::exchange(arrivals_, {}), std::back_inserter(arrivals));
    return arrivals;
}

std::vector<Arrival> NcclEnd::awaitArrival(const DeviceStatus& waiting)
{
    letGoOfWhatHasLeft();
    if (messageKind(waiting.needs) == MessageKind::WeightGradients)
        return host_->awaitArrival(waiting);
    auto held = board_->lock();
    if (!board_->wait(held, waiting, [this] { return !arrivals_.empty(); }))
        return {};
    return std::exchange(arrivals_, {});
}

std::optional<Gathered> NcclEnd::gather(Contribution own)
{
    auto gathered = host_->gather(std::move(own));
    letGoOfWhatHasLeft();
    tieClocks();
    return gathered;
}

void NcclEnd::contribute(Contribution) { throw std::logic_error(notAhead); }
std::optional<Gathered> NcclEnd::gathered() { throw std::logic_error(notAhead); }
std::optional<Gathered> NcclEnd::awaitGathered() { throw std::logic_error(notAhead); }
bool NcclEnd::restart() { throw std::logic_error(notAhead); }

void NcclEnd::letGoOfWhatHasLeft()
{
    std::erase_if(sending_, [this](const Sending& sending) { return gpu_->hasHappened(*sending.ended); });
}

/// The GPU's clock and the host's drift apart, so they are tied together anew at each end of a step.
void NcclEnd::tieClocks()
{
    auto base = events_.record(baseStream_);
    while (!gpu_->hasHappened(*base) && !board_->ended())
        std::this_thread::yield();
    const std::lock_guard held(mutex_);
    base_ = std::move(base);
    baseTime_ = Clock::now();
}

Clock::time_point NcclEnd::timeOf(const SharedEvent& event) const
{
    return baseTime_ + std::chrono::duration_cast<Clock::duration>(gpu_->between(*base_, *event));
}

void NcclEnd::watch(const std::stop_token& stop)
{
    try {
        for (int looks = 0; !stop.stop_requested(); ++looks) {
            if (!lookOnce()) {
                std::unique_lock held(mutex_);
                const bool more = somethingToWatch_.wait(held, stop, [this] {
                    return std::ranges::any_of(incoming_, [](const auto& i) { return !i.second.receiving.empty(); });
                });
                if (!more)
                    return;
            }
            if (looks % askEvery == 0)
                if (const auto failure = communicators_->failure())
                    throw Error("NCCL failed on " + *failure);
            std::this_thread::sleep_for(lookEvery);
        }
    } catch (const std::exception& error) {
        board_->fail(settings_.device, "run/nccl", error.what(), remedy);
    }
}

/// Takes over what has arrived. False: nothing is on its way.
bool NcclEnd::lookOnce()
{
    std::vector<Arrival> arrivals;
    bool isOnItsWay = false;
    {
        const std::lock_guard held(mutex_);
        for (auto& [key, incoming] : incoming_) {
            auto& receiving = incoming.receiving;
            while (!receiving.empty() && gpu_->hasHappened(*receiving.front().ended)) {
                auto& first = receiving.front();
                const auto ended = timeOf(first.ended);
                // A receive waits inside its kernel, so when the sender came to it cannot be seen here; how long the transfer
                // itself takes is known from warming up.
                const auto started = std::max({ timeOf(first.issued), incoming.free, ended - incoming.transferTime });
                first.buffer.ready = nullptr;
                arrivals.push_back({ first.of, key.peer, std::move(first.buffer), std::min(started, ended), ended });
                incoming.free = ended;
                receiving.pop_front();
            }
            isOnItsWay = isOnItsWay || !receiving.empty();
        }
    }
    if (arrivals.empty())
        return isOnItsWay;
    const auto held = board_->lock();
    std::ranges::move(arrivals, std::back_inserter(arrivals_));
    board_->wake(settings_.device);
    return isOnItsWay;
}

} // namespace pipeloom::executor::gpu
