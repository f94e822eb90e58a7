// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Standard output and standard error, so that a full disk is told and a reader who has gone is not.

#include <string>
#include <string_view>

namespace pipeloom::cli {

/// Text on its way to a file descriptor, buffered. A reader who has gone (`pipeloom show x | head -1`) is no error: what
/// follows is dropped. Any other failure is kept until the end, when the command line tells it. Needs SIGPIPE ignored.
class Output {
public:
    explicit Output(int descriptor)
        : descriptor_(descriptor)
    {
    }
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    void write(std::string_view text);
    void flush();

    /// False once nothing more will be seen, so that long output may stop.
    [[nodiscard]] bool open() const { return !closed_ && error_ == 0; }
    /// errno of the first write that failed other than for a reader who has gone; 0: none.
    [[nodiscard]] int error() const { return error_; }

private:
    int descriptor_;
    int error_ = 0;
    bool closed_ = false;
    std::string buffer_;
};

} // namespace pipeloom::cli
