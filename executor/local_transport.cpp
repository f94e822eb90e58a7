// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/local_transport.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace pipeloom::executor {

namespace {

class LocalEnd : public Transport {
public:
    LocalEnd(LocalNetwork& network, DeviceId device)
        : network_(network)
        , device_(device)
    {
    }

    void prepare(DeviceWork&) override { }
    void send(DeviceId to, const Pass& of, Payload result) override
    {
        network_.send(device_, to, of, std::move(result));
    }
    void receive(DeviceId from, const Pass& of) override { network_.receive(device_, from, of); }
    std::vector<Arrival> arrived() override { return network_.arrived(device_); }
    std::vector<Arrival> awaitArrival(const DeviceStatus& waiting) override { return network_.awaitArrival(waiting); }
    std::optional<Gathered> gather(Contribution own) override
    {
        network_.contribute(device_, std::move(own), true);
        return network_.awaitGathered(device_);
    }
    void contribute(Contribution own) override { network_.contribute(device_, std::move(own), false); }
    std::optional<Gathered> gathered() override { return network_.gathered(device_); }
    std::optional<Gathered> awaitGathered() override { return network_.awaitGathered(device_); }
    bool restart() override { return network_.restart(device_); }

private:
    LocalNetwork& network_;
    DeviceId device_;
};

Finding mismatch(DeviceId from, const Pass& sent, DeviceId to, const Pass& expected)
{
    Place sender;
    sender.device = from;
    sender.pass = text(sent);
    Place receiver;
    receiver.device = to;
    receiver.pass = text(expected);
    Finding finding;
    finding.rule = "run/mismatch";
    finding.where = { sender, receiver };
    finding.message = fmt::format("Device {} sends {} to device {}, which receives {} at that place of the channel.",
        from.value, messageText(sent), to.value, messageText(expected));
    finding.remedy = "List the receives of a channel in the order of its sends.";
    return finding;
}

} // namespace

LocalNetwork::LocalNetwork(std::shared_ptr<Board> board, std::int32_t devices)
    : board_(std::move(board))
    , arrivals_(static_cast<std::size_t>(devices))
    , sums_(arrivals_.size())
    , rounds_(arrivals_.size())
{
}

std::unique_ptr<Transport> LocalNetwork::end(DeviceId device) { return std::make_unique<LocalEnd>(*this, device); }

void LocalNetwork::send(DeviceId from, DeviceId to, const Pass& of, Payload result)
{
    const auto held = board_->lock();
    const ChannelKey key { from, to, messageKind(of) };
    auto& channel = channels_[key];
    channel.sent.push_back({ of, std::move(result), Clock::now() });
    meet(key, channel);
}

void LocalNetwork::receive(DeviceId to, DeviceId from, const Pass& of)
{
    const auto held = board_->lock();
    const ChannelKey key { from, to, messageKind(of) };
    auto& channel = channels_[key];
    channel.issued.push_back({ of, Clock::now() });
    meet(key, channel);
}

void LocalNetwork::meet(const ChannelKey& key, Channel& channel)
{
    const auto [from, to, kind] = key;
    while (!channel.sent.empty() && !channel.issued.empty()) {
        auto sent = std::move(channel.sent.front());
        const auto issued = channel.issued.front();
        channel.sent.pop_front();
        channel.issued.pop_front();
        if (!(sent.of == issued.of)) {
            board_->endUnderLock(mismatch(from, sent.of, to, issued.of));
            return;
        }
        arrivals_[to.index()].push_back(
            { sent.of, from, std::move(sent.payload), std::max(sent.time, issued.time), Clock::now() });
        board_->wake(to);
    }
}

