// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The library's entries, one file each. A new schedule is one file that defines its entry, a line here and one in
// library.cpp.

#include "core/library/library.h"

namespace pipeloom {

extern const LibraryEntry gpipeEntry;
extern const LibraryEntry oneFOneBEntry;
extern const LibraryEntry interleavedEntry;
extern const LibraryEntry zbH1Entry;
extern const LibraryEntry zbH2Entry;
extern const LibraryEntry vMinEntry;
extern const LibraryEntry vHalfEntry;
extern const LibraryEntry vZbEntry;

} // namespace pipeloom
