// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/processes/process_network.h"

#include "executor/processes/line.h"
#include "executor/processes/meeting.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

namespace pipeloom::executor {

namespace {

/// Stands in front of a payload on its way, so that its receiver knows what it has got.
struct Frame {
    std::int64_t sent = 0; ///< of rank 0's clock: when it was handed over for sending
    std::int32_t stage = 0;
    std::int32_t microBatch = 0;
    std::uint8_t kind = 0;
};
static_assert(sizeof(Frame) <= frameBytes);

std::span<std::byte> framed(const Payload& payload)
{
    return { payload.data - frameBytes, frameBytes + static_cast<std::size_t>(payload.bytes) };
}

Tag tagOf(const Pass& of)
{
    return of.kind == PassKind::F ? Tag::Activations : of.kind == PassKind::W ? Tag::WeightGradients : Tag::Gradients;
}

} // namespace

/// All that the end and the threads of its channels share.
class ProcessNetwork::State {
    using Peer = std::pair<DeviceId, Tag>;

public:
    State(const Program& program, DeviceId device, std::shared_ptr<Board> board, std::shared_ptr<Messages> messages)
        : device_(device)
        , board_(std::move(board))
        , messages_(std::move(messages))
        , meeting_(program, device, *messages_)
    {
        for (const auto& channel : program.channels)
            if (channel.from == device || channel.to == device)
                channels_.push_back({ channel.from == device,
                    { channel.from == device ? channel.to : channel.from,
                        tagOf(program.messages[static_cast<std::size_t>(channel.firstMessage)].pass) },
                    program.messages[static_cast<std::size_t>(channel.firstMessage)].pass });
    }

    void abort() { messages_->abort(); }
    [[nodiscard]] Clock::time_point own(std::int64_t shared) const { return meeting_.own(shared); }

    void prepare(DeviceWork& work)
    {
        work_ = &work;
        meeting_.compareClocks();
    }

    void send(DeviceId to, const Pass& of, Payload result)
    {
        // A payload that goes to several devices is on its way to the first when it is handed over for the second.
        if (framed_.lock() != result.tensor) {
            const Frame frame { meeting_.shared(Clock::now()), of.stage.value, of.microBatch.value,
                static_cast<std::uint8_t>(of.kind) };
            std::memcpy(framed(result).data(), &frame, sizeof frame);
            framed_ = result.tensor;
        }
        ++sent_[{ to, tagOf(of) }];
        line(outgoing_, { to, tagOf(of) }, "sending to").post([this, to, of, result = std::move(result)] {
            messages_->send(to.value, static_cast<int>(tagOf(of)), framed(result));
        });
    }

    void receive(DeviceId from, const Pass& of)
    {
        Payload buffer = work_->receiveBuffer(of);
        const auto issued = Clock::now();
        auto& channel = incoming_[{ from, tagOf(of) }];
        ++issued_[{ from, tagOf(of) }];
        line(incomingLines_, { from, tagOf(of) }, "receiving from")
            .post([this, from, of, issued, &channel, buffer = std::move(buffer)]() mutable {
                messages_->receive(from.value, static_cast<int>(tagOf(of)), framed(buffer));
                arrive(from, of, issued, channel, std::move(buffer));
            });
    }

    std::vector<Arrival> arrived()
    {
        const auto held = board_->lock();
        return std::exchange(arrivals_, {});
    }

    std::vector<Arrival> awaitArrival(const DeviceStatus& waiting)
    {
        auto held = board_->lock();
        if (!board_->wait(held, waiting, [this] { return !arrivals_.empty() || gathered_; }))
            return {};
        return std::exchange(arrivals_, {});
    }

    void contribute(Contribution own)
    {
        meetings_.post([this, own = std::move(own), came = Clock::now()] {
            Gathered all = meeting_.meet(own, came);
            const auto held = board_->lock();
            gathered_ = std::move(all);
            board_->wake(device_);
        });
    }