// Devices gather at the ends of their lists: what has not met by then never will.
void LocalNetwork::endIfSomethingIsLeft()
{
    for (const auto& [key, channel] : channels_) {
        if (channel.sent.empty() && channel.issued.empty())
            continue;
        const auto [from, to, kind] = key;
        const bool isSend = !channel.sent.empty();
        Place left;
        left.device = isSend ? from : to;
        const Pass& of = isSend ? channel.sent.front().of : channel.issued.front().of;
        left.pass = text(of);
        Finding finding;
        finding.rule = "run/mismatch";
        finding.where = { left };
        finding.message = isSend ? fmt::format("Device {} sends {} to device {}, which never receives it.", from.value,
                              messageText(of), to.value)
                                 : fmt::format("Device {} receives {} from device {}, which never sends it.", to.value,
                                     messageText(of), from.value);
        finding.remedy = "Give every send its receive, and every receive its send.";
        board_->endUnderLock(finding);
        return;
    }
}

std::vector<Arrival> LocalNetwork::arrived(DeviceId device)
{
    const auto held = board_->lock();
    return std::exchange(arrivals_[device.index()], {});
}

std::vector<Arrival> LocalNetwork::awaitArrival(const DeviceStatus& waiting)
{
    auto held = board_->lock();
    auto& arrivals = arrivals_[waiting.device.index()];
    if (!board_->wait(held, waiting, [&] { return !arrivals.empty() || isGathered(waiting.device); }))
        return {};
    return std::exchange(arrivals, {});
}

void LocalNetwork::contribute(DeviceId device, Contribution own, bool atEnds)
{
    const auto held = board_->lock();
    sums_[device.index()] = std::move(own.sums);
    gathering_.stop = gathering_.stop || own.stop;
    gathering_.ahead = gathering_.ahead || own.ahead;
    rounds_[device.index()] = round_;
    if (++gatheringDevices_ < static_cast<std::int32_t>(arrivals_.size()))
        return;
    // In an order that does not depend on who came first: sums of them must have the same bits from run to run.
    for (auto& sums : sums_) {
        gathering_.sums.insert(gathering_.sums.end(), sums.begin(), sums.end());
        sums.clear();
    }
    std::stable_sort(gathering_.sums.begin(), gathering_.sums.end(),
        [](const StageSums& a, const StageSums& b) { return a.stage < b.stage; });
    if (atEnds)
        endIfSomethingIsLeft();
    gathered_ = std::exchange(gathering_, {});
    gathered_.complete = Clock::now();
    gatheringDevices_ = 0;
    ++round_;
    wakeAll();
}

bool LocalNetwork::isGathered(DeviceId device) const
{
    const auto& round = rounds_[device.index()];
    return round && *round < round_;
}

// A device that has taken a round cannot complete the next one before all others have taken theirs.
std::optional<Gathered> LocalNetwork::takeGathered(DeviceId device)
{
    if (!isGathered(device))
        return {};
    rounds_[device.index()].reset();
    return gathered_;
}

std::optional<Gathered> LocalNetwork::gathered(DeviceId device)
{
    const auto held = board_->lock();
    return takeGathered(device);
}

std::optional<Gathered> LocalNetwork::awaitGathered(DeviceId device)
{
    auto held = board_->lock();
    DeviceStatus waiting;
    waiting.device = device;
    waiting.doing = Doing::Others;
    if (!board_->wait(held, waiting, [this, device] { return isGathered(device); }))
        return {};
    return takeGathered(device);
}

bool LocalNetwork::restart(DeviceId device)
{
    auto held = board_->lock();
    if (++restartingDevices_ == static_cast<std::int32_t>(arrivals_.size())) {
        channels_.clear();
        for (auto& arrivals : arrivals_)
            arrivals.clear();
        restartingDevices_ = 0;
        ++restarts_;
        wakeAll();
        return true;
    }
    DeviceStatus waiting;
    waiting.device = device;
    waiting.doing = Doing::Others;
    return board_->wait(held, waiting, [this, before = restarts_] { return restarts_ != before; });
}

void LocalNetwork::wakeAll()
{
    for (std::size_t d = 0; d < arrivals_.size(); ++d)
        board_->wake(DeviceId { d });
}

} // namespace pipeloom::executor
