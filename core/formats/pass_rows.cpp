// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/pass_rows.h"

#include "core/formats/reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <tuple>

namespace pipeloom::formats {

namespace {

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

/// Reads one slot from its text; ends with the slot or with the first fault.
class SlotReader {
public:
    SlotReader(std::string_view token, const RowGrammar& grammar)
        : token_(token)
        , grammar_(grammar)
    {
    }

    /// `column` of the fault counts from the token's first character, from 0.
    std::optional<RowSlot> read(RowFault& fault)
    {
        RowSlot result;
        if (readSlot(result.slot) && readStart(result.start) && atEnd())
            return result;
        fault = std::move(fault_);
        return std::nullopt;
    }

private:
    using Starts = RowGrammar::Starts;
    using Members = RowGrammar::Members;

    [[nodiscard]] char here() const { return at_ < token_.size() ? token_[at_] : '\0'; }

    [[nodiscard]] bool fail(std::string message, std::string remedy, const char* rule = "file/row")
    {
        fault_ = { rule, {}, at_, fmt::format("{}: {}", quotedText(token_), message), std::move(remedy) };
        return false;
    }

    [[nodiscard]] std::string example() const
    {
        if (grammar_.starts == Starts::None)
            return "Write stage, kind, micro-batch, as in 0F7, or a pair as in (2F7+5BW3).";
        if (grammar_.members == Members::OfGroup)
            return "Write stage, kind, micro-batch of the group, @, start, as in 7B1@15, or a pair as in "
                   "(2F0+5BW1)@14.";
        return "Write stage, kind, @, start, as in 7B@15, or a pair as in (2F+5BW)@14.";
    }

    bool readSlot(Slot& slot)
    {
        if (here() != '(')
            return readPass(slot.first);
        ++at_;
        if (!readPass(slot.first))
            return false;
        if (here() != '+')
            return fail("a pair needs + between its two passes.", example());
        ++at_;
        if (!readPass(slot.second))
            return false;
        if (here() != ')')
            return fail("the pair is not closed after its second pass.", example());
        ++at_;
        return true;
    }

    bool readPass(Pass& pass)
    {
        std::int64_t stage = 0;
        std::int64_t member = 0;
        if (!readNumber(stage, "the stage", grammar_.stages, "stage") || !readKind(pass.kind))
            return false;
        if (grammar_.members == Members::None) {
            if (isDigit(here()))
                return fail("a micro-batch of the group is named, but the block has no group.",
                    "Leave the number out, or give the block a `group` of 2 or more.");
        } else if (!readNumber(member,
                       grammar_.members == Members::OfGroup ? "the micro-batch of the group" : "the micro-batch",
                       grammar_.mostMembers, "micro-batch")) {
            return false;
        }
        pass.stage = StageId(static_cast<std::int32_t>(stage));
        pass.microBatch = MicroBatch(static_cast<std::int32_t>(member));
        return true;
    }

    /// A number below `count`, of which there are that many `each`.
    bool readNumber(std::int64_t& number, const char* what, std::optional<std::int64_t> count, const char* each)
    {
        const std::size_t start = at_;
        if (!readDigits(number, what, count.has_value() ? *count - 1 : maxPasses))
            return false;
        if (count.has_value() && number >= *count) {
            at_ = start;
            return fail(fmt::format("there is no {} {}; the last one is {}.", each, number, *count - 1),
                fmt::format("Give a number from 0 to {}.", *count - 1), "file/range");
        }
        return true;
    }

    bool readDigits(std::int64_t& number, const char* what, std::int64_t most)
    {
        const std::size_t start = at_;
        while (isDigit(here()))
            ++at_;
        const std::string_view digits = token_.substr(start, at_ - start);
        if (digits.empty())
            return fail(fmt::format("{} is missing{}.", what, here() == '-' ? " (none is below 0)" : ""), example());
        if (digits.size() > 1 && digits[0] == '0') {
            at_ = start;
            return fail(fmt::format("{} has a 0 in front.", what), "Write the number without it.");
        }
        if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ec != std::errc()) {
            at_ = start;
            return fail(
                fmt::format("{} is too great.", what), fmt::format("Give a number up to {}.", most), "file/range");
        }
        return true;
    }

    bool readKind(PassKind& kind)
    {
        const std::size_t start = at_;
        while (isLetter(here()))
            ++at_;
        const std::string_view word = token_.substr(start, at_ - start);
        if (word == "F" || word == "B" || word == "W" || word == "BW") {
            kind = word == "F" ? PassKind::F : word == "B" ? PassKind::B : word == "W" ? PassKind::W : PassKind::BW;
            return true;
        }
        at_ = start;
        if (word == "I")
            return fail(
                "I is PyTorch's name for the input gradient, which is B in this file; and PyTorch's B is BW here.",
                "Write B for I and, if the row comes from a PyTorch table, BW for its B.");
        if (word == "f" || word == "b" || word == "w" || word == "bw" || word == "Bw" || word == "bW")
            return fail("kinds are written in capitals.", "Write F, B, W or BW.");
        if (word.empty())
            return fail("the kind is missing after the stage.", example());
        return fail(
            fmt::format("{} is no kind of pass.", quotedText(word)), "The kinds are F, B, W, and BW for both in one.");
    }

