// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/fire_drill.h"

#include <signal.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <utility>

namespace pipeloom::executor {

namespace {

using Fault = FireDrill::Fault;

constexpr std::array<std::pair<std::string_view, Fault>, 7> faults { {
    { "throw", Fault::Throw },
    { "memory", Fault::Memory },
    { "hang", Fault::Hang },
    { "kill", Fault::Kill },
    { "stop", Fault::Stop },
    { "nan", Fault::Nan },
    { "slow", Fault::Slow },
} };

template <class Number> bool readWhole(std::string_view text, Number& number)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

std::optional<Pass> readPass(std::string_view word)
{
    const std::size_t letters = word.find_first_not_of("0123456789");
    const std::size_t digits = word.find_last_not_of("0123456789");
    if (letters == std::string_view::npos || letters == 0 || digits + 1 == word.size())
        return {};
    Pass pass;
    if (!readWhole(word.substr(0, letters), pass.stage.value)
        || !readWhole(word.substr(digits + 1), pass.microBatch.value))
        return {};
    const std::string_view kind = word.substr(letters, digits + 1 - letters);
    for (const PassKind one : { PassKind::F, PassKind::B, PassKind::W, PassKind::BW })
        if (kind == text(one))
            pass.kind = one;
    return pass.kind == PassKind::None ? std::nullopt : std::optional(pass);
}

class FaultyWork final : public ModelWork {
public:
    FaultyWork(std::unique_ptr<ModelWork> work, const FireDrill& drill)
        : work_(std::move(work))
        , drill_(drill)
    {
    }

    void beginStep(std::int64_t step) override
    {
        step_ = step;
        work_->beginStep(step);
    }
    Payload run(const Pass& pass, Payload input) override
    {
        const bool isDue = drill_.fault == Fault::Slow ? step_ >= drill_.step : step_ == drill_.step;
        if (!isDue || !(pass == drill_.pass))
            return work_->run(pass, std::move(input));
        happen();
        Payload result = work_->run(pass, std::move(input));
        if (drill_.fault == Fault::Nan && result.data != nullptr)
            std::memset(result.data, 0xff, sizeof(float)); // not a number, in fp32 and in bf16
        return result;
    }
    void endSlot() override { work_->endSlot(); }
    bool timesItself() const override { return work_->timesItself(); }
    std::vector<RanPass> takeEnded() override { return work_->takeEnded(); }
    Payload packGradients(StageId stage) override { return work_->packGradients(stage); }
    void setGradients(StageId stage, const std::vector<Payload>& gradients) override
    {
        work_->setGradients(stage, gradients);
    }
    std::vector<StageSums> sums() override { return work_->sums(); }
    void optimizerStep(std::int64_t step, double scale) override { work_->optimizerStep(step, scale); }
    void optimizerStepAhead(std::int64_t step) override { work_->optimizerStepAhead(step); }
    void confirmStep() override { work_->confirmStep(); }
    void undoStep() override { work_->undoStep(); }
    void discardStep() override { work_->discardStep(); }
    std::string notFinite(StageId stage) const override { return work_->notFinite(stage); }
    Payload receiveBuffer(const Pass& of) override { return work_->receiveBuffer(of); }
    void adopt(const Payload& payload, MemoryClass use) override { work_->adopt(payload, use); }
    MemoryUse memoryNow() const override { return work_->memoryNow(); }
    MemoryUse memoryPeaks() const override { return work_->memoryPeaks(); }
    void resetMemoryPeaks() override { work_->resetMemoryPeaks(); }
    std::vector<NamedValues> parameters() const override { return work_->parameters(); }
    std::vector<NamedValues> gradients() const override { return work_->gradients(); }
    Findings save(StageId stage, const std::string& path) const override { return work_->save(stage, path); }
    Findings load(std::span<const std::string> paths) override { return work_->load(paths); }

private:
    void happen() const
    {
        switch (drill_.fault) {
        case Fault::Throw:
            throw std::runtime_error("a fault that was asked for");
        case Fault::Memory:
            throw std::bad_alloc();
        case Fault::Hang:
            while (true)
                std::this_thread::sleep_for(std::chrono::hours(1));
        case Fault::Kill:
            raise(SIGKILL);
            return;
        case Fault::Stop:
            raise(SIGSTOP);
            return;
        case Fault::Slow:
            std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(drill_.milliseconds));
            return;
        case Fault::Nan:
            return;
        }
    }

    std::unique_ptr<ModelWork> work_;
    FireDrill drill_;
    std::int64_t step_ = 0;
};

} // namespace

ReadFireDrill readFireDrill(const std::string& text)
{
    const auto wrong = [&] {
        return ReadFireDrill { {},
            { { "run/drill", Severity::Error, {}, "", "\"" + text + "\" is no fault at a pass.",
                "Write FAULT@PASS or FAULT@PASS:STEP, as in throw@1F2 or slow=50@1F2:3; faults are throw, memory, "
                "hang, kill, "
                "stop, nan and slow=MILLISECONDS." } } };
    };
    FireDrill drill;
    const std::string_view all = text;
    const std::size_t at = all.find('@');
    if (at == std::string_view::npos)
        return wrong();
    std::string_view fault = all.substr(0, at);
    std::string_view place = all.substr(at + 1);
    if (const std::size_t colon = place.find(':'); colon != std::string_view::npos) {
        if (!readWhole(place.substr(colon + 1), drill.step) || drill.step < 0)
            return wrong();
        place = place.substr(0, colon);
    }
    const std::size_t equals = fault.find('=');
    const bool hasTime = equals != std::string_view::npos;
    if (hasTime && (!readWhole(fault.substr(equals + 1), drill.milliseconds) || !(drill.milliseconds >= 0)))
        return wrong();
    fault = fault.substr(0, equals);
    const auto pass = readPass(place);
    for (const auto& [name, kind] : faults)
        if (name == fault && pass && hasTime == (kind == Fault::Slow)) {
            drill.fault = kind;
            drill.pass = *pass;
            return { drill, {} };
        }
    return wrong();
}

std::unique_ptr<ModelWork> withFault(std::unique_ptr<ModelWork> work, const FireDrill& drill)
{
    return std::make_unique<FaultyWork>(std::move(work), drill);
}

} // namespace pipeloom::executor
