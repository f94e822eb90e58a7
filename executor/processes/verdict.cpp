// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/processes/verdict.h"

#include "executor/processes/keys.h"
#include "executor/processes/wire.h"

namespace pipeloom::executor {

namespace {

Finding findingIn(const std::string& text)
{
    if (auto finding = findingFrom(text))
        return *finding;
    Finding finding;
    finding.rule = "run/failed";
    finding.message = "Another process of the run has ended it, in words that cannot be read here.";
    finding.remedy = "Look whether all processes are of one version, and at what the others wrote.";
    return finding;
}

} // namespace

std::optional<Finding> verdict(Store& store)
{
    const auto text = store.get(keys::end());
    return text ? std::optional(findingIn(*text)) : std::nullopt;
}

Finding claimVerdict(Store& store, const Finding& finding)
{
    return findingIn(store.claim(keys::end(), toWire(finding)));
}

} // namespace pipeloom::executor
