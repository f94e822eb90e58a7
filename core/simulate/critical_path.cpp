// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/simulate/critical_path.h"

#include <algorithm>
#include <unordered_map>

namespace pipeloom {

namespace {

class PathFinder {
public:
    PathFinder(const Timeline& timeline, const Pipeline& pipeline)
        : timeline_(timeline)
        , pipeline_(pipeline)
    {
        for (std::int32_t d = 0; d < timeline.devices(); ++d)
            for (auto i = timeline.deviceBegin[static_cast<std::size_t>(d)];
                 i < timeline.deviceBegin[static_cast<std::size_t>(d) + 1]; ++i) {
                passAt_.emplace(idOf(pass(i).pass), i);
                deviceOf_.push_back(d);
            }
        for (std::size_t i = 0; i < timeline.transfers.size(); ++i)
            transferOf_.emplace(idOf(timeline.transfers[i].pass), static_cast<std::int32_t>(i));
        byEnd_.reserve(timeline.transfers.size());
        for (std::size_t i = 0; i < timeline.transfers.size(); ++i)
            byEnd_.push_back(static_cast<std::int32_t>(i));
        std::sort(byEnd_.begin(), byEnd_.end(), [&](std::int32_t a, std::int32_t b) {
            return std::pair(transfer(a).end, a) < std::pair(transfer(b).end, b);
        });
    }

    std::vector<PathStep> run()
    {
        Node node = last();
        std::vector<PathStep> path;
        while (node.index >= 0) {
            path.push_back(step(node));
            node = node.isTransfer ? beforeTransfer(node.index) : beforePass(node.index);
        }
        std::reverse(path.begin(), path.end());
        return path;
    }

private:
    struct Node {
        bool isTransfer = false;
        std::int32_t index = -1;
    };

    const TimedPass& pass(std::int32_t i) const { return timeline_.passes[static_cast<std::size_t>(i)]; }
    const TimedTransfer& transfer(std::int32_t i) const { return timeline_.transfers[static_cast<std::size_t>(i)]; }

    std::int64_t idOf(const Pass& of) const
    {
        const std::int64_t cell = std::int64_t { of.microBatch.value } * pipeline_.stages + of.stage.value;
        return cell * 3 + (of.kind == PassKind::F ? 0 : (of.kind == PassKind::W ? 2 : 1));
    }

    PathStep step(const Node& node) const
    {
        if (node.isTransfer) {
            const TimedTransfer& t = transfer(node.index);
            return { true, t.pass, t.from, t.to, t.start, t.end };
        }
        const TimedPass& p = pass(node.index);
        const DeviceId device { deviceOf_[static_cast<std::size_t>(node.index)] };
        return { false, p.pass, device, device, p.start, p.end };
    }

    Node last() const
    {
        Node found;
        for (std::size_t i = 0; i < timeline_.passes.size(); ++i) {
            const auto at = static_cast<std::int32_t>(i);
            if (pass(at).joined)
                continue;
            if (found.index < 0 || pass(at).end > pass(found.index).end
                || (pass(at).end == pass(found.index).end && pass(at).pass.stage < pass(found.index).pass.stage))
                found.index = at;
        }
        return found;
    }

    /// The first entry of the slot that the pass is in.
    std::int32_t slotOf(std::int32_t i) const { return pass(i).joined ? i - 1 : i; }

    /// What a pass waited for last: the one before it on its device, or an input.
    Node beforePass(std::int32_t i) const
    {
        const std::int32_t device = deviceOf_[static_cast<std::size_t>(i)];
        Node found;
        if (i > timeline_.deviceBegin[static_cast<std::size_t>(device)])
            found = { false, slotOf(i - 1) };
        bool onDevice = found.index >= 0;
        const auto consider = [&](const Pass& input) {
            const Node node = inputNode(input, device);
            if (node.index < 0 || endOf(node) > pass(i).start)
                return; // not there, or drawn too early for it
            const bool later = found.index < 0 || endOf(node) > endOf(found);
            if (later || (endOf(node) == endOf(found) && !onDevice && stageOf(node) < stageOf(found))) {
                found = node;
                onDevice = false;
            }
        };
        considerInputs(pass(i).pass, consider);
        if (static_cast<std::size_t>(i) + 1 < timeline_.passes.size() && pass(i + 1).joined)
            considerInputs(pass(i + 1).pass, consider);
        return found;
    }

