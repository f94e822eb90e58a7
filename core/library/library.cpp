// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/library/library.h"

#include "core/library/entries.h"

#include <array>

namespace pipeloom {

std::span<const LibraryEntry> library()
{
    static const std::array<LibraryEntry, 8> entries { gpipeEntry, oneFOneBEntry, interleavedEntry, zbH1Entry,
        zbH2Entry, vMinEntry, vHalfEntry, vZbEntry };
    return entries;
}

const LibraryEntry* findInLibrary(std::string_view name)
{
    for (const LibraryEntry& entry : library())
        if (entry.name == name)
            return &entry;
    return nullptr;
}

} // namespace pipeloom