    std::optional<Gathered> gathered()
    {
        const auto held = board_->lock();
        return std::exchange(gathered_, std::nullopt);
    }

    std::optional<Gathered> awaitGathered()
    {
        if (!waitForOthers([this] { return gathered_.has_value(); }))
            return {};
        return gathered();
    }

    /// Both sides of each channel learn how far the other has come, the one that is behind makes up for it, and all messages
    /// come and are thrown away.
    bool restart()
    {
        {
            const auto held = board_->lock();
            restarting_ = true;
            countsToCome_ = channels_.size();
        }
        meetings_.post([this] { exchangeCounts(); });
        for (const auto& channel : channels_)
            line(outgoing_, { channel.peer.first, Tag::Restart }, "restarting with")
                .post([this, to = channel.peer.first, count = ownCount(channel)]() mutable {
                    messages_->send(
                        to.value, static_cast<int>(Tag::Restart), std::as_writable_bytes(std::span(&count, 1)));
                });
        if (!waitForOthers([this] { return countsToCome_ == 0; }))
            return false;
        for (const auto& channel : channels_)
            catchUp(channel);
        std::size_t lines = 0;
        for (auto* all : { &incomingLines_, &outgoing_ })
            for (auto& [peer, line] : *all) {
                ++lines;
                line->post([this] {
                    const auto held = board_->lock();
                    ++linesAtRest_;
                    board_->wake(device_);
                });
            }
        if (!waitForOthers([this, lines] { return linesAtRest_ == lines; }))
            return false;
        const auto held = board_->lock();
        arrivals_.clear();
        linesAtRest_ = 0;
        restarting_ = false;
        return true;
    }

private:
    /// One that this device has an end of.
    struct Channel {
        bool outgoing = false;
        Peer peer;
        Pass first;              ///< that is sent on it
        std::int64_t others = 0; ///< how many messages the other side has begun, since a restart
    };

    [[nodiscard]] std::int64_t& ownCount(const Channel& channel)
    {
        return channel.outgoing ? sent_[channel.peer] : issued_[channel.peer];
    }

    [[nodiscard]] bool waitForOthers(const std::function<bool()>& ready)
    {
        auto held = board_->lock();
        DeviceStatus waiting;
        waiting.device = device_;
        waiting.doing = Doing::Others;
        return board_->wait(held, waiting, ready);
    }

    // Both sides have the channels between them in the same order.
    void exchangeCounts()
    {
        for (auto& channel : channels_) {
            std::int64_t count = 0;
            messages_->receive(
                channel.peer.first.value, static_cast<int>(Tag::Restart), std::as_writable_bytes(std::span(&count, 1)));
            const auto held = board_->lock();
            channel.others = count;
            --countsToCome_;
        }
        const auto held = board_->lock();
        board_->wake(device_);
    }

    void catchUp(const Channel& channel)
    {
        while (ownCount(channel) < channel.others) {
            if (channel.outgoing)
                send(channel.peer.first, channel.first, work_->receiveBuffer(channel.first));
            else
                receive(channel.peer.first, channel.first);
        }
    }

    using Lines = std::map<Peer, std::unique_ptr<Line>>;
    struct Incoming {
        Clock::time_point before {}; ///< when the message before had come; used by the channel's thread alone
    };

    /// The thread of a channel, made when it is first used.
    Line& line(Lines& lines, const Peer& peer, const char* doing)
    {
        auto& place = lines[peer];
        if (!place)
            place = std::make_unique<Line>([this, peer, doing](const std::exception& error) {
                lost(fmt::format(
                    "the connection was lost while {} device {} ({})", doing, peer.first.value, error.what()));
            });
        return *place;
    }

    void lost(const std::string& what)
    {
        board_->fail(device_, "run/lost", what,
            "See what the other device says; if it says nothing, whether its process and machine are still there.");
    }

