// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/finding/finding.h"

#include <utility>

namespace pipeloom::executor {

/// An error about a key of the design, `/model/heads`.
[[nodiscard]] inline Finding errorAt(std::string pointer, const char* rule, std::string message, std::string remedy)
{
    Place place;
    place.pointer = std::move(pointer);
    return { rule, Severity::Error, { place }, "", std::move(message), std::move(remedy) };
}

} // namespace pipeloom::executor
