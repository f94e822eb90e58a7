// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/processes/meeting.h"

#include "executor/processes/process_network.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <functional>
#include <numeric>
#include <set>
#include <string>

namespace pipeloom::executor {

namespace {

constexpr int tag = static_cast<int>(Tag::Meeting);
constexpr int clockRounds = 16;

/// Each message is this, with as many sums behind it as its sender may have at most.
struct Head {
    std::int64_t time = 0; ///< of rank 0's clock: when the sender came; in answers, when the last one did
    std::int32_t sums = 0;
    std::int16_t stop = 0;
    std::int16_t ahead = 0;
};

struct ClockQuestion {
    std::uint64_t machine = 0;
};

struct ClockAnswer {
    std::int64_t now = 0;
    std::int32_t sameMachine = 0;
    std::int32_t unused = 0;
};

template <class Value> std::span<std::byte> bytesOf(Value& value)
{
    return std::as_writable_bytes(std::span(&value, 1));
}

std::vector<std::byte> packed(const Gathered& what, std::int64_t time, std::size_t mostSums)
{
    std::vector<std::byte> bytes(sizeof(Head) + mostSums * sizeof(StageSums));
    const Head head { time, static_cast<std::int32_t>(what.sums.size()), static_cast<std::int16_t>(what.stop),
        static_cast<std::int16_t>(what.ahead) };
    std::memcpy(bytes.data(), &head, sizeof head);
    if (!what.sums.empty())
        std::memcpy(bytes.data() + sizeof head, what.sums.data(), what.sums.size() * sizeof(StageSums));
    return bytes;
}

/// Adds what the message says to `all`; gives its time.
std::int64_t unpack(const std::vector<std::byte>& bytes, Gathered& all)
{
    Head head;
    std::memcpy(&head, bytes.data(), sizeof head);
    const auto sums = static_cast<std::size_t>(head.sums);
    if (sizeof head + sums * sizeof(StageSums) > bytes.size())
        throw ConnectionLost("what another rank says is longer than it can be");
    const std::size_t before = all.sums.size();
    all.sums.resize(before + sums);
    if (sums > 0)
        std::memcpy(all.sums.data() + before, bytes.data() + sizeof head, sums * sizeof(StageSums));
    all.stop = all.stop || head.stop != 0;
    all.ahead = all.ahead || head.ahead != 0;
    return head.time;
}

/// The same for all processes of a machine since it was started.
std::uint64_t machine()
{
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string id;
    std::getline(file, id);
    return std::hash<std::string> {}(id);
}

} // namespace

Meeting::Meeting(const Program& program, DeviceId device, Messages& messages)
    : device_(device)
    , messages_(messages)
{
    for (std::int32_t d = 0; d < program.devices(); ++d) {
        std::set<StageId> stages;
        for (const auto& instruction : program.row(DeviceId { d }))
            if (instruction.op == Op::Compute || instruction.op == Op::Reduce)
                stages.insert(instruction.pass.stage);
        stages_.push_back(stages.size());
    }
}

// The answer that took least time is the most exact: it was given about half of that time ago.
void Meeting::compareClocks()
{
    if (device_.value == 0) {
        for (std::size_t r = 1; r < stages_.size(); ++r)
            answerClocks(static_cast<int>(r));
        return;
    }
    auto best = Nanoseconds::max();
    ClockQuestion question { machine() };
    for (int round = 0; round < clockRounds; ++round) {
        const auto asked = Clock::now();
        messages_.send(0, tag, bytesOf(question));
        ClockAnswer answer;
        messages_.receive(0, tag, bytesOf(answer));
        if (answer.sameMachine != 0)
            return;
        const auto answered = Clock::now();
        if (answered - asked >= best)
            continue;
        best = answered - asked;
        ahead_ = Nanoseconds(answer.now) - (asked + best / 2).time_since_epoch();
    }
}

void Meeting::answerClocks(int rank)
{
    for (int round = 0; round < clockRounds; ++round) {
        ClockQuestion question;
        messages_.receive(rank, tag, bytesOf(question));
        ClockAnswer answer { Clock::now().time_since_epoch().count(), question.machine == machine() ? 1 : 0 };
        messages_.send(rank, tag, bytesOf(answer));
        if (answer.sameMachine != 0)
            return;
    }
}

Gathered Meeting::meet(const Contribution& own, Clock::time_point came)
{
    const std::size_t most = std::accumulate(stages_.begin(), stages_.end(), std::size_t { 0 });
    Gathered all { own.sums, own.stop, own.ahead, {} };
    std::int64_t last = shared(came);
    if (device_.value != 0) {
        messages_.send(0, tag, packed(all, last, stages_[device_.index()]));
        std::vector<std::byte> answer(sizeof(Head) + most * sizeof(StageSums));
        messages_.receive(0, tag, answer);
        all = {};
        last = unpack(answer, all);
        all.complete = this->own(last);
        return all;
    }
    for (std::size_t r = 1; r < stages_.size(); ++r) {
        std::vector<std::byte> said(sizeof(Head) + stages_[r] * sizeof(StageSums));
        messages_.receive(static_cast<int>(r), tag, said);
        last = std::max(last, unpack(said, all));
    }
    std::stable_sort(
        all.sums.begin(), all.sums.end(), [](const StageSums& a, const StageSums& b) { return a.stage < b.stage; });
    const auto answer = packed(all, last, most);
    for (std::size_t r = 1; r < stages_.size(); ++r)
        messages_.send(static_cast<int>(r), tag, answer);
    all.complete = this->own(last);
    return all;
}

std::int64_t Meeting::shared(Clock::time_point time) const { return (time.time_since_epoch() + ahead_).count(); }

Clock::time_point Meeting::own(std::int64_t shared) const { return Clock::time_point(Nanoseconds(shared) - ahead_); }

} // namespace pipeloom::executor
