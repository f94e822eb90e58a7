// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The rows of the design file, one text per device: slots with blanks between them, in a block with start times.
// `7B@15`, in a group `7B1@15`, `(2F+5BW)@14`; in a schedule `0F0`, `(2F7+5BW3)`. FORMAT.md has the grammar.
// `2I7`, PyTorch's name for the input gradient, is never accepted: in that dialect `2B7` means what is `2BW7` here.

#include "core/block/building_block.h"
#include "core/schedule/schedule.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pipeloom::formats {

/// How the slots of a row are written, and what their numbers may be at most.
struct RowGrammar {
    enum class Starts : std::uint8_t { Written, None };
    enum class Members : std::uint8_t {
        None,       ///< block of one micro-batch: `7B@15`
        OfGroup,    ///< block of a group: `7B1@15`
        MicroBatch, ///< schedule: `7B1`
    };

    Starts starts = Starts::None;
    Members members = Members::MicroBatch;
    std::optional<std::int64_t> stages;      ///< no number: not known, not checked
    std::optional<std::int64_t> mostMembers; ///< group, or micro-batches
};

[[nodiscard]] RowGrammar blockGrammar(std::optional<std::int64_t> stages, std::int64_t group);
[[nodiscard]] RowGrammar scheduleGrammar(std::optional<std::int64_t> stages, std::optional<std::int64_t> microBatches);

/// What is wrong with one slot of a row.
struct RowFault {
    std::string rule;       ///< file/row (not the grammar) or file/range
    std::string token;      ///< the slot as it stands
    std::size_t column = 1; ///< of the character that does not fit; from 1, inside the row
    std::string message;
    std::string remedy;
};

/// A slot of a row; `start` 0 in a schedule.
struct RowSlot {
    Slot slot;
    Ticks start = 0;
};

/// Takes the slots of a row one after the other, so that no list of them is needed.
class RowParser {
public:
    RowParser(std::string_view row, const RowGrammar& grammar);

    /// Goes to the next slot; false at the end of the row.
    [[nodiscard]] bool next();
    /// The slot, or nothing if it is faulty; `fault` says why then. The next one is read all the same.
    [[nodiscard]] const std::optional<RowSlot>& slot() const { return slot_; }
    [[nodiscard]] const RowFault& fault() const { return fault_; }

private:
    std::string_view row_;
    RowGrammar grammar_;
    std::size_t position_ = 0;
    std::optional<RowSlot> slot_;
    RowFault fault_;
};

/// Slots in a row: what is between blanks. Cheap; for taking memory once.
[[nodiscard]] std::size_t slotsIn(std::string_view row);

/// By device, start, stage, kind and member: the order in which a block's rows are written.
void sortForRows(std::vector<BlockPass>& passes);

/// One text per device; passes as sortForRows puts them.
[[nodiscard]] std::vector<std::string> rowsOf(const BuildingBlock& block, std::int32_t devices);
[[nodiscard]] std::vector<std::string> rowsOf(const Schedule& schedule);

} // namespace pipeloom::formats
