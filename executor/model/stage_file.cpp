// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/model/stage_file.h"

#include "core/formats/text_file.h"

#include <cstring>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace pipeloom::executor {

namespace {

constexpr std::string_view magic = "pipeloom stage 1\n";
constexpr std::size_t checksumBytes = sizeof(std::uint64_t);

/// FNV-1a over words of eight bytes, and the rest byte by byte.
std::uint64_t checksum(std::string_view bytes)
{
    std::uint64_t sum = 0xcbf29ce484222325U;
    const auto mix = [&sum](std::uint64_t word) {
        sum = (sum ^ word) * 0x100000001b3U;
        sum ^= sum >> 32U; // a product carries only upwards
    };
    for (; bytes.size() >= sizeof(std::uint64_t); bytes.remove_prefix(sizeof(std::uint64_t))) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data(), sizeof word);
        mix(word);
    }
    for (const char c : bytes)
        mix(static_cast<unsigned char>(c));
    return sum;
}

template <class Number> void appendNumber(std::string& bytes, Number number)
{
    bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

void appendArray(std::string& bytes, const ArrayView& array)
{
    appendNumber(bytes, static_cast<std::uint64_t>(array.name.size()));
    bytes += array.name;
    appendNumber(bytes, static_cast<std::uint64_t>(array.shape.size()));
    for (const std::int64_t length : array.shape)
        appendNumber(bytes, length);
    appendNumber(bytes, static_cast<std::uint64_t>(array.values.size()));
    bytes.append(reinterpret_cast<const char*>(array.values.data()), array.values.size_bytes());
}

Finding error(const char* rule, std::string message)
{
    return { rule, Severity::Error, {}, "", std::move(message), "Resume from another checkpoint." };
}

/// Takes pieces off the front; once something is missing, nothing more comes.
class Reader {
public:
    explicit Reader(std::string_view bytes)
        : rest_(bytes)
    {
    }

    [[nodiscard]] std::optional<std::string_view> bytes(std::uint64_t count)
    {
        if (count > rest_.size())
            return {};
        const std::string_view piece = rest_.substr(0, count);
        rest_.remove_prefix(count);
        return piece;
    }

    template <class Number> [[nodiscard]] std::optional<Number> number()
    {
        const auto piece = bytes(sizeof(Number));
        if (!piece)
            return {};
        Number number {};
        piece->copy(reinterpret_cast<char*>(&number), sizeof number);
        return number;
    }

    [[nodiscard]] bool atEnd() const { return rest_.empty(); }
    [[nodiscard]] std::size_t left() const { return rest_.size(); }

private:
    std::string_view rest_;
};

/// The next array goes into `arrays`; false if the bytes are not one.
bool readArray(Reader& reader, ArraysByName& arrays)
{
    const auto nameSize = reader.number<std::uint64_t>();
    const auto name = nameSize ? reader.bytes(*nameSize) : std::nullopt;
    const auto dimensions = name ? reader.number<std::uint64_t>() : std::nullopt;
    if (!dimensions || *dimensions > reader.left() / sizeof(std::int64_t))
        return false;
    Array array;
    for (std::uint64_t i = 0; i < *dimensions; ++i)
        array.shape.push_back(reader.number<std::int64_t>().value_or(0));
    const auto count = reader.number<std::uint64_t>();
    if (!count || *count > reader.left() / sizeof(float))
        return false;
    const std::string_view values = reader.bytes(*count * sizeof(float)).value_or("");
    array.values.resize(*count);
    std::memcpy(array.values.data(), values.data(), values.size());
    return arrays.emplace(*name, std::move(array)).second;
}

/// Nothing if the bytes are not those that were written.
std::optional<ArraysByName> arraysOf(std::string_view bytes)
{
    if (bytes.size() < magic.size() + checksumBytes || !bytes.starts_with(magic))
        return {};
    const std::string_view content = bytes.substr(0, bytes.size() - checksumBytes);
    if (Reader(bytes.substr(content.size())).number<std::uint64_t>() != checksum(content))
        return {};
    Reader reader(content.substr(magic.size()));
    ArraysByName arrays;
    while (!reader.atEnd())
        if (!readArray(reader, arrays))
            return {};
    return arrays;
}

} // namespace

Findings writeStageFile(const std::string& path, std::span<const ArrayView> arrays)
{
    std::size_t size = magic.size() + checksumBytes;
    for (const ArrayView& array : arrays)
        size += array.values.size_bytes() + 256;
    std::string bytes;
    bytes.reserve(size);
    bytes += magic;
    for (const ArrayView& array : arrays)
        appendArray(bytes, array);
    appendNumber(bytes, checksum(bytes));
    return saveText(path, bytes);
}

StageFile readStageFile(const std::string& path)
{
    ReadText content = readTextFile(path, std::numeric_limits<std::size_t>::max());
    if (!content.text)
        return { {}, std::move(content.findings) };
    auto arrays = arraysOf(*content.text);
    if (!arrays)
        return { {},
            { error("checkpoint/damaged",
                path + " is not a whole stage of a checkpoint: its content does not fit its checksum.") } };
    return { std::move(*arrays), {} };
}

} // namespace pipeloom::executor
