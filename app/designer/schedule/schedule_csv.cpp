// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/schedule/schedule_csv.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

namespace pipeloom::designer {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("pipeloom::designer::Timeline", text); }

QString number(Ticks value) { return QLocale().toString(static_cast<qlonglong>(value)); }

QString counted(Ticks count, const char* one, const char* many)
{
    return count == 1 ? tr(one) : tr(many).arg(number(count));
}

} // namespace

QString scheduleSummary(const Figures& figures, Form asked, bool busy)
{
    if (!figures.plan.simulated())
        return busy ? tr("working…") : QString();
    const Pipeline& pipeline = figures.planned->pipeline;
    const Ticks step = figures.plan.metrics.makespan();
    QStringList parts;
    if (figures.standing == Standing::OfItsOrder)
        parts << tr("does not repeat yet: of its order");
    if (figures.standing == Standing::Earlier)
        parts << tr("as it was before: %1").arg(QString::fromStdString(figures.reason));
    parts << counted(pipeline.microBatches, "1 micro-batch", "%1 micro-batches")
          << counted(static_cast<Ticks>(figures.plan.timeline.passes.size()), "1 pass", "%1 passes");
    const bool reordered = figures.plan.form == Form::Reordered;
    if (reordered && figures.squeezedTicks > 0)
        parts << tr("%1 → %2 ticks").arg(number(figures.squeezedTicks), number(step));
    else
        parts << counted(step, "1 tick", "%1 ticks");
    if (figures.pending || (asked == Form::Reordered && !reordered && busy))
        parts << tr("squeezed; reordering…");
    else if (busy)
        parts << tr("working…");
    return parts.join(QStringLiteral(" · "));
}

QString rangeCsv(const RangeFigures& figures)
{
    QString text = QStringLiteral("device,from,to,busy,idle,transfer,peak,passes\n");
    for (std::size_t d = 0; d < figures.devices.size(); ++d) {
        const DeviceRange& device = figures.devices[d];
        text += QStringLiteral("%1,%2,%3,%4,%5,%6,%7,%8\n")
                    .arg(d)
                    .arg(figures.range.from)
                    .arg(figures.range.to)
                    .arg(device.busy)
                    .arg(device.idle)
                    .arg(device.transfer)
                    .arg(device.peak)
                    .arg(device.passes);
    }
    return text;
}

QString passesCsv(const ScheduleData& data, const std::vector<PassIndex>& passes)
{
    if (passes.empty())
        return {};
    QString text = QStringLiteral("pass,device,stage,micro_batch,kind,start,end\n");
    for (const PassIndex at : passes) {
        const TimedPass& pass = data.at(at);
        text += QStringLiteral("%1,%2,%3,%4,%5,%6,%7\n")
                    .arg(QString::fromStdString(pipeloom::text(pass.pass)))
                    .arg(data.deviceOf(at).value)
                    .arg(pass.pass.stage.value)
                    .arg(pass.pass.microBatch.value)
                    .arg(QLatin1String(pipeloom::text(pass.pass.kind)))
                    .arg(pass.start)
                    .arg(pass.end);
    }
    return text;
}

} // namespace pipeloom::designer
