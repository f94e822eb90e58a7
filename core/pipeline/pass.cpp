// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/pipeline/pass.h"

namespace pipeloom {

const char* text(PassKind kind)
{
    switch (kind) {
    case PassKind::F:
        return "F";
    case PassKind::B:
        return "B";
    case PassKind::W:
        return "W";
    case PassKind::BW:
        return "BW";
    case PassKind::None:
        return "";
    }
    return "";
}

std::string text(const Pass& pass)
{
    return std::to_string(pass.stage.value) + text(pass.kind) + std::to_string(pass.microBatch.value);
}

std::string text(const Slot& slot)
{
    if (!slot.isPair())
        return text(slot.first);
    return "(" + text(slot.first) + "+" + text(slot.second) + ")";
}

} // namespace pipeloom
