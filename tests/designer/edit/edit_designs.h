// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Designs for tests of edits, and their passes by name.

#include "app/designer/edit/edited.h"
#include "core/block/block_index.h"
#include "core/formats/design_file.h"
#include "core/library/library.h"

#include <QTest>

#include <string>
#include <vector>

namespace pipeloom::designer::testing {

inline Design fromLibrary(
    const char* name, std::int32_t devices = 4, std::int32_t microBatches = 8, std::int32_t chunks = 0)
{
    LibraryRequest request;
    request.devices = devices;
    request.microBatches = microBatches;
    request.chunks = chunks;
    return findInLibrary(name)->make(request).design.value();
}

/// Index of a pass by its name in the block, `7B`; the first of that name, -1 if there is none.
inline std::int32_t passOf(const Design& design, const std::string& name)
{
    const BuildingBlock& block = *design.block();
    for (std::size_t i = 0; i < block.passes.size(); ++i)
        if (blockText(block.passes[i].slot, block) == name)
            return static_cast<std::int32_t>(i);
    return -1;
}

inline Ticks startOf(const Design& design, const std::string& name)
{
    return design.block()->passes.at(static_cast<std::size_t>(passOf(design, name))).start;
}

inline std::vector<std::int32_t> passesOf(const Design& design, const std::vector<std::string>& names)
{
    std::vector<std::int32_t> found;
    for (const std::string& name : names)
        found.push_back(passOf(design, name));
    return found;
}

/// The names of passes, with blanks between them.
inline QString namesOf(const Design& design, const std::vector<std::int32_t>& passes)
{
    QStringList names;
    for (const std::int32_t pass : passes)
        names << QString::fromStdString(
            blockText(design.block()->passes.at(static_cast<std::size_t>(pass)).slot, *design.block()));
    return names.join(' ');
}

/// The text of its file, and the block's rows of it.
inline QString fileOf(const Design& design) { return QString::fromStdString(writeDesign(design)); }

} // namespace pipeloom::designer::testing

/// The edit was done, under this name; `target` becomes what it gave.
#define EDIT(target, edit, stepName)                                                                                   \
    do {                                                                                                               \
        const pipeloom::designer::Edited edited_ = (edit);                                                             \
        QVERIFY2(edited_.ok(), edited_.refusal.c_str());                                                               \
        QCOMPARE(QString::fromStdString(edited_.name), QString(stepName));                                             \
        (target) = *edited_.design;                                                                                    \
    } while (false)

/// The edit was refused with this sentence.
#define REFUSED(edit, sentence)                                                                                        \
    do {                                                                                                               \
        const pipeloom::designer::Edited edited_ = (edit);                                                             \
        QVERIFY(!edited_.ok());                                                                                        \
        QCOMPARE(QString::fromStdString(edited_.refusal), QString(sentence));                                          \
    } while (false)
