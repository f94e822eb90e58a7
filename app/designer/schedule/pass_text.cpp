// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/schedule/pass_text.h"

#include "app/designer/export/quantities.h"
#include "app/designer/schedule/row_labels.h"
#include "core/simulate/idle_reason.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>

namespace pipeloom::designer {

namespace {

const QString dot = QStringLiteral(" · ");

QString tr(const char* text) { return QCoreApplication::translate("pipeloom::designer::Timeline", text); }

QString number(Ticks value) { return QLocale().toString(static_cast<qlonglong>(value)); }

QString spanText(Ticks from, Ticks to) { return number(from) + QChar(0x2013) + number(to); }

QString nameOf(const Pass& pass) { return QString::fromStdString(text(pass)); }

/// `7B3 (dev 0) and 6F3`
QString listText(const ScheduleData& data, const std::vector<PassIndex>& passes, DeviceId own)
{
    QStringList names;
    for (const PassIndex pass : passes) {
        const DeviceId device = data.deviceOf(pass);
        QString name = nameOf(data.at(pass).pass);
        if (device != own)
            name = tr("%1 (dev %2)").arg(name).arg(device.value);
        names << name;
    }
    if (names.size() < 2)
        return names.join(QString());
    const QString last = names.takeLast();
    return tr("%1 and %2").arg(names.join(QStringLiteral(", ")), last);
}

QString amountOf(const ScheduleData& data, DeviceId device)
{
    const std::optional<Bytes> limit = data.design().memory.limit[device.index()];
    return limit ? tr(" of %1").arg(levelText(*limit, data.design().memory.unit)) : QString();
}

QStringList passLines(const ScheduleData& data, PassIndex pass)
{
    const TimedPass& timed = data.at(pass);
    const DeviceId device = data.deviceOf(pass);
    const MemoryUnit unit = data.design().memory.unit;
    QStringList lines;
    lines << nameOf(timed.pass) + dot + kindText(timed.pass);
    lines << tr("device %1").arg(device.value) + dot + spanText(timed.start, timed.end) + dot
            + durationText(timed.end - timed.start, data.design());
    if (const QString needs = listText(data, data.needs(pass), device); !needs.isEmpty())
        lines << tr("needs %1").arg(needs);
    if (const QString feeds = listText(data, data.feeds(pass), device); !feeds.isEmpty())
        lines << tr("feeds %1").arg(feeds);
    lines << tr("memory %1 → %2%3")
                 .arg(levelText(data.levelBefore(pass), unit), levelText(data.levelAfter(pass), unit),
                     amountOf(data, device));
    return lines;
}

QStringList idleLines(const ScheduleData& data, const TimelineHit& hit)
{
    const auto time = static_cast<Ticks>(std::floor(hit.time));
    const auto reason = idleReason(data.timeline(), data.pipeline(), hit.device, time);
    if (!reason)
        return {};
    return { QString::fromStdString(text(*reason)),
        tr("idle %1").arg(spanText(reason->start, reason->end)) + dot
            + durationText(reason->end - reason->start, data.design()) };
}

QString transferLine(const ScheduleData& data, std::int32_t index)
{
    const TimedTransfer& transfer = data.timeline().transfers[static_cast<std::size_t>(index)];
    const QString what = transfer.pass.kind == PassKind::F ? tr("activations of %1") : tr("gradient of %1");
    return what.arg(nameOf(transfer.pass)) + dot
        + tr("device %1 to device %2").arg(transfer.from.value).arg(transfer.to.value) + dot
        + spanText(transfer.start, transfer.end) + dot + durationText(transfer.end - transfer.start, data.design());
}

QString memoryLine(const ScheduleData& data, const TimelineHit& hit)
{
    return tr("device %1 holds %2%3 at %4")
        .arg(hit.device.value)
        .arg(levelText(levelAt(data, hit.device, hit.time), data.design().memory.unit), amountOf(data, hit.device),
            number(static_cast<Ticks>(std::floor(hit.time))));
}

} // namespace

QString kindText(const Pass& pass)
{
    const QString what = pass.kind == PassKind::F ? tr("forward of stage %1, micro-batch %2")
        : pass.kind == PassKind::B                ? tr("input gradient of stage %1, micro-batch %2")
        : pass.kind == PassKind::W                ? tr("weight gradient of stage %1, micro-batch %2")
                                                  : tr("whole backward of stage %1, micro-batch %2");
    return what.arg(pass.stage.value).arg(pass.microBatch.value);
}

QString durationText(Ticks ticks, const Design& design)
{
    const QString count = ticks == 1 ? tr("1 tick") : tr("%1 ticks").arg(number(ticks));
    const double us = static_cast<double>(ticks) * design.costs.tickUs;
    const QString time = us >= 1e6 ? tr("%1 s").arg(us / 1e6, 0, 'g', 4)
        : us >= 1e3                ? tr("%1 ms").arg(us / 1e3, 0, 'g', 4)
                                   : tr("%1 µs").arg(us, 0, 'g', 4);
    return count + QStringLiteral(" (") + time + QChar(')');
}

QString passSentence(const ScheduleData& data, PassIndex pass)
{
    const TimedPass& timed = data.at(pass);
    const DeviceId device = data.deviceOf(pass);
    QStringList parts;
    parts << tr("%1 on device %2").arg(nameOf(timed.pass)).arg(device.value) << spanText(timed.start, timed.end);
    if (const QString needs = listText(data, data.needs(pass), device); !needs.isEmpty())
        parts << tr("needs %1").arg(needs);
    if (const QString feeds = listText(data, data.feeds(pass), device); !feeds.isEmpty())
        parts << tr("feeds %1").arg(feeds);
    return parts.join(dot);
}

QStringList tipLines(const ScheduleData& data, const TimelineHit& hit)
{
    using What = TimelineHit::What;
    switch (hit.what) {
    case What::Pass:
        return passLines(data, hit.pass);
    case What::Merged:
        return { tr("%1 passes, zoom in").arg(hit.count) };
    case What::Idle:
        return idleLines(data, hit);
    case What::Transfer:
        return { transferLine(data, hit.transfer) };
    case What::Memory:
        return { memoryLine(data, hit) };
    case What::Label: {
        const DeviceMetrics& metrics = data.metrics().devices[hit.device.index()];
        return { tr("device %1").arg(hit.device.value) + dot + stagesText(data.pipeline(), hit.device),
            tr("busy %1 of %2 ticks").arg(number(metrics.busy), number(data.metrics().makespan())) + dot
                + tr("idle share %1").arg(shareText(data.metrics().idleShare(hit.device))),
            tr("peak %1").arg(levelText(metrics.peak, data.design().memory.unit)) + amountOf(data, hit.device) };
    }
    default:
        return {};
    }
}

QString hitSentence(const ScheduleData& data, const TimelineHit& hit)
{
    if (hit.what == TimelineHit::What::Pass)
        return passSentence(data, hit.pass);
    return tipLines(data, hit).join(dot);
}

QString rangeSentence(const ScheduleData& data, const RangeFigures& figures)
{
    const double whole = static_cast<double>(figures.range.length()) * static_cast<double>(figures.devices.size());
    const auto share = [&](Ticks part) { return shareText(whole > 0 ? static_cast<double>(part) / whole : 0); };
    QStringList parts;
    parts << spanText(figures.range.from, figures.range.to) << durationText(figures.range.length(), data.design())
          << tr("busy %1").arg(share(figures.busy)) << tr("idle %1").arg(share(figures.idle));
    if (data.hasTransfers())
        parts << tr("transfer %1").arg(share(figures.transfer));
    parts << tr("peak %1").arg(levelText(figures.peak, data.design().memory.unit));
    return parts.join(dot);
}

} // namespace pipeloom::designer
