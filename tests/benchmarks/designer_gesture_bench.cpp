// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// What a person feels while dragging: from a move of the mouse in the block editor to all that changed drawn again, figures,
// schedule, memory and numbers included. Real events on the real window, 1600 x 1000, drawn in software.
#include "app/designer/block/block_view.h"
#include "app/designer/style/theme.h"
#include "app/designer/window/design_page.h"
#include "app/designer/window/main_window.h"
#include "core/library/library.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QStandardPaths>
#include <QTest>
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <algorithm>
#include <vector>

namespace {

using namespace pipeloom;
using namespace pipeloom::designer;

void dragInTheBlock(benchmark::State& state, const char* name, std::int32_t devices, std::int32_t microBatches)
{
    LibraryRequest request;
    request.devices = devices;
    request.microBatches = microBatches;
    MainWindow window;
    window.resize(1600, 1000);
    window.show();
    if (!window.files().take(*findInLibrary(name)->make(request).design)) {
        state.SkipWithError("the design was not taken");
        return;
    }
    QTest::qWait(300);
    BlockView& view = window.designPage().block().view();
    // The last pass of the first device, which is in view whatever the number of devices.
    const BuildingBlock& block = *window.document().committed()->block();
    std::int32_t dragged = 0;
    for (std::size_t i = 0; i < block.passes.size(); ++i)
        if (block.passes[i].device == DeviceId { 0 }
            && block.passes[i].start > block.passes[static_cast<std::size_t>(dragged)].start)
            dragged = static_cast<std::int32_t>(i);
    const QPoint from = view.rectOf(dragged).center().toPoint();
    const auto step = static_cast<int>(std::max(view.axis().map().pixelsPerTick, 8.0));
    QTest::mousePress(view.viewport(), Qt::LeftButton, {}, from);
    std::vector<double> frames;
    int at = 0;
    std::size_t pending = 0;
    for (auto _ : state) {
        at = (at + 1) % 5;
        const QPoint to = from + QPoint((at + 1) * step, 0);
        QMouseEvent move(
            QEvent::MouseMove, to, view.viewport()->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
        QElapsedTimer clock;
        clock.start();
        QApplication::sendEvent(view.viewport(), &move);
        QApplication::sendPostedEvents(); // what changed is drawn when the events say so
        QApplication::processEvents();
        frames.push_back(static_cast<double>(clock.nsecsElapsed()) / 1e6);
        pending += window.figures().figures()->pending;
    }
    if (!view.isInGesture())
        state.SkipWithError("nothing was dragged");
    QTest::keyClick(&view, Qt::Key_Escape);
    QTest::mouseRelease(view.viewport(), Qt::LeftButton, {}, from);
    std::sort(frames.begin(), frames.end());
    state.counters["median_ms"] = frames[frames.size() / 2];
    state.counters["p99_ms"] = frames[std::min(frames.size() - 1, frames.size() * 99 / 100)];
    state.counters["worst_ms"] = frames.back();
    state.counters["squeezed_shown"] = static_cast<double>(pending) / static_cast<double>(frames.size());
    window.document().reset(*window.document().committed(), {});
}

} // namespace

BENCHMARK_CAPTURE(dragInTheBlock, v_half_p4_m8, "v-half", 4, 8)->Iterations(200)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(dragInTheBlock, v_half_p16_m128, "v-half", 16, 128)->Iterations(200)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(dragInTheBlock, v_half_p64_m512, "v-half", 64, 512)->Iterations(100)->Unit(benchmark::kMillisecond);

int main(int argc, char** argv)
{
    // As the program does.
    mallopt(M_MMAP_THRESHOLD, 256 << 20);
    mallopt(M_TRIM_THRESHOLD, 256 << 20);
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    QStandardPaths::setTestModeEnabled(true);
    QApplication application(argc, argv);
    QCoreApplication::setOrganizationName("Pipeloom tests");
    QCoreApplication::setApplicationName("designer_gesture_bench");
    applyTheme(application, ThemeChoice::Light);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
