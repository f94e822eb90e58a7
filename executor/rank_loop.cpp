// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/rank_loop.h"

#include "executor/gpu/step_times.h"
#include "executor/guarded.h"
#include "executor/message_kind.h"
#include "executor/thread_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <utility>

namespace pipeloom::executor {

RankLoop::RankLoop(const Program& program, std::int32_t stages, DeviceId device, DeviceWork& work, Transport& transport,
    Board& board, StepListener* listener)
    : list_(program.row(device))
    , stages_(stages)
    , device_(device)
    , work_(work)
    , transport_(transport)
    , board_(board)
    , listener_(listener)
    , reductions_(program, device)
{
}

bool RankLoop::runOnce(Clock::time_point start, Validation* weights)
{
    start_ = start;
    weights_ = weights;
    undone_ = false;
    record_ = {};
    waited_ = {};
    done_.clear();
    reductions_.begin();
    running_ = 0;
    const auto processor = threadTime();
    const auto began = Clock::now();
    const bool ran = runList();
    if (undone_) {
        static_cast<void>(awaitEnded()); // what still runs on a GPU is no pass of the next time
        results_.clear();
        issued_.clear();
    }
    if (work_.timesItself())
        return ran; // the loop runs beside the passes, and takes none of their time
    // Reductions are what stands in `around` so far.
    record_.loop = Clock::now() - began - record_.busy - waited_ - record_.around;
    record_.loopProcessor
        = std::max(Nanoseconds::zero(), threadTime() - processor - record_.processor - record_.around);
    return ran;
}

bool RankLoop::heed(Validation::Standing standing)
{
    if (standing == Validation::Standing::Stands)
        weights_ = nullptr;
    undone_ = standing == Validation::Standing::Undone;
    return standing == Validation::Standing::Stands || standing == Validation::Standing::Pending;
}

bool RankLoop::weightsMayStand() { return weights_ == nullptr || heed(weights_->look()); }

// The gradients of the step before are needed until its weights stand, and a backward pass adds to them. All devices have
// come as far as it needs, so there is nothing to wait for but the news.
bool RankLoop::weightsStandFor(std::span<const Instruction> slot)
{
    const bool isForward = std::all_of(
        slot.begin(), slot.end(), [](const Instruction& instruction) { return instruction.pass.kind == PassKind::F; });
    return isForward || weightsStand();
}

bool RankLoop::weightsStand()
{
    if (weights_ == nullptr)
        return true;
    const auto began = Clock::now();
    const auto standing = weights_->settle();
    waited_ += Clock::now() - began;
    return heed(standing);
}

bool RankLoop::runList()
{
    std::size_t at = 0;
    while (at < list_.size()) {
        if (!take(transport_.arrived()) || !takeEnded() || !weightsMayStand())
            return false;
        const auto& instruction = list_[at];
        std::size_t next = at + 1;
        switch (instruction.op) {
        case Op::Compute:
            while (next < list_.size() && list_[next].op == Op::Compute && list_[next].joined)
                ++next;
            if (!compute(list_.subspan(at, next - at)))
                return false;
            break;
        case Op::Send:
            if (!send(instruction))
                return false;
            break;
        case Op::Receive:
            issued_.insert_or_assign(dataKey(instruction.pass), Issued { instruction.pass, instruction.peer });
            transport_.receive(instruction.peer, instruction.pass);
            break;
        case Op::Reduce:
            if (!reduce(instruction.pass.stage))
                return false;
            break;
        }
        at = next;
    }
    return weightsStand() && take(transport_.arrived()) && awaitEnded() && sumReductions() && nothingIsLeft();
}

RankLoop::Key RankLoop::passKey(const Pass& pass) const
{
    const auto stage
        = static_cast<Key>(pass.microBatch.value) * static_cast<Key>(stages_) + static_cast<Key>(pass.stage.value);
    return stage * passKinds + index(pass.kind);
}

RankLoop::Key RankLoop::dataKey(StageId maker, MicroBatch microBatch, DataKind data) const
{
    return passKey({ maker, microBatch, data == DataKind::Activation ? PassKind::F : PassKind::B });
}

RankLoop::Key RankLoop::dataKey(const Pass& maker) const
{
    return dataKey(
        maker.stage, maker.microBatch, maker.kind == PassKind::F ? DataKind::Activation : DataKind::Gradient);
}

bool RankLoop::givesResult(const Pass& pass) const
{
    if (pass.kind == PassKind::F)
        return pass.stage.value < stages_ - 1;
    return givesInputGradient(pass.kind) && pass.stage.value > 0;
}

std::optional<RankLoop::Key> RankLoop::inputKey(const Pass& pass) const
{
    if (pass.kind == PassKind::F && pass.stage.value > 0)
        return dataKey(StageId { pass.stage.value - 1 }, pass.microBatch, DataKind::Activation);
    if (givesInputGradient(pass.kind) && pass.stage.value < stages_ - 1)
        return dataKey(StageId { pass.stage.value + 1 }, pass.microBatch, DataKind::Gradient);
    return {};
}

// A slot starts when the inputs of all its passes are there, and all its results leave at its end.
bool RankLoop::compute(std::span<const Instruction> slot)
{
    for (const auto& instruction : slot)
        if (!comesInTime(instruction.pass) || !awaitInputs(instruction.pass))
            return false;
    if (!weightsStandFor(slot))
        return false;
    std::vector<Payload> results(slot.size());
    const auto processor = threadTime();
    const auto started = Clock::now();
    for (std::size_t i = 0; i < slot.size(); ++i) {
        const auto& pass = slot[i].pass;
        const bool ok = board_.enter(device_, Doing::Pass, pass)
            && guarded(board_, device_, [&] { results[i] = work_.run(pass, takeInput(pass)); });
        if (!ok)
            return false;
        board_.finished(device_, pass);
    }
    if (!guarded(board_, device_, [&] { work_.endSlot(); }))
        return false;
    const auto ended = Clock::now();
    const bool timesItself = work_.timesItself();
    running_ += timesItself ? slot.size() : 0;
    record_.busy += ended - started;
    record_.processor += threadTime() - processor;
    for (std::size_t i = 0; i < slot.size(); ++i) {
        const auto& pass = slot[i].pass;
        if (!timesItself)
            keepTimes({ (started - start_).count(), (ended - start_).count(), pass, i > 0 });
        done_.insert(passKey(pass));
        if (givesResult(pass))
            results_.insert_or_assign(dataKey(pass), std::move(results[i]));
    }
    return true;
}

// Gradients that have left for other devices cannot be added to.
bool RankLoop::comesInTime(const Pass& pass)
{
    if (!givesWeightGradient(pass.kind) || !reductions_.isReduced(pass.stage))
        return true;
    board_.fail(device_, "run/program", fmt::format("{} comes behind the reduction of its stage", text(pass)),
        "Put the reduction behind the stage's last W or BW; `pipeloom check` says where.");
    return false;
}

void RankLoop::keepTimes(const TimedPass& timed)
{
    record_.passes.push_back(timed);
    if (listener_)
        listener_->passEnded(timed, work_.memoryNow().total);
}

bool RankLoop::takeEnded()
{
    return running_ == 0 || guarded(board_, device_, [&] {
        for (const auto& ran : work_.takeEnded()) {
            keepTimes({ (ran.started - start_).count(), (ran.ended - start_).count(), ran.pass, ran.joined });
            --running_;
        }
    });
}

bool RankLoop::awaitEnded()
{
    if (!work_.timesItself())
        return true;
    while (running_ > 0) {
        if (!takeEnded() || board_.ended())
            return false;
        std::this_thread::sleep_for(std::chrono::microseconds(20));
    }
    gpu::settleTimes(record_, stages_);
    return true;
}

bool RankLoop::awaitInputs(const Pass& pass)
{
    if (pass.kind == PassKind::W && !awaitOwn(pass, PassKind::B))
        return false;
    if (givesInputGradient(pass.kind) && !awaitOwn(pass, PassKind::F))
        return false;
    const auto key = inputKey(pass);
    return !key || awaitData(pass, *key);
}

// A pass of this device's own that has not ended when it is needed stands later in the list, or nowhere: then the device
// waits for itself, until everyone sees it.
bool RankLoop::awaitOwn(const Pass& pass, PassKind kind)
{
    const Pass needs { pass.stage, pass.microBatch, kind };
    while (!done_.contains(passKey(needs)))
        if (!waitOnce(pass, needs, device_))
            return false;
    return true;
}

bool RankLoop::awaitData(const Pass& pass, Key key)
{
    while (!results_.contains(key)) {
        const auto issued = issued_.find(key);
        const bool comes = issued != issued_.end();
        const Pass needs = comes ? issued->second.of : laterMaker(pass, key);
        if (!waitOnce(pass, needs, comes ? issued->second.from : device_))
            return false;
    }
    return true;
}

// What would bring the data if the device came to it: its own pass, or a receive.
Pass RankLoop::laterMaker(const Pass& pass, Key key) const
{
    for (const auto& instruction : list_)
        if (instruction.op != Op::Send && instruction.pass.kind != PassKind::W && dataKey(instruction.pass) == key)
            return instruction.pass;
    const bool forward = pass.kind == PassKind::F;
    return { StageId { pass.stage.value + (forward ? -1 : 1) }, pass.microBatch, forward ? PassKind::F : PassKind::B };
}

bool RankLoop::waitOnce(const Pass& pass, const Pass& needs, DeviceId from)
{
    DeviceStatus waiting;
    waiting.device = device_;
    waiting.doing = Doing::Input;
    waiting.pass = pass;
    waiting.needs = needs;
    waiting.from = from;
    const auto began = Clock::now();
    auto arrivals = transport_.awaitArrival(waiting);
    const auto ended = Clock::now();
    waited_ += ended - began;
    // From when both sides have come to what is needed it is on its way, be that a hand-over and waking up.
    for (const auto& arrival : arrivals)
        if (arrival.of == needs && arrival.from == from)
            record_.transfer += ended - std::clamp(arrival.started, began, ended);
    if (arrivals.empty()) // the run has ended, or there is news of the weights
        return weights_ != nullptr && heed(weights_->look()) && !board_.ended();
    return take(std::move(arrivals));
}

bool RankLoop::take(std::vector<Arrival> arrivals)
{
    return guarded(board_, device_, [&] {
        for (auto& arrival : arrivals) {
            if (messageKind(arrival.of) == MessageKind::WeightGradients) {
                reductions_.take(arrival);
                continue;
            }
            record_.transfers.push_back({ (arrival.started - start_).count(), (arrival.ended - start_).count(),
                arrival.of, arrival.from, device_ });
            if (listener_)
                listener_->transferEnded(record_.transfers.back());
            if (arrival.payload)
                work_.adopt(arrival.payload, MemoryClass::Passing);
            const auto key = dataKey(arrival.of);
            issued_.erase(key);
            results_.insert_or_assign(key, std::move(arrival.payload));
        }
    });
}

Payload RankLoop::takeInput(const Pass& pass)
{
    const auto key = inputKey(pass);
    if (!key)
        return {};
    return std::move(results_.extract(*key).mapped());
}

bool RankLoop::send(const Instruction& instruction)
{
    const auto result = results_.find(dataKey(instruction.pass));
    if (result == results_.end()) {
        board_.fail(device_, "run/program",
            "the result of " + text(instruction.pass) + " is to be sent before it is made",
            "Put the send behind its pass; `pipeloom check` says where.");
        return false;
    }
    transport_.send(instruction.peer, instruction.pass, std::move(result->second));
    results_.erase(result);
    return true;
}

bool RankLoop::reduce(StageId stage)
{
    if (reductions_.isReduced(stage)) {
        board_.fail(device_, "run/program", fmt::format("stage {} is to be reduced a second time", stage.value),
            "Reduce it once, behind its last W or BW.");
        return false;
    }
    const auto began = Clock::now();
    const bool ok = guarded(board_, device_, [&] { reductions_.reduce(stage, work_, transport_); });
    record_.around += Clock::now() - began;
    return ok;
}

bool RankLoop::sumReductions()
{
    while (const auto missing = reductions_.missing()) {
        const Pass gradients = weightGradientsOf(missing->stage);
        if (!waitOnce(gradients, gradients, missing->from))
            return false;
    }
    const auto began = Clock::now();
    const bool ok
        = board_.enter(device_, Doing::Optimizer) && guarded(board_, device_, [&] { reductions_.sum(work_); });
    record_.around += Clock::now() - began;
    return ok;
}

bool RankLoop::nothingIsLeft()
{
    if (board_.ended())
        return false;
    if (results_.empty())
        return true;
    board_.fail(device_, "run/program", "a result was left that nobody took",
        "Run `pipeloom check` on the design; its findings say what is missing.");
    return false;
}

} // namespace pipeloom::executor