    template <class Consider> void considerInputs(const Pass& of, Consider consider) const
    {
        const auto at = [&](std::int32_t stage, PassKind kind) {
            if (stage >= 0 && stage < pipeline_.stages)
                consider(Pass { StageId { stage }, of.microBatch, kind });
        };
        if (of.kind == PassKind::F) {
            at(of.stage.value - 1, PassKind::F);
        } else if (of.kind == PassKind::W) {
            at(of.stage.value, PassKind::B);
        } else {
            at(of.stage.value, PassKind::F);
            at(of.stage.value + 1, PassKind::B);
        }
    }

    StageId stageOf(const Node& node) const
    {
        return node.isTransfer ? transfer(node.index).pass.stage : pass(node.index).pass.stage;
    }

    Ticks endOf(const Node& node) const { return node.isTransfer ? transfer(node.index).end : pass(node.index).end; }

    /// The transfer that brings an input to the device, or the pass that makes it there.
    Node inputNode(const Pass& input, std::int32_t device) const
    {
        const auto made = passAt_.find(idOf(input));
        if (made == passAt_.end())
            return {};
        const Node maker { false, slotOf(made->second) };
        const auto carried = transferOf_.find(idOf(input));
        if (carried == transferOf_.end() || deviceOf_[static_cast<std::size_t>(made->second)] == device)
            return maker;
        // A transfer of no time that nothing held up is not worth a step of its own.
        const TimedTransfer& t = transfer(carried->second);
        return t.start == t.end && pass(made->second).end == t.end ? maker : Node { true, carried->second };
    }

    /// What held a transfer up until it started: its own pass, a transfer before it in a queue, or the receiver. Transfers
    /// of no time that were held up at the same moment pass the reason on, and are not shown.
    Node beforeTransfer(std::int32_t i) const
    {
        const Ticks time = transfer(i).start;
        std::vector<std::int32_t> heldUp { i };
        for (std::size_t at = 0; at < heldUp.size(); ++at) {
            const TimedTransfer& t = transfer(heldUp[at]);
            const auto made = passAt_.find(idOf(t.pass));
            if (made != passAt_.end() && pass(made->second).end == time)
                return { false, slotOf(made->second) };
            auto other = std::lower_bound(
                byEnd_.begin(), byEnd_.end(), time, [&](std::int32_t a, Ticks end) { return transfer(a).end < end; });
            for (; other != byEnd_.end() && transfer(*other).end == time; ++other) {
                const TimedTransfer& before = transfer(*other);
                const bool shares
                    = before.from == t.from || before.to == t.to || before.from == t.to || before.to == t.from;
                if (!shares || std::find(heldUp.begin(), heldUp.end(), *other) != heldUp.end())
                    continue;
                if (before.start < before.end)
                    return { true, *other };
                heldUp.push_back(*other);
            }
            if (const Node receiver = receiverPassEndingAt(t); receiver.index >= 0)
                return receiver;
        }
        return {};
    }

    Node receiverPassEndingAt(const TimedTransfer& t) const
    {
        const std::span<const TimedPass> row = timeline_.row(t.to);
        const auto found
            = std::partition_point(row.begin(), row.end(), [&](const TimedPass& p) { return p.end < t.start; });
        if (found == row.end() || found->end != t.start)
            return {};
        const auto index = timeline_.deviceBegin[t.to.index()] + static_cast<std::int32_t>(found - row.begin());
        return { false, slotOf(index) };
    }

    const Timeline& timeline_;
    const Pipeline& pipeline_;
    std::unordered_map<std::int64_t, std::int32_t> passAt_;
    std::unordered_map<std::int64_t, std::int32_t> transferOf_; ///< by the pass that sent it
    std::vector<std::int32_t> deviceOf_;
    std::vector<std::int32_t> byEnd_; ///< transfers by end
};

} // namespace

std::vector<PathStep> criticalPath(const Timeline& timeline, const Pipeline& pipeline)
{
    return PathFinder(timeline, pipeline).run();
}

} // namespace pipeloom