    void arrive(DeviceId from, const Pass& of, Clock::time_point issued, Incoming& channel, Payload buffer)
    {
        Frame frame;
        std::memcpy(&frame, framed(buffer).data(), sizeof frame);
        const Pass sent { StageId { frame.stage }, MicroBatch { frame.microBatch }, static_cast<PassKind>(frame.kind) };
        const auto now = Clock::now();
        {
            const auto held = board_->lock();
            if (restarting_)
                return;
        }
        if (!(sent == of)) {
            board_->fail(device_, "run/mismatch",
                fmt::format("device {} sent {} where {} is expected", from.value, text(sent), text(of)),
                "List the receives of a channel in the order of its sends.");
            return;
        }
        // Clocks of two machines may differ by a little; a message has not come before it started.
        const auto started = std::min(std::max({ meeting_.own(frame.sent), issued, channel.before }), now);
        channel.before = now;
        const auto held = board_->lock();
        arrivals_.push_back({ of, from, std::move(buffer), started, now });
        board_->wake(device_);
    }

    DeviceId device_;
    std::shared_ptr<Board> board_;
    std::shared_ptr<Messages> messages_;
    Meeting meeting_;
    DeviceWork* work_ = nullptr;
    std::weak_ptr<void> framed_; ///< the payload that was handed over last
    std::map<Peer, Incoming> incoming_;
    std::vector<Channel> channels_;       ///< `others` under the board's lock
    std::map<Peer, std::int64_t> sent_;   ///< by the device's thread alone, like the next
    std::map<Peer, std::int64_t> issued_; ///< receives
    bool restarting_ = false;             ///< under the board's lock, like the next two
    std::size_t countsToCome_ = 0;
    std::size_t linesAtRest_ = 0;
    std::vector<Arrival> arrivals_;    ///< under the board's lock
    std::optional<Gathered> gathered_; ///< under the board's lock
    Line meetings_ { [this](const std::exception& error) {
        lost(fmt::format("the connection was lost while meeting all others ({})", error.what()));
    } };
    Lines incomingLines_;
    Lines outgoing_; ///< last: their threads end first
};

namespace {

class ProcessEnd : public Transport {
public:
    explicit ProcessEnd(std::shared_ptr<ProcessNetwork::State> state)
        : state_(std::move(state))
    {
    }

    void prepare(DeviceWork& work) override { state_->prepare(work); }
    void send(DeviceId to, const Pass& of, Payload result) override { state_->send(to, of, std::move(result)); }
    void receive(DeviceId from, const Pass& of) override { state_->receive(from, of); }
    std::vector<Arrival> arrived() override { return state_->arrived(); }
    std::vector<Arrival> awaitArrival(const DeviceStatus& waiting) override { return state_->awaitArrival(waiting); }
    std::optional<Gathered> gather(Contribution own) override
    {
        state_->contribute(std::move(own));
        return state_->awaitGathered();
    }
    void contribute(Contribution own) override { state_->contribute(std::move(own)); }
    std::optional<Gathered> gathered() override { return state_->gathered(); }
    std::optional<Gathered> awaitGathered() override { return state_->awaitGathered(); }
    bool restart() override { return state_->restart(); }

private:
    std::shared_ptr<ProcessNetwork::State> state_;
};

} // namespace

ProcessNetwork::ProcessNetwork(
    const Program& program, DeviceId device, std::shared_ptr<Board> board, std::shared_ptr<Messages> messages)
    : state_(std::make_shared<State>(program, device, std::move(board), std::move(messages)))
{
}

ProcessNetwork::~ProcessNetwork() = default;

std::unique_ptr<Transport> ProcessNetwork::end(DeviceId) { return std::make_unique<ProcessEnd>(state_); }

Clock::time_point ProcessNetwork::own(std::int64_t shared) const { return state_->own(shared); }

void ProcessNetwork::abort() { state_->abort(); }

} // namespace pipeloom::executor
