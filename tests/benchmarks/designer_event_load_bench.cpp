// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// The window under load: eight writers tell 20,000 events a second into one folder, as eight ranks do, while the Run layout
// follows them, and the window's thread is held up five seconds in each minute. Says how far the window was behind, what memory
// it held, whether anything was lost, and whether the writers were held up.
//
//   designer_event_load_bench [--load-seconds=600] [--no-page]        15 seconds unless told otherwise

#include "app/designer/run/run_page.h"
#include "app/designer/run/run_session.h"
#include "app/designer/style/theme.h"
#include "core/formats/design_file.h"
#include "core/library/library.h"
#include "core/plan/plan.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <fstream>
#include <mutex>
#include <thread>

using namespace pipeloom;
using namespace pipeloom::designer;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int writers = 8;
constexpr int eventsPerSecond = 20'000;
constexpr int holdMs = 5'000;

double seconds(Clock::duration time) { return std::chrono::duration<double>(time).count(); }

double residentMb()
{
    std::ifstream file("/proc/self/statm");
    std::int64_t all = 0;
    std::int64_t resident = 0;
    file >> all >> resident;
    return static_cast<double>(resident * ::sysconf(_SC_PAGESIZE)) / 1e6;
}

/// Lines that were written in all, and when: how late a line is that the window has not got.
class Written {
public:
    void add(std::int64_t lines)
    {
        const std::lock_guard held(mutex_);
        total_ += lines;
        marks_.push_back({ total_, Clock::now() });
    }
    std::int64_t total()
    {
        const std::lock_guard held(mutex_);
        return total_;
    }
    /// Milliseconds since the first line was written that is not among so many; 0: there is none.
    double lateMs(std::int64_t taken)
    {
        const std::lock_guard held(mutex_);
        while (!marks_.empty() && marks_.front().total <= taken)
            marks_.pop_front();
        return marks_.empty() ? 0 : seconds(Clock::now() - marks_.front().at) * 1000;
    }

private:
    struct Mark {
        std::int64_t total;
        Clock::time_point at;
    };
    std::mutex mutex_;
    std::int64_t total_ = 0;
    std::deque<Mark> marks_;
};

/// A line of any step: times count from the step's beginning.
struct Line {
    const char* kind;
    std::string what;        ///< between the step's number and its times
    std::int64_t start = -1; ///< -1: it has none
    std::int64_t end = -1;
};

struct Load {
    Design design;
    Plan planned;
    std::vector<std::vector<Line>> rows; ///< by device
    std::int64_t stepNs = 0;
};

Load makeLoad()
{
    LibraryRequest request;
    request.devices = writers;
    request.microBatches = 2 * writers;
    Load load { *findInLibrary("v-half")->make(request).design, {}, {}, 0 };
    load.planned = plan(load.design);
    const double ns = load.design.costs.tickUs * 1000;
    const auto at = [&](Ticks ticks) { return static_cast<std::int64_t>(static_cast<double>(ticks) * ns); };
    load.stepNs = at(load.planned.metrics.makespan());
    load.rows.resize(writers);
    for (std::int32_t d = 0; d < writers; ++d) {
        auto& row = load.rows[static_cast<std::size_t>(d)];
        row.push_back({ "step_begin", fmt::format(R"(,"device":{},"at_ns":)", d), 0 });
        for (const TimedPass& pass : load.planned.timeline.row(DeviceId { d }))
            row.push_back(
                { "pass", fmt::format(R"(,"device":{},"bytes":1048576,"pass":"{}","start_ns":)", d, text(pass.pass)),
                    at(pass.start), at(pass.end) });
        for (const TimedTransfer& each : load.planned.timeline.transfers)
            if (each.to.value == d)
                row.push_back({ "transfer",
                    fmt::format(R"(,"pass":"{}","from":{},"to":{},"start_ns":)", text(each.pass), each.from.value, d),
                    at(each.start), at(each.end) });
        // As an executor writes them: by their ends.
        std::ranges::stable_sort(row, {}, [](const Line& line) { return std::max(line.start, line.end); });
        row.push_back({ "memory", fmt::format(R"(,"device":{},"peak_bytes":400000000)", d) });
        if (d == 0)
            row.push_back(
                { "step", fmt::format(R"(,"loss":2.5,"step_ms":{})", static_cast<double>(load.stepNs) / 1e6) });
    }
    return load;
}

