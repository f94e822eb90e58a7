// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// What stands where in the store of a run.

#include <cstddef>
#include <cstdint>
#include <string>

namespace pipeloom::executor::keys {

/// The finding that ended the run, claimed by whoever had it first. Nobody removes it.
inline std::string end() { return "end"; }
/// Changes while the judge lives.
inline std::string judge() { return "judge"; }
/// Changes while the rank lives; says what its devices are doing, and at last that it has ended.
inline std::string beat(std::int32_t rank) { return "beat/" + std::to_string(rank); }
/// Who the rank is, claimed once at its start.
inline std::string hello(std::int32_t rank) { return "hello/" + std::to_string(rank); }
/// What the rank has to tell at its end.
inline std::string report(std::int32_t rank) { return "report/" + std::to_string(rank); }

/// When the run began, by the clock that the store's process has: nanoseconds.
inline std::string began() { return "began"; }
/// Set by the launcher: all end with the step under way.
inline std::string stop() { return "stop"; }
/// The n-th step that ended, as rank 0 tells it.
inline std::string step(std::size_t n) { return "step/" + std::to_string(n); }
/// What rank 0 found when it compared with the unpipelined model.
inline std::string verified() { return "verified"; }

} // namespace pipeloom::executor::keys
