// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/plan_text.h"

#include "app/designer/schedule/pass_text.h"
#include "app/designer/schedule/row_labels.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>

namespace pipeloom::designer {

namespace {

const QString dot = QStringLiteral(" · ");

QString tr(const char* text) { return QCoreApplication::translate("pipeloom::designer::PlanView", text); }

QString nameOf(const Pass& pass) { return QString::fromStdString(text(pass)); }

/// Three digits or so: `0.40`, `12.3`, `480`.
QString digits(double value)
{
    const double size = std::abs(value);
    return QLocale().toString(value, 'f', size >= 100 || size == 0 ? 0 : size >= 10 ? 1 : 2);
}

QString lateText(Ticks late)
{
    constexpr Ticks none = 1000; // below a microsecond nobody is late
    if (std::abs(late) < none)
        return tr("as planned");
    return (late > 0 ? tr("%1 later than planned") : tr("%1 earlier than planned")).arg(nanosText(std::abs(late)));
}

QString tookText(const RunPicture& picture, PassPlace planned, PassPlace actual)
{
    const TimedPass& should = picture.plannedAt(planned);
    const TimedPass& was = picture.actualAt(actual);
    if (should.end <= should.start)
        return {};
    const double ratio = static_cast<double>(was.end - was.start) / static_cast<double>(should.end - should.start);
    return tr("took %1 × planned").arg(QLocale().toString(ratio, 'f', 2));
}

/// What the device did before the pass: `waited 0.31 ms for 1F3 of device 0, 0.10 ms of it for the transfer`.
QString waitText(const RunPicture& picture, const Pass& pass, PassPlace actual)
{
    std::array<Ticks, 3> spent {};
    for (const RunGap& gap : picture.gaps(actual.device))
        if (gap.before == actual.at)
            spent[static_cast<std::size_t>(gap.why)] += gap.to - gap.from;
    const Ticks waiting = spent[0];
    const Ticks transfer = spent[1];
    const Ticks own = spent[2];
    QStringList parts;
    QString what;
    if (const std::optional<Pass> input = picture.input(pass)) {
        const PassPlace maker = picture.findActual(*input);
        const PassPlace place = maker.isThere() ? maker : picture.findPlanned(*input);
        what = place.isThere() ? tr("%1 of device %2").arg(nameOf(*input)).arg(place.device.value) : nameOf(*input);
    }
    if (waiting > 0)
        parts << (what.isEmpty() ? tr("waited %1").arg(nanosText(waiting))
                                 : tr("waited %1 for %2").arg(nanosText(waiting), what));
    if (transfer > 0)
        parts << (waiting > 0 || what.isEmpty()
                ? tr("%1 for its transfer").arg(nanosText(transfer))
                : tr("waited %1 for the transfer of %2").arg(nanosText(transfer), what));
    if (own > 0)
        parts << tr("%1 between passes").arg(nanosText(own));
    return parts.join(QStringLiteral(", "));
}

QStringList passLines(const RunPicture& picture, const Pass& pass)
{
    const PassPlace planned = picture.findPlanned(pass);
    const PassPlace actual = picture.findActual(pass);
    const DeviceId device = actual.isThere() ? actual.device : planned.device;
    QStringList lines { nameOf(pass) + dot + kindText(pass) + dot + tr("device %1").arg(device.value) };
    if (planned.isThere())
        lines << tr("planned %1").arg(nanosSpan(picture.plannedAt(planned).start, picture.plannedAt(planned).end));
    else if (picture.plan())
        lines << tr("not in the plan");
    if (!actual.isThere()) {
        lines << tr("not run yet");
        return lines;
    }
    lines << tr("actual %1").arg(nanosSpan(picture.actualAt(actual).start, picture.actualAt(actual).end));
    if (planned.isThere()) {
        lines << lateText(picture.actualAt(actual).start - picture.plannedAt(planned).start);
        if (const QString took = tookText(picture, planned, actual); !took.isEmpty())
            lines << took;
    }
    if (const QString waited = waitText(picture, pass, actual); !waited.isEmpty())
        lines << waited;
    return lines;
}

QStringList idleLines(const RunPicture& picture, const PlanHit& hit)
{
    if (hit.gap < 0)
        return {};
    const RunGap& gap = picture.gaps(hit.device)[static_cast<std::size_t>(hit.gap)];
    const TimelineRow row = picture.actual(hit.device);
    QString why = gap.why == RunGap::Why::Transfer ? tr("a transfer is on its way")
        : gap.why == RunGap::Why::Own              ? tr("the device's own work between passes")
                                                   : tr("waiting");
    if (static_cast<std::size_t>(gap.before) < row.passes.size()) {
        const Pass& next = row.passes[static_cast<std::size_t>(gap.before)].pass;
        const std::optional<Pass> input = picture.input(next);
        if (input && gap.why == RunGap::Why::Transfer)
            why = tr("%1 is on its way, for %2").arg(nameOf(*input), nameOf(next));
        else if (input && gap.why == RunGap::Why::Waiting)
            why = tr("waiting for %1, not yet sent, for %2").arg(nameOf(*input), nameOf(next));
        else if (gap.why == RunGap::Why::Own)
            why = tr("%1 has all it needs: the device's own work between passes").arg(nameOf(next));
    } else if (gap.why == RunGap::Why::Own) {
        why = tr("after the last pass of all devices: sums, the optimizer's step");
    } else {
        why = tr("after its last pass, waiting for other devices");
    }
    return { tr("device %1").arg(hit.device.value) + dot + why,
        tr("idle %1").arg(nanosSpan(gap.from, gap.to)) + dot + nanosText(gap.to - gap.from) };
}

QStringList memoryLines(const RunPicture& picture, const PlanHit& hit)
{
    const RunMemory& memory = picture.memory(hit.device);
    const auto time = static_cast<Ticks>(hit.time);
    QStringList lines;
    QString held = tr("device %1 at %2").arg(hit.device.value).arg(nanosText(time));
    if (const auto level = picture.measuredLevel(hit.device, time))
        held += dot + tr("holds %1").arg(levelText(*level, MemoryUnit::Byte));
    const auto after = std::ranges::upper_bound(memory.predicted, time, {}, &LevelChange::time);
    if (after != memory.predicted.begin())
        held += dot + tr("predicted %1").arg(levelText((after - 1)->level, MemoryUnit::Byte));
    lines << held;
    QStringList peaks;
    if (memory.measuredPeak)
        peaks << tr("measured peak %1").arg(levelText(*memory.measuredPeak, MemoryUnit::Byte));
    if (memory.predictedPeak)
        peaks << tr("predicted peak %1").arg(levelText(*memory.predictedPeak, MemoryUnit::Byte));
    if (memory.limit)
        peaks << tr("limit %1").arg(levelText(*memory.limit, MemoryUnit::Byte));
    if (!peaks.isEmpty())
        lines << peaks.join(dot);
    return lines;
}

QStringList deviceLines(const RunPicture& picture, DeviceId device)
{
    QStringList lines { tr("device %1").arg(device.value) + dot
        + tr("%1 of %2 passes have run")
              .arg(picture.actual(device).passes.size())
              .arg(std::max(picture.planned(device).passes.size(), picture.actual(device).passes.size())) };
    if (picture.step() && picture.end() > 0) {
        const PlanRange range = planRange(picture, { 0, picture.end() });
        const PlanDeviceRange& own = range.devices[device.index()];
        lines << tr("compute %1 · transfer %2 · waiting %3 · own %4")
                     .arg(nanosText(own.compute), nanosText(own.transfer), nanosText(own.waiting), nanosText(own.own));
    }
    return lines;
}

} // namespace

TimeUnit unitFor(Ticks nanos)
{
    const Ticks size = std::abs(nanos);
    if (size >= 10'000'000'000)
        return { 1'000'000'000, tr("s") };
    if (size >= 1'000'000)
        return { 1'000'000, tr("ms") };
    if (size >= 1'000)
        return { 1'000, tr("µs") };
    return { 1, tr("ns") };
}

QString nanosText(Ticks nanos)
{
    if (nanos == 0)
        return QStringLiteral("0");
    const TimeUnit unit = unitFor(nanos);
    return digits(static_cast<double>(nanos) / static_cast<double>(unit.nanos)) + QChar(0x00A0) + unit.name;
}

QString nanosSpan(Ticks from, Ticks to)
{
    const TimeUnit unit = unitFor(std::max(std::abs(from), std::abs(to)));
    // As many decimals as it takes to tell the two apart.
    const double scale = static_cast<double>(unit.nanos);
    const double length = static_cast<double>(std::max<Ticks>(to - from, 1)) / scale;
    const int decimals = unit.nanos == 1 ? 0 : std::clamp(static_cast<int>(std::ceil(1 - std::log10(length))), 0, 3);
    const QLocale locale;
    return locale.toString(static_cast<double>(from) / scale, 'f', decimals) + QChar(0x2013)
        + locale.toString(static_cast<double>(to) / scale, 'f', decimals) + QChar(0x00A0) + unit.name;
}

QString amountText(Bytes amount, std::optional<Bytes> of)
{
    if (!of)
        return levelText(amount, MemoryUnit::Byte);
    const QString whole = levelText(*of, MemoryUnit::Byte);
    QString part = levelText(amount, MemoryUnit::Byte);
    // The unit is said once if both have it.
    const QString unit = whole.section(QChar(0x00A0), 1);
    if (part.section(QChar(0x00A0), 1) == unit)
        part = part.section(QChar(0x00A0), 0, 0);
    return tr("%1 of %2").arg(part, whole);
}

QString passSentence(const RunPicture& picture, const Pass& pass)
{
    const PassPlace planned = picture.findPlanned(pass);
    const PassPlace actual = picture.findActual(pass);
    if (!planned.isThere() && !actual.isThere())
        return {};
    QStringList lines = passLines(picture, pass);
    lines[0]
        = tr("%1 on device %2").arg(nameOf(pass)).arg(actual.isThere() ? actual.device.value : planned.device.value);
    return lines.join(dot);
}

QStringList tipLines(const RunPicture& picture, const PlanHit& hit)
{
    using What = PlanHit::What;
    switch (hit.what) {
    case What::Planned:
        return passLines(picture, picture.plannedAt(hit.pass).pass);
    case What::Actual:
        return passLines(picture, picture.actualAt(hit.pass).pass);
    case What::MergedPlanned:
        return { tr("%1 planned passes, zoom in").arg(hit.count) };
    case What::MergedActual:
        return { tr("%1 passes, zoom in").arg(hit.count) };
    case What::Idle:
        return idleLines(picture, hit);
    case What::Memory:
        return memoryLines(picture, hit);
    case What::Label:
        return deviceLines(picture, hit.device);
    default:
        return {};
    }
}

QString hitSentence(const RunPicture& picture, const PlanHit& hit)
{
    if (hit.what == PlanHit::What::Planned)
        return passSentence(picture, picture.plannedAt(hit.pass).pass);
    if (hit.what == PlanHit::What::Actual)
        return passSentence(picture, picture.actualAt(hit.pass).pass);
    return tipLines(picture, hit).join(dot);
}

QString rangeSentence(const PlanRange& range)
{
    const auto whole = static_cast<double>(std::max<Ticks>(range.all.whole(), 1));
    const auto share = [&](Ticks part) {
        return QLocale().toString(static_cast<double>(part) / whole * 100, 'f', 1) + QStringLiteral(" %");
    };
    QStringList parts { nanosSpan(range.range.from, range.range.to), nanosText(range.range.length()) };
    if (range.all.whole() > 0)
        parts << tr("compute %1").arg(share(range.all.compute)) << tr("transfer %1").arg(share(range.all.transfer))
              << tr("waiting %1").arg(share(range.all.waiting)) << tr("own %1").arg(share(range.all.own));
    return parts.join(dot);
}

} // namespace pipeloom::designer
