// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/export/miniature.h"

#include "core/formats/design_file.h"

namespace pipeloom::designer {

namespace {

constexpr std::size_t mostFileBytes = std::size_t { 2 } << 20;

struct Rows {
    QRectF area;
    int devices = 1;
    double pixelsPerTick = 1;

    [[nodiscard]] double pitch() const { return area.height() / devices; }
    [[nodiscard]] QRectF box(DeviceId device, Ticks start, Ticks end) const
    {
        const double x = area.left() + static_cast<double>(start) * pixelsPerTick;
        return { x, area.top() + pitch() * device.value + 0.12 * pitch(),
            std::max(static_cast<double>(end - start) * pixelsPerTick - (pixelsPerTick > 5 ? 1 : 0), 0.5),
            0.76 * pitch() };
    }
};

void paintBlockOf(QPainter& painter, const QRectF& area, const Design& design, const Theme& theme)
{
    const BuildingBlock& block = *design.block();
    Ticks end = 2 * block.interval;
    for (const BlockPass& pass : block.passes)
        end = std::max(end, pass.start + block.duration(pass.slot));
    const Rows rows { area, design.pipeline.devices, area.width() / static_cast<double>(end) };
    for (int device = 0; device <= rows.devices && rows.pitch() > 4; ++device)
        painter.fillRect(QRectF(area.left(), area.top() + rows.pitch() * device - 0.5, area.width(), 1), theme.grid);
    for (Ticks mark = 0; mark <= end && static_cast<double>(block.interval) * rows.pixelsPerTick > 3;
         mark += block.interval)
        painter.fillRect(
            QRectF(area.left() + static_cast<double>(mark) * rows.pixelsPerTick, area.top(), 1, area.height()),
            theme.gridStrong);
    for (const BlockPass& pass : block.passes)
        painter.fillRect(rows.box(pass.device, pass.start, pass.start + block.duration(pass.slot)),
            theme.of(pass.slot.first.kind).fill);
}

void paintScheduleOf(QPainter& painter, const QRectF& area, const Figures& figures, const Theme& theme)
{
    const Timeline& timeline = figures.plan.timeline;
    const Ticks end = std::max<Ticks>(figures.plan.metrics.lastEnd, 1);
    const Rows rows { area, timeline.devices(), area.width() / static_cast<double>(end) };
    for (int device = 0; device < rows.devices; ++device) {
        const DeviceMetrics& own = figures.plan.metrics.devices[static_cast<std::size_t>(device)];
        painter.fillRect(rows.box(DeviceId(device), own.firstStart, own.lastEnd), theme.idle);
        for (const TimedPass& pass : timeline.row(DeviceId(device))) {
            QRectF box = rows.box(DeviceId(device), pass.start, pass.end);
            if (pass.joined) // below the one that it runs with
                box.setTop(box.center().y());
            painter.fillRect(box, theme.of(pass.pass.kind).fill);
        }
    }
}

} // namespace

Figures figuresFor(Design design)
{
    Figures made;
    made.design = std::make_shared<const Design>(std::move(design));
    made.planned = made.design;
    made.plan = plan(*made.design);
    made.plan.program = {};
    made.findings = made.plan.findings;
    made.standing = made.plan.simulated() ? Standing::Whole : Standing::None;
    return made;
}

void paintMiniature(QPainter& painter, const QRectF& area, const Figures& figures, const Theme& theme)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    const bool hasBlock = figures.design->block() != nullptr;
    const bool hasSchedule = figures.plan.simulated();
    const double gap = hasBlock && hasSchedule ? std::max(6.0, area.height() / 14) : 0;
    const double share = hasBlock && hasSchedule ? 0.45 : 1;
    const double blockHeight = share * (area.height() - gap);
    if (hasBlock)
        paintBlockOf(painter, { area.left(), area.top(), area.width(), blockHeight }, *figures.design, theme);
    if (hasSchedule) {
        const double top = hasBlock ? area.top() + blockHeight + gap : area.top();
        paintScheduleOf(painter, { area.left(), top, area.width(), area.bottom() - top }, figures, theme);
    }
    painter.restore();
}

MiniatureMaker::MiniatureMaker(QObject* parent)
    : QObject(parent)
{
    pool_.setMaxThreadCount(1);
}

MiniatureMaker::~MiniatureMaker()
{
    ends_ = true;
    pool_.clear();
    pool_.waitForDone();
}

void MiniatureMaker::request(const QString& path, QSize size, double devicePixelRatio, bool dark)
{
    pool_.start([=, this] {
        const ReadText file = readTextFile(path.toStdString(), mostFileBytes);
        if (ends_ || !file.text)
            return;
        ReadDesign read = readDesign(*file.text);
        if (ends_ || !read.design)
            return;
        const Figures figures = figuresFor(std::move(*read.design));
        QImage image(size * devicePixelRatio, QImage::Format_ARGB32_Premultiplied);
        image.setDevicePixelRatio(devicePixelRatio);
        image.fill(Qt::transparent);
        QPainter painter(&image);
        paintMiniature(painter, QRectF({ 0, 0 }, size), figures, dark ? darkTheme() : lightTheme());
        painter.end();
        QMetaObject::invokeMethod(this, [this, path, image] { Q_EMIT ready(path, image); });
    });
}

} // namespace pipeloom::designer
