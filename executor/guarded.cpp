// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/guarded.h"

namespace pipeloom::executor {

std::string firstLine(const char* message)
{
    std::string line(message);
    line.resize(std::min(line.find('\n'), line.size()));
    while (!line.empty() && (line.back() == '.' || line.back() == ' '))
        line.pop_back();
    return line;
}

} // namespace pipeloom::executor
