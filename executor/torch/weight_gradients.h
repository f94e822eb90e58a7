// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// The weight gradients of one stage for one micro-batch: what B leaves for W. W and BW run the same code on the same
// tensors, so B with W and BW give the same bits.

#include "executor/torch/parameter.h"

#include <vector>

namespace pipeloom::executor {

class WeightGradients {
public:
    enum class When : std::uint8_t {
        Later,  ///< a B: keep what is needed until accumulate()
        AtOnce, ///< a BW: accumulate what comes in right away
    };

    void setWhen(When when) { when_ = when; }

    /// Of a matrix that made rows of y from rows of x: gradient += gyᵀ x.
    void addLinear(Parameter& weight, const at::Tensor& x, const at::Tensor& gy);
    /// Of rows that were looked up by number: row tokens[i] of the gradient += gy[i].
    void addRows(Parameter& weight, const at::Tensor& tokens, const at::Tensor& gy);
    /// Of values that every batch row was added to: gradient += the sum of gy over the leading dimensions that the
    /// parameter does not have.
    void addSum(Parameter& weight, const at::Tensor& gy);

    /// W: accumulates all that is kept, in the order it came, and lets go of each at once.
    void accumulate();

private:
    enum class Form : std::uint8_t { Linear, Rows, Sum };
    struct Entry {
        Form form = Form::Sum;
        Parameter* weight = nullptr;
        at::Tensor x; ///< input, or tokens; Sum: nothing
        at::Tensor gy;
    };

    void add(Entry entry);
    static void accumulate(const Entry& entry);

    When when_ = When::Later;
    std::vector<Entry> entries_;
};

} // namespace pipeloom::executor
