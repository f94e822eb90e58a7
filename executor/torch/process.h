// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pipeloom::executor {

/// Whoever makes tensors calls this first, on each thread that does. Sets the thread's number of intra-op threads; the
/// first call of the process also puts the counting allocator in place.
void prepareThread(int intraOpThreads);

} // namespace pipeloom::executor