    bool readStart(Ticks& start)
    {
        if (grammar_.starts == Starts::None) {
            if (here() == '@')
                return fail("the slots of a schedule have no start times.",
                    "Leave @ and the number out, or make it a block with an `interval`.");
            return true;
        }
        if (here() != '@')
            return at_ < token_.size() ? atEnd() : fail("the start is missing.", example());
        ++at_;
        const std::size_t number = at_;
        if (here() == '-')
            return fail("the start is below 0.", "Give a start of 0 or more; shift all passes of the block alike.",
                "file/range");
        if (!readDigits(start, "the start", maxTicks - 1))
            return false;
        if (start >= maxTicks) {
            at_ = number;
            return fail(fmt::format("the start {} is too great.", start),
                fmt::format("Give a start up to {} (2^40 - 1).", maxTicks - 1), "file/range");
        }
        return true;
    }

    bool atEnd()
    {
        if (at_ == token_.size())
            return true;
        return fail(fmt::format("{} does not belong here.", quotedText(token_.substr(at_))), example());
    }

    std::string_view token_;
    const RowGrammar& grammar_;
    std::size_t at_ = 0;
    RowFault fault_;
};

void appendNumber(std::string& text, std::int64_t number)
{
    std::array<char, 24> digits {};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    text.append(digits.data(), end);
}

void appendPass(std::string& text, const Pass& pass, RowGrammar::Members members)
{
    appendNumber(text, pass.stage.value);
    text += pipeloom::text(pass.kind);
    if (members != RowGrammar::Members::None)
        appendNumber(text, pass.microBatch.value);
}

void appendSlot(std::string& text, const Slot& slot, RowGrammar::Members members)
{
    if (!text.empty())
        text += ' ';
    if (!slot.isPair()) {
        appendPass(text, slot.first, members);
        return;
    }
    text += '(';
    appendPass(text, slot.first, members);
    text += '+';
    appendPass(text, slot.second, members);
    text += ')';
}

} // namespace

RowGrammar blockGrammar(std::optional<std::int64_t> stages, std::int64_t group)
{
    return { RowGrammar::Starts::Written, group == 1 ? RowGrammar::Members::None : RowGrammar::Members::OfGroup, stages,
        group };
}

RowGrammar scheduleGrammar(std::optional<std::int64_t> stages, std::optional<std::int64_t> microBatches)
{
    return { RowGrammar::Starts::None, RowGrammar::Members::MicroBatch, stages, microBatches };
}

RowParser::RowParser(std::string_view row, const RowGrammar& grammar)
    : row_(row)
    , grammar_(grammar)
{
}

bool RowParser::next()
{
    const std::size_t start = row_.find_first_not_of(' ', position_);
    if (start == std::string_view::npos)
        return false;
    position_ = std::min(row_.find(' ', start), row_.size());
    const std::string_view token = row_.substr(start, position_ - start);
    slot_ = SlotReader(token, grammar_).read(fault_);
    if (!slot_.has_value()) {
        fault_.token = token;
        fault_.column += start + 1;
    }
    return true;
}

std::size_t slotsIn(std::string_view row)
{
    std::size_t slots = 0;
    char before = ' ';
    for (const char c : row) {
        slots += before == ' ' && c != ' ' ? 1 : 0;
        before = c;
    }
    return slots;
}

void sortForRows(std::vector<BlockPass>& passes)
{
    const auto keyOfPass = [](const Pass& pass) { return std::tuple(pass.stage, pass.kind, pass.microBatch); };
    const auto key = [&keyOfPass](const BlockPass& pass) {
        return std::tuple(pass.device, pass.start, keyOfPass(pass.slot.first), keyOfPass(pass.slot.second));
    };
    std::sort(passes.begin(), passes.end(), [&key](const BlockPass& a, const BlockPass& b) { return key(a) < key(b); });
}

std::vector<std::string> rowsOf(const BuildingBlock& block, std::int32_t devices)
{
    const auto members = block.group == 1 ? RowGrammar::Members::None : RowGrammar::Members::OfGroup;
    std::vector<BlockPass> passes = block.passes;
    sortForRows(passes);
    std::vector<std::string> rows(static_cast<std::size_t>(devices));
    for (const BlockPass& pass : passes) {
        std::string& row = rows[pass.device.index()];
        appendSlot(row, pass.slot, members);
        row += '@';
        appendNumber(row, pass.start);
    }
    return rows;
}

std::vector<std::string> rowsOf(const Schedule& schedule)
{
    std::vector<std::string> rows(static_cast<std::size_t>(schedule.devices()));
    for (std::size_t device = 0; device < rows.size(); ++device) {
        for (const Slot& slot : schedule.row(DeviceId(device)))
            appendSlot(rows[device], slot, RowGrammar::Members::MicroBatch);
    }
    return rows;
}

} // namespace pipeloom::formats
