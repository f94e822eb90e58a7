// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/panels/quantity.h"

#include <QRegularExpression>

#include <array>
#include <cmath>
#include <cstdlib>

namespace pipeloom::designer {

namespace {

constexpr QChar minus { 0x2212 };
constexpr std::array<const char*, 6> byteUnits { "kB", "MB", "GB", "TB", "PB", "EB" };

} // namespace

QString wholeText(std::int64_t number)
{
    return number < 0 ? minus + QString::number(number).mid(1) : QString::number(number);
}

QString figureText(std::optional<Bytes> amount, MemoryUnit unit)
{
    if (!amount)
        return noFigure;
    if (unit == MemoryUnit::Activation)
        return wholeText(*amount);
    double value = std::abs(static_cast<double>(*amount));
    const QString sign = *amount < 0 ? QString(minus) : QString();
    if (value < 1000)
        return wholeText(*amount) + " B";
    std::size_t at = 0;
    for (value /= 1000; at + 1 < byteUnits.size() && value >= 1000; ++at)
        value /= 1000;
    return QString("%1%2 %3").arg(sign, QString::number(value, 'f', value < 100 ? 2 : 1), byteUnits[at]);
}

QString exactAmountText(Bytes amount, MemoryUnit unit)
{
    if (unit == MemoryUnit::Activation || std::abs(amount) < 1000)
        return wholeText(amount);
    // As many thousands as leave at most three decimals.
    Bytes scale = 1;
    std::size_t unitAt = 0;
    for (; unitAt < byteUnits.size() && std::abs(amount) / 1000 >= scale && amount % scale == 0; ++unitAt)
        scale *= 1000;
    if (scale == 1)
        return wholeText(amount);
    QString digits = QString::number(std::abs(amount) / scale);
    if (const Bytes rest = std::abs(amount) % scale / (scale / 1000); rest != 0) {
        QString decimals = QString::number(rest).rightJustified(3, '0');
        while (decimals.endsWith('0'))
            decimals.chop(1);
        digits += '.' + decimals;
    }
    return QString("%1%2 %3").arg(amount < 0 ? QString(minus) : QString(), digits, byteUnits[unitAt - 1]);
}

std::optional<std::int64_t> wholeOf(const QString& text)
{
    bool ok = false;
    const qint64 number = text.trimmed().replace(minus, '-').toLongLong(&ok);
    return ok ? std::optional<std::int64_t>(number) : std::nullopt;
}

std::optional<Bytes> amountOf(const QString& text, MemoryUnit unit)
{
    if (const auto whole = wholeOf(text))
        return std::abs(*whole) < maxBytes ? whole : std::nullopt;
    if (unit == MemoryUnit::Activation)
        return std::nullopt;
    static const QRegularExpression form(
        R"(^\s*([-−]?\d+(?:\.\d+)?)\s*([kKMGTPE]?)(i?)B?\s*$)", QRegularExpression::UseUnicodePropertiesOption);
    const QRegularExpressionMatch match = form.match(text);
    if (!match.hasMatch())
        return std::nullopt;
    double value = match.captured(1).replace(minus, '-').toDouble();
    const double step = match.captured(3).isEmpty() ? 1000 : 1024;
    const auto times = QString("KMGTPE").indexOf(match.captured(2).toUpper()) + 1;
    if (match.captured(2).isEmpty() && !match.captured(3).isEmpty())
        return std::nullopt; // `5 iB`
    if (!match.captured(2).isEmpty())
        value *= std::pow(step, static_cast<double>(times));
    if (!(std::abs(value) < static_cast<double>(maxBytes)))
        return std::nullopt;
    return static_cast<Bytes>(std::llround(value));
}

} // namespace pipeloom::designer
