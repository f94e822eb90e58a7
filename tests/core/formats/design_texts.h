// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#pragma once

// Texts of designs that the tests of the reader change in one place, and their findings in short.

#include "core/formats/design_file.h"

#include <QString>
#include <QStringList>

#include <string>

namespace pipeloom::test {

/// A block with every key, none at its default.
inline constexpr const char* blockDesign = R"({
  "pipeloom": 1,
  "name": "All keys",
  "notes": "none at its default",
  "pipeline": { "devices": 2, "stages": 3, "micro_batches": 4, "placement": [0, 1, 0] },
  "costs": {
    "tick_us": 2.5,
    "F": [1, 2, 3],
    "B": 2,
    "W": 3,
    "BW": 4,
    "pair": 6,
    "memory": {
      "unit": "bytes",
      "F": [10, 20, 30],
      "B": -1,
      "W": -2,
      "BW": -3,
      "transient": { "F": 1, "B": 2, "W": 3, "BW": [4, 5, 6] },
      "static": [100, 200],
      "communication": 7,
      "limit": [null, 500]
    },
    "network": { "queue": "pair", "latency": 3, "bytes_per_tick": 10, "bytes": [100, 101], "window": 2 }
  },
  "block": {
    "interval": 6,
    "group": 2,
    "durations": { "F": [1, 1, 2], "B": 2, "W": 4, "BW": 3 },
    "rows": [
      "0F0@0 2F1@7",
      "1F0@1 (1F1+1BW0)@3"
    ]
  },
  "reorder": { "rule": "weights", "aim": "own_span" },
  "model": { "layers": 6, "hidden": 8, "heads": 2, "sequence": 16, "micro_batch_size": 5, "vocabulary": 300 },
  "training": { "steps": 10, "seed": 0, "learning_rate": 0.001, "warmup": 1, "decay": 2, "weight_decay": 0.5, "clip": 1.25, "accumulate": 2, "precision": "bf16", "evaluate_every": 5, "checkpoint_every": 6, "layers_per_stage": [1, 2, 3], "data": ["a.txt", "b.txt"] },
  "view": { "zoom":2 }
}
)";

/// An explicit schedule with routes.
inline constexpr const char* scheduleDesign = R"({
  "pipeloom": 1,
  "pipeline": { "devices": 2, "stages": 2, "micro_batches": 2, "routes": { "placements": [[0, 1], [1, 0]], "of_micro_batch": [0, 1] } },
  "costs": {
    "network": { "transfer": 2 }
  },
  "schedule": {
    "rows": [
      "0F0 1F1 1BW1 0BW0",
      "0F1 1F0 1BW0 0BW1"
    ]
  }
}
)";

enum class Base { Block, Scheduled };

/// One of the two with the first `from` replaced.
inline std::string changed(Base base, const QString& from, const QString& to)
{
    std::string text = base == Base::Block ? blockDesign : scheduleDesign;
    const std::size_t at = text.find(from.toStdString());
    if (at == std::string::npos)
        qFatal("the text to be changed is not there: %s", qPrintable(from));
    return text.replace(at, from.toStdString().size(), to.toStdString());
}

/// `file/range /costs/F 3; ...`: rule, pointers, column of every finding, in order.
inline QString placesOf(const Findings& findings)
{
    QStringList all;
    for (const Finding& finding : findings) {
        QStringList words { QString::fromStdString(finding.rule) };
        for (const Place& place : finding.where) {
            words << QString::fromStdString(place.pointer);
            if (place.column.has_value())
                words << QString::number(*place.column);
        }
        all << words.join(' ');
    }
    return all.join("; ");
}

inline QString wordsOf(const Findings& findings)
{
    QString all;
    for (const Finding& finding : findings)
        all += QString::fromStdString(text(finding)) + '\n';
    return all;
}

} // namespace pipeloom::test
