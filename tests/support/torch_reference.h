// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// tests/reference/torch.json: schedules of PyTorch's pipelining package, their lowered lists and figures, as core's types.
// There I is our B and B is our BW; `(0F3;7B1)OVERLAP_F_B` is a pair; `1SEND_F0`, `2RECV_F0` name the stage that sends and
// the stage that receives.

#include "core/program/program.h"
#include "core/schedule/schedule.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace pipeloom::test {

struct TorchSchedule {
    std::string name;
    Pipeline pipeline;
    Schedule schedule;
    nlohmann::json json;
};

inline std::vector<std::string> cellsOf(const std::string& row)
{
    std::vector<std::string> cells(1);
    for (const char c : row) {
        if (c == ',')
            cells.emplace_back();
        else
            cells.back() += c;
    }
    return cells;
}

/// `2F7`, `2I7`, `2W7`, `2B7`.
inline Pass torchPass(const std::string& text)
{
    const std::size_t at = text.find_first_not_of("0123456789");
    Pass pass;
    pass.stage = StageId { std::stoi(text.substr(0, at)) };
    pass.microBatch = MicroBatch { std::stoi(text.substr(at + 1)) };
    switch (text[at]) {
    case 'F':
        pass.kind = PassKind::F;
        break;
    case 'I':
        pass.kind = PassKind::B;
        break;
    case 'W':
        pass.kind = PassKind::W;
        break;
    case 'B':
        pass.kind = PassKind::BW;
        break;
    default:
        throw std::invalid_argument("no pass: " + text);
    }
    return pass;
}

inline Slot torchSlot(const std::string& cell)
{
    if (cell.front() != '(')
        return { torchPass(cell), {} };
    const std::size_t middle = cell.find(';');
    const std::size_t end = cell.find(')');
    const Pass first = torchPass(cell.substr(1, middle - 1));
    const Pass second = torchPass(cell.substr(middle + 1, end - middle - 1));
    return first.kind == PassKind::F ? Slot { first, second } : Slot { second, first };
}

inline TorchSchedule torchSchedule(const nlohmann::json& json)
{
    TorchSchedule made;
    made.json = json;
    made.name = json.at("name").get<std::string>();
    for (const auto& [key, value] : json.at("params").items())
        made.name += " " + key + std::to_string(value.get<int>());
    Pipeline& p = made.pipeline;
    p.devices = json.at("pp").get<int>();
    p.stages = json.at("stages").get<int>();
    p.microBatches = json.at("microbatches").get<int>();
    p.kind = PlacementKind::List;
    p.routes.emplace_back();
    for (const auto& device : json.at("stage_to_rank"))
        p.routes.front().emplace_back(device.get<int>());
    std::vector<std::vector<Slot>> rows;
    for (const auto& row : json.at("compute")) {
        rows.emplace_back();
        for (const std::string& cell : cellsOf(row.get<std::string>()))
            if (!cell.empty())
                rows.back().push_back(torchSlot(cell));
    }
    made.schedule = schedule(rows);
    return made;
}

inline std::vector<TorchSchedule> torchSchedules()
{
    std::ifstream file(PIPELOOM_SOURCE_DIR "/tests/reference/torch.json");
    const nlohmann::json all = nlohmann::json::parse(file);
    std::vector<TorchSchedule> made;
    for (const auto& json : all.at("schedules"))
        made.push_back(torchSchedule(json));
    return made;
}

/// The lowered lists under `key` (`comms_plain`, `comms_defer`) as a program with one channel per directed pair.
inline std::vector<std::vector<Instruction>> torchLists(const TorchSchedule& from, const char* key)
{
    // Which of B and BW a stage has for a micro-batch is not said in SEND_B; the schedule tells.
    const auto backwardOf = [&](int stage, int microBatch) {
        for (const Slot& slot : from.schedule.slots)
            for (const Pass& pass : { slot.first, slot.second })
                if (pass.stage.value == stage && pass.microBatch.value == microBatch && givesInputGradient(pass.kind))
                    return pass;
        throw std::invalid_argument("no backward");
    };
    const auto deviceOf = [&](int stage) { return from.pipeline.deviceOf(StageId { stage }, RouteId { 0 }); };
    std::vector<std::vector<Instruction>> rows;
    for (const auto& row : from.json.at(key)) {
        rows.emplace_back();
        for (const std::string& cell : cellsOf(row.get<std::string>())) {
            if (cell.empty())
                continue;
            const std::size_t send = cell.find("SEND_");
            const std::size_t receive = cell.find("RECV_");
            if (send == std::string::npos && receive == std::string::npos) {
                const Slot slot = torchSlot(cell);
                rows.back().push_back({ Op::Compute, false, slot.first, DeviceId {}, -1 });
                if (slot.isPair())
                    rows.back().push_back({ Op::Compute, true, slot.second, DeviceId {}, -1 });
                continue;
            }
            const std::size_t at = send != std::string::npos ? send : receive;
            const int stage = std::stoi(cell.substr(0, at));
            const bool forward = cell[at + 5] == 'F';
            const int microBatch = std::stoi(cell.substr(at + 6));
            const int onward = forward ? 1 : -1;
            const int maker = send != std::string::npos ? stage : stage - onward;
            const Pass made = forward ? Pass { StageId { maker }, MicroBatch { microBatch }, PassKind::F }
                                      : backwardOf(maker, microBatch);
            rows.back().push_back({ send != std::string::npos ? Op::Send : Op::Receive, false, made,
                deviceOf(send != std::string::npos ? stage + onward : maker), -1 });
        }
    }
    return rows;
}

} // namespace pipeloom::test
