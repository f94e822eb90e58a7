// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/check/program_deadlock.h"

#include "core/simulate/simulator.h"
#include "core/simulate/transfer_queues.h"

#include <fmt/format.h>

#include <algorithm>

namespace pipeloom {

namespace {

/// Something that waits: a device at an instruction, or a message on its way.
struct Waiter {
    bool isDevice = false;
    std::int32_t index = -1; ///< device or message

    friend bool operator==(const Waiter&, const Waiter&) = default;
};

/// A waiter, the sentence part that says what for, and the places it names.
struct Link {
    Waiter waiter;
    std::string says;
    std::vector<Place> where;
};

class Circle {
public:
    Circle(const Program& program, const Standstill& stand, const TransferQueues& queues, QueueModel queue)
        : program_(program)
        , stand_(stand)
        , queues_(queues)
        , queue_(queue)
    {
    }

    Finding describe() const
    {
        const std::vector<Link> links = walk(start());
        Finding finding { "program/deadlock", Severity::Error, {}, text(queue_), {}, {} };
        std::string chain;
        for (const Link& link : links) {
            chain += (chain.empty() ? "" : "; ") + link.says;
            finding.where.insert(finding.where.end(), link.where.begin(), link.where.end());
        }
        finding.message = fmt::format("The program stops: {}.", chain);
        finding.remedy = queue_ == QueueModel::Directed
            ? "Issue the receives in the order of the sends, and early enough."
            : "Let both devices list their sends and receives in one order, group the two, or use a channel for each "
              "direction "
              "(queue model directed).";
        return finding;
    }

private:
    Waiter start() const
    {
        for (std::size_t d = 0; d < stand_.next.size(); ++d)
            if (stand_.next[d] != program_.deviceBegin[d + 1])
                return { true, static_cast<std::int32_t>(d) };
        const auto stuck = std::find(stand_.done.begin(), stand_.done.end(), 0);
        return { false, static_cast<std::int32_t>(stuck - stand_.done.begin()) };
    }

    std::vector<Link> walk(Waiter waiter) const
    {
        std::vector<Link> way;
        const auto known = [&](const Waiter& w) {
            return std::find_if(way.begin(), way.end(), [&](const Link& link) { return link.waiter == w; });
        };
        while (known(waiter) == way.end()) {
            Link link { waiter, {}, {} };
            waiter = waiter.isDevice ? waitOfDevice(waiter.index, link) : waitOfMessage(waiter.index, link);
            way.push_back(std::move(link));
        }
        return { known(waiter), way.end() };
    }

    Place placeOf(DeviceId device, std::int32_t instruction) const
    {
        Place place;
        place.device = device;
        place.pass = text(program_.instructions[static_cast<std::size_t>(instruction)].pass);
        return place;
    }

    std::string name(std::int32_t instruction) const
    {
        return text(program_.instructions[static_cast<std::size_t>(instruction)]);
    }

    Waiter waitOfDevice(std::int32_t device, Link& link) const
    {
        const auto d = static_cast<std::size_t>(device);
        const std::int32_t message = stand_.waitsFor[d];
        link.says = fmt::format("device {} at {} waits for {}", device, name(stand_.next[d]),
            text(program_.messages[static_cast<std::size_t>(message)].pass));
        link.where.push_back(placeOf(DeviceId { device }, stand_.next[d]));
        return { false, message };
    }

    Waiter waitOfMessage(std::int32_t index, Link& link) const
    {
        const auto at = static_cast<std::size_t>(index);
        const Message& message = program_.messages[at];
        if (!stand_.sent[at]) {
            link.says
                = fmt::format("device {} has not come to `{}`", message.from.value, name(message.sendInstruction));
            link.where.push_back(placeOf(message.from, message.sendInstruction));
            return { true, message.from.value };
        }
        if (!stand_.received[at]) {
            link.says
                = fmt::format("device {} has not come to `{}`", message.to.value, name(message.receiveInstruction));
            link.where.push_back(placeOf(message.to, message.receiveInstruction));
            return { true, message.to.value };
        }
        const std::int32_t before
            = queue_ == QueueModel::Directed ? directedBlocker(message) : queues_.blocker(index, stand_.done);
        const Message& blocker = program_.messages[static_cast<std::size_t>(before)];
        const bool onSender = blocker.from == message.from || blocker.to == message.from;
        const DeviceId device = onSender && standsBefore(blocker, message, message.from) ? message.from : message.to;
        link.says = fmt::format(
            "on device {} `{}` stands behind `{}`", device.value, nameOn(message, device), nameOn(blocker, device));
        link.where.push_back(placeOf(device, instructionOn(message, device)));
        link.where.push_back(placeOf(device, instructionOn(blocker, device)));
        return { false, before };
    }

    std::int32_t directedBlocker(const Message& message) const
    {
        std::int32_t head = program_.channels[static_cast<std::size_t>(message.channel)].firstMessage;
        while (stand_.done[static_cast<std::size_t>(head)])
            ++head;
        return head;
    }

    static std::int32_t instructionOn(const Message& message, DeviceId device)
    {
        return message.from == device ? message.sendInstruction : message.receiveInstruction;
    }
    std::string nameOn(const Message& message, DeviceId device) const { return name(instructionOn(message, device)); }
    static bool standsBefore(const Message& a, const Message& b, DeviceId device)
    {
        return instructionOn(a, device) < instructionOn(b, device);
    }

    const Program& program_;
    const Standstill& stand_;
    const TransferQueues& queues_;
    QueueModel queue_;
};

} // namespace

std::optional<Finding> findDeadlock(const Program& program, const Pipeline& pipeline, QueueModel queue)
{
    // Whether a program stops does not depend on how long anything takes.
    Simulator simulator;
    Timeline timeline;
    if (simulator.run(program, pipeline, unitCosts(pipeline.stages), freeNetwork(pipeline.stages), queue, timeline))
        return std::nullopt;
    return Circle(program, simulator.standstill(), simulator.queues(), queue).describe();
}

} // namespace pipeloom
