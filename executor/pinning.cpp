// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/pinning.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <vector>

namespace pipeloom::executor {

namespace {

/// Cores that the process may use, by number: those of its first thread, as devices' threads narrow their own.
std::vector<int> allowedCores()
{
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(getpid(), sizeof(allowed), &allowed) != 0)
        return {};
    std::vector<int> cores;
    for (int core = 0; core < CPU_SETSIZE; ++core)
        if (CPU_ISSET(core, &allowed))
            cores.push_back(core);
    return cores;
}

} // namespace

bool pinToCore(std::size_t index, std::size_t threads)
{
    const std::vector<int> cores = allowedCores();
    if (cores.size() < threads || index >= cores.size())
        return false;
    cpu_set_t own;
    CPU_ZERO(&own);
    CPU_SET(cores[index], &own);
    return pthread_setaffinity_np(pthread_self(), sizeof(own), &own) == 0;
}

} // namespace pipeloom::executor
