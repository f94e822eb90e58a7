// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What is done with the mouse, and keys that are no actions: for the key sheet and the table of keys.

namespace pipeloom::designer {

class ActionRegistry;

void addGestures(ActionRegistry& registry);

} // namespace pipeloom::designer
