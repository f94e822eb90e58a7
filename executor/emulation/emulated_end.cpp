// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/emulation/emulated_clock.h"
#include "executor/message_kind.h"

#include <algorithm>
#include <deque>
#include <map>
#include <thread>
#include <utility>

namespace pipeloom::executor {

namespace {

class EmulatedEnd : public Transport {
public:
    EmulatedEnd(std::unique_ptr<Transport> end, std::shared_ptr<EmulatedClock> clock, DeviceId device)
        : end_(std::move(end))
        , clock_(std::move(clock))
        , device_(device)
    {
    }

    void prepare(DeviceWork& work) override { end_->prepare(work); }
    void send(DeviceId to, const Pass& of, Payload result) override { end_->send(to, of, std::move(result)); }

    void receive(DeviceId from, const Pass& of) override
    {
        if (!isReduction(of))
            channels_[{ from, of.kind == PassKind::F }].issued.push_back(clock_->now());
        end_->receive(from, of);
    }

    std::vector<Arrival> arrived() override
    {
        hold(end_->arrived());
        return due(Clock::now());
    }

    std::vector<Arrival> awaitArrival(const DeviceStatus& waiting) override
    {
        while (true) {
            const auto needed = std::find_if(held_.begin(), held_.end(),
                [&](const Arrival& arrival) { return arrival.of == waiting.needs && arrival.from == waiting.from; });
            if (needed != held_.end()) {
                if (isReal())
                    std::this_thread::sleep_until(needed->ended);
                return due(std::max(needed->ended, Clock::now()));
            }
            std::vector<Arrival> fresh = end_->awaitArrival(waiting);
            if (fresh.empty())
                return {};
            hold(std::move(fresh));
        }
    }

    std::optional<Gathered> gather(Contribution own) override
    {
        auto gathered = end_->gather(std::move(own));
        if (gathered)
            clock_->setNextStart(gathered->complete);
        // On a virtual clock the step before may have been planned beyond the start of the next one.
        channels_.clear();
        return gathered;
    }
    void contribute(Contribution own) override { end_->contribute(std::move(own)); }
    std::optional<Gathered> gathered() override { return end_->gathered(); }
    std::optional<Gathered> awaitGathered() override { return end_->awaitGathered(); }
    bool restart() override
    {
        channels_.clear();
        held_.clear();
        return end_->restart();
    }

private:
    struct Channel {
        std::deque<Clock::time_point> issued; ///< planned times of receives whose message has not come
        Clock::time_point free {};            ///< when the message before has arrived
    };

    [[nodiscard]] bool isReal() const { return clock_->facts().time == EmulatedTime::Real; }

    [[nodiscard]] static bool isReduction(const Pass& of) { return messageKind(of) == MessageKind::WeightGradients; }

    void hold(std::vector<Arrival> arrivals)
    {
        for (Arrival& arrival : arrivals) {
            if (isReduction(arrival.of)) {
                arrival.started = static_cast<const EmulatedResult*>(arrival.payload.tensor.get())->planned;
                arrival.ended = arrival.started;
                held_.push_back(std::move(arrival));
                continue;
            }
            Channel& channel = channels_[{ arrival.from, arrival.of.kind == PassKind::F }];
            const auto& made = *static_cast<const EmulatedResult*>(arrival.payload.tensor.get());
            arrival.started = std::max({ made.planned, channel.issued.front(), channel.free });
            arrival.ended = arrival.started + transferTime(arrival);
            channel.issued.pop_front();
            channel.free = arrival.ended;
            auto here = std::make_shared<EmulatedResult>();
            here->planned = arrival.ended;
            arrival.payload.tensor = std::move(here);
            const auto since = [&](Clock::time_point time) { return (time - clock_->stepStart()).count(); };
            clock_->note({ since(arrival.started), since(arrival.ended), arrival.of, arrival.from, device_ });
            held_.push_back(std::move(arrival));
        }
    }

    [[nodiscard]] Nanoseconds transferTime(const Arrival& arrival) const
    {
        const std::int32_t boundary
            = arrival.of.kind == PassKind::F ? arrival.of.stage.value : arrival.of.stage.value - 1;
        return clock_->facts().lengthOf(clock_->facts().network.transferTicks(StageId { boundary }));
    }

    /// Those that have arrived by then; on a virtual clock all.
    std::vector<Arrival> due(Clock::time_point now)
    {
        std::vector<Arrival> ready;
        const auto later = std::stable_partition(
            held_.begin(), held_.end(), [&](const Arrival& arrival) { return isReal() && arrival.ended > now; });
        std::move(later, held_.end(), std::back_inserter(ready));
        held_.erase(later, held_.end());
        return ready;
    }

    std::unique_ptr<Transport> end_;
    std::shared_ptr<EmulatedClock> clock_;
    DeviceId device_;
    std::map<std::pair<DeviceId, bool>, Channel> channels_;
    std::vector<Arrival> held_;
};

} // namespace

std::unique_ptr<Transport> emulatedEnd(
    std::unique_ptr<Transport> end, std::shared_ptr<EmulatedClock> clock, DeviceId device)
{
    return std::make_unique<EmulatedEnd>(std::move(end), std::move(clock), device);
}

} // namespace pipeloom::executor
