// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/simulate/idle_reason.h"

#include <fmt/format.h>

#include <algorithm>

namespace pipeloom {

namespace {

/// A pass in the timeline.
struct Found {
    DeviceId device;
    std::span<const TimedPass> row;
    std::size_t at = 0;

    const TimedPass& pass() const { return row[at]; }
};

/// An input of a slot, with when it was there.
struct Input {
    Found made;
    Ticks sent = 0;
    Ticks arrival = 0;
};

class Reasoner {
public:
    Reasoner(const Timeline& timeline, const Pipeline& pipeline)
        : timeline_(timeline)
        , pipeline_(pipeline)
    {
    }

    std::optional<IdleReason> run(DeviceId device, Ticks time) const
    {
        Ticks first = 0;
        Ticks last = 0;
        bool any = false;
        for (std::int32_t d = 0; d < timeline_.devices(); ++d)
            for (const TimedPass& pass : timeline_.row(DeviceId { d })) {
                first = any ? std::min(first, pass.start) : pass.start;
                last = any ? std::max(last, pass.end) : pass.end;
                any = true;
            }
        if (!any || time < first || time >= last)
            return std::nullopt;
        const std::span<const TimedPass> row = timeline_.row(device);
        IdleReason reason;
        reason.device = device;
        reason.start = first;
        reason.end = last;
        if (row.empty()) {
            reason.cause = IdleCause::NoWork;
            return reason;
        }
        std::size_t next = row.size();
        reason.atStart = true;
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (row[i].start > time) {
                next = i;
                break;
            }
            if (row[i].end > time)
                return std::nullopt;
            reason.start = std::max(reason.start, row[i].end);
            reason.atStart = false;
        }
        if (next == row.size())
            return reason;
        reason.end = row[next].start;
        explain(reason, { device, row, next });
        return reason;
    }

private:
    void explain(IdleReason& reason, const Found& next) const
    {
        reason.next = next.pass().pass;
        const std::optional<Input> input = lastInput(next);
        reason.cause = IdleCause::Drawn;
        if (!input || input->arrival < next.pass().start || input->arrival <= reason.start)
            return;
        const TimedPass& made = input->made.pass();
        reason.cause = made.end <= reason.start ? IdleCause::Transfer : IdleCause::Producer;
        reason.input = made.pass;
        reason.from = input->made.device;
        reason.inputStart = made.start;
        reason.inputEnd = made.end;
        reason.sent = input->sent;
        reason.arrival = input->arrival;
        if (reason.cause == IdleCause::Producer && made.start > reason.start)
            explainLateness(reason, input->made);
    }

    /// The input began only after the gap had opened: its device was at something else, or it waited itself.
    void explainLateness(IdleReason& reason, const Found& made) const
    {
        std::size_t slot = made.at;
        if (made.row[slot].joined)
            --slot;
        if (slot > 0 && made.row[slot - 1].end == made.pass().start) {
            reason.busyWith = made.row[slot - 1].pass;
            return;
        }
        const std::optional<Input> before = lastInput({ made.device, made.row, slot });
        if (before && before->arrival == made.pass().start) {
            reason.heldUpBy = before->made.pass().pass;
            reason.heldUpFrom = before->made.device;
        }
    }

    std::optional<Found> find(const Pass& pass) const
    {
        if (pass.stage.value < 0 || pass.stage.value >= pipeline_.stages)
            return std::nullopt;
        const DeviceId device = pipeline_.deviceOf(pass);
        const std::span<const TimedPass> row = timeline_.row(device);
        const auto found = std::find_if(row.begin(), row.end(), [&](const TimedPass& timed) {
            const bool sameKind = timed.pass.kind == pass.kind
                || (givesInputGradient(timed.pass.kind) && givesInputGradient(pass.kind));
            return sameKind && timed.pass.stage == pass.stage && timed.pass.microBatch == pass.microBatch;
        });
        if (found == row.end())
            return std::nullopt;
        return Found { device, row, static_cast<std::size_t>(found - row.begin()) };
    }

