// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/block/block_links.h"

#include "core/block/links.h"

#include <QObject>
#include <QStringList>

namespace pipeloom::designer {

std::vector<std::int32_t> neededBy(
    const BuildingBlock& block, const Pipeline& pipeline, const BlockIndex& index, std::int32_t pass)
{
    const Slot& slot = block.passes[static_cast<std::size_t>(pass)].slot;
    std::vector<std::int32_t> found;
    const auto note = [&](std::int32_t other) { found.push_back(other); };
    forEachInput(slot.first, pipeline, index, note);
    if (slot.isPair())
        forEachInput(slot.second, pipeline, index, note);
    return found;
}

std::vector<std::int32_t> fedBy(
    const BuildingBlock& block, const Pipeline& pipeline, const BlockIndex& index, std::int32_t pass)
{
    const Slot& slot = block.passes[static_cast<std::size_t>(pass)].slot;
    std::vector<std::int32_t> found;
    const auto note = [&](std::int32_t other) { found.push_back(other); };
    forEachFed(slot.first, pipeline, index, note);
    if (slot.isPair())
        forEachFed(slot.second, pipeline, index, note);
    return found;
}

QString sentenceOf(const BuildingBlock& block, const Pipeline& pipeline, std::int32_t pass)
{
    const BlockPass& placed = block.passes[static_cast<std::size_t>(pass)];
    QString words = QObject::tr("%1 on device %2 · %3–%4")
                        .arg(QString::fromStdString(blockText(placed.slot, block)))
                        .arg(placed.device.value)
                        .arg(placed.start)
                        .arg(placed.start + block.duration(placed.slot));
    const BlockIndex index(block, pipeline);
    if (!index.unknown().empty())
        return words;
    const auto names = [&](const std::vector<std::int32_t>& passes) {
        QStringList list;
        for (const std::int32_t other : passes) {
            const BlockPass& at = block.passes[static_cast<std::size_t>(other)];
            QString name = QString::fromStdString(blockText(at.slot, block));
            if (at.device != placed.device)
                name += QObject::tr(" (dev %1)").arg(at.device.value);
            list << name;
        }
        if (list.size() < 2)
            return list.join(QString());
        const QString last = list.takeLast();
        return QObject::tr("%1 and %2").arg(list.join(QStringLiteral(", ")), last);
    };
    if (const auto inputs = neededBy(block, pipeline, index, pass); !inputs.empty())
        words += QObject::tr(" · needs %1").arg(names(inputs));
    if (const auto fed = fedBy(block, pipeline, index, pass); !fed.empty())
        words += QObject::tr(" · feeds %1").arg(names(fed));
    return words;
}

} // namespace pipeloom::designer
