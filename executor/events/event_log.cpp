// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/events/event_log.h"

#include "core/formats/design_file.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <array>
#include <cmath>
#include <iterator>

namespace pipeloom::executor {

namespace {

constexpr std::size_t manyBytes = 16 * 1024;
constexpr auto aWhile = std::chrono::milliseconds(50);

std::string quoted(const std::string& text)
{
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

class DeviceEvents : public StepListener {
public:
    DeviceEvents(std::shared_ptr<EventFile> file, Clock::time_point began, DeviceId device)
        : file_(std::move(file))
        , began_(began)
        , device_(device.value)
    {
        lines_.reserve(2 * manyBytes);
    }
    ~DeviceEvents() override
    {
        fmt::format_to(std::back_inserter(lines_),
            R"({{"event":"device_end","device":{},"lines":{}}})"
            "\n",
            device_, told_);
        flush();
    }
    DeviceEvents(const DeviceEvents&) = delete;
    DeviceEvents& operator=(const DeviceEvents&) = delete;

    void stepBegins(std::int64_t step, Clock::time_point start) override
    {
        step_ = step;
        startNs_ = (start - began_).count();
        fmt::format_to(std::back_inserter(lines_),
            R"({{"event":"step_begin","step":{},"device":{},"at_ns":{}}})"
            "\n",
            step, device_, startNs_);
        ++told_;
        flushIfDue();
    }
    void passEnded(const TimedPass& pass, Bytes live) override
    {
        fmt::format_to(std::back_inserter(lines_),
            R"({{"event":"pass","step":{},"device":{},"pass":"{}","start_ns":{},"end_ns":{})", step_, device_,
            text(pass.pass), startNs_ + pass.start, startNs_ + pass.end);
        if (live >= 0)
            fmt::format_to(std::back_inserter(lines_), R"(,"bytes":{})", live);
        lines_ += pass.joined ? ",\"pair\":true}\n" : "}\n";
        ++told_;
        flushIfDue();
    }
    void transferEnded(const TimedTransfer& transfer) override
    {
        fmt::format_to(std::back_inserter(lines_),
            R"({{"event":"transfer","step":{},"pass":"{}","from":{},"to":{},"start_ns":{},"end_ns":{}}})"
            "\n",
            step_, text(transfer.pass), transfer.from.value, transfer.to.value, startNs_ + transfer.start,
            startNs_ + transfer.end);
        ++told_;
        flushIfDue();
    }
    void stepEnded(Bytes peak) override
    {
        if (peak > 0) {
            fmt::format_to(std::back_inserter(lines_),
                R"({{"event":"memory","step":{},"device":{},"peak_bytes":{}}})"
                "\n",
                step_, device_, peak);
            ++told_;
        }
        flush();
    }
    void stepUndone(const UndoneStep& undone) override
    {
        fmt::format_to(std::back_inserter(lines_), R"({{"event":"{}","step":{},)",
            undone.rolledBack ? "rollback" : "skip", undone.step);
        if (undone.reason == UndoneStep::Reason::Clipped)
            fmt::format_to(std::back_inserter(lines_), R"("reason":"clip","scale":{}}})", undone.scale);
        else
            fmt::format_to(std::back_inserter(lines_), R"("reason":"nan","device":{},"stage":{}{}}})",
                undone.device.value, undone.stage.value,
                undone.parameter.empty() ? "" : R"(,"parameter":)" + quoted(undone.parameter));
        lines_ += '\n';
        flush();
    }

private:
    void flushIfDue()
    {
        if (lines_.size() >= manyBytes || Clock::now() - flushed_ >= aWhile)
            flush();
    }
    void flush()
    {
        file_->write(lines_);
        lines_.clear();
        flushed_ = Clock::now();
    }

    std::shared_ptr<EventFile> file_;
    Clock::time_point began_;
    std::int32_t device_;
    std::int64_t step_ = 0;
    std::int64_t startNs_ = 0;
    std::int64_t told_ = 0; ///< lines of a step's events
    std::string lines_;
    Clock::time_point flushed_ = Clock::now();
};

} // namespace

EventLog::Opened EventLog::open(const std::string& path, Clock::time_point began, bool append)
{
    if (path.empty())
        return {};
    EventFile::Opened opened = EventFile::open(path, append);
    if (!opened.file)
        return { nullptr, std::move(opened.findings) };
    return { std::make_shared<EventLog>(std::move(opened.file), began), {} };
}

EventLog::EventLog(std::unique_ptr<EventFile> file, Clock::time_point began)
    : file_(std::move(file))
    , began_(began)
{
}

void EventLog::run(const Design& design, const RunFacts& facts)
{
    const auto whole = nlohmann::ordered_json::parse(writeDesign(design));
    const auto wall = std::chrono::system_clock::now() - (Clock::now() - began_);
    const auto unixNs = std::chrono::duration_cast<Nanoseconds>(wall.time_since_epoch()).count();
    const std::string tokens
        = facts.tokensPerStep > 0 ? fmt::format(R"("tokens_per_step":{},)", facts.tokensPerStep) : std::string();
    file_->write(fmt::format(
        R"({{"event":"run","version":1,"devices":{},"stages":{},"micro_batches":{},"replicas":{},"first_step":{},"steps":{},"emulated":{},"transport":"{}",{}"began_unix_ns":{},"design":{}}})"
        "\n",
        facts.pipeline.devices, facts.pipeline.stages, facts.pipeline.microBatches, facts.replicas, facts.firstStep,
        facts.steps, facts.emulated, facts.transport, tokens, unixNs, whole.dump()));
}

namespace {

std::string listText(std::span<const Bytes> numbers) { return fmt::format("[{}]", fmt::join(numbers, ",")); }

std::string byKindText(const ByKindAndStage<Bytes>& table)
{
    std::string all;
    for (const PassKind kind : { PassKind::F, PassKind::B, PassKind::W, PassKind::BW })
        all += fmt::format(R"({}"{}":{})", all.empty() ? "" : ",", text(kind), listText(table.values[index(kind)]));
    return all;
}

/// Weights, gradients and the optimizer's moments are there all the time; the rest comes and goes with passes.
std::string memoryText(const MemoryModel& memory, std::span<const MemoryUse> predicted)
{
    if (memory.unit != MemoryUnit::Byte)
        return {};
    std::vector<Bytes> fixed;
    for (const MemoryUse& use : predicted)
        fixed.push_back(use.byClass[static_cast<std::size_t>(MemoryClass::Weights)]
            + use.byClass[static_cast<std::size_t>(MemoryClass::Gradients)]
            + use.byClass[static_cast<std::size_t>(MemoryClass::Optimizer)]);
    return fmt::format(R"(,"memory":{{{},"transient":{{{}}},"fixed":{}}})", byKindText(memory.change),
        byKindText(memory.transient), listText(fixed));
}

} // namespace

void EventLog::plan(
    double stepMs, const Program& program, std::span<const MemoryUse> predicted, const MemoryModel& memory)
{
    std::string rows;
    for (std::int32_t d = 0; d < program.devices(); ++d) {
        rows += d == 0 ? "\"" : ",\"";
        const char* blank = "";
        for (const Instruction& instruction : program.row(DeviceId { d }))
            if (instruction.op == Op::Compute) {
                rows += (instruction.joined ? "+" : blank) + text(instruction.pass);
                blank = " ";
            }
        rows += '"';
    }
    std::string bytes;
    for (const MemoryUse& use : predicted)
        bytes += (bytes.empty() ? "" : ",") + std::to_string(use.total);
    file_->write(fmt::format(R"({{"event":"plan","step_ms":{},"rows":[{}],"predicted_bytes":[{}]{}}})"
                             "\n",
        stepMs, rows, bytes, memoryText(memory, predicted)));
}

void EventLog::stall(const Stall& stall, Clock::time_point now)
{
    std::string waiting;
    for (const DeviceId device : stall.waiting)
        waiting += (waiting.empty() ? "" : ",") + std::to_string(device.value);
    const std::string pass
        = stall.status.doing == Doing::Pass ? fmt::format(R"("pass":"{}",)", text(stall.status.pass)) : std::string();
    file_->write(fmt::format(R"({{"event":"stall","device":{},"at_ns":{},{}"for_ms":{},"waiting":[{}],"message":{}}})"
                             "\n",
        stall.status.device.value, (now - began_).count(), pass,
        std::chrono::duration<double, std::milli>(now - stall.status.since).count(), waiting,
        quoted(text(stall, now))));
}

void EventLog::step(const StepReport& report, bool emulated)
{
    const std::string loss = emulated ? ""
        : std::isfinite(report.loss)  ? fmt::format(R"("loss":{},)", report.loss)
                                      : std::string(R"("loss":null,)");
    file_->write(fmt::format(R"({{"event":"step","step":{},{}"step_ms":{}}})"
                             "\n",
        report.step, loss, report.stepMs));
}

void EventLog::checkpoint(std::int64_t steps, double ms)
{
    file_->write(fmt::format(R"({{"event":"checkpoint","steps":{},"ms":{:.3f}}})"
                             "\n",
        steps, ms));
}

void EventLog::verified(double worst, const std::string& parameter)
{
    file_->write(fmt::format(R"({{"event":"verify","worst":{},"parameter":{}}})"
                             "\n",
        std::isfinite(worst) ? fmt::format("{}", worst) : std::string("null"), quoted(parameter)));
}

void EventLog::close(const std::optional<Finding>& error, const char* outcome, Findings& findings)
{
    if (error) {
        std::string devices;
        for (const Place& place : error->where)
            if (place.device)
                devices += (devices.empty() ? "" : ",") + std::to_string(place.device->value);
        file_->write(fmt::format(R"({{"event":"error","rule":{},"message":{},"remedy":{},"devices":[{}]}})"
                                 "\n",
            quoted(error->rule), quoted(error->message), quoted(error->remedy), devices));
    }
    file_->write(fmt::format(R"({{"event":"end","outcome":"{}"}})"
                             "\n",
        outcome));
    if (std::optional<Finding> lost = file_->failure())
        findings.push_back(std::move(*lost));
}

std::unique_ptr<StepListener> EventLog::device(DeviceId device)
{
    std::array<char, 256> host {};
    ::gethostname(host.data(), host.size() - 1);
    file_->write(fmt::format(R"({{"event":"rank","device":{},"rank":{},"pid":{},"host":{}}})"
                             "\n",
        device.value, device.value, ::getpid(), quoted(host.data())));
    return std::make_unique<DeviceEvents>(file_, began_, device);
}

} // namespace pipeloom::executor