void put(std::string& to, const Line& line, std::int64_t step, std::int64_t stepNs)
{
    to += fmt::format(R"({{"event":"{}","step":{}{})", line.kind, step, line.what);
    if (line.start >= 0)
        to += std::to_string(line.start + step * stepNs);
    if (line.end >= 0)
        to += fmt::format(R"(,"end_ns":{})", line.end + step * stepNs);
    to += "}\n";
}

std::string opening(const Load& load)
{
    std::string design = writeDesign(load.design);
    std::ranges::replace(design, '\n', ' ');
    std::string rows;
    for (std::int32_t d = 0; d < writers; ++d) {
        std::string row;
        for (const Slot& slot : load.planned.schedule.row(DeviceId { d }))
            row += (row.empty() ? "" : " ") + text(slot);
        rows += fmt::format("{}\"{}\"", d == 0 ? "" : ",", row);
    }
    return fmt::format(R"({{"event":"run","version":1,"devices":{},"stages":{},"micro_batches":{},"replicas":1,)"
                       R"("first_step":0,"steps":1000000,"emulated":false,"transport":"gloo","design":{}}})"
                       "\n"
                       R"({{"event":"plan","step_ms":1,"rows":[{}]}})"
                       "\n",
        load.design.pipeline.devices, load.design.pipeline.stages, load.design.pipeline.microBatches, design, rows);
}

/// One rank: writes its share of what is due every ten milliseconds, in the order of its steps.
void write(const QString& folder, const Load& load, std::size_t device, double forSeconds, Written& written,
    std::atomic<std::int64_t>& passes, std::atomic<double>& worstLate)
{
    QFile file(device == 0 ? folder + "/events.jsonl" : folder + QStringLiteral("/events-rank-%1.jsonl").arg(device));
    if (!file.open(QIODevice::WriteOnly | QIODevice::Unbuffered))
        std::abort();
    if (device == 0) {
        file.write(QByteArray::fromStdString(opening(load)));
        written.add(2);
    }
    std::size_t all = 0;
    for (const auto& row : load.rows)
        all += row.size();
    const auto& row = load.rows[device];
    // So that all devices need the same time for a step.
    const double perSecond
        = static_cast<double>(eventsPerSecond) * static_cast<double>(row.size()) / static_cast<double>(all);
    const Clock::time_point began = Clock::now();
    Clock::time_point due = began;
    std::int64_t done = 0;
    std::string text;
    while (seconds(due - began) < forSeconds) {
        due += std::chrono::milliseconds(10);
        std::this_thread::sleep_until(due);
        const auto want = static_cast<std::int64_t>(seconds(due - began) * perSecond);
        text.clear();
        const std::int64_t before = done;
        for (; done < want; ++done) {
            const Line& line = row[static_cast<std::size_t>(done) % row.size()];
            put(text, line, done / static_cast<std::int64_t>(row.size()), load.stepNs);
            passes += std::string_view(line.kind) == "pass" ? 1 : 0;
        }
        const Clock::time_point begins = Clock::now();
        file.write(text.data(), static_cast<qint64>(text.size()));
        const double took = seconds(Clock::now() - begins) * 1000;
        double worst = worstLate;
        while (took > worst && !worstLate.compare_exchange_weak(worst, took)) { }
        written.add(done - before);
    }
}

double part(std::vector<double>& values, double share)
{
    if (values.empty())
        return 0;
    std::ranges::sort(values);
    const auto at = static_cast<std::size_t>(share * static_cast<double>(values.size()));
    return values[std::min(at, values.size() - 1)];
}

struct Watch {
    std::vector<double> lateMs;     ///< while the window was not held up, nor catching up
    std::vector<double> recoveries; ///< seconds from the end of a hold-up until less than a second behind
    std::vector<double> frameMs;
    std::vector<double> memory; ///< MB, each second
};

