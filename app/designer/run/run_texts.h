// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Numbers of a run as people read them.

#include <QString>

#include <cstdint>
#include <span>
#include <vector>

namespace pipeloom::designer {

/// `61.9`, `0.123`, `1234`: milliseconds, a decimal where it is worth one.
[[nodiscard]] QString msText(double ms);
/// `2.374`: four digits; `not finite` for a NaN.
[[nodiscard]] QString lossText(double loss);
/// `18 412`: thousands apart by a narrow blank.
[[nodiscard]] QString countText(std::int64_t number);
/// `1 line`, `18 412 lines`.
[[nodiscard]] QString countedText(std::int64_t number, const QString& one, const QString& many);
/// `1.14 ×`; a dash for 0, which is none.
[[nodiscard]] QString ratioText(double ratio);
/// `+3.0 %`, `−3.0 %`, `0.0 %`.
[[nodiscard]] QString changeText(double share);
/// `3 min 12 s`, `42 s`, `2 h 5 min`; `under 1 s`.
[[nodiscard]] QString durationText(double seconds);
/// `12.3 MB`.
[[nodiscard]] QString bytesText(std::int64_t bytes);

/// Tenths (or hundredths, or wholes, as `decimals` says) of parts, so that what is shown adds up to the rounded whole, which is
/// the last element given back. `parts` are not negative.
[[nodiscard]] std::vector<double> roundedToAddUp(std::span<const double> parts, int decimals);
/// Decimals that milliseconds of this size are worth: 0 to 3.
[[nodiscard]] int decimalsFor(double ms);

} // namespace pipeloom::designer
