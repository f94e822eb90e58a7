// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/processes/rank_place.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <limits>
#include <span>

namespace pipeloom::executor {

namespace {

constexpr int noLimit = std::numeric_limits<int>::max();

/// The names by which one kind of launcher says the same three things; of several, the first that is set.
struct Names {
    const char* launcher;
    const char* rank;
    std::array<const char*, 2> world;
    std::array<const char*, 3> localRank;
};

// The innermost launcher comes first: an MPI job inside a Slurm batch script sees Slurm's variables of the script too.
constexpr std::array<Names, 4> launchers { {
    { "torchrun", "RANK", { "WORLD_SIZE", "WORLD_SIZE" },
        { "LOCAL_RANK", "SLURM_LOCALID", "OMPI_COMM_WORLD_LOCAL_RANK" } },
    { "Open MPI", "OMPI_COMM_WORLD_RANK", { "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_SIZE" },
        { "OMPI_COMM_WORLD_LOCAL_RANK", "LOCAL_RANK", "LOCAL_RANK" } },
    { "MPI", "PMI_RANK", { "PMI_SIZE", "PMI_SIZE" }, { "MPI_LOCALRANKID", "LOCAL_RANK", "SLURM_LOCALID" } },
    // A step may have fewer tasks than the job that SLURM_NTASKS may speak of.
    { "Slurm", "SLURM_PROCID", { "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS" },
        { "SLURM_LOCALID", "LOCAL_RANK", "LOCAL_RANK" } },
} };

struct Range {
    int from = 0;
    int to = noLimit;
};

class Reader {
public:
    explicit Reader(const EnvironmentLookup& lookup)
        : lookup_(lookup)
    {
    }

    [[nodiscard]] std::optional<std::string> value(const char* name) const
    {
        auto found = lookup_(name);
        return found && !found->empty() ? found : std::nullopt;
    }
    [[nodiscard]] bool has(const char* name) const { return value(name).has_value(); }
    [[nodiscard]] const char* firstSet(std::span<const char* const> names) const
    {
        for (const char* name : names)
            if (has(name))
                return name;
        return names.front();
    }

    /// The number that stands in the variable. A finding, and nothing, if it is missing, none, or out of range.
    std::optional<int> number(const char* name, Range range, const std::string& expected)
    {
        const auto found = value(name);
        if (!found) {
            missing(name, expected);
            return std::nullopt;
        }
        int result = 0;
        const char* const end = found->data() + found->size();
        const auto [stop, error] = std::from_chars(found->data(), end, result);
        if (error == std::errc {} && stop == end && result >= range.from && result <= range.to)
            return result;
        report(fmt::format("The environment variable {} is `{}`, but must be {}.", name, *found, expected),
            fmt::format("Set {} to that, or leave it to the launcher, which sets it by itself.", name));
        return std::nullopt;
    }

    void missing(const char* name, const std::string& expected)
    {
        report(fmt::format("The environment variable {} is missing; it must be {}.", name, expected),
            fmt::format("Set {} for every rank; to start all ranks from here, use `pipeloom run --ranks N`.", name));
    }

    [[nodiscard]] Findings takeFindings() { return std::move(findings_); }

private:
    void report(std::string message, std::string remedy)
    {
        Finding finding;
        finding.rule = "run/environment";
        finding.message = std::move(message);
        finding.remedy = std::move(remedy);
        findings_.push_back(std::move(finding));
    }

