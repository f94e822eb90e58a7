// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A block editor on a document, shown and active, and ways to act on it by the names of passes.

#include "app/designer/block/block_panel.h"
#include "core/block/block_index.h"
#include "core/formats/design_file.h"
#include "core/library/library.h"
#include "tests/designer/window_test_main.h"

namespace pipeloom::designer::testing {

inline Design fromLibrary(const char* name, std::int32_t devices, std::int32_t microBatches)
{
    LibraryRequest request;
    request.devices = devices;
    request.microBatches = microBatches;
    return *findInLibrary(name)->make(request).design;
}

struct BlockEditor {
    Document document;
    LiveFigures figures { document };
    BlockPanel panel { document, figures };
    BlockView& view = panel.view();

    explicit BlockEditor(Design design, QSize size = { 1200, 400 })
    {
        panel.resize(size);
        document.reset(std::move(design), {});
        panel.show();
        static_cast<void>(QTest::qWaitForWindowActive(&panel));
        view.setFocus();
        view.axis().fit();
    }

    [[nodiscard]] const BuildingBlock& block() const { return *document.committed()->block(); }
    [[nodiscard]] std::int32_t find(const QString& name) const
    {
        for (std::size_t i = 0; i < block().passes.size(); ++i)
            if (QString::fromStdString(blockText(block().passes[i].slot, block())) == name)
                return static_cast<std::int32_t>(i);
        return -1;
    }
    [[nodiscard]] Ticks startOf(const QString& name) const
    {
        return block().passes[static_cast<std::size_t>(find(name))].start;
    }
    [[nodiscard]] QPoint centreOf(const QString& name) const { return view.rectOf(find(name)).center().toPoint(); }
    /// The middle of a tick of a device's row.
    [[nodiscard]] QPoint cell(std::int32_t device, Ticks tick) const
    {
        return view.pointOf(DeviceId { device }, static_cast<double>(tick) + 0.5).toPoint();
    }
    [[nodiscard]] QPoint byTicks(Ticks ticks) const
    {
        return { static_cast<int>(std::lround(view.axis().map().pixelsPerTick * static_cast<double>(ticks))), 0 };
    }
    [[nodiscard]] std::string bytes() const { return writeDesign(*document.committed()); }

    void dragPass(const QString& name, Ticks by, Qt::KeyboardModifiers modifiers = {})
    {
        const QPoint from = centreOf(name);
        drag(view.viewport(), from, from + byTicks(by), modifiers);
    }
    /// Press and moves; the button stays down.
    void hold(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::mousePress(view.viewport(), Qt::LeftButton, modifiers, from);
        for (int step = 1; step <= 4; ++step) {
            const QPoint at = from + (to - from) * step / 4;
            QMouseEvent move(
                QEvent::MouseMove, at, view.viewport()->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, modifiers);
            QApplication::sendEvent(view.viewport(), &move);
        }
    }
};

} // namespace pipeloom::designer::testing
