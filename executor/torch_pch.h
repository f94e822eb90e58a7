// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The precompiled header of executor/torch. LibTorch only, nothing of ours: a change in core must not rebuild it.

#include <ATen/ATen.h>
#include <torch/csrc/autograd/custom_function.h>