Watch watch(RunSession& session, Written& written, double forSeconds)
{
    Watch seen;
    const Clock::time_point began = Clock::now();
    constexpr double minute = 60;
    double nextHold = std::min(minute, forSeconds) / 2;
    double nextMemory = 0;
    Clock::time_point heldUntil = began;
    bool catchesUp = false;
    while (seconds(Clock::now() - began) < forSeconds) {
        const Clock::time_point turn = Clock::now();
        QApplication::processEvents(QEventLoop::AllEvents, 20);
        seen.frameMs.push_back(seconds(Clock::now() - turn) * 1000);
        const double late = written.lateMs(session.log().events());
        constexpr double current = 1000;
        if (catchesUp && late < current) {
            seen.recoveries.push_back(seconds(Clock::now() - heldUntil));
            catchesUp = false;
        }
        if (!catchesUp)
            seen.lateMs.push_back(late);
        const double now = seconds(Clock::now() - began);
        if (now >= nextMemory) {
            seen.memory.push_back(residentMb());
            nextMemory = now + 1;
        }
        if (now >= nextHold) {
            std::this_thread::sleep_for(std::chrono::milliseconds(holdMs));
            heldUntil = Clock::now();
            catchesUp = true;
            nextHold += minute;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return seen;
}

int measure(double forSeconds, bool withPage)
{
    const QTemporaryDir folder;
    const Load load = makeLoad();
    Written written;
    std::atomic<std::int64_t> passes = 0;
    std::atomic<double> worstWrite = 0;
    RunSession session;
    std::unique_ptr<RunPage> page;
    if (withPage) {
        page = std::make_unique<RunPage>(session);
        page->resize(1600, 1000);
        page->show();
    }
    session.follow(folder.path());
    std::vector<std::jthread> ranks;
    for (std::size_t d = 0; d < writers; ++d)
        ranks.emplace_back([&, d] { write(folder.path(), load, d, forSeconds, written, passes, worstWrite); });
    Watch seen = watch(session, written, forSeconds);
    ranks.clear();
    const Clock::time_point over = Clock::now();
    constexpr double patience = 20;
    while (session.log().events() < written.total() && seconds(Clock::now() - over) < patience)
        QApplication::processEvents(QEventLoop::AllEvents, 20);

    const bool isEqual = session.log().events() == written.total() && session.log().passesTold() == passes
        && session.counts().garbled == 0 && session.log().faults().strange == 0;
    const auto memoryAt = [&](double share) {
        const auto at = static_cast<std::size_t>(share * static_cast<double>(seen.memory.size() - 1));
        return seen.memory[at];
    };
    fmt::print("events written      {} in {:.0f} s ({:.0f} a second)\n", written.total(), forSeconds,
        static_cast<double>(written.total()) / forSeconds);
    fmt::print("totals              {}: {} events, {} passes of {}\n", isEqual ? "equal" : "DIFFERENT",
        session.log().events(), session.log().passesTold(), passes.load());
    fmt::print("behind              p50 {:.0f} ms, p99 {:.0f} ms, worst {:.0f} ms\n", part(seen.lateMs, 0.5),
        part(seen.lateMs, 0.99), part(seen.lateMs, 1));
    fmt::print("after a hold-up     current again within {:.2f} s ({} hold-ups of 5 s)\n", part(seen.recoveries, 1),
        seen.recoveries.size());
    fmt::print("the window's turn   p50 {:.1f} ms, p99 {:.1f} ms, worst {:.1f} ms\n", part(seen.frameMs, 0.5),
        part(seen.frameMs, 0.99), part(seen.frameMs, 1));
    fmt::print("memory              {:.0f} MB at a tenth, {:.0f} MB at half, {:.0f} MB at the end\n", memoryAt(0.1),
        memoryAt(0.5), memoryAt(1));
    fmt::print("a write of a rank   {:.1f} ms at most\n", worstWrite.load());
    return isEqual ? 0 : 1;
}

} // namespace

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QStandardPaths::setTestModeEnabled(true);
    const QApplication application(argc, argv);
    QCoreApplication::setOrganizationName("Pipeloom tests");
    QCoreApplication::setApplicationName("designer_event_load_bench");
    applyTheme(*qApp, ThemeChoice::Light);
    double forSeconds = 15;
    bool withPage = true;
    for (const QString& argument : QCoreApplication::arguments().mid(1)) {
        if (argument.startsWith("--load-seconds="))
            forSeconds = std::max(2.0, argument.section('=', 1).toDouble());
        withPage = withPage && argument != "--no-page";
    }
    return measure(forSeconds, withPage);
}
