// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/check/program_check.h"

#include "core/check/program_deadlock.h"

#include <fmt/format.h>

#include <algorithm>

namespace pipeloom {

namespace {

bool sameData(const Pass& a, const Pass& b)
{
    return a.stage == b.stage && a.microBatch == b.microBatch
        && (a.kind == b.kind || (givesInputGradient(a.kind) && givesInputGradient(b.kind)));
}

class ProgramCheck {
public:
    ProgramCheck(const Program& program, const Pipeline& pipeline, QueueModel queue)
        : program_(program)
        , pipeline_(pipeline)
        , queue_(queue)
    {
    }

    Findings run()
    {
        for (std::int32_t d = 0; d < program_.devices(); ++d)
            appendUnmatched(DeviceId { d });
        if (!findings_.empty())
            return std::move(findings_);
        appendPairing();
        if (findings_.empty())
            for (std::int32_t d = 0; d < program_.devices(); ++d)
                appendInputs(DeviceId { d });
        if (pipeline_.routeCount() > 1)
            appendReductions();
        // Whether it stops does not depend on what the messages carry.
        if (std::optional<Finding> cycle = findDeadlock(program_, pipeline_, queue_))
            findings_.push_back(std::move(*cycle));
        return std::move(findings_);
    }

private:
    Place placeOf(DeviceId device, const Instruction& instruction) const
    {
        Place place;
        place.device = device;
        place.pass = text(instruction.pass);
        return place;
    }

    void error(std::string rule, std::vector<Place> where, std::string message, std::string remedy)
    {
        findings_.push_back({ std::move(rule), Severity::Error, std::move(where), text(queue_), std::move(message),
            std::move(remedy) });
    }

    void appendUnmatched(DeviceId device)
    {
        for (const Instruction& instruction : program_.row(device)) {
            if ((instruction.op != Op::Send && instruction.op != Op::Receive) || instruction.message >= 0)
                continue;
            const bool isSend = instruction.op == Op::Send;
            error("program/unmatched", { placeOf(device, instruction) },
                fmt::format("Device {}: `{}` finds no {} on device {}.", device.value, text(instruction),
                    isSend ? "receive" : "send", instruction.peer.value),
                isSend ? "Add the receive, or take the send out." : "Add the send, or take the receive out.");
        }
    }

    void appendPairing()
    {
        for (const Message& message : program_.messages) {
            const Instruction& receive = program_.instructions[static_cast<std::size_t>(message.receiveInstruction)];
            if (sameData(message.pass, receive.pass))
                continue;
            const Instruction& send = program_.instructions[static_cast<std::size_t>(message.sendInstruction)];
            error("program/pairing", { placeOf(message.from, send), placeOf(message.to, receive) },
                fmt::format("Message {} from device {} to device {} is sent as {} and received as {}.",
                    message.position, message.from.value, message.to.value, text(message.pass), text(receive.pass)),
                "Receive in the order of the sends.");
        }
    }

