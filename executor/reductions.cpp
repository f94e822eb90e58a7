// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/reductions.h"

#include "executor/message_kind.h"

#include <algorithm>
#include <utility>

namespace pipeloom::executor {

Reductions::Reductions(const Program& program, DeviceId device)
    : device_(device)
{
    for (const Instruction& at : program.row(device))
        if (at.op == Op::Reduce && find(at.pass.stage) == nullptr)
            stages_.push_back({ at.pass.stage, {}, {}, false });
    if (stages_.empty())
        return;
    for (std::int32_t d = 0; d < program.devices(); ++d) {
        Peer peer;
        for (const Instruction& at : program.row(DeviceId { d })) {
            const bool isReduce = at.op == Op::Reduce;
            if (!isReduce && !(at.op == Op::Compute && givesWeightGradient(at.pass.kind)))
                continue;
            Stage* const stage = find(at.pass.stage);
            if (stage == nullptr)
                continue;
            if (stage->holders.empty() || stage->holders.back() != DeviceId { d })
                stage->holders.emplace_back(d);
            if (isReduce)
                peer.order.push_back(at.pass.stage);
        }
        if (DeviceId { d } != device)
            peers_.emplace(DeviceId { d }, std::move(peer));
    }
}

const Reductions::Stage* Reductions::find(StageId stage) const
{
    const auto found
        = std::find_if(stages_.begin(), stages_.end(), [stage](const Stage& of) { return of.stage == stage; });
    return found == stages_.end() ? nullptr : &*found;
}

Reductions::Stage* Reductions::find(StageId stage) { return const_cast<Stage*>(std::as_const(*this).find(stage)); }

bool Reductions::isReduced(StageId stage) const
{
    const Stage* const found = find(stage);
    return found != nullptr && found->reduced;
}

void Reductions::begin()
{
    for (Stage& stage : stages_) {
        stage.gradients.assign(stage.holders.size(), {});
        stage.reduced = false;
    }
    for (auto& [device, peer] : peers_)
        peer.next = 0;
}

void Reductions::reduce(StageId stage, DeviceWork& work, Transport& transport)
{
    Stage& here = *find(stage);
    here.reduced = true;
    const Payload own = work.packGradients(stage);
    for (std::size_t i = 0; i < here.holders.size(); ++i) {
        if (here.holders[i] == device_) {
            here.gradients[i] = own;
            continue;
        }
        Peer& peer = peers_.at(here.holders[i]);
        transport.send(here.holders[i], weightGradientsOf(stage), own);
        const StageId next = peer.next < peer.order.size() ? peer.order[peer.next] : stage;
        ++peer.next;
        transport.receive(here.holders[i], weightGradientsOf(next));
    }
}

void Reductions::take(const Arrival& arrival)
{
    Stage* const stage = find(arrival.of.stage);
    const auto holder = std::find(stage->holders.begin(), stage->holders.end(), arrival.from);
    stage->gradients[static_cast<std::size_t>(holder - stage->holders.begin())] = arrival.payload;
}

std::optional<Reductions::Missing> Reductions::missing() const
{
    for (const Stage& stage : stages_)
        for (std::size_t i = 0; i < stage.holders.size(); ++i)
            if (stage.reduced && !stage.gradients[i])
                return Missing { stage.stage, stage.holders[i] };
    return {};
}

void Reductions::sum(DeviceWork& work)
{
    for (Stage& stage : stages_) {
        if (stage.reduced && stage.holders.size() > 1)
            work.setGradients(stage.stage, stage.gradients);
        stage.gradients.clear();
    }
}

} // namespace pipeloom::executor
