// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The schedule's figures as text: the line in its header, and tables for spreadsheets.

#include "app/designer/schedule/range_figures.h"

#include <QString>

namespace pipeloom::designer {

/// `8 micro-batches · 192 passes · 59 → 53 ticks`; says so if it does not hold yet, is of before, or is still being made.
[[nodiscard]] QString scheduleSummary(const Figures& figures, Form asked, bool busy);

/// device,from,to,busy,idle,transfer,peak,passes
[[nodiscard]] QString rangeCsv(const RangeFigures& figures);

/// pass,device,stage,micro_batch,kind,start,end; empty without passes.
[[nodiscard]] QString passesCsv(const ScheduleData& data, const std::vector<PassIndex>& passes);

} // namespace pipeloom::designer