    /// Whether the input that a pass needs from the stage before it, in its direction, is on the way or made here before.
    void appendInputs(DeviceId device)
    {
        const std::span<const Instruction> row = program_.row(device);
        std::vector<std::uint8_t>& made = made_;
        made.assign(
            static_cast<std::size_t>(pipeline_.microBatches) * static_cast<std::size_t>(pipeline_.stages) * 2, 0);
        const auto idOf = [&](std::int32_t stage, MicroBatch microBatch, bool forward) {
            const auto cell
                = microBatch.index() * static_cast<std::size_t>(pipeline_.stages) + static_cast<std::size_t>(stage);
            return cell * 2 + (forward ? 0 : 1);
        };
        const auto fail = [&](const Instruction& at, const Pass& input) {
            error("program/input", { placeOf(device, at) },
                fmt::format("Device {}: {} needs {}, which is neither received nor made before it there.", device.value,
                    text(at.pass), text(input)),
                "Receive it, or run it first.");
        };
        for (const Instruction& at : row) {
            // A program of messages alone has no passes to stand behind.
            const auto isItsPass = [&](const Instruction& i) { return i.op == Op::Compute && i.pass == at.pass; };
            if (at.op == Op::Send && !made[idOf(at.pass.stage.value, at.pass.microBatch, at.pass.kind == PassKind::F)]
                && std::any_of(row.begin(), row.end(), isItsPass))
                error("program/input", { placeOf(device, at) },
                    fmt::format("Device {}: `{}` stands before its pass.", device.value, text(at)),
                    "Send it behind the pass that makes it.");
            if (at.op != Op::Compute)
                continue;
            const Pass& pass = at.pass;
            const bool forward = pass.kind == PassKind::F;
            if (!forward && !made[idOf(pass.stage.value, pass.microBatch, pass.kind != PassKind::W)])
                fail(at, { pass.stage, pass.microBatch, pass.kind == PassKind::W ? PassKind::B : PassKind::F });
            const std::int32_t neighbour = pass.stage.value + (forward ? -1 : 1);
            if (pass.kind != PassKind::W && neighbour >= 0 && neighbour < pipeline_.stages && at.message < 0
                && !made[idOf(neighbour, pass.microBatch, forward)])
                fail(at, { StageId { neighbour }, pass.microBatch, forward ? PassKind::F : PassKind::B });
            if (pass.kind != PassKind::W)
                made[idOf(pass.stage.value, pass.microBatch, forward)] = 1;
        }
    }

    /// What stands in one device's list of the reduction of a stage.
    struct Reduction {
        int count = 0;
        const Instruction* late = nullptr; ///< the first W or BW behind it
    };

    /// A device that keeps its gradients to itself, or gives them away unfinished, trains another model than its twins.
    void appendReductions()
    {
        std::vector<std::vector<DeviceId>> holders;
        for (std::int32_t s = 0; s < pipeline_.stages; ++s)
            holders.push_back(pipeline_.devicesOf(StageId { s }));
        std::vector<Reduction> found(holders.size());
        for (std::int32_t d = 0; d < program_.devices(); ++d) {
            found.assign(holders.size(), {});
            for (const Instruction& at : program_.row(DeviceId { d })) {
                Reduction& reduction = found[at.pass.stage.index()];
                if (at.op == Op::Reduce)
                    ++reduction.count;
                else if (at.op == Op::Compute && givesWeightGradient(at.pass.kind) && reduction.count > 0
                    && reduction.late == nullptr)
                    reduction.late = &at;
            }
            for (std::size_t s = 0; s < holders.size(); ++s)
                if (holders[s].size() > 1 && std::binary_search(holders[s].begin(), holders[s].end(), DeviceId { d }))
                    appendReduction(StageId { s }, DeviceId { d }, found[s], holders[s]);
        }
    }

    void appendReduction(StageId stage, DeviceId device, const Reduction& found, const std::vector<DeviceId>& holders)
    {
        Place where;
        where.device = device;
        if (found.late != nullptr) {
            where.pass = text(found.late->pass);
            error("program/reduction", { where },
                fmt::format("Device {}: the gradients of stage {} are reduced before {}.", device.value, stage.value,
                    text(found.late->pass)),
                "Reduce them behind the stage's last W or BW on the device.");
        } else if (found.count != 1) {
            const DeviceId other = holders.front() == device ? holders.back() : holders.front();
            error("program/reduction", { where },
                fmt::format("Devices {} and {} hold stage {}, but device {} reduces its gradients {}.", device.value,
                    other.value, stage.value, device.value,
                    found.count == 0 ? std::string("nowhere") : fmt::format("{} times", found.count)),
                "Reduce them once on each, behind the stage's last W or BW there.");
        }
    }

    const Program& program_;
    const Pipeline& pipeline_;
    QueueModel queue_;
    Findings findings_;
    std::vector<std::uint8_t> made_; ///< by (micro-batch, stage, direction): run on the device in hand
};

} // namespace

Findings check(const Program& program, const Pipeline& pipeline, QueueModel queue)
{
    return ProgramCheck(program, pipeline, queue).run();
}

} // namespace pipeloom
