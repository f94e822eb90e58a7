// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/program/lower.h"

#include <algorithm>

namespace pipeloom {

namespace {

class Mirrored {
public:
    Mirrored(const Schedule& schedule, const Pipeline& pipeline)
        : schedule_(schedule)
        , pipeline_(pipeline)
        , rows_(static_cast<std::size_t>(schedule.devices()))
        , next_(rows_.size(), 0)
        , there_(static_cast<std::size_t>(pipeline.microBatches) * static_cast<std::size_t>(pipeline.stages) * 2, 0)
    {
        if (pipeline.routeCount() > 1)
            countWeights();
    }

    std::optional<Program> run()
    {
        std::size_t left = schedule_.slots.size();
        while (left > 0) {
            const std::size_t before = left;
            for (std::size_t d = 0; d < rows_.size(); ++d)
                left -= tryOne(d) ? 1 : 0;
            if (left == before)
                return std::nullopt;
        }
        return program(rows_, pipeline_, Pairing::Shared);
    }

private:
    std::size_t idOf(const Pass& pass) const
    {
        const auto cell = static_cast<std::size_t>(pass.microBatch.value) * static_cast<std::size_t>(pipeline_.stages)
            + pass.stage.index();
        return cell * 2 + (pass.kind == PassKind::F ? 0 : 1);
    }

    void countWeights()
    {
        weightsLeft_.assign(rows_.size() * static_cast<std::size_t>(pipeline_.stages), 0);
        for (const Slot& slot : schedule_.slots)
            for (const Pass& pass : { slot.first, slot.second })
                if (givesWeightGradient(pass.kind))
                    ++weightsLeft_[weightsAt(pass)];
        for (std::size_t d = 0; d < rows_.size(); ++d)
            for (const StageId stage : idleSharedStages(pipeline_, DeviceId { d }, weightsLeft_))
                rows_[d].push_back({ Op::Reduce, false, { stage, MicroBatch {}, PassKind::W }, DeviceId {}, -1 });
    }

    std::size_t weightsAt(const Pass& pass) const
    {
        return pipeline_.deviceOf(pass).index() * static_cast<std::size_t>(pipeline_.stages) + pass.stage.index();
    }

    /// Its input from the neighbouring stage has been made, here or on a device that has sent it.
    bool ready(const Pass& pass) const
    {
        if (pass.kind == PassKind::F)
            return pass.stage.value == 0 || there_[idOf(pass) - 2];
        if (pass.kind == PassKind::W)
            return true;
        return pass.stage.value == pipeline_.stages - 1 || there_[idOf(pass) + 2];
    }

    bool tryOne(std::size_t d)
    {
        const std::span<const Slot> row = schedule_.row(DeviceId { d });
        if (next_[d] == row.size())
            return false;
        const Slot& slot = row[next_[d]];
        if (!ready(slot.first) || (slot.isPair() && !ready(slot.second)))
            return false;
        ++next_[d];
        rows_[d].push_back({ Op::Compute, false, slot.first, DeviceId {}, -1 });
        if (slot.isPair())
            rows_[d].push_back({ Op::Compute, true, slot.second, DeviceId {}, -1 });
        hand(slot.first, d);
        if (slot.isPair())
            hand(slot.second, d);
        return true;
    }

    /// Makes the result known, and writes it to both lists if the next stage is elsewhere.
    void hand(const Pass& pass, std::size_t d)
    {
        if (!weightsLeft_.empty() && givesWeightGradient(pass.kind) && --weightsLeft_[weightsAt(pass)] == 0
            && pipeline_.devicesOf(pass.stage).size() > 1)
            rows_[d].push_back({ Op::Reduce, false, pass, DeviceId {}, -1 });
        if (pass.kind == PassKind::W)
            return;
        there_[idOf(pass)] = 1;
        Pass consumer = pass;
        consumer.stage.value += pass.kind == PassKind::F ? 1 : -1;
        if (consumer.stage.value < 0 || consumer.stage.value >= pipeline_.stages)
            return;
        const DeviceId to = pipeline_.deviceOf(consumer);
        if (to.index() == d)
            return;
        rows_[d].push_back({ Op::Send, false, pass, to, -1 });
        rows_[to.index()].push_back({ Op::Receive, false, pass, DeviceId { d }, -1 });
    }

    const Schedule& schedule_;
    const Pipeline& pipeline_;
    std::vector<std::vector<Instruction>> rows_;
    std::vector<std::size_t> next_;         ///< by device
    std::vector<std::uint8_t> there_;       ///< by pass id: made, and sent where it is needed
    std::vector<std::int32_t> weightsLeft_; ///< by device * stages + stage; empty with one route
};

} // namespace

std::optional<Program> lowerMirrored(const Schedule& schedule, const Pipeline& pipeline)
{
    return Mirrored(schedule, pipeline).run();
}

} // namespace pipeloom
