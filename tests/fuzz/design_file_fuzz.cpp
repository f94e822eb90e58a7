// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// Whatever the bytes: the reader ends, and either gives a design or says what is wrong. What it gives can be written and
// read back the same, and the written text is a fixed point.
//
//     cmake --preset fuzz && cmake --build --preset fuzz --target design_file_fuzz
//     mkdir -p /tmp/corpus && build/fuzz/fuzz/design_file_fuzz -dict=tests/fuzz/design_file.dict -max_len=4096
//         -rss_limit_mb=6000 -timeout=60 /tmp/corpus resources/designs

#include "core/formats/design_file.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace {

void require(bool holds, const char* what)
{
    if (!holds) {
        std::fprintf(stderr, "not so: %s\n", what);
        std::abort();
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using namespace pipeloom;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const ReadDesign read = readDesign(text);
    require(read.design.has_value() != hasErrors(read.findings), "a design, or an error");
    for (const Finding& finding : read.findings)
        require(!finding.message.empty() && !finding.remedy.empty() && !finding.where.empty(), "findings are whole");
    if (!read.design.has_value())
        return 0;
    const std::string written = writeDesign(*read.design);
    const ReadDesign again = readDesign(written);
    require(again.design.has_value(), "what is written can be read");
    require(*again.design == *read.design, "what is written reads back the same");
    require(writeDesign(*again.design) == written, "what is written is canonical");
    return 0;
}