    /// Of all inputs of the slot the one that was there last; among equals the first named.
    std::optional<Input> lastInput(const Found& slot) const
    {
        std::optional<Input> last;
        considerInputs(slot.pass().pass, slot.device, last);
        if (slot.at + 1 < slot.row.size() && slot.row[slot.at + 1].joined)
            considerInputs(slot.row[slot.at + 1].pass, slot.device, last);
        return last;
    }

    void considerInputs(const Pass& of, DeviceId device, std::optional<Input>& last) const
    {
        const auto consider = [&](std::int32_t stage, PassKind kind) {
            const std::optional<Found> made = find({ StageId { stage }, of.microBatch, kind });
            if (!made)
                return;
            Input input { *made, made->pass().end, made->pass().end };
            if (made->device != device)
                followTransfer(input, device);
            if (!last || input.arrival > last->arrival)
                last = input;
        };
        if (of.kind == PassKind::F) {
            consider(of.stage.value - 1, PassKind::F);
        } else if (of.kind == PassKind::W) {
            consider(of.stage.value, PassKind::B);
        } else {
            consider(of.stage.value + 1, PassKind::B);
            consider(of.stage.value, PassKind::F);
        }
    }

    void followTransfer(Input& input, DeviceId to) const
    {
        for (const TimedTransfer& transfer : timeline_.transfers)
            if (transfer.pass == input.made.pass().pass && transfer.to == to) {
                input.sent = transfer.start;
                input.arrival = transfer.end;
                return;
            }
    }

    const Timeline& timeline_;
    const Pipeline& pipeline_;
};

std::string ticks(Ticks count) { return fmt::format("{} tick{}", count, count == 1 ? "" : "s"); }

std::string producerText(const IdleReason& reason)
{
    std::string why;
    if (reason.busyWith)
        why = fmt::format("which was busy with {} until {}", text(*reason.busyWith), reason.inputStart);
    else if (reason.heldUpBy)
        why = fmt::format("which waited for {} from device {} until {}", text(*reason.heldUpBy),
            reason.heldUpFrom.value, reason.inputStart);
    else
        why = fmt::format("which runs it from {} to {}", reason.inputStart, reason.inputEnd);
    if (reason.arrival > reason.inputEnd)
        why += fmt::format("; its transfer takes until {}", reason.arrival);
    return fmt::format("Device {} waits {} for {} from device {}, {}.", reason.device.value,
        ticks(reason.end - reason.start), text(reason.input), reason.from.value, why);
}

std::string transferText(const IdleReason& reason)
{
    const std::string held = reason.sent > reason.inputEnd
        ? fmt::format("made at {}, but held up in its queue until {}", reason.inputEnd, reason.sent)
        : fmt::format("on its way since {}", reason.sent);
    return fmt::format("Device {} waits {} for the transfer of {} from device {}, {} and there at {}.",
        reason.device.value, ticks(reason.end - reason.start), text(reason.input), reason.from.value, held,
        reason.arrival);
}

} // namespace

std::optional<IdleReason> idleReason(const Timeline& timeline, const Pipeline& pipeline, DeviceId device, Ticks time)
{
    return Reasoner(timeline, pipeline).run(device, time);
}

std::string text(const IdleReason& reason)
{
    switch (reason.cause) {
    case IdleCause::Producer:
        return producerText(reason);
    case IdleCause::Transfer:
        return transferText(reason);
    case IdleCause::Drawn:
        return fmt::format("Device {} could run {} earlier: nothing holds it up, it is drawn at {}.",
            reason.device.value, text(reason.next), reason.end);
    case IdleCause::NothingLeft:
        return fmt::format("Device {} has nothing left to do after {}; the step ends at {}.", reason.device.value,
            reason.start, reason.end);
    case IdleCause::NoWork:
        return fmt::format("Device {} runs no pass in this step.", reason.device.value);
    }
    return {};
}

} // namespace pipeloom
