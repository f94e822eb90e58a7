// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The unit of work, and the slot that holds one of them or two run as one.

#include "core/finding/ids.h"

#include <string>

namespace pipeloom {

/// F forward; B gradient of the input; W gradient of the weights; BW both as one.
/// `None` stands only for the empty second half of a slot.
enum class PassKind : std::uint8_t { F, B, W, BW, None };

inline constexpr int passKinds = 4; ///< F, B, W, BW: the length of tables by kind

[[nodiscard]] constexpr std::size_t index(PassKind kind) { return static_cast<std::size_t>(kind); }

/// True for B and BW: the pass that gives the gradient of the stage's input.
[[nodiscard]] constexpr bool givesInputGradient(PassKind kind) { return kind == PassKind::B || kind == PassKind::BW; }
/// True for W and BW: the pass that ends with the gradient of the weights.
[[nodiscard]] constexpr bool givesWeightGradient(PassKind kind) { return kind == PassKind::W || kind == PassKind::BW; }

/// One unit of work of one stage for one micro-batch.
struct Pass {
    StageId stage;
    MicroBatch microBatch;
    PassKind kind = PassKind::None;

    friend constexpr bool operator==(const Pass&, const Pass&) = default;
};

/// One pass, or an F and a B or BW that run overlapped as one (`second`).
struct Slot {
    Pass first;
    Pass second; ///< kind None: the slot is one pass

    [[nodiscard]] constexpr bool isPair() const { return second.kind != PassKind::None; }
    friend constexpr bool operator==(const Slot&, const Slot&) = default;
};

/// `F`, `B`, `W`, `BW`.
[[nodiscard]] const char* text(PassKind kind);
/// `2F7`: kind F of stage 2, micro-batch 7.
[[nodiscard]] std::string text(const Pass& pass);
/// `2F7`, or `(2F7+5BW3)`.
[[nodiscard]] std::string text(const Slot& slot);

} // namespace pipeloom
