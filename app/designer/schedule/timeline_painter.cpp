// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/schedule/timeline_painter.h"

#include "app/designer/schedule/memory_raster.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

namespace {

class Painting {
public:
    Painting(QImage& image, const TimelineScene& scene, PassLabels& labels)
        : image_(image)
        , scene_(scene)
        , labels_(labels)
        , tones_(*scene.theme, scene.colours, scene.fade, scene.only)
        , raster_(image, scene.ratio)
        , pixelMap_ { scene.map.begin, scene.map.pixelsPerTick * scene.ratio }
    {
    }

    void run()
    {
        image_.fill(scene_.theme->panel);
        for (std::int32_t row = scene_.firstRow(); row < scene_.endRow(); ++row)
            drawRow(row);
        QPainter painter(&image_);
        labels_.draw(painter, scene_, tones_);
        drawRowLabels(painter, scene_);
        drawRuler(painter, scene_);
    }

private:
    int pixels(double x) const { return static_cast<int>(std::lround(x * scene_.ratio)); }

    PixelRect plotBand(double top, double height) const
    {
        const int y = pixels(top);
        return { pixels(scene_.labelWidth), y, image_.width() - pixels(scene_.labelWidth), pixels(top + height) - y };
    }

    void drawRow(std::int32_t row)
    {
        const DeviceId device { row };
        const RowBands bands = scene_.bandsAt(row);
        const ScheduleData& data = *scene_.data;
        if (scene_.layout.detail() != RowDetail::Line) {
            const int y = pixels(bands.top + bands.height) - 1;
            fillPixels(image_, { 0, y, image_.width(), 1 }, scene_.theme->border.rgb());
        }
        if (data.rowBegin(device) == data.rowEnd(device))
            return;
        const PixelRect area = plotBand(bands.passTop, bands.passHeight);
        drawIdle(device, area);
        const PassDetail detail = passDetail(data.meanTicks(device) * scene_.map.pixelsPerTick);
        if (detail == PassDetail::Strip)
            raster_.drawStrip(data.row(device), pixelMap_, area, tones_.shares());
        else
            raster_.drawPasses(data.row(device), pixelMap_, area, tones_, detail);
        if (detail == PassDetail::Strip && scene_.only >= 0)
            drawOnly(device, area);
        if (bands.laneHeight > 0)
            drawTransferLane(image_, data, device, pixelMap_, plotBand(bands.laneTop, bands.laneHeight), *scene_.theme,
                scene_.ratio, scene_.fade);
        if (bands.memoryHeight > 0)
            drawMemory(device, bands);
    }

    /// The device's own span, so that what is not covered by passes reads as idle.
    void drawIdle(DeviceId device, const PixelRect& area)
    {
        const DeviceMetrics& metrics = scene_.data->metrics().devices[device.index()];
        const double far = area.width;
        const auto from = static_cast<int>(std::lround(std::clamp(pixelMap_.xOf(metrics.firstStart), 0.0, far)));
        const auto to = static_cast<int>(std::lround(std::clamp(pixelMap_.xOf(metrics.lastEnd), 0.0, far)));
        fillPixels(image_, { area.x + from, area.y, to - from, area.height }, scene_.theme->idle.rgb());
    }

    /// In a strip single passes do not show; those of the micro-batch in hand are put on top.
    void drawOnly(DeviceId device, const PixelRect& area)
    {
        for (const PassIndex pass : scene_.data->ofMicroBatch(MicroBatch { scene_.only })) {
            if (scene_.data->deviceOf(pass) != device)
                continue;
            const TimedPass& timed = scene_.data->at(pass);
            const double far = area.width;
            const int from = static_cast<int>(std::lround(std::clamp(pixelMap_.xOf(timed.start), -1.0, far)));
            const int to = static_cast<int>(std::lround(std::clamp(pixelMap_.xOf(timed.end), -1.0, far)));
            if (from >= 0 && from < area.width)
                fillPixels(
                    image_, { area.x + from, area.y, std::max(to - from, 1), area.height }, tones_.of(timed.pass).fill);
        }
    }

    void drawMemory(DeviceId device, const RowBands& bands)
    {
        const PixelRect area = plotBand(bands.memoryTop, bands.memoryHeight);
        columnLevels(*scene_.data, device, pixelMap_, static_cast<std::size_t>(area.width), levels_);
        const MemoryMarks marks { scene_.data->memoryScale(), scene_.data->design().memory.limit[device.index()] };
        if (scene_.layout.detail() == RowDetail::Curve)
            drawMemoryCurve(image_, levels_, area, marks, *scene_.theme, scene_.ratio, scene_.fade);
        else
            drawMemoryStrip(image_, levels_, area, marks, *scene_.theme, scene_.fade);
    }

    QImage& image_;
    const TimelineScene& scene_;
    PassLabels& labels_;
    PassTones tones_;
    PassRaster raster_;
    TimeMap pixelMap_; ///< of device pixels
    std::vector<ColumnLevel> levels_;
};

} // namespace

void TimelinePainter::paint(QImage& image, const TimelineScene& scene)
{
    const QSize size(static_cast<int>(std::lround(scene.width * scene.ratio)),
        static_cast<int>(std::lround(scene.height * scene.ratio)));
    if (image.size() != size || image.format() != QImage::Format_RGB32)
        image = QImage(size, QImage::Format_RGB32);
    image.setDevicePixelRatio(scene.ratio);
    Painting(image, scene, labels_).run();
}

} // namespace pipeloom::designer
