// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The inspector's first part: devices, stages and where they live, micro-batches, the group, the length of a tick.

#include "app/designer/panels/section.h"

#include <vector>

class QScrollArea;

namespace pipeloom::designer {

class PlacementBoard;

class PipelineSection : public Section {
    Q_OBJECT
public:
    explicit PipelineSection(Document& document, QWidget* parent = nullptr);

protected:
    void take(const Design& design) override;

private:
    void makeSizes();
    void makePlacement();
    void makeRest();
    [[nodiscard]] Edited placedBy(const QString& text) const;

    NumberField* devices_ = nullptr;
    NumberField* stages_ = nullptr;
    ChoiceField* placement_ = nullptr;
    ChoiceField* route_ = nullptr;
    TextField* list_ = nullptr;
    PlacementBoard* board_ = nullptr;
    QScrollArea* boardArea_ = nullptr;
    NumberField* microBatches_ = nullptr;
    NumberField* group_ = nullptr;
    TextField* tick_ = nullptr;
    Remark* locked_ = nullptr;
    std::vector<QWidget*> fixedBySchedule_; ///< what an explicit schedule locks
};

/// `0 1 2 3 3 2 1 0`, as a person types a list stage -> device: blanks or commas. None if it is no list of numbers.
[[nodiscard]] std::optional<Placement> placementOf(const QString& text);
[[nodiscard]] QString placementText(const Placement& placement);

/// A time as a person types it: `1 ms`, `250 us`, `0.5 s`, or a number of milliseconds. In microseconds; none if it is no
/// time above 0.
[[nodiscard]] std::optional<double> microsecondsOf(const QString& text);
/// `1.000 ms`: at least three decimals, as many as it takes to be read back the same.
[[nodiscard]] QString tickText(double microseconds);

} // namespace pipeloom::designer
