// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What tests of the schedule start from: library designs, their timelines, and a panel on the screen.

#include "app/designer/schedule/schedule_header.h"
#include "app/designer/schedule/schedule_minimap.h"
#include "app/designer/schedule/schedule_panel.h"
#include "app/designer/schedule/search_bar.h"
#include "app/designer/style/segmented_bar.h"
#include "core/library/library.h"
#include "tests/designer/window_test_main.h"

#include <QAction>
#include <QSignalSpy>

namespace pipeloom::designer::testing {

inline Design libraryDesign(
    const char* name, std::int32_t devices = 4, std::int32_t microBatches = 8, Ticks transfer = 0)
{
    LibraryRequest request;
    request.devices = devices;
    request.microBatches = microBatches;
    request.transfer = transfer;
    return findInLibrary(name)->make(request).design.value();
}

inline FiguresPtr figuresOf(const Design& design, Form form = Form::Squeezed)
{
    auto figures = std::make_shared<Figures>();
    figures->design = std::make_shared<const Design>(design);
    figures->planned = figures->design;
    figures->plan = plan(design, { form, std::nullopt });
    figures->findings = figures->plan.findings;
    figures->standing = Standing::Whole;
    return figures;
}

/// An explicit schedule of two devices in which an F and a B run overlapped as a pair: (0F1+0BW0) on device 0.
inline Design pairedDesign()
{
    Design design = emptyDesign(pipeline(PlacementKind::Linear, 2, 2, 2));
    const auto pass = [](std::int32_t stage, PassKind kind, std::int32_t microBatch) {
        return Pass { StageId { stage }, MicroBatch { microBatch }, kind };
    };
    const auto one = [&](std::int32_t stage, PassKind kind, std::int32_t microBatch) {
        return Slot { pass(stage, kind, microBatch), {} };
    };
    design.plan = schedule({
        { one(0, PassKind::F, 0), Slot { pass(0, PassKind::F, 1), pass(0, PassKind::BW, 0) }, one(0, PassKind::BW, 1) },
        { one(1, PassKind::F, 0), one(1, PassKind::BW, 0), one(1, PassKind::F, 1), one(1, PassKind::BW, 1) },
    });
    return design;
}

/// A scene of a timeline, all of it shown, 1000 pixels of plot.
inline TimelineScene sceneOf(const ScheduleData& data, double rowHeight = 80, double ratio = 1)
{
    TimelineScene scene;
    scene.data = &data;
    scene.layout = { data.devices(), rowHeight, true, data.hasTransfers() };
    scene.labelWidth = 70;
    scene.width = 1070;
    scene.height = TimelineScene::rulerHeight + scene.layout.contentHeight();
    scene.map = { 0, 1000.0 / static_cast<double>(data.metrics().lastEnd) };
    scene.ratio = ratio;
    scene.theme = &lightTheme();
    return scene;
}

/// A panel that shows a design, on the screen, its figures made at once.
struct ShownPanel {
    explicit ShownPanel(const Design& design, QSize size = { 1200, 440 }, Form form = Form::Squeezed)
    {
        live.setBudgetUs(60'000'000);
        live.setForm(form);
        document.reset(design, {});
        panel.resize(size);
        panel.show();
        shown = QTest::qWaitForWindowExposed(&panel);
        panel.view().setFocus();
    }
    ScheduleView& view() { return panel.view(); }
    const ScheduleData& data() { return *panel.view().schedule(); }
    PassIndex find(std::int32_t stage, PassKind kind, std::int32_t microBatch)
    {
        return data().find({ StageId { stage }, MicroBatch { microBatch }, kind });
    }
    /// The middle of a pass as it is drawn.
    QPoint middleOf(PassIndex pass) { return panel.view().scene().rectOf(pass).center().toPoint(); }
    QPoint at(double time, std::int32_t row)
    {
        const TimelineScene scene = panel.view().scene();
        const RowBands bands = scene.bandsAt(row);
        return { static_cast<int>(scene.labelWidth + scene.map.xOf(time)),
            static_cast<int>(bands.passTop + bands.passHeight / 2) };
    }
    void trigger(const char* action) { panel.action(action)->trigger(); }

    Document document;
    LiveFigures live { document };
    SchedulePanel panel { document, live };
    bool shown = false;
};

} // namespace pipeloom::designer::testing
