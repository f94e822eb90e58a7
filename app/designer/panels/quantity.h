// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Numbers as the panels write them in tables and read them from fields; those of captions are in export/quantities.h. The
// units are those of the findings' sentences: kB, MB, GB are powers of 1000.

#include "core/pipeline/costs.h"

#include <QString>

#include <optional>

namespace pipeloom::designer {

/// What stands where there is no figure.
inline constexpr QChar noFigure { 0x2013 };

/// `59`, `−1`: a whole number with a true minus sign.
[[nodiscard]] QString wholeText(std::int64_t number);
/// `6` activations, or bytes as `1.50 GB`; a dash where there is none.
[[nodiscard]] QString figureText(std::optional<Bytes> amount, MemoryUnit unit);
/// The same without loss, for editing: `1.5 GB` only if that is all of it, else every byte.
[[nodiscard]] QString exactAmountText(Bytes amount, MemoryUnit unit);

/// A whole number as a person types it: blanks at the ends, `-` or `−`.
[[nodiscard]] std::optional<std::int64_t> wholeOf(const QString& text);
/// An amount as a person types it. In bytes `1.5 GB`, `800MB`, `24 GiB`, `512`; kB = 1000, KiB = 1024. Rounded to whole
/// bytes. None if it is no amount, or beyond what a design may hold.
[[nodiscard]] std::optional<Bytes> amountOf(const QString& text, MemoryUnit unit);

} // namespace pipeloom::designer