    const EnvironmentLookup& lookup_;
    Findings findings_;
};

const Names* launcherOf(const Reader& reader)
{
    for (const auto& names : launchers)
        if (reader.has(names.rank))
            return &names;
    return reader.has("WORLD_SIZE") ? &launchers.front() : nullptr;
}

void readRank(Reader& reader, const Names& names, RankPlace& place)
{
    const char* const worldName = reader.firstSet(names.world);
    const auto world = reader.number(worldName, { 1, noLimit }, "the number of ranks of the run, 1 or more");
    place.world = world.value_or(1);
    const auto below = world ? Range { 0, *world - 1 } : Range {};
    const auto expected
        = world ? fmt::format("0 to {}, less than {}={}", *world - 1, worldName, *world) : std::string("0 or more");
    place.rank = reader.number(names.rank, below, "this process's rank, " + expected).value_or(0);
    if (const char* const localName = reader.firstSet(names.localRank); reader.has(localName))
        place.localRank = reader.number(localName, below, "this process's rank among those of its host, " + expected);
}

void readMaster(Reader& reader, RankPlace& place)
{
    if (auto address = reader.value("MASTER_ADDR"))
        place.masterAddress = std::move(*address);
    else
        reader.missing("MASTER_ADDR", "the host of rank 0, which every rank can reach");
    place.masterPort
        = reader.number("MASTER_PORT", { 1, 65535 }, "a free port of the host of rank 0, 1 to 65535").value_or(0);
}

/// Tries of one elastic run share the agent's store, so each try needs keys of its own.
std::string prefixOf(const Reader& reader, bool agentStore)
{
    if (auto prefix = reader.value("PIPELOOM_STORE_PREFIX"))
        return *prefix;
    if (!agentStore)
        return RankPlace {}.prefix;
    return fmt::format("{}/{}/{}", RankPlace {}.prefix, reader.value("TORCHELASTIC_RUN_ID").value_or("none"),
        reader.value("TORCHELASTIC_RESTART_COUNT").value_or("0"));
}

} // namespace

EnvironmentLookup processEnvironment()
{
    return [](const char* name) -> std::optional<std::string> {
        const char* const value = std::getenv(name); // NOLINT(concurrency-mt-unsafe): nobody of ours sets variables
        return value == nullptr ? std::nullopt : std::optional<std::string>(value);
    };
}

RankPlaceRead readRankPlace(const EnvironmentLookup& lookup)
{
    Reader reader(lookup);
    const Names* const names = launcherOf(reader);
    if (names == nullptr)
        return {};

    RankPlace place;
    readRank(reader, *names, place);
    const bool told = names == &launchers.front() || reader.has("MASTER_ADDR") || reader.has("MASTER_PORT");
    if (place.world == 1 && !told)
        return { std::nullopt, reader.takeFindings() };
    readMaster(reader, place);
    place.agentStore = reader.value("TORCHELASTIC_USE_AGENT_STORE") == "True";
    place.prefix = prefixOf(reader, place.agentStore);
    if (reader.has("PIPELOOM_WATCH_FD"))
        place.watchFd = reader.number("PIPELOOM_WATCH_FD", {}, "the number of an open file, as our launcher sets it");
    place.statusFile = reader.value("PIPELOOM_STATUS_FILE").value_or("");

    Findings findings = reader.takeFindings();
    if (hasErrors(findings))
        return { std::nullopt, std::move(findings) };
    return { std::move(place), {} };
}

std::vector<std::pair<std::string, std::string>> environmentOf(const RankPlace& place)
{
    std::vector<std::pair<std::string, std::string>> result {
        { "RANK", fmt::to_string(place.rank) },
        { "WORLD_SIZE", fmt::to_string(place.world) },
        { "MASTER_ADDR", place.masterAddress },
        { "MASTER_PORT", fmt::to_string(place.masterPort) },
        { "TORCHELASTIC_USE_AGENT_STORE", place.agentStore ? "True" : "False" },
        { "PIPELOOM_STORE_PREFIX", place.prefix },
        { "PIPELOOM_STATUS_FILE", place.statusFile },
    };
    if (place.localRank)
        result.emplace_back("LOCAL_RANK", fmt::to_string(*place.localRank));
    if (place.watchFd)
        result.emplace_back("PIPELOOM_WATCH_FD", fmt::to_string(*place.watchFd));
    return result;
}

} // namespace pipeloom::executor
