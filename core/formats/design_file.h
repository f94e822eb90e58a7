// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The design file, `*.pipeloom.json` (FORMAT.md): strict reader, canonical writer, and safe saving.

#include "core/finding/finding.h"
#include "core/formats/design.h"
#include "core/formats/text_file.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace pipeloom {

/// The most that is read: 512 MiB. A schedule of 16 million passes takes about a third of it.
inline constexpr std::size_t maxFileBytes = std::size_t { 512 } << 20;

struct ReadDesign {
    std::optional<Design> design; ///< none if the text cannot be read as a design, that is if a finding is an error
    Findings findings;            ///< rule file/...; the first 100
};

/// Reads a design from JSON text. All faults are told in one go where that is possible: only a text that is no JSON, is
/// not UTF-8, or is of a newer format ends the reading. A design that is broken but well formed (collisions, missing
/// passes, a stage twice, a pair of two F) is read: the rooms' own checks speak of that.
/// Never throws, whatever the text: sizes and nesting are refused before memory is taken.
///
/// Errors, with a JSON pointer:
///   file/key       a key that the section does not have, with the key that was meant, or the section that has it
///   file/doubled   a key twice in one object
///   file/missing   a key without a default is not there; neither block nor schedule
///   file/order     `pipeloom` is not the first key
///   file/version   the file is of a newer format
///   file/type      a number where a text must be, ...
///   file/value     a name that is none of those possible (`queue`, `rule`, ...)
///   file/range     a number out of range, a stage or micro-batch that is not there, sums beyond FORMAT.md's limits
///   file/length    a list that does not fit the devices, stages, boundaries or micro-batches; linear with stages != devices
///   file/conflict  two keys that exclude each other (block and schedule, schedule and reorder, placement and routes,
///                  transfer and latency), both places
///   file/row       a slot that is not as FORMAT.md's rows are; with device, pass, and column inside the row (from 1)
///   file/size      more than 16 million passes
/// With row and column of the text (from 1, in characters), where it is no JSON:
///   file/json, file/utf8, file/depth (64 levels), file/size (20 million values)
/// Warning: file/bom. Note: file/more (only the first faults are listed).
///
/// What FORMAT.md leaves open: costs' BW left out is B + W by stage, but durations' BW left out is 2 and each memory change
/// left out is its own default, whatever the others are. `latency` needs `bytes_per_tick`; `bytes` may also stand beside
/// `transfer`, and then only receive buffers count it. A model needs all its keys but `vocabulary`. `data` is a list of
/// files or one. Rows may have more than one blank between slots. The passes of a block come in the order in which they
/// are written: by device, start, stage, kind, member.
[[nodiscard]] ReadDesign readDesign(std::string_view text);

/// The same from a file, `-` for standard input. An unreadable or enormous file is an error (file/unreadable, file/size).
[[nodiscard]] ReadDesign loadDesign(const std::string& path);

/// The canonical form: keys in FORMAT.md's order, a value that is the same for all stages once, defaults left out; one row
/// a line; sections that hold rows or sections of their own over several lines, all others and `pipeline` on one.
/// readDesign(writeDesign(d)) gives d with its block's passes in the order of rows, and writing what was read from a
/// canonical text gives the same bytes. The design's tables must be of its pipeline's sizes, `view` an object in JSON.
[[nodiscard]] std::string writeDesign(const Design& design);

} // namespace pipeloom
