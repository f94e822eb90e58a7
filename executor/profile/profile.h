// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Costs of a design, measured on this machine: it is trained for some steps, all devices at work, and what its passes take
// goes into the design's costs. Also says how well such costs foretell steps: those of the design, and of others. No LibTorch
// here, so that its callers compile fast.

#include "core/formats/design.h"
#include "core/measured/spread.h"
#include "executor/run.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pipeloom::executor {

/// What the caller may choose. Where nothing is said the design's `training` holds, then the executor's defaults.
struct ProfileOptions {
    std::int64_t steps = 12;       ///< to measure, of each order; after two that warm up
    std::vector<std::string> data; ///< text files; empty: those of the design
    double timeoutSeconds = 60;    ///< the most any wait or pass may take; > 0
    std::optional<Form> form;      ///< as in PlanOptions
    /// Gloo: devices are threads here too, but send over the loopback network what processes of this machine would.
    TransportKind transport = TransportKind::Local;
    /// Called as steps of any order end: done so far, and in all. On `local` on the thread that called profile(), on `gloo` on
    /// another one.
    std::function<void(std::int64_t done, std::int64_t all)> onStep;
    std::stop_token stop; ///< asked to stop: Outcome::Interrupted
};

/// How long passes of one kind and stage took; milliseconds, over steps.
struct PassProfile {
    PassKind kind = PassKind::F;
    StageId stage;
    Spread ms;
    bool ofDesign = true; ///< false: the design has no such pass; it was measured in its order with the other backwards
};

/// What the rank loop takes of a device behind each pass; microseconds, over steps.
struct LoopProfile {
    DeviceId device;
    Spread us;
};

/// Messages of one kind of data between two devices, all of one size.
struct TransferProfile {
    DeviceId from;
    DeviceId to;
    bool activations = true; ///< else gradients
    Bytes bytes = 0;
    std::int64_t aStep = 0; ///< messages in a step of the design
    /// Microseconds from the end of the pass that made it to the start of the one that waited for it; count 0: none waited.
    /// On `local` it is handed over by reference, so this is waking up, whatever the size; on `gloo` it is sent.
    Spread us;
};

/// How well the steps of one order are foretold; times in milliseconds, from the first start to the last end of a pass.
struct Foretold {
    std::string name;
    std::int64_t steps = 0;     ///< measured
    std::int64_t disturbed = 0; ///< of these: threads had a core for less than 97 % of their pass time; set aside
    Spread measured;
    Spread around; ///< what a step has beside: batches, sums, the optimizer, meeting

    // Replay: each step simulated with its own pass times.
    double replayMedian = 0; ///< of (replayed - measured) / measured
    double replayWorst = 0;  ///< the one farthest from 0
    Spread passes;           ///< the order with the step's own pass times, nothing between passes
    Spread loop;             ///< more with the rank loop's time behind each pass
    Spread handOver;         ///< more with hand-overs: their usual time, not the step's own
    Spread rest;             ///< measured beyond that: what does not come usually, or not evenly

    // Forecast: from the costs written.
    double forecast = 0; ///< simulated with the costs measured of the design, all passes of a kind and stage alike
    /// The same with pass times that scatter as those measured do: the median of many simulations, each with times drawn from
    /// the single passes. Where devices wait for each other again and again, the slower of two counts each time, so scatter
    /// makes a step longer though the means stay.
    double forecastWithScatter = 0;
    std::optional<double> withItsOwnCosts; ///< the same with the costs of this order's own steps; none: as above
};

struct ProfileResult {
    Outcome outcome = Outcome::Refused;
    Findings findings;
    std::vector<std::string> notes;
    Model model;
    bool defaultModel = false;
    TransportKind transport = TransportKind::Local; ///< that transfers were measured on

    std::vector<PassProfile> passes; ///< by stage, then kind
    std::optional<Spread> pairMs;    ///< of overlapped pairs
    std::vector<LoopProfile> loop;
    std::vector<TransferProfile> transfers;
    double loopShare = 0;           ///< of the devices' time in the design's steps, medians (processor time)
    double waitingShare = 0;        ///< of the same, for inputs
    MemoryModel memory;             ///< in bytes, from the dry pass
    std::vector<Foretold> foretold; ///< the design itself, then `others`
    std::optional<Design> design;   ///< with the measured costs; all else as it was

    [[nodiscard]] bool ok() const { return outcome == Outcome::Finished; }
};

/// Trains the design and, in turn with it step by step, its order with the other kinds of backward where these are not in it,
/// and `others`, which must have its devices, stages, placement and micro-batches and are run with its model. Devices are threads
/// of this process, each on a core of its own where there are enough. Like run() it never throws for bad input and leaves
/// a stuck thread behind.
/// Findings beside those of run(): profile/others (an error), profile/cores, profile/disturbed, profile/limits (warnings),
/// run/overhead (a note).
[[nodiscard]] ProfileResult profile(
    const Design& design, std::span<const Design> others, const ProfileOptions& options);

} // namespace pipeloom::executor
