// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Precompiled for the window: Qt's headers and the standard library's. Nothing of ours, so that a change in core compiles only
// what includes it.

#include <QtWidgets/QtWidgets>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>
