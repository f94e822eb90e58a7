// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What tests of plan and actual start from: steps whose passes ran as planned, but for what a test changes.

#include "app/designer/run/plan_panel.h"
#include "app/designer/run/plan_text.h"
#include "app/designer/run/run_session.h"
#include "tests/designer/run/panel_run.h"
#include "tests/designer/window_test_main.h"

#include <QAction>
#include <QSignalSpy>

#include <functional>

namespace pipeloom::designer::testing {

constexpr Nanos ms = 1'000'000;

inline Pass pass(std::int32_t stage, PassKind kind, std::int32_t microBatch)
{
    return { StageId { stage }, MicroBatch { microBatch }, kind };
}

/// V-Half on 4 devices whose ticks take a millisecond.
inline RunRecipe recipeOfMs()
{
    RunRecipe recipe;
    recipe.design.costs.tickUs = 1000;
    recipe.steps = 1;
    return recipe;
}

/// The events of a run as long as the recipe, each changed (or left out, by false) as a test likes.
inline std::vector<RunEvent> eventsOf(const RunRecipe& recipe, const std::function<bool(RunEvent&)>& change = nullptr)
{
    std::vector<RunEvent> made;
    for (RunEvent& event : runEvents(recipe))
        if (!change || change(event))
            made.push_back(std::move(event));
    return made;
}

/// Leaves out what happens later than that in a step, counted from its beginning.
inline std::function<bool(RunEvent&)> cutStep(std::int64_t step, Nanos after)
{
    return [=, began = Nanos { 0 }](RunEvent& event) mutable {
        if (const auto* begin = std::get_if<StepBegan>(&event); begin && begin->step == step)
            began = begin->at;
        if (const auto* ran = std::get_if<PassEnded>(&event))
            return ran->step != step || ran->end <= began + after;
        if (const auto* moved = std::get_if<TransferEnded>(&event))
            return moved->step != step || moved->end <= began + after;
        return stepOf(event) != step || std::holds_alternative<StepBegan>(event);
    };
}

/// A panel on the screen with a run in it.
struct ShownPlan {
    explicit ShownPlan(std::vector<RunEvent> events, QSize size = { 1200, 620 })
    {
        panel.resize(size);
        panel.show();
        shown = QTest::qWaitForWindowExposed(&panel);
        QApplication::setActiveWindow(&panel);
        if (!events.empty())
            session.take(std::move(events));
        panel.view().setFocus();
    }
    PlanView& view() { return panel.view(); }
    const RunPicture& picture() { return panel.view().picture(); }
    QPoint plannedMiddle(const Pass& pass)
    {
        return view().scene().plannedRect(picture().findPlanned(pass)).center().toPoint();
    }
    QPoint actualMiddle(const Pass& pass)
    {
        return view().scene().actualRect(picture().findActual(pass)).center().toPoint();
    }
    /// A point of a device's row of passes that ran.
    QPoint at(Ticks time, std::int32_t device)
    {
        const PlanScene scene = view().scene();
        const PlanBands bands = scene.bandsAt(device);
        return { static_cast<int>(scene.xOf(time)), static_cast<int>(bands.passTop + bands.passHeight / 2) };
    }

    RunSession session;
    PlanPanel panel { session };
    bool shown = false;
};

} // namespace pipeloom::designer::testing
