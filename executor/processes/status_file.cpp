// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/processes/status_file.h"

#include "executor/processes/owned_fd.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>
#include <type_traits>

namespace pipeloom::executor {

namespace {

using Word = std::atomic<std::uint64_t>;
static_assert(Word::is_always_lock_free, "a lock of one process would not hold in another");

constexpr std::size_t wordsOfRecord = 8; ///< a cache line
constexpr std::size_t records = 32;
constexpr int tries = 64;
constexpr std::uint64_t magic
    = 0x7374'6d6f'6f6c'7001; ///< "\1ploomts" in memory; the byte 1 is the version of the layout

using Words = std::array<std::uint64_t, wordsOfRecord>;

} // namespace

/// Records are written round and round, and `published` says how many are whole: record n (from 1) stands in n mod 32. So the
/// newest one stays whole while the next is written, also if its writer dies in the middle. Whoever has read record n and
/// then still finds published < n + 31 knows that nobody had begun to write over it.
struct StatusLayout {
    Word magic;
    Word published;
    std::array<std::uint64_t, wordsOfRecord - 2> unused;
    std::array<std::array<Word, wordsOfRecord>, records> ring;
};

namespace {

static_assert(sizeof(StatusLayout) == (records + 1) * wordsOfRecord * sizeof(std::uint64_t));
static_assert(std::is_standard_layout_v<StatusLayout>);

std::uint64_t pair(std::int32_t low, std::int32_t high)
{
    return static_cast<std::uint32_t>(low) | std::uint64_t { static_cast<std::uint32_t>(high) } << 32U;
}

std::int32_t low(std::uint64_t word) { return static_cast<std::int32_t>(word & 0xffff'ffffU); }
std::int32_t high(std::uint64_t word) { return static_cast<std::int32_t>(word >> 32U); }

std::uint64_t byteAt(std::uint64_t value, unsigned place) { return value << (8U * place); }
std::uint8_t byteOf(std::uint64_t word, unsigned place) { return static_cast<std::uint8_t>(word >> (8U * place)); }

std::uint64_t placeOf(const Pass& pass) { return pair(pass.stage.value, pass.microBatch.value); }

Words packed(const DeviceStatus& status)
{
    const Pass finished = status.finished.value_or(Pass {});
    const auto kind = [](const Pass& pass) { return static_cast<std::uint64_t>(pass.kind); };
    return {
        static_cast<std::uint64_t>(std::chrono::duration_cast<Nanoseconds>(status.since.time_since_epoch()).count()),
        pair(status.device.value, status.from.value),
        placeOf(status.pass),
        placeOf(status.needs),
        placeOf(finished),
        byteAt(static_cast<std::uint64_t>(status.doing), 0) | byteAt(kind(status.pass), 1)
            | byteAt(kind(status.needs), 2) | byteAt(kind(finished), 3) | byteAt(status.finished ? 1 : 0, 4),
        0,
        0,
    };
}

std::optional<DeviceStatus> unpacked(const Words& words)
{
    const std::uint64_t kinds = words[5];
    constexpr auto lastKind = static_cast<std::uint8_t>(PassKind::None);
    if (byteOf(kinds, 0) > static_cast<std::uint8_t>(Doing::Ended) || byteOf(kinds, 1) > lastKind
        || byteOf(kinds, 2) > lastKind || byteOf(kinds, 3) > lastKind || byteOf(kinds, 4) > 1)
        return std::nullopt;

    const auto pass = [&](std::size_t word, unsigned kindPlace) {
        return Pass { StageId { low(words[word]) }, MicroBatch { high(words[word]) },
            static_cast<PassKind>(byteOf(kinds, kindPlace)) };
    };
    DeviceStatus status;
    status.since = Clock::time_point(
        std::chrono::duration_cast<Clock::duration>(Nanoseconds(static_cast<std::int64_t>(words[0]))));
    status.device = DeviceId { low(words[1]) };
    status.from = DeviceId { high(words[1]) };
    status.pass = pass(2, 1);
    status.needs = pass(3, 2);
    if (byteOf(kinds, 4) == 1)
        status.finished = pass(4, 3);
    status.doing = static_cast<Doing>(byteOf(kinds, 0));
    return status;
}

/// What a writer and its readers agree on is carried by releases and acquires of the words themselves: a reader that sees a
/// word of a later record sees `published` at least as high as it was when that record was begun.
void put(StatusLayout& layout, std::uint64_t number, const DeviceStatus& status)
{
    const Words words = packed(status);
    auto& record = layout.ring[number % records];
    for (std::size_t i = 0; i < wordsOfRecord; ++i)
        record[i].store(words[i], std::memory_order_release);
    layout.published.store(number, std::memory_order_release);
}

Finding problem(std::string message, std::string remedy)
{
    Finding finding;
    finding.rule = "run/status";
    finding.message = std::move(message);
    finding.remedy = std::move(remedy);
    return finding;
}

Finding cannotMake(const std::string& path, int error)
{
    return problem(
        fmt::format("The status file `{}` cannot be made: {}.", path, std::generic_category().message(error)),
        "Make room there, or let TMPDIR name a folder that can be written.");
}

Finding cannotRead(const std::string& path, const std::string& why)
{
    return problem(fmt::format("The status file `{}` cannot be read: {}.", path, why),
        "Look whether the rank that writes it has started, and by the same version of pipeloom.");
}

StatusMapping mapped(const OwnedFd& file, int protection)
{
    void* const memory = ::mmap(nullptr, sizeof(StatusLayout), protection, MAP_SHARED, file.get(), 0);
    // The file's bytes are the object: zeros of a new file, or what another process stored through the same atomics.
    return StatusMapping(memory == MAP_FAILED ? nullptr : static_cast<StatusLayout*>(memory));
}

} // namespace

void StatusUnmap::operator()(const StatusLayout* layout) const
{
    ::munmap(const_cast<StatusLayout*>(layout), sizeof(StatusLayout)); // NOLINT(*-const-cast): the call takes void*
}

StatusWriter::Created StatusWriter::create(const std::string& path, const DeviceStatus& first)
{
    const std::string unfinished = path + ".new";
    std::remove(unfinished.c_str());
    const OwnedFd file(::open(unfinished.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (!file)
        return { nullptr, { cannotMake(path, errno) } };
    // With its blocks taken a full disk is told here; later it would be a SIGBUS.
    const int full = ::posix_fallocate(file.get(), 0, sizeof(StatusLayout));
    auto layout = full == 0 ? mapped(file, PROT_READ | PROT_WRITE) : nullptr;
    if (layout == nullptr) {
        const int error = full == 0 ? errno : full;
        std::remove(unfinished.c_str());
        return { nullptr, { cannotMake(path, error) } };
    }
    std::unique_ptr<StatusWriter> writer(new StatusWriter(std::move(layout)));
    writer->write(first);
    writer->layout_->magic.store(magic, std::memory_order_release);
    if (std::rename(unfinished.c_str(), path.c_str()) != 0) {
        const int error = errno;
        std::remove(unfinished.c_str());
        return { nullptr, { cannotMake(path, error) } };
    }
    return { std::move(writer), {} };
}

void StatusWriter::write(const DeviceStatus& status) { put(*layout_, ++written_, status); }

StatusReader::Opened StatusReader::open(const std::string& path)
{
    const OwnedFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    struct stat about { };
    if (!file || ::fstat(file.get(), &about) != 0)
        return { nullptr, { cannotRead(path, std::generic_category().message(errno)) } };
    if (!S_ISREG(about.st_mode) || about.st_size < static_cast<off_t>(sizeof(StatusLayout)))
        return {
            nullptr,
            { cannotRead(path,
                fmt::format("it has {} bytes and not the {} of a status file", about.st_size, sizeof(StatusLayout))) }
        };
    auto layout = mapped(file, PROT_READ);
    if (layout == nullptr)
        return { nullptr, { cannotRead(path, std::generic_category().message(errno)) } };
    if (layout->magic.load(std::memory_order_acquire) != magic)
        return { nullptr, { cannotRead(path, "it is no status file of this version") } };
    return { std::unique_ptr<StatusReader>(new StatusReader(std::move(layout))), {} };
}

std::optional<DeviceStatus> StatusReader::read() const
{
    for (int i = 0; i < tries; ++i) {
        const std::uint64_t number = layout_->published.load(std::memory_order_acquire);
        const auto& record = layout_->ring[number % records];
        Words words {};
        for (std::size_t word = 0; word < wordsOfRecord; ++word)
            words[word] = record[word].load(std::memory_order_acquire);
        if (layout_->published.load(std::memory_order_relaxed) < number + records - 1)
            return unpacked(words);
    }
    return std::nullopt;
}

std::uint64_t StatusReader::written() const { return layout_->published.load(std::memory_order_acquire); }

} // namespace pipeloom::executor
