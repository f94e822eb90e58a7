// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/run_texts.h"

#include "app/designer/panels/quantity.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pipeloom::designer {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("RunTexts", text); }

constexpr QChar minus { 0x2212 };
constexpr QChar narrowBlank { 0x202F };

} // namespace

int decimalsFor(double ms)
{
    const double size = std::abs(ms);
    return size >= 1000 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
}

QString msText(double ms) { return std::isfinite(ms) ? QString::number(ms, 'f', decimalsFor(ms)) : QString(noFigure); }

QString lossText(double loss)
{
    if (!std::isfinite(loss))
        return tr("not finite");
    const double size = std::abs(loss);
    return QString::number(loss, 'f', size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : size >= 0.01 ? 3 : 6);
}

QString countText(std::int64_t number)
{
    QString digits = QString::number(std::abs(number));
    for (qsizetype at = digits.size() - 3; at > 0; at -= 3)
        digits.insert(at, narrowBlank);
    return number < 0 ? minus + digits : digits;
}

QString countedText(std::int64_t number, const QString& one, const QString& many)
{
    return countText(number) + " " + (number == 1 ? one : many);
}

QString ratioText(double ratio)
{
    return ratio > 0 && std::isfinite(ratio) ? QString("%1 ×").arg(ratio, 0, 'f', ratio >= 100 ? 0 : 2)
                                             : QString(noFigure);
}

QString changeText(double share)
{
    const QString digits = QString::number(std::abs(100 * share), 'f', 1);
    if (digits == "0.0")
        return digits + " %";
    return (share < 0 ? minus : QChar('+')) + digits + " %";
}

QString durationText(double seconds)
{
    if (!(seconds >= 1))
        return tr("under 1 s");
    const auto whole = static_cast<std::int64_t>(std::min(seconds, 1e12));
    if (whole < 60)
        return tr("%1 s").arg(whole);
    if (whole < 3600)
        return tr("%1 min %2 s").arg(whole / 60).arg(whole % 60);
    if (whole < 86'400)
        return tr("%1 h %2 min").arg(whole / 3600).arg(whole % 3600 / 60);
    return tr("%1 d %2 h").arg(whole / 86'400).arg(whole % 86'400 / 3600);
}

QString bytesText(std::int64_t bytes) { return figureText(bytes, MemoryUnit::Byte); }

std::vector<double> roundedToAddUp(std::span<const double> parts, int decimals)
{
    const double unit = std::pow(10.0, decimals);
    const double sum = std::accumulate(parts.begin(), parts.end(), 0.0);
    std::vector<double> floors;
    std::vector<std::size_t> order(parts.size());
    std::iota(order.begin(), order.end(), std::size_t { 0 });
    for (const double part : parts)
        floors.push_back(std::floor(part * unit));
    const double whole = std::round(sum * unit);
    auto left = static_cast<std::int64_t>(whole - std::accumulate(floors.begin(), floors.end(), 0.0));
    // Those that lose most by being rounded down are rounded up.
    std::stable_sort(order.begin(), order.end(),
        [&](std::size_t a, std::size_t b) { return parts[a] * unit - floors[a] > parts[b] * unit - floors[b]; });
    for (const std::size_t at : order)
        if (left-- > 0)
            floors[at] += 1;
    std::vector<double> rounded;
    for (const double each : floors)
        rounded.push_back(each / unit);
    rounded.push_back(whole / unit);
    return rounded;
}

} // namespace pipeloom::designer
