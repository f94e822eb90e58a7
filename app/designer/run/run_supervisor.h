// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The shell script that stands between a window and its run. It leads a session of its own, starts the run, writes its exit
// code down, kills what the run has left behind, and ends the run when the window is gone, however it went: the window holds the
// other end of its standard input. So nothing depends on the window coming to its end in good order.

namespace pipeloom::designer {

/// Arguments: the run's folder; `end` or `keep`, what becomes of the run when the window is gone, which a line of standard input
/// changes; `program` or `group`, whom an interrupt is sent to; the program and its arguments. Writes `pid` and `exit` into the
/// folder. An interrupted run has five seconds to end by itself, two more after a second interrupt.
[[nodiscard]] const char* supervisorScript();

} // namespace pipeloom::designer
