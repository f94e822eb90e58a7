// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Which rank of how many this process is, and where all of them meet: what whoever started it says in its environment.
// Our own launcher, torchrun, Slurm and MPI are understood.

#include "core/finding/finding.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pipeloom::executor {

struct RankPlace {
    int rank = 0;                 ///< 0..world-1
    int world = 1;                ///< >= 1
    std::optional<int> localRank; ///< among the ranks of this host, from 0; none: not told. Only GPUs need it
    std::string masterAddress;    ///< host of the store: a name or an address
    int masterPort = 0;           ///< 1..65535
    /// The store is already there, in torchrun's agent or in our launcher, and every rank is its client. Otherwise rank 0
    /// hosts it.
    bool agentStore = false;
    std::string prefix
        = "pipeloom";           ///< of every key of this run in the store, which may have other users and earlier tries
    std::optional<int> watchFd; ///< our launcher's pipe (launcher_watch.h)
    std::string statusFile;     ///< that our launcher reads (status_file.h); empty: nobody does

    friend bool operator==(const RankPlace&, const RankPlace&) = default;
};

/// The value of an environment variable, nothing where it is not set.
using EnvironmentLookup = std::function<std::optional<std::string>(const char* name)>;
/// Looks in this process's own environment.
[[nodiscard]] EnvironmentLookup processEnvironment();

struct RankPlaceRead {
    std::optional<RankPlace> place; ///< nothing, without findings: an ordinary run, of a process that is nobody's rank
    Findings findings;              ///< errors (run/environment): then there is no place
};

/// Reads the place. The first of these that is there holds: RANK (our launcher, torchrun), OMPI_COMM_WORLD_RANK (Open MPI),
/// PMI_RANK (MPICH, Intel MPI), SLURM_PROCID (srun). MASTER_ADDR and MASTER_PORT must be there with each. A variable that is
/// set to nothing counts as not set. Slurm or MPI with one process and no MASTER_ADDR is an ordinary run: batch scripts
/// look like that. Each finding names the variable, its value and what is expected.
[[nodiscard]] RankPlaceRead readRankPlace(const EnvironmentLookup& lookup);

/// The variables by which readRankPlace gives this place again; what our launcher sets for its ranks. PIPELOOM_WATCH_FD is
/// among them only where watchFd is set.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> environmentOf(const RankPlace& place);

} // namespace pipeloom::executor
